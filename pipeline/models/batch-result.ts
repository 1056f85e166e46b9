import { z } from "zod";
import type { RecordedReply } from "./call.js";
import { ProviderError } from "./transport.js";

/** Reads what an endpoint answered to a single request. @throws ProviderError */
export type ReadAnswer = (status: number, body: unknown) => RecordedReply;

/** What became of one request of a job. */
export type Result = { readonly reply: RecordedReply } | { readonly error: ProviderError };

const line = z.looseObject({
  custom_id: z.string(),
  response: z.looseObject({ status_code: z.number(), body: z.unknown() }).nullish(),
  error: z.looseObject({ code: z.string().nullish(), message: z.string().nullish() }).nullish(),
});

/**
 * One line of a job's files, as the key of its call and what became of it; undefined for a line that is none.
 * Requests that the endpoint did not get to (`batch_expired`) count as timed out.
 */
export function resultOf(text: string, read: ReadAnswer): { key: string; result: Result } | undefined {
  const parsed = line.safeParse(jsonOf(text));
  if (!parsed.success) return undefined;
  const { custom_id: key, response, error } = parsed.data;
  if (response !== undefined && response !== null && response.status_code !== 0)
    return { key, result: answered(response.status_code, response.body, read) };
  const code = error?.code ?? "no answer";
  const message = `${code}: ${error?.message ?? "the job's files hold no answer to this request"}`;
  const fault = code === "batch_expired" ? "timeout" : "server";
  return { key, result: { error: new ProviderError(fault, message) } };
}

function answered(status: number, body: unknown, read: ReadAnswer): Result {
  try {
    return { reply: read(status, body) };
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
