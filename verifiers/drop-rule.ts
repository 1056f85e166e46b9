import { z } from "zod";

/** When a closed-book probe drops a row: by how many of one role's k samples are right. */
export const dropRule = z.union([
  z.enum(["any", "majority"]),
  z.strictObject({ at_least: z.number().int().positive() }),
]);
export type DropRule = z.infer<typeof dropRule>;

/** How many of one role's `k` samples must be right for the row to be dropped. */
export function rightsNeeded(rule: DropRule, k: number): number {
  if (rule === "any") return 1;
  if (rule === "majority") return Math.floor(k / 2) + 1;
  return rule.at_least;
}

/** The rule as evidence and report show it. */
export function dropText(rule: DropRule): string {
  return typeof rule === "string" ? rule : `at least ${rule.at_least}`;
}

/** What the decision looks at. */
export interface Outcome {
  readonly role: string;
  readonly outcome: "right" | "wrong" | "undecided" | "no_reply";
}

/** The first role that answers often enough for the row to be dropped. */
export function knownBy(samples: readonly Outcome[], rule: DropRule, k: number): string | undefined {
  const rights = new Map<string, number>();
  for (const { role, outcome } of samples) {
    if (outcome !== "right") continue;
    const count = (rights.get(role) ?? 0) + 1;
    if (count >= rightsNeeded(rule, k)) return role;
    rights.set(role, count);
  }
  return undefined;
}

/** Samples that tell something: refusals, failures and answers that cannot be judged are no misses. */
export function gradedOf(samples: readonly Outcome[], role: string): number {
  return samples.filter((s) => s.role === role && (s.outcome === "right" || s.outcome === "wrong")).length;
}
