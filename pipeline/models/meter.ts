import type { CallCounts, Listener } from "../events.js";
import { counted } from "../terminal.js";
import type { Budget, Spent } from "./budget.js";
import type { Intent } from "./call.js";
import type { CallEvent, OnCallEvent } from "./call-events.js";
import { amountOf, atto } from "./price.js";

/** What happened to the calls of one instance. */
class Tally {
  replayed = 0;
  sent = 0;
  kept = 0;
  failed = 0;
  retried = 0;
  /** Tries that came to an end. */
  ended = 0;
  constructor(readonly before: Spent) {}
}

type OfCall = Exclude<CallEvent, { type: "waiting" }>;

const REPLAYED_A_REPORT = 100;

/**
 * Adds single calls up into a run's events. Replays come by the ten thousand and change no amount, so that only every hundredth is
 * told; a call over the network is told at each step.
 */
export class CallMeter {
  readonly #tallies = new Map<string, Tally>();

  constructor(
    private readonly budget: Budget,
    private readonly onEvent: Listener,
  ) {}

  readonly listen: OnCallEvent = (event) => {
    if (event.type === "waiting") {
      const { endpoint, seconds, why } = event;
      this.onEvent({ type: "waiting", endpoint, seconds, why });
      return;
    }
    const tally = this.#tally(event.instance);
    count(tally, event);
    if (event.type === "asked") return;
    if (event.type !== "replayed" || tally.replayed % REPLAYED_A_REPORT === 0)
      this.#report(event.instance, tally);
  };

  /** Tells the counts of an instance as they are now, if it has asked for anything. For the end of a stage. */
  flush(instance: string): void {
    const tally = this.#tallies.get(instance);
    if (tally !== undefined) this.#report(instance, tally);
  }

  #tally(instance: string): Tally {
    let tally = this.#tallies.get(instance);
    if (tally === undefined) {
      tally = new Tally(this.budget.spent(instance));
      this.#tallies.set(instance, tally);
    }
    return tally;
  }

  #report(instance: string, tally: Tally): void {
    this.onEvent({ type: "calls", ...this.#counts(instance, tally) });
  }

  #counts(instance: string, { replayed, kept, failed, retried, sent, ended, before }: Tally): CallCounts {
    const { budget } = this;
    const stage = budget.spent(instance);
    const run = budget.spent();
    const known = stage.unpriced === before.unpriced;
    return {
      instance,
      replayed,
      kept,
      failed,
      retried,
      in_flight: sent - ended,
      tokens: stage.tokens - before.tokens,
      cost: known ? amountOf(stage.cost - before.cost) : null,
      total_cost: run.unpriced === 0 ? amountOf(run.cost) : null,
      cap: budget.caps.cost === undefined ? null : amountOf(atto(budget.caps.cost)),
      currency: budget.currency,
    };
  }
}

function count(tally: Tally, event: OfCall): void {
  switch (event.type) {
    case "replayed":
      tally.replayed++;
      break;
    case "sent":
      tally.sent++;
      break;
    case "retried":
      tally.retried++;
      tally.ended++;
      break;
    case "kept":
      tally.kept++;
      tally.ended++;
      break;
    case "failed":
      tally.failed++;
      if (event.sent) tally.ended++;
      break;
    case "asked":
  }
}

/** Says which calls a crash may have had billed for nothing; undefined when there are none. */
export function pendingNote(pending: readonly Intent[]): string | undefined {
  if (pending.length === 0) return undefined;
  const byPlace = new Map<string, number>();
  for (const { instance, role, model } of pending) {
    const place = `${instance} as ${role} (${model})`;
    byPlace.set(place, (byPlace.get(place) ?? 0) + 1);
  }
  const places = [...byPlace].map(([place, calls]) => `${counted(calls, "call")} of ${place}`);
  return `${counted(pending.length, "call")} of an earlier run ended without a recorded reply, and may have been billed: ${places.join(", ")}`;
}
