import type { Clock } from "./clock.js";

/** Seconds' worth of the rate that may be used at once after a rest: endpoints count by the minute, but not all alike. */
const BURST = 2;

/**
 * So many units a minute. Debt is allowed: an amount larger than the bucket goes when it is full, and a cost that turns out otherwise
 * afterwards is put right.
 */
export class TokenBucket {
  readonly #perMs: number;
  readonly #size: number;
  #level: number;
  #at: number;

  /** @param burst seconds' worth of the rate that may go at once; 0 spaces units evenly */
  constructor(
    perMinute: number,
    private readonly clock: Pick<Clock, "now">,
    burst = BURST,
  ) {
    this.#perMs = perMinute / 60_000;
    this.#size = Math.max(1, this.#perMs * 1000 * burst);
    this.#level = this.#size;
    this.#at = clock.now();
  }

  /** Milliseconds until so many units may be taken; 0 is now. */
  wait(units: number): number {
    this.#refill();
    const short = Math.min(units, this.#size) - this.#level;
    return short <= 1e-9 ? 0 : Math.ceil(short / this.#perMs);
  }

  /** Takes units (a negative number gives them back). */
  take(units: number): void {
    this.#refill();
    this.#level = Math.min(this.#size, this.#level - units);
  }

  #refill(): void {
    const now = this.clock.now();
    this.#level = Math.min(this.#size, this.#level + Math.max(0, now - this.#at) * this.#perMs);
    this.#at = now;
  }
}
