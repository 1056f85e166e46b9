import type { Clock } from "../base/clock.js";
import type { Reservation } from "./budget.js";
import type { Asker, CallIdentity, Cassette, RecordedReply } from "./call.js";
import type { OnCallEvent } from "./call-events.js";
import type { Holds } from "./holds.js";
import { worstOf } from "./identify.js";
import { type Back, NOWHERE } from "./limiter.js";
import type { Line } from "./line.js";
import { replyWithout } from "./read-refusal.js";
import { UNKNOWN_USAGE } from "./read-usage.js";
import { isOverload, mayBeBilled, passes, TRIES_AT_NOTHING, waitBefore } from "./retry.js";
import { ProviderError } from "./transport.js";

/** How a call that was not recorded ended. */
export type End =
  | { readonly reply: RecordedReply }
  /** Given up. `fatal`: so would be all others of this role. */
  | { readonly error: ProviderError; readonly tries: number; readonly fatal: boolean }
  /** No new call is sent any more. */
  | { readonly halted: true };

/** What all calls have in common. */
export interface Airspace {
  readonly cassette: Cassette;
  readonly holds: Holds;
  readonly clock: Clock;
  readonly onEvent: OnCallEvent;
  /** Aborted with {@link HALTED}, when nothing new is to be sent. */
  readonly halt: AbortSignal;
}

export const HALTED = new Error("no new call is sent");

/** Waits of fewer seconds are not worth a line. */
const WORTH_TELLING = 5;
/** An endpoint's ways of being asked, at most: three forms of JSON and two names for the limit of tokens. */
const MOST_LESSONS = 6;

/** One call from its first try to its end. */
export class Flight {
  #tries = 0;
  #lessons = 0;
  #intended = false;
  /** A try is on its way. */
  #sent = false;
  /** A try of which no end is known may have been billed. */
  #billed = false;

  constructor(
    private readonly air: Airspace,
    private readonly line: Line,
    private readonly key: string,
    private readonly identity: CallIdentity,
    private readonly asker: Asker,
  ) {}

  /** @throws TaskmillError of the budget or the disk */
  async run(): Promise<End> {
    const { health } = this.line;
    this.air.onEvent({ type: "asked", ...this.asker });
    health.begin();
    let end: End;
    try {
      end = await this.#untilItEnds();
    } catch (error) {
      await this.#giveUp(undefined);
      if (error !== HALTED) throw error;
      return { halted: true };
    } finally {
      health.end();
    }
    if (!("error" in end)) return end;
    await this.#giveUp(end.error);
    return end.fatal ? end : this.#rejected(end.error, end);
  }

  async #untilItEnds(): Promise<End> {
    for (;;) {
      const outcome = await this.#try();
      if (!(outcome instanceof ProviderError)) return { reply: outcome };
      const end = await this.#failed(outcome);
      if (end !== undefined) return end;
    }
  }

  /** @throws HALTED */
  async #try(): Promise<RecordedReply | ProviderError> {
    const { transport, limiter, role } = this.line;
    const worst = worstOf(this.identity);
    const place = transport.patient ? NOWHERE : await limiter.enter(worst.input + worst.output);
    try {
      const held = await this.air.holds.reserve(this.asker, role.spec, worst);
      return await this.#holding(held, (back) => place.leave(back));
    } finally {
      place.leave({ end: "other", tokens: 0 });
    }
  }

  async #holding(held: Reservation, leave: (back: Back) => void): Promise<RecordedReply | ProviderError> {
    const { air, line, key, identity, asker } = this;
    let outcome: RecordedReply | ProviderError;
    try {
      outcome = await this.#exchange();
    } catch (error) {
      held.release();
      throw error;
    }
    leave(backOf(outcome));
    if (outcome instanceof ProviderError) {
      if (mayBeBilled(outcome)) {
        this.#billed = true;
        held.settle(UNKNOWN_USAGE);
      } else held.release();
      return outcome;
    }
    // Whatever becomes of the record.
    this.#billed = true;
    held.settle(outcome.usage);
    // On disk before anybody sees it.
    await air.cassette.keep({ key, identity, reply: outcome }, asker);
    line.health.answer();
    air.onEvent({ type: "kept", usage: outcome.usage, ...asker });
    this.#sent = false;
    return outcome;
  }

  async #exchange(): Promise<RecordedReply | ProviderError> {
    const { air, line, key, identity, asker } = this;
    if (!this.#intended) await air.cassette.intend({ key, model: identity.model, ...asker });
    this.#intended = true;
    air.halt.throwIfAborted();
    const body = line.dialect.body(identity);
    this.#sent = true;
    air.onEvent({ type: "sent", ...asker });
    try {
      return await line.transport.send({ key, identity, body }, air.halt);
    } catch (error) {
      if (!(error instanceof ProviderError)) {
        // A patient transport lets go of what it will find again.
        if (!air.halt.aborted) throw error;
        this.#billed = true;
        throw HALTED;
      }
      if (!line.dialect.learn(error, identity, body) || ++this.#lessons > MOST_LESSONS) return error;
      return new Lesson(error);
    }
  }

  /** @returns undefined when there is to be another try. @throws HALTED */
  async #failed(error: ProviderError): Promise<End | undefined> {
    if (error instanceof Lesson) {
      this.#retried(error);
      return undefined;
    }
    const { health } = this.line;
    health.notice(error);
    this.#tries++;
    if (!passes(error) || this.#tries >= this.#most(error)) {
      return { error, tries: this.#tries, fatal: health.fail(error) };
    }
    this.#retried(error);
    await this.#wait(error);
    return undefined;
  }

  #most({ fault }: ProviderError): number {
    const { transport, role, health } = this.line;
    const { attempts } = role.spec.limits;
    if (transport.patient) return 1;
    return fault === "connection" && !health.alive ? Math.min(attempts, TRIES_AT_NOTHING) : attempts;
  }

  #retried({ fault }: ProviderError): void {
    this.#sent = false;
    this.air.onEvent({ type: "retried", fault, ...this.asker });
  }

  async #wait(error: ProviderError): Promise<void> {
    const { clock, halt, onEvent } = this.air;
    const { limits } = this.line.role.spec;
    const seconds = waitBefore(error, this.#tries, limits.max_wait, clock.random());
    if (seconds >= WORTH_TELLING) {
      const until = clock.now() + seconds * 1000;
      const { endpoint } = this.line.role.identity;
      onEvent({ type: "waiting", endpoint, until, seconds, why: error.message });
    }
    await clock.sleep(seconds * 1000, halt);
  }

  /** The call ends without a reply. */
  async #giveUp(error: ProviderError | undefined): Promise<void> {
    const { air, asker, key } = this;
    air.onEvent({ type: "failed", fault: error?.fault, sent: this.#sent, ...asker });
    if (this.#intended && !this.#billed) await air.cassette.unbilled?.(key);
  }

  /**
   * Records a failure, where the role says so, as what its row meets on each replay; but not while the endpoint has yet to answer its
   * first call: what is wrong then is no row's fault.
   */
  async #rejected(error: ProviderError, end: End): Promise<End> {
    const { air, line, key, identity, asker } = this;
    if (line.role.spec.failures !== "reject" || !(await line.health.works())) return end;
    const reply = replyWithout("failed", `${error.fault}: ${error.message}`);
    await air.cassette.keep({ key, identity, reply }, asker);
    return { reply };
  }
}

/** A refusal that taught how to put the request: no failed try. */
class Lesson extends ProviderError {
  constructor({ fault, message, status }: ProviderError) {
    super(fault, message, status);
  }
}

function backOf(outcome: RecordedReply | ProviderError): Back {
  if (!(outcome instanceof ProviderError)) {
    const { input, output } = outcome.usage;
    return { end: "served", tokens: input === null || output === null ? undefined : input + output };
  }
  const tokens = mayBeBilled(outcome) ? undefined : 0;
  return { end: isOverload(outcome) ? "refused" : "other", tokens, retryAfter: outcome.retryAfter };
}
