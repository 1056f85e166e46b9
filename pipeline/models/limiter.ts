import type { Clock } from "../base/clock.js";
import { TokenBucket } from "../base/token-bucket.js";
import type { ModelSpec } from "./spec.js";

type Limits = Pick<
  ModelSpec["limits"],
  "concurrency" | "requests_per_minute" | "tokens_per_minute" | "max_wait"
>;

/**
 * How many calls go out at first. The window then grows by one with each call that comes back until the endpoint refuses one for the
 * first time, so that it doubles in each round trip (TCP's slow start): 64 are in flight after two. The default limit is 16, and the
 * calls that a smaller server refuses at first are only tried again.
 */
const FIRST_WINDOW = 16;

/** How a call that had a place came back. */
export interface Back {
  /** `refused`: the endpoint has too much to do. `other` says nothing of that. */
  readonly end: "served" | "refused" | "other";
  /** What was used of the tokens that were held; undefined keeps the estimate. */
  readonly tokens?: number;
  /** Seconds that the endpoint asks for. */
  readonly retryAfter?: number;
}

export interface Place {
  /** Only the first call counts. */
  leave(back: Back): void;
}

/** For what no limit holds. */
export const NOWHERE: Place = { leave: () => {} };

interface Waiter {
  readonly tokens: number;
  resolve(place: Place): void;
  reject(error: unknown): void;
}

/**
 * Lets calls to one endpoint go in the order they came: as many at a time as it bears (additive increase, multiplicative decrease
 * between 1 and the limit), and no more requests and tokens a minute than the config allows.
 */
export class Limiter {
  readonly #requests: TokenBucket | undefined;
  readonly #tokens: TokenBucket | undefined;
  #queue: Waiter[] = [];
  /** Index of the queue's head: shifting an array of thousands is slow. */
  #head = 0;
  #window: number;
  #growing = true;
  #flying = 0;
  /** Calls are numbered as they go out; the window shrinks once for all that were out together. */
  #sent = 0;
  #shrunkAt = 0;
  #refusalsInARow = 0;
  #pausedUntil = 0;
  #timer = false;
  #closed: { readonly error: unknown } | undefined;
  readonly #stop = new AbortController();

  /** @param onPause told when the endpoint is left alone, in seconds */
  constructor(
    private readonly limits: Limits,
    private readonly clock: Clock,
    private readonly onPause: (seconds: number) => void,
  ) {
    const { concurrency, requests_per_minute: requests, tokens_per_minute: tokens } = limits;
    this.#window = Math.min(FIRST_WINDOW, concurrency);
    this.#requests = requests === undefined ? undefined : new TokenBucket(requests, clock);
    this.#tokens = tokens === undefined ? undefined : new TokenBucket(tokens, clock);
  }

  /** How many calls may be out at a time, as it stands. */
  get window(): number {
    return Math.max(1, Math.floor(this.#window));
  }

  /** Waits for a place. @param tokens that the call uses at most. @throws what {@link close} was given */
  enter(tokens: number): Promise<Place> {
    if (this.#closed !== undefined) return Promise.reject(this.#closed.error);
    return new Promise((resolve, reject) => {
      this.#queue.push({ tokens, resolve, reject });
      this.#pump();
    });
  }

  /** Lets no further call go: all that wait fail with this error. */
  close(error: unknown): void {
    this.#closed ??= { error };
    this.#stop.abort();
    const waiting = this.#queue.slice(this.#head);
    this.#queue = [];
    this.#head = 0;
    for (const waiter of waiting) waiter.reject(error);
  }

  #pump(): void {
    while (this.#head < this.#queue.length && this.#flying < this.window) {
      const waiter = this.#queue[this.#head]!;
      const wait = this.#wait(waiter.tokens);
      if (wait > 0) {
        this.#later(wait);
        return;
      }
      this.#head++;
      if (this.#head > 1000 && this.#head * 2 > this.#queue.length) {
        this.#queue = this.#queue.slice(this.#head);
        this.#head = 0;
      }
      waiter.resolve(this.#go(waiter.tokens));
    }
  }

  /** Milliseconds until the next call may go. */
  #wait(tokens: number): number {
    const pause = this.#pausedUntil - this.clock.now();
    return Math.max(0, pause, this.#requests?.wait(1) ?? 0, this.#tokens?.wait(tokens) ?? 0);
  }

  #later(milliseconds: number): void {
    if (this.#timer) return;
    this.#timer = true;
    const again = (): void => {
      this.#timer = false;
      if (this.#closed === undefined) this.#pump();
    };
    this.clock.sleep(milliseconds, this.#stop.signal).then(again, () => {});
  }

  #go(tokens: number): Place {
    this.#requests?.take(1);
    this.#tokens?.take(tokens);
    this.#flying++;
    const number = ++this.#sent;
    let left = false;
    return {
      leave: (back) => {
        if (left) return;
        left = true;
        this.#flying--;
        if (back.tokens !== undefined) this.#tokens?.take(back.tokens - tokens);
        this.#adapt(back, number);
        this.#pump();
      },
    };
  }

  #adapt({ end, retryAfter }: Back, number: number): void {
    if (end === "other") return;
    if (end === "served") {
      this.#refusalsInARow = 0;
      this.#window = Math.min(this.limits.concurrency, this.#window + (this.#growing ? 1 : 1 / this.#window));
      return;
    }
    this.#growing = false;
    if (number > this.#shrunkAt) {
      this.#window = Math.max(1, this.#window / 2);
      this.#shrunkAt = this.#sent;
    }
    // One call that is told to wait waits by itself; when nothing else gets through either, all of them do.
    if (++this.#refusalsInARow >= 2 && retryAfter !== undefined) this.#pause(retryAfter);
  }

  #pause(seconds: number): void {
    const capped = Math.min(seconds, this.limits.max_wait);
    const until = this.clock.now() + capped * 1000;
    if (until <= this.#pausedUntil) return;
    // Refusals of calls that were out together move the end by milliseconds: that is no news.
    if (until - this.#pausedUntil > 1000) this.onPause(capped);
    this.#pausedUntil = until;
  }
}

/** The limits of an endpoint that several roles share: the narrowest of each. */
export function narrowest(all: readonly ModelSpec["limits"][]): Limits {
  const least = (values: readonly (number | undefined)[]): number | undefined => {
    const given = values.filter((v) => v !== undefined);
    return given.length === 0 ? undefined : Math.min(...given);
  };
  return {
    concurrency: Math.min(...all.map((l) => l.concurrency)),
    requests_per_minute: least(all.map((l) => l.requests_per_minute)),
    tokens_per_minute: least(all.map((l) => l.tokens_per_minute)),
    max_wait: Math.min(...all.map((l) => l.max_wait)),
  };
}
