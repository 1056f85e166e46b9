import type { Clock } from "../../pipeline/base/clock.js";
import { TokenBucket } from "../../pipeline/base/token-bucket.js";
import type { FetchEvent } from "./events.js";
import { lasting } from "./fault.js";
import type { FetchSpec } from "./spec.js";

/** A clock without chance: jitter comes from a seeded stream. */
export type FetchClock = Pick<Clock, "now" | "sleep">;

/** Lets requests to one server go: evenly spaced, not while the server wants to be left alone, and not beyond the time for the whole. */
export class Gate {
  readonly #bucket: TokenBucket;
  readonly #end: number;
  #pausedUntil = 0;

  constructor(
    { rate, limits }: FetchSpec,
    private readonly clock: FetchClock,
    private readonly signal: AbortSignal,
    private readonly tell: (event: FetchEvent) => void,
  ) {
    this.#bucket = new TokenBucket(rate.per_second * 60, clock, 0);
    this.#end = clock.now() + limits.seconds * 1000;
  }

  /** Waits until a request may go. @throws FetchFault when the time for the whole is over */
  async enter(): Promise<void> {
    for (;;) {
      this.signal.throwIfAborted();
      const now = this.clock.now();
      const wait = Math.max(this.#pausedUntil - now, this.#bucket.wait(1));
      if (now + Math.max(0, wait) > this.#end) throw outOfTime();
      if (wait <= 0) {
        this.#bucket.take(1);
        return;
      }
      await this.clock.sleep(wait, this.signal);
    }
  }

  /** Keeps all requests back for so many seconds. */
  pause(seconds: number, why: string): void {
    const until = this.clock.now() + seconds * 1000;
    if (until <= this.#pausedUntil) return;
    this.#pausedUntil = until;
    this.tell({ type: "wait", seconds, why });
  }

  /** Milliseconds that are left for the whole. */
  left(): number {
    return Math.max(0, this.#end - this.clock.now());
  }
}

export function outOfTime(): Error {
  return lasting(
    "the download takes longer than `limits.seconds` allows",
    "the same command goes on where it stopped; or raise `fetch.limits.seconds`",
  );
}
