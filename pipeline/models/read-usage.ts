import { z } from "zod";
import type { Usage } from "../../stages/model.js";

/** No count is known. */
export const UNKNOWN_USAGE: Usage = { input: null, cached_input: null, output: null, reasoning: null };

const count = z.int().nonnegative().nullish().catch(null);
const details = (...names: string[]) =>
  z
    .looseObject(Object.fromEntries(names.map((name) => [name, count])))
    .nullish()
    .catch(null);

/** OpenAI's names; of the prompt cache also DeepSeek's and Anthropic's, which some gateways pass on. */
const usage = z.looseObject({
  prompt_tokens: count,
  completion_tokens: count,
  prompt_cache_hit_tokens: count,
  cache_read_input_tokens: count,
  reasoning_tokens: count,
  prompt_tokens_details: details("cached_tokens"),
  completion_tokens_details: details("reasoning_tokens"),
});

/**
 * Tokens as the endpoint counted them. What it does not say is null, never 0; nor is 0 believed where it cannot be: of a prompt, or of
 * a reply that has text (servers that count nothing send zeros).
 */
export function readUsage(value: unknown, wrote: boolean): Usage {
  const parsed = usage.safeParse(value);
  if (!parsed.success) return UNKNOWN_USAGE;
  const u = parsed.data;
  const input = u.prompt_tokens || null;
  const output = wrote ? u.completion_tokens || null : (u.completion_tokens ?? null);
  const cached =
    u.prompt_tokens_details?.cached_tokens ?? u.prompt_cache_hit_tokens ?? u.cache_read_input_tokens;
  const reasoning = u.completion_tokens_details?.reasoning_tokens ?? u.reasoning_tokens;
  return {
    input,
    cached_input: input === null ? null : partOf(cached, input),
    output,
    reasoning: output === null ? null : partOf(reasoning, output),
  };
}

/** A detail that is larger than its whole says nothing. */
function partOf(part: unknown, whole: number): number | null {
  return typeof part === "number" && part <= whole ? part : null;
}
