import { setImmediate } from "node:timers/promises";
import { type Clock, systemClock } from "../../../pipeline/base/clock.js";

/** A clock that goes on only when a test says so. */
export class ManualClock implements Clock {
  #now = 1_000_000;
  #sleepers: { until: number; wake: () => void }[] = [];
  /** Of each sleep the milliseconds that were asked for. */
  readonly slept: number[] = [];

  constructor(private readonly chance: () => number = () => 0) {}

  now(): number {
    return this.#now;
  }

  random(): number {
    return this.chance();
  }

  sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
    this.slept.push(milliseconds);
    return new Promise((resolve, reject) => {
      const stop = (): void => reject(signal.reason);
      if (signal.aborted) return stop();
      signal.addEventListener("abort", stop, { once: true });
      const wake = (): void => {
        signal.removeEventListener("abort", stop);
        resolve();
      };
      this.#sleepers.push({ until: this.#now + milliseconds, wake });
    });
  }

  /** Lets time pass, stopping at each sleeper that is due. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    for (;;) {
      await setImmediate();
      const next = this.#sleepers.sort((a, b) => a.until - b.until)[0];
      if (next === undefined || next.until > end) break;
      this.#now = Math.max(this.#now, next.until);
      this.#sleepers.shift();
      next.wake();
    }
    this.#now = end;
    await setImmediate();
  }
}

/** Cuts every wait short, for tests in which nothing is timed. */
export const quickClock: Clock = {
  now: () => 0,
  random: () => 0.5,
  sleep: (_milliseconds, signal) => systemClock.sleep(3, signal),
};
