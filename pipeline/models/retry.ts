import type { Fault, ProviderError } from "./transport.js";

/** Faults that may go away by themselves. The others would be the same at the next try. */
const PASSING: ReadonlySet<Fault> = new Set(["connection", "rate", "server", "timeout", "malformed"]);
/** Faults behind which the endpoint may have done, and billed, the work. */
const BILLED: ReadonlySet<Fault> = new Set(["timeout", "malformed"]);
/** Statuses by which a server says that it has too much to do, besides 429. */
const OVERLOAD: ReadonlySet<number | undefined> = new Set([503, 529]);
/** Seconds before the second try, at most; each further wait may be twice as long. */
const FIRST_WAIT = 0.5;
/** Tries at an address where nothing has ever answered: enough for a server that is just starting. */
export const TRIES_AT_NOTHING = 3;

export function passes({ fault, status }: ProviderError): boolean {
  // A server that has nothing at this address will have nothing there in a second.
  return PASSING.has(fault) && !(fault === "connection" && status !== undefined);
}

export function mayBeBilled({ fault }: ProviderError): boolean {
  return BILLED.has(fault);
}

/** Whether fewer calls at a time would have helped. */
export function isOverload({ fault, status }: ProviderError): boolean {
  return fault === "rate" || fault === "timeout" || OVERLOAD.has(status);
}

/**
 * Seconds until the next try: what the endpoint asks for, else exponential; both with jitter, so that calls that failed together do not
 * come back together, and never over the ceiling.
 * @param tries those that failed, from 1
 * @param random in [0, 1)
 */
export function waitBefore(error: ProviderError, tries: number, ceiling: number, random: number): number {
  if (error.retryAfter !== undefined) return Math.min(ceiling, error.retryAfter + FIRST_WAIT * random);
  const most = Math.min(ceiling, FIRST_WAIT * 2 ** Math.min(tries - 1, 30));
  return most * (0.5 + 0.5 * random);
}
