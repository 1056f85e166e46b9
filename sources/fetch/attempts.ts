import { type Random, stream } from "../../pipeline/base/random.js";
import type { FetchEvent } from "./events.js";
import { FetchFault, lasting } from "./fault.js";
import type { FetchClock, Gate } from "./gate.js";
import type { FetchSpec } from "./spec.js";

/** Seconds before the second try, at most; each further wait may be twice as long. */
const FIRST_WAIT = 1;
/** Waits of our own choice are no longer than this. */
const LONGEST_WAIT = 60;

/** Asks again while it may help, and waits as long as the server wants in between. */
export class Attempts {
  constructor(
    private readonly id: string,
    private readonly limits: FetchSpec["limits"],
    private readonly gate: Gate,
    private readonly clock: FetchClock,
    private readonly signal: AbortSignal,
    private readonly tell: (event: FetchEvent) => void,
  ) {}

  /** @param page for jitter and messages; 0 for what is no page. @throws FetchFault of the last try */
  async make<T>(page: number, attempt: () => Promise<T>): Promise<T> {
    // Chance from a seed: nothing of it reaches an output, and a fault can be looked at twice.
    const random = stream(0, "fetch", this.id, page);
    for (let tried = 1; ; tried++) {
      await this.gate.enter();
      try {
        return await attempt();
      } catch (error) {
        if (!(error instanceof FetchFault) || !error.details.passing) throw error;
        if (tried >= this.limits.tries) throw givenUp(error, tried);
        await this.#wait(error, { page, tried, random });
      }
    }
  }

  async #wait(
    error: FetchFault,
    { page, tried, random }: { page: number; tried: number; random: Random },
  ): Promise<void> {
    const { retryAfter } = error.details;
    if (retryAfter !== undefined) {
      if (retryAfter > this.limits.wait) throw tooLong(error, retryAfter, this.limits.wait);
      // All requests wait: the server speaks of the client, not of one page.
      this.gate.pause(retryAfter + FIRST_WAIT * random.next(), error.message);
      return;
    }
    const most = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (tried - 1));
    const seconds = most * (0.5 + 0.5 * random.next());
    this.tell({ type: "retry", page, attempt: tried, seconds, why: error.message });
    await this.clock.sleep(seconds * 1000, this.signal);
  }
}

function givenUp(error: FetchFault, tries: number): FetchFault {
  if (tries === 1) return error;
  const { hint = "the same command goes on where it stopped" } = error.details;
  return new FetchFault(`${error.message} (${tries} tries)`, { ...error.details, hint }, { cause: error });
}

function tooLong(error: FetchFault, asked: number, most: number): FetchFault {
  return lasting(
    `${error.message}; it wants to be left alone for ${Math.ceil(asked)} s, and at most ${most} s are waited`,
    "the same command, later, goes on where it stopped; or raise `fetch.limits.wait`",
  );
}
