import { setMaxListeners } from "node:events";
import type { ChatRequest, Message, Models, Reply } from "../../stages/model.js";
import { type Clock, systemClock } from "../base/clock.js";
import { fail, TaskmillError } from "../base/errors.js";
import type { Budget } from "./budget.js";
import { type Asker, type Cassette, callKey, type Mode, type RecordedReply } from "./call.js";
import type { OnCallEvent } from "./call-events.js";
import { endOfRun, failedCall, notRecorded } from "./failures.js";
import { type Airspace, type End, Flight, HALTED } from "./flight.js";
import { Holds } from "./holds.js";
import { httpTransport } from "./http-transport.js";
import { identify } from "./identify.js";
import { type Line, openLines } from "./line.js";
import { asReply, bothUsages } from "./replies.js";
import type { Role } from "./role.js";
import { parseStructured, repairTurns, withSchemaTold } from "./structured.js";
import type { Transport } from "./transport.js";

export interface ClientOptions {
  readonly roles: ReadonlyMap<string, Role>;
  readonly cassette: Cassette;
  readonly budget: Pick<Budget, "reserve">;
  readonly mode: Mode;
  /** Once it is aborted no new call is sent; those in flight are waited for and kept. */
  readonly signal: AbortSignal;
  readonly onEvent: OnCallEvent;
  readonly clock?: Clock;
  /** How a role's calls are sent; one by one over HTTP if nothing else is said. */
  readonly transport?: (role: Role) => Transport;
}

/**
 * The models of a run. A request is answered from the cassette where it is recorded. Else it is sent, once however many rows ask the
 * same, within limits and budget, and its reply is on disk before anybody sees it.
 */
export class ModelClient {
  readonly #lines: ReadonlyMap<string, Line>;
  readonly #flights = new Map<string, Promise<End>>();
  readonly #halt = new AbortController();
  readonly #air: Airspace;
  /** Ends the run: made when all calls in flight have ended, so that it can count them. */
  #verdict: (() => Error) | undefined;
  #ended: Promise<Error> | undefined;
  readonly #closed = new AbortController();

  constructor(private readonly options: ClientOptions) {
    const {
      clock = systemClock,
      cassette,
      budget,
      onEvent,
      transport = httpTransport,
      signal,
      roles,
    } = options;
    this.#lines = openLines({ roles, transport, clock, onEvent });
    const halt = this.#halt.signal;
    // Each call that waits listens.
    setMaxListeners(0, halt);
    this.#air = { cassette, holds: new Holds(budget, halt), clock, onEvent, halt };
    if (signal.aborted) this.#stop();
    else signal.addEventListener("abort", () => this.#stop(), { once: true, signal: this.#closed.signal });
  }

  /** The models as a stage instance of the graph sees them. */
  forInstance(instance: string): Models {
    return {
      identity: (role) => this.#lines.get(role)?.role.identity,
      ask: (request) => this.#ask(instance, request),
    };
  }

  /** Resolves when calls in flight have ended and are kept. */
  async drain(): Promise<void> {
    while (this.#flights.size > 0) await Promise.allSettled(this.#flights.values());
  }

  /** Drains, and lets go of the signal, which may outlive many runs. */
  async close(): Promise<void> {
    await this.drain();
    this.#closed.abort();
  }

  async #ask<T>(instance: string, request: ChatRequest<T>): Promise<Reply<T>> {
    const line = this.#lines.get(request.role);
    if (line === undefined) fail("internal", "role_off", `the role \`${request.role}\` has no endpoint here`);
    const { role, row, sample = 0, schema, messages } = request;
    const asker: Asker = { role, instance, row, sample };
    const plain = request as ChatRequest;
    if (schema === undefined) return (await this.#call(line, asker, plain, messages)) as Reply<T>;
    const told = withSchemaTold(messages, schema.type);
    const first = await this.#call(line, asker, plain, told);
    if (!first.ok) return first;
    const read = parseStructured(first.text, schema);
    if (read.ok) return { ...first, value: read.value };
    const again = [...told, ...repairTurns(first.text, read.problem)];
    const second = await this.#call(line, asker, plain, again);
    const usage = bothUsages(first.usage, second.usage);
    if (!second.ok) return { ...second, usage };
    const mended = parseStructured(second.text, schema);
    if (mended.ok) return { ...second, usage, value: mended.value };
    const message = `no JSON that fits, after one repair: ${mended.problem}`;
    return { ok: false, call: second.call, why: "unstructured", message, text: second.text, usage };
  }

  async #call(line: Line, asker: Asker, request: ChatRequest, messages: readonly Message[]): Promise<Reply> {
    const { cassette, onEvent } = this.#air;
    const identity = identify(line.role, request, messages);
    const key = callKey(identity);
    const recorded = cassette.find(key);
    if (recorded !== undefined) onEvent({ type: "replayed", ...asker });
    else if (this.options.mode === "replay") throw notRecorded(line.role, asker);
    const reply =
      recorded ??
      (await this.#fly(line, asker, key, () => new Flight(this.#air, line, key, identity, asker)));
    cassette.use(key);
    return asReply(key, reply);
  }

  /** A call that is on its way already is waited for, whoever sent it. */
  async #fly(line: Line, asker: Asker, key: string, flight: () => Flight): Promise<RecordedReply> {
    if (this.#halt.signal.aborted) throw await this.#reason();
    let end = this.#flights.get(key);
    if (end === undefined) {
      end = flight().run();
      this.#flights.set(key, end);
      const over = (): boolean => this.#flights.delete(key);
      end.then(over, over);
    }
    return this.#replyOf(line, asker, await this.#landed(end));
  }

  /** What is wrong with the disk or the budget is wrong for all. */
  async #landed(end: Promise<End>): Promise<End> {
    try {
      return await end;
    } catch (error) {
      this.#stop(() => (error instanceof Error ? error : new Error(String(error))));
      throw await this.#reason();
    }
  }

  async #replyOf({ role, health }: Line, asker: Asker, end: End): Promise<RecordedReply> {
    if ("reply" in end) return end.reply;
    if ("error" in end && !end.fatal) throw failedCall(role, asker, end.error, end.tries);
    if ("error" in end) this.#stop(() => endOfRun(role, health, end.error));
    throw await this.#reason();
  }

  /** Sends no new call. Without a verdict it was the user who stopped. */
  #stop(verdict: () => Error = interrupted): void {
    this.#verdict ??= verdict;
    if (this.#halt.signal.aborted) return;
    this.#halt.abort(HALTED);
    for (const { limiter } of this.#lines.values()) limiter.close(HALTED);
  }

  /** The one error that all who still wait get, who may be fifty thousand: what is in flight is waited for once. */
  #reason(): Promise<Error> {
    this.#ended ??= this.drain().then(() => (this.#verdict ?? interrupted)());
    return this.#ended;
  }
}

function interrupted(): Error {
  const hint = "the same command goes on where it stopped";
  return new TaskmillError("interrupted", [
    { code: "interrupted", message: "the run was interrupted", hint },
  ]);
}
