import { randomUUID } from "node:crypto";
import type { Json } from "../base/canonical.js";
import type { Clock } from "../base/clock.js";
import { BatchApi, type JobState } from "./batch-api.js";
import { type Outcome, outcomeOf } from "./batch-job.js";
import { BatchLog } from "./batch-log.js";
import { type Patience, patienceOf } from "./batch-patience.js";
import type { RecordedReply } from "./call.js";
import type { OnCallEvent } from "./call-events.js";
import { passes } from "./retry.js";
import type { Role } from "./role.js";
import { ProviderError, type Transport, type WireCall } from "./transport.js";

export interface BatchOptions {
  readonly role: Pick<Role, "spec" | "key" | "identity">;
  /** The directory of the run's recorded calls, where ids of jobs are kept. */
  readonly calls: string;
  /** Ask for everything anew: jobs of earlier runs are left alone. */
  readonly fresh: boolean;
  readonly clock: Clock;
  readonly onEvent: OnCallEvent;
}

/** When no call has come for so long, those that have gathered are handed in. */
const QUIET_MS = 1000;
/** Of a file of requests. OpenAI takes 200 MB. */
const MOST_BYTES = 100 * 2 ** 20;

/** A call that is to be handed in. */
interface Gathered {
  readonly key: string;
  /** Its line in the file of requests. */
  readonly line: string;
  /** Takes the id of the job that it became part of. */
  readonly resolve: (id: string) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Sends calls by the endpoint's batches: gathers them until no more come, hands them in as one job, and answers each when the job is
 * over. The job's id is on disk before anybody waits for it, so that the next process finds the job by a call's key and waits for it
 * instead of handing the call in again. Only requests that failed or expired are handed in again.
 */
export function batchTransport(options: BatchOptions): Transport {
  return new Batcher(options);
}

class Batcher implements Transport {
  readonly patient = true;
  readonly #api: BatchApi;
  readonly #patience: Patience;
  readonly #outcomes = new Map<string, Promise<Outcome>>();
  /** Of jobs that are not over yet. */
  readonly #running = new Map<string, Promise<Outcome>>();
  readonly #halt = new AbortController();
  readonly #followed = new WeakSet<AbortSignal>();
  #log: Promise<BatchLog> | undefined;
  #gathered: Gathered[] = [];
  #gathering = false;

  constructor(private readonly options: BatchOptions) {
    const { role, clock } = options;
    this.#api = new BatchApi(role);
    this.#patience = patienceOf({ ...role.spec.limits, key: role.key, clock, signal: this.#halt.signal });
  }

  async send(call: WireCall, signal: AbortSignal): Promise<RecordedReply> {
    this.#follow(signal);
    const { limits } = this.options.role.spec;
    let id = await this.#earlier(call.key);
    // What an earlier process handed in does not count as a try of this one.
    for (let tries = id === undefined ? 1 : 0; ; tries++) {
      this.#halt.signal.throwIfAborted();
      id ??= await this.#handIn(call);
      const { results, rest: none } = await this.#outcome(id);
      const result = results.get(call.key) ?? { error: none };
      results.delete(call.key);
      if ("reply" in result) return result.reply;
      const { error } = result;
      if (tries > 0 && (!passes(error) || tries >= limits.attempts)) throw error;
      if (error.fault === "rate") await this.#room();
      id = undefined;
    }
  }

  /** Once the signal of a call is aborted nothing is waited for any more: the calls of a job are waited for together. */
  #follow(signal: AbortSignal): void {
    if (this.#followed.has(signal)) return;
    this.#followed.add(signal);
    const stop = (): void => this.#halt.abort(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  }

  /** The job in which an earlier process handed this call in, if the endpoint still has it. */
  async #earlier(key: string): Promise<string | undefined> {
    if (this.options.fresh) return undefined;
    const log = await this.#opened();
    const known = log.find(key);
    if (known === undefined || known.endpoint !== this.options.role.identity.endpoint) return undefined;
    if (known.id !== undefined) return known.id;
    // A crash came between handing in and writing down. Whoever finds the job first writes it down for the others.
    const id = await this.#find(known.mark);
    if (id === undefined) log.forget(known);
    else if (log.find(key)?.id === undefined) await log.taken(known.mark, id);
    return id;
  }

  #opened(): Promise<BatchLog> {
    this.#log ??= BatchLog.open(this.options.calls);
    return this.#log;
  }

  /** @returns undefined, too, where an endpoint cannot list its jobs. */
  async #find(mark: string): Promise<string | undefined> {
    try {
      return await this.#api.find(mark, this.#halt.signal);
    } catch {
      this.#halt.signal.throwIfAborted();
      return undefined;
    }
  }

  /** Gathers a call. @returns the id of its job */
  #handIn({ key, body }: WireCall): Promise<string> {
    const line = JSON.stringify({
      custom_id: key,
      method: "POST",
      url: "/v1/chat/completions",
      body: unstreamed(body),
    });
    return new Promise((resolve, reject) => {
      this.#gathered.push({ key, line, resolve, reject });
      if (!this.#gathering) void this.#gather();
    });
  }

  /** Waits until no more calls come, or enough have, then hands them in. */
  async #gather(): Promise<void> {
    this.#gathering = true;
    const { most } = this.options.role.spec.batch!;
    try {
      let before = 0;
      while (before < this.#gathered.length && this.#gathered.length < most) {
        before = this.#gathered.length;
        await this.#sleep(QUIET_MS / 1000);
      }
      while (this.#gathered.length > 0) void this.#submit(this.#cut(most));
    } catch (error) {
      for (const { reject } of this.#gathered.splice(0)) reject(error);
    } finally {
      this.#gathering = false;
    }
  }

  /** Takes as many of the gathered calls as one file may hold; at least one. */
  #cut(most: number): Gathered[] {
    let bytes = 0;
    const fits = ({ line }: Gathered, i: number): boolean => {
      bytes += Buffer.byteLength(line) + 1;
      return i < most && (i === 0 || bytes <= MOST_BYTES);
    };
    const end = this.#gathered.findIndex((call, i) => !fits(call, i));
    return this.#gathered.splice(0, end === -1 ? this.#gathered.length : end);
  }

  async #submit(calls: readonly Gathered[]): Promise<void> {
    try {
      const id = await this.#submitted(calls);
      for (const { resolve } of calls) resolve(id);
    } catch (error) {
      for (const { reject } of calls) reject(error);
    }
  }

  /** Ctrl-C does not get between handing in and writing down. */
  async #submitted(calls: readonly Gathered[]): Promise<string> {
    const log = await this.#opened();
    const { role } = this.options;
    const lines = calls.map((c) => c.line);
    const file = await this.#patience(() => this.#api.upload(lines, this.#halt.signal)).catch(withoutBatches);
    const mark = randomUUID();
    const keys = calls.map((c) => c.key);
    await log.submit(role.identity.endpoint, mark, keys);
    // A try whose answer was lost may have made the job all the same.
    const create = (): Promise<string> => this.#api.create(file, mark);
    const id = await this.#patience(async (attempt) => {
      const made = attempt === 0 ? undefined : await this.#find(mark);
      return made ?? create();
    });
    await log.taken(mark, id);
    return id;
  }

  /** What came of a job, waited for once by all of its calls. */
  #outcome(id: string): Promise<Outcome> {
    const known = this.#outcomes.get(id);
    if (known !== undefined) return known;
    const { role } = this.options;
    const pause = (job: string, state: JobState): Promise<void> => this.#pause(job, state);
    const outcome = outcomeOf(id, {
      api: this.#api,
      patience: this.#patience,
      key: role.key,
      signal: this.#halt.signal,
      pause,
    });
    this.#outcomes.set(id, outcome);
    this.#running.set(id, outcome);
    const end = (): void => void this.#running.delete(id);
    outcome.then(end, () => {
      end();
      this.#outcomes.delete(id);
    });
    return outcome;
  }

  /** Waits until the endpoint may have room again: what it has queued of ours fills it for hours, else a pause must do. */
  async #room(): Promise<void> {
    const ends = [...this.#running.values()].map((outcome) => outcome.then(nothing, nothing));
    if (ends.length > 0) await Promise.race(ends);
    else await this.#sleep(this.options.role.spec.limits.max_wait);
  }

  #pause(id: string, { status, done, total }: JobState): Promise<void> {
    const { role, clock, onEvent } = this.options;
    const seconds = role.spec.batch!.poll;
    const why = `batch ${id} is ${status.replace("_", " ")}, ${done} of ${total} requests done`;
    const until = clock.now() + seconds * 1000;
    onEvent({ type: "waiting", endpoint: role.identity.endpoint, until, seconds, why });
    return this.#sleep(seconds);
  }

  #sleep(seconds: number): Promise<void> {
    return this.options.clock.sleep(seconds * 1000, this.#halt.signal);
  }
}

function nothing(): void {}

function withoutBatches(error: unknown): never {
  if (!(error instanceof ProviderError) || (error.status !== 404 && error.status !== 405)) throw error;
  const hint = "the endpoint has no files to upload to; leave `batch` out of the role if it has no batches";
  throw new ProviderError(error.fault, `${error.message} (${hint})`, error.status);
}

/** A batch has no streams. */
function unstreamed(body: Json): Json {
  const { stream: _stream, stream_options: _options, ...rest } = body as Record<string, Json>;
  return rest;
}
