import { z } from "zod";
import type { BatchApi, JobState } from "./batch-api.js";
import type { Patience } from "./batch-patience.js";
import type { RecordedReply } from "./call.js";
import { parseJson } from "./json-text.js";
import { readAnswer } from "./read-reply.js";
import { hideSecrets } from "./redact.js";
import { type Fault, ProviderError } from "./transport.js";

/** What became of one request of a job. */
type Result = { readonly reply: RecordedReply } | { readonly error: ProviderError };

/** What came of a job. */
export interface Outcome {
  /** By key of the call. */
  readonly results: Map<string, Result>;
  /** What befell the requests that have no result. */
  readonly rest: ProviderError;
}

export interface JobOptions {
  readonly api: BatchApi;
  readonly patience: Patience;
  /** The role's, to be taken out of every text. */
  readonly key: string | undefined;
  readonly signal: AbortSignal;
  /** Waits until the job is to be looked at again. */
  readonly pause: (id: string, state: JobState) => Promise<void>;
}

/** Waits until a job is over and reads its files. @throws ProviderError when the endpoint is not to be had, the signal's reason */
export async function outcomeOf(id: string, options: JobOptions): Promise<Outcome> {
  const { api, patience, signal, pause } = options;
  try {
    for (;;) {
      const state = await patience(() => api.state(id, signal));
      if (state.over) return await patience(() => resultsOf(id, state, options));
      await pause(id, state);
    }
  } catch (error) {
    if (!(error instanceof ProviderError) || error.status !== 404) throw error;
    const rest = new ProviderError("malformed", `the endpoint knows no batch ${id} any more`);
    return { results: new Map(), rest };
  }
}

/** Of several answers to one request the first counts; answers that nobody asked for are passed over. */
async function resultsOf(id: string, state: JobState, { api, key, signal }: JobOptions): Promise<Outcome> {
  const results = new Map<string, Result>();
  for (const file of state.files) {
    for await (const text of api.lines(file, signal)) {
      const found = resultOf(text, key);
      if (found !== undefined && !results.has(found.key)) results.set(found.key, found.result);
    }
  }
  const { fault, message } = restOf(id, state);
  return { results, rest: new ProviderError(fault, hideSecrets(key)(message)) };
}

const resultLine = z.looseObject({
  custom_id: z.string(),
  response: z.looseObject({ status_code: z.number(), body: z.unknown().optional() }).nullish(),
  error: z.looseObject({ code: z.string().nullish(), message: z.string().nullish() }).nullish(),
});

/**
 * One line of a job's files, as the key of its call and what became of it; undefined for a line that is none.
 * Requests that the endpoint did not get to (`batch_expired`) count as timed out.
 */
function resultOf(text: string, secret: string | undefined): { key: string; result: Result } | undefined {
  const parsed = resultLine.safeParse(parseJson(text));
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

/** Why a job failed as a whole, by the endpoint's code; any other is the fault of what was handed in. */
const FAILURES: readonly { readonly test: RegExp; readonly fault: Fault }[] = [
  { test: /token_limit|rate_limit|enqueued/i, fault: "rate" },
  { test: /quota|billing|insufficient|credit/i, fault: "quota" },
  { test: /model/i, fault: "model" },
];

function restOf(id: string, { status, code, message }: JobState): { fault: Fault; message: string } {
  switch (status) {
    case "failed": {
      const fault = FAILURES.find(({ test }) => test.test(code))?.fault ?? "bad_request";
      const why = [code, message].filter((part) => part !== "").join(": ") || "the endpoint does not say why";
      return { fault, message: `the batch ${id} failed: ${why}` };
    }
    case "cancelled":
      return {
        fault: "bad_request",
        message: `the batch ${id} was cancelled before it came to this request`,
      };
    case "expired":
      return { fault: "timeout", message: `the batch ${id} expired before it came to this request` };
    default:
      return { fault: "malformed", message: `the files of the batch ${id} hold no answer to this request` };
  }
}
