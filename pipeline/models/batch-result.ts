import { z } from "zod";
import type { RecordedReply } from "./call.js";
import { readAnswer } from "./read-reply.js";
import { hideSecrets } from "./redact.js";
import { ProviderError } from "./transport.js";

/** What became of one request of a job. */
export type Result = { readonly reply: RecordedReply } | { readonly error: ProviderError };

const line = z.looseObject({
  custom_id: z.string(),
  response: z.looseObject({ status_code: z.number(), body: z.unknown().optional() }).nullish(),
  error: z.looseObject({ code: z.string().nullish(), message: z.string().nullish() }).nullish(),
});

/**
 * One line of a job's files, as the key of its call and what became of it; undefined for a line that is none.
 * Requests that the endpoint did not get to (`batch_expired`) count as timed out.
 */
export function resultOf(
  text: string,
  secret: string | undefined,
): { key: string; result: Result } | undefined {
  const parsed = line.safeParse(jsonOf(text));
  if (!parsed.success) return undefined;
  const { custom_id: key, response, error } = parsed.data;
  // vLLM leaves the body of a refusal out and says why in `error`.
  if (response !== undefined && response !== null && response.status_code !== 0)
    return { key, result: answered(response.status_code, response.body ?? { error }, secret) };
  const code = error?.code ?? "no answer";
  const message = `${code}: ${error?.message ?? "the job's files hold no answer to this request"}`;
  const fault = code === "batch_expired" ? "timeout" : "server";
  return { key, result: { error: new ProviderError(fault, hideSecrets(secret)(message)) } };
}

function answered(status: number, body: unknown, secret: string | undefined): Result {
  try {
    return { reply: readAnswer(status, body, secret) };
  } catch (error) {
    if (error instanceof ProviderError) return { error };
    throw error;
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
