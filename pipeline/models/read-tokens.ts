import { z } from "zod";
import type { Tokens } from "../../stages/model.js";
import type { Json } from "../base/canonical.js";

const ids = z.array(z.int().nonnegative());
const choice = z.looseObject({
  token_ids: ids,
  logprobs: z
    .looseObject({ content: z.array(z.looseObject({ logprob: z.number() })) })
    .nullish()
    .catch(null),
  routed_experts: z.json().nullish().catch(null),
});

/**
 * Token ids in and out, as vLLM gives them when a role's `sampling.extra` asks by `return_token_ids: true`; with `logprobs: true`, and
 * where the server returns expert routes, these too.
 * @returns nothing unless both lists are there and, with log probabilities, of one length with these
 */
export function readTokens(prompt: unknown, given: unknown): { tokens?: Tokens } {
  const asked = ids.safeParse(prompt);
  const read = choice.safeParse(given);
  if (!asked.success || !read.success) return {};
  const { token_ids: completion, logprobs, routed_experts = null } = read.data;
  const each = logprobs?.content.map(({ logprob }) => logprob) ?? null;
  const fits = each === null || each.length === completion.length;
  const experts = routed_experts as Json;
  return { tokens: { prompt: asked.data, completion, logprobs: fits ? each : null, experts } };
}
