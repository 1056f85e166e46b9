import type { Clock } from "../base/clock.js";
import { faultIn } from "./endpoint.js";
import { passes } from "./retry.js";

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

/**
 * For the few requests that manage a job, which no limiter has to spread: waits 1, 2, 4, ... seconds, or as the endpoint asks.
 * They throw ProviderError, or the signal's reason.
 */
export function patienceOf({ attempts, max_wait, clock, signal, key }: PatienceOptions): Patience {
  return async (act) => {
    for (let attempt = 0; ; attempt++) {
      try {
        return await act(attempt);
      } catch (error) {
        signal.throwIfAborted();
        const provider = faultIn(error, key);
        if (!passes(provider) || attempt + 1 >= attempts) throw provider;
        const seconds = Math.min(max_wait, provider.retryAfter ?? 2 ** attempt);
        await clock.sleep(seconds * 1000, signal);
      }
    }
  };
}
