import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import pLimit from "p-limit";
import { z } from "zod";
import { PageFault } from "./fault.js";

/** Megabytes of a reader's heap, pages that are read, characters that are kept. */
const LIMITS = { heap: 384, pages: 600, characters: 3_000_000 };
/** Readers at once: each takes a core. */
const one = pLimit(2);

const answer = z.union([
  z.object({ ok: z.literal(true), title: z.string(), text: z.string() }),
  z.object({ ok: z.literal(false) }),
]);

/**
 * The words of a PDF file, page after page. A thread of its own reads it, with bounded time and memory: PDF is a language, and a file may
 * be written to keep its reader busy for ever.
 * @throws PageFault for a file that cannot be read, or not within the bounds
 */
export function readPdf(
  body: Uint8Array,
  { signal, seconds }: { readonly signal: AbortSignal; readonly seconds: number },
): Promise<{ title: string; text: string }> {
  return one(() => inWorker(body, seconds, signal));
}

function inWorker(
  body: Uint8Array,
  seconds: number,
  signal: AbortSignal,
): Promise<{ title: string; text: string }> {
  signal.throwIfAborted();
  const { pages, characters, heap } = LIMITS;
  const worker = new Worker(workerFile(), {
    workerData: { bytes: new Uint8Array(body), pages, characters },
    resourceLimits: { maxOldGenerationSizeMb: heap, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
    // Nothing of ours: no secret in its environment, no flags of a test runner's.
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
  });
  return new Promise((done, failed) => {
    const end = (then: () => void): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      // Its end is an event of its own, and may be an error that nobody waits for any more.
      worker.removeAllListeners();
      worker.on("error", () => {});
      void worker.terminate().then(then, then);
    };
    const fault = (words: string) => (): void => end(() => failed(new PageFault(words)));
    const stop = (): void => end(() => failed(signal.reason));
    const timer = setTimeout(fault("the PDF takes too long to read"), seconds * 1000);
    signal.addEventListener("abort", stop, { once: true });
    worker.on("message", (message: unknown) => {
      const { data } = answer.safeParse(message);
      if (data?.ok) end(() => done(data));
      else fault(UNREAD)();
    });
    worker.on("error", fault(UNREAD));
    worker.on("exit", fault(UNREAD));
  });
}

const UNREAD = "the PDF cannot be read";

/** Plain JavaScript, so that it runs from the source as well as beside `dist/`. */
function workerFile(): URL {
  const beside = new URL("./pdf-worker.js", import.meta.url);
  if (existsSync(fileURLToPath(beside))) return beside;
  return new URL("../../../../pipeline/environment/visit/pdf-worker.js", import.meta.url);
}
