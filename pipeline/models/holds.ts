import { TaskmillError } from "../base/errors.js";
import type { Budget, Reservation, Worst } from "./budget.js";
import type { Asker } from "./call.js";
import type { ModelSpec } from "./spec.js";

type Ask = readonly [Asker, ModelSpec, Worst];

interface Waiter {
  readonly ask: Ask;
  resolve(held: Reservation): void;
  reject(error: unknown): void;
}

/**
 * Reservations in a budget for calls that can wait: a cap that the worst cases of calls in flight fill up may have room once their
 * real costs are known, so that a refusal is final only when nothing is in flight. Calls of a stage wait in line, and an end looks
 * at the head of each line alone: there may be fifty thousand behind it.
 */
export class Holds {
  #open = 0;
  /** By stage instance, as each has caps of its own. */
  readonly #lines = new Map<string, Set<Waiter>>();

  /** @param halt once it is aborted all who wait get its reason */
  constructor(
    private readonly budget: Pick<Budget, "reserve">,
    private readonly halt: AbortSignal,
  ) {
    halt.addEventListener("abort", () => this.#serveAll(), { once: true });
  }

  /** @throws TaskmillError (budget), or the reason of `halt` */
  reserve(...ask: Ask): Promise<Reservation> {
    return new Promise((resolve, reject) => {
      const [{ instance }] = ask;
      const line = this.#lines.get(instance) ?? new Set();
      this.#lines.set(instance, line);
      line.add({ ask, resolve, reject });
      if (line.size === 1) this.#serve(line);
    });
  }

  #serveAll(): void {
    for (const line of this.#lines.values()) this.#serve(line);
  }

  #serve(line: Set<Waiter>): void {
    for (const waiter of line) {
      try {
        this.halt.throwIfAborted();
        waiter.resolve(this.#hold(waiter.ask));
      } catch (error) {
        if (isFull(error) && this.#open > 0) return;
        waiter.reject(error);
      }
      line.delete(waiter);
    }
  }

  #hold(ask: Ask): Reservation {
    const held = this.budget.reserve(...ask);
    this.#open++;
    const over = (): void => {
      this.#open--;
      this.#serveAll();
    };
    return {
      settle: (usage) => {
        held.settle(usage);
        over();
      },
      release: () => {
        held.release();
        over();
      },
    };
  }
}

function isFull(error: unknown): boolean {
  return error instanceof TaskmillError && error.kind === "budget";
}
