import { setTimeout as sleep } from "node:timers/promises";

/** Time and chance for waiting only: nothing of either reaches an output. Tests give their own. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after so many milliseconds. @throws the signal's reason, at once, when it is aborted. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
  /** A number in [0, 1), for jitter. */
  random(): number;
}

/** The longest that a timer of Node's can wait, some 25 days. */
export const LONGEST_WAIT = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  async sleep(milliseconds, signal) {
    await sleep(Math.min(milliseconds, LONGEST_WAIT), undefined, { signal }).catch((error: unknown) => {
      signal.throwIfAborted();
      throw error;
    });
  },
  random: () => Math.random(),
};
