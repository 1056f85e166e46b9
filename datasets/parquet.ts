import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { type RecordBatch, type Schema, tableFromIPC } from "apache-arrow";
import pLimit from "p-limit";

/**
 * The record batches of a Parquet file, a row group in memory at a time.
 * @param check looks at the columns before any row is read
 */
export async function* parquetBatches(
  path: string,
  check: (schema: Schema) => void,
): AsyncGenerator<RecordBatch> {
  const { bytes, groups } = await ask(path, -1);
  check(tableFromIPC(bytes).schema);
  for (let group = 0; group < groups; group++) yield* tableFromIPC((await ask(path, group)).bytes).batches;
}

interface Part {
  /** An Arrow stream. */
  readonly bytes: Uint8Array;
  /** Row groups of the file. */
  readonly groups: number;
}

/** One question at a time: whose question the decoder stumbles over is then no matter of doubt. */
const one = pLimit(1);

/** A thread of its own decodes: over a damaged page the decoder fails outside of every promise, and would take the process with it. */
let decoder: Worker | undefined;

function ask(path: string, group: number): Promise<Part> {
  return one(async () => {
    decoder ??= started();
    const worker = decoder;
    worker.ref();
    try {
      return await answer(worker, { path, group });
    } catch (error) {
      // Its memory is not to be trusted any more.
      decoder = undefined;
      void worker.terminate();
      throw error;
    } finally {
      worker.unref();
    }
  });
}

function answer(worker: Worker, question: { path: string; group: number }): Promise<Part> {
  const where = question.group < 0 ? "its footer" : `row group ${question.group + 1}`;
  const fault = (why: string) => new Error(`${where} cannot be decoded${why}`);
  const listening = new AbortController();
  return new Promise<Part>((done, failed) => {
    const on = (event: string, then: (value: unknown) => void) => {
      worker.on(event, then);
      listening.signal.addEventListener("abort", () => worker.off(event, then));
    };
    on("message", (part) => done(part as Part));
    // A trap of the decoder says no more than that it is one.
    on("error", (e) =>
      failed(fault(e instanceof Error && e.name !== "RuntimeError" ? `: ${e.message}` : "")),
    );
    on("exit", () => failed(fault("")));
    worker.postMessage(question);
  }).finally(() => listening.abort());
}

function started(): Worker {
  // The decoder tells its faults to the console as well.
  const worker = new Worker(workerFile(), { execArgv: [], stdout: true, stderr: true });
  // Its end may be an error that nobody waits for any more.
  worker.on("error", () => {});
  worker.on("exit", () => {
    if (decoder === worker) decoder = undefined;
  });
  return worker;
}

/** Plain JavaScript, so that it runs from the source as well as beside `dist/`. */
function workerFile(): URL {
  const beside = new URL("./parquet-worker.js", import.meta.url);
  if (existsSync(fileURLToPath(beside))) return beside;
  return new URL("../../datasets/parquet-worker.js", import.meta.url);
}
