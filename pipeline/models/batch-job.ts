import type { BatchApi, JobState } from "./batch-api.js";
import type { Patience } from "./batch-patience.js";
import { type Result, resultOf } from "./batch-result.js";
import { hideSecrets } from "./redact.js";
import { type Fault, ProviderError } from "./transport.js";

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
    for await (const line of api.lines(file, signal)) {
      const found = resultOf(line, key);
      if (found !== undefined && !results.has(found.key)) results.set(found.key, found.result);
    }
  }
  const { fault, message } = restOf(id, state);
  return { results, rest: new ProviderError(fault, hideSecrets(key)(message)) };
}

/** Why a job failed as a whole, by the endpoint's code; any other is the fault of what was handed in. */
const FAILURES: readonly { readonly test: RegExp; readonly fault: Fault }[] = [
  { test: /token_limit|rate_limit|enqueued/i, fault: "rate" },
  { test: /quota|billing|insufficient|credit/i, fault: "quota" },
  { test: /model/i, fault: "model" },
];

function restOf(id: string, { status, code, message }: JobState): ProviderError {
  switch (status) {
    case "failed": {
      const fault = FAILURES.find(({ test }) => test.test(code))?.fault ?? "bad_request";
      const why = [code, message].filter((part) => part !== "").join(": ") || "the endpoint does not say why";
      return new ProviderError(fault, `the batch ${id} failed: ${why}`);
    }
    case "cancelled":
      return new ProviderError("bad_request", `the batch ${id} was cancelled before it came to this request`);
    case "expired":
      return new ProviderError("timeout", `the batch ${id} expired before it came to this request`);
    default:
      return new ProviderError("malformed", `the files of the batch ${id} hold no answer to this request`);
  }
}
