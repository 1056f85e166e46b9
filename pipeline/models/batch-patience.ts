import { stopIfAborted } from "../executor.js";
import type { Clock } from "./clock.js";
import { transportFault } from "./http-transport.js";
import type { Fault, ProviderError } from "./transport.js";

/** What another try may mend. */
const PASSING: readonly Fault[] = ["rate", "server", "timeout", "connection", "malformed"];

export function passes({ fault }: ProviderError): boolean {
  return PASSING.includes(fault);
}

/** Does something with an endpoint until it succeeds, cannot, or was tried often enough. `attempt` counts from 0. */
export type Patience = <T>(act: (attempt: number) => Promise<T>) => Promise<T>;

export interface PatienceOptions {
  readonly attempts: number;
  /** Most seconds between two tries. */
  readonly max_wait: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** The role's, to be taken out of every message. */
  readonly key: string | undefined;
}

/** For the few requests that manage a job, which no limiter has to spread: waits 1, 2, 4, ... seconds, or as the endpoint asks. */
export function patienceOf({ attempts, max_wait, clock, signal, key }: PatienceOptions): Patience {
  return async (act) => {
    for (let attempt = 0; ; attempt++) {
      try {
        return await act(attempt);
      } catch (error) {
        stopIfAborted(signal);
        const provider = transportFault(error, key);
        // Nothing is there: neither a job of another account nor files and batches come with time.
        const nothing = provider.status === 404;
        if (!passes(provider) || nothing || attempt + 1 >= attempts) throw provider;
        const seconds = Math.min(max_wait, provider.retryAfter ?? 2 ** attempt);
        await rest(seconds, clock, signal);
      }
    }
  };
}

/** @throws TaskmillError (interrupted) */
export async function rest(seconds: number, clock: Clock, signal: AbortSignal): Promise<void> {
  await clock.sleep(seconds * 1000, signal).catch((error: unknown) => {
    stopIfAborted(signal);
    throw error;
  });
}
