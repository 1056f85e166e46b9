import { join } from "node:path";
import { z } from "zod";
import { type Line, linesOf, openPlain, unsealed } from "./cassette-lines.js";
import { AppendLog } from "./cassette-log.js";
import { parseJson } from "./json-text.js";

/** Beside the log of calls. */
const FILE = "batches.ndjson";

const text = z.string().min(1);

const event = z.discriminatedUnion("event", [
  /** These calls are about to be handed in, under a mark by which the endpoint can be asked for the job. */
  z.strictObject({ event: z.literal("submit"), endpoint: z.string(), mark: text, keys: z.array(text) }),
  /** They were handed in as this job. */
  z.strictObject({ event: z.literal("job"), mark: text, id: text }),
]);
type BatchEvent = z.infer<typeof event>;

/** Calls that were handed in together. `id` is undefined where a crash came before the endpoint's answer was on disk. */
export interface Submission {
  readonly endpoint: string;
  readonly mark: string;
  readonly id: string | undefined;
}

/**
 * Which calls were handed in as which job, durable: a job that takes a day outlives many a process, and what it holds is paid for.
 * Lines are sealed as those of the calls' log are; a torn one is passed over.
 */
export class BatchLog {
  readonly #byKey = new Map<string, Submission>();
  readonly #open = new Map<string, Extract<BatchEvent, { event: "submit" }>>();

  private constructor(
    private readonly path: string,
    private torn: boolean,
  ) {}

  /** @param calls the directory of the run's recorded calls. @throws TaskmillError (source) */
  static async open(calls: string): Promise<BatchLog> {
    const path = join(calls, FILE);
    const file = await openPlain(path, true);
    const log = new BatchLog(path, false);
    if (file === undefined) return log;
    try {
      for await (const lines of linesOf(file)) for (const line of lines) log.#read(line);
    } finally {
      await file.close();
    }
    return log;
  }

  /** The latest submission that holds a call. */
  find(key: string): Submission | undefined {
    return this.#byKey.get(key);
  }

  /** Notes calls that are about to be handed in; on disk when it resolves. */
  submit(endpoint: string, mark: string, keys: readonly string[]): Promise<void> {
    return this.#append({ event: "submit", endpoint, mark, keys: [...keys] });
  }

  /** Notes under which id the endpoint took them; on disk when it resolves. */
  taken(mark: string, id: string): Promise<void> {
    return this.#append({ event: "job", mark, id });
  }

  /** Forgets a submission that the endpoint does not know, for this process. */
  forget(submission: Submission): void {
    for (const key of this.#open.get(submission.mark)?.keys ?? []) {
      if (this.#byKey.get(key)?.mark === submission.mark) this.#byKey.delete(key);
    }
  }

  /** Opened for each entry: there is one every few minutes at most, and nothing is left to be closed. */
  async #append(entry: BatchEvent): Promise<void> {
    const log = new AppendLog(this.path, { lines: 0, torn: this.torn });
    try {
      await log.append(JSON.stringify(entry), true);
      this.torn = false;
    } finally {
      await log.close();
    }
    this.#add(entry);
  }

  #read(line: Line): void {
    this.torn = !line.whole;
    const sealed = line.whole && line.bytes !== undefined ? unsealed(line.bytes) : undefined;
    if (sealed === undefined) return;
    const parsed = event.safeParse(parseJson(sealed));
    if (parsed.success) this.#add(parsed.data);
  }

  #add(entry: BatchEvent): void {
    if (entry.event === "submit") this.#open.set(entry.mark, entry);
    const submit = this.#open.get(entry.mark);
    if (submit === undefined) return;
    const id = entry.event === "job" ? entry.id : undefined;
    const submission = { endpoint: submit.endpoint, mark: submit.mark, id };
    for (const key of submit.keys) this.#byKey.set(key, submission);
  }
}
