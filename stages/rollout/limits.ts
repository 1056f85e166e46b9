import { z } from "zod";

const count = z.int().positive();

/** Where a rollout ends if its agent does not end it. */
export const limitsSchema = z.strictObject({
  /** Replies of the model. */
  turns: count.max(1000).default(12),
  /** Tokens that it may write over all turns, as the endpoint counts them. */
  output_tokens: count.optional(),
  /** Money for all turns: stops once so much is spent, at these prices per million tokens. */
  cost: z
    .strictObject({
      most: z.number().positive(),
      input: z.number().nonnegative(),
      output: z.number().nonnegative(),
    })
    .optional(),
});
export type Limits = z.infer<typeof limitsSchema>;

/** What happens when a conversation grows beyond `tokens`, input and output of a turn together. */
export const contextSchema = z.strictObject({
  tokens: count,
  /** `stop` ends the rollout. `truncate` takes old observations out and goes on: a new segment starts. */
  policy: z.enum(["stop", "truncate"]).default("stop"),
  /** The latest observations that stay. */
  keep: z.int().nonnegative().default(4),
});
export type ContextPolicy = z.infer<typeof contextSchema>;

/** What turns took so far. */
export interface Spent {
  readonly turns: number;
  readonly input: number;
  readonly output: number;
}

/** The limit that is reached, or undefined. */
export function reached(
  limits: Limits,
  { turns, input, output }: Spent,
): "turns" | "tokens" | "cost" | undefined {
  if (turns >= limits.turns) return "turns";
  if (limits.output_tokens !== undefined && output >= limits.output_tokens) return "tokens";
  const { cost } = limits;
  if (cost !== undefined && (input * cost.input + output * cost.output) / 1e6 >= cost.most) return "cost";
  return undefined;
}
