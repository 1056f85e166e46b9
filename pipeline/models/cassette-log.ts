import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { fail, TaskmillError } from "../base/errors.js";
import { diskProblem } from "../fs.js";
import { MAX_TEXT, openToAppend, sealed } from "./cassette-lines.js";

/** Where a line stands, in bytes, without its end; lines count from 1. */
export interface Place {
  readonly file: FileHandle;
  readonly line: number;
  readonly offset: number;
  readonly length: number;
}

/** How a log ends. */
export interface Tail {
  readonly lines: number;
  /** In the middle of a line: the next one must not be glued to it. */
  readonly torn: boolean;
}

interface Waiting {
  readonly line: Buffer;
  readonly durable: boolean;
  readonly done: (place: Place) => void;
  readonly failed: (error: unknown) => void;
}

/** Written, and not yet known to be on the disk. */
type Written = Pick<Waiting, "done" | "failed"> & { readonly place: Place };

/**
 * An append-only file of sealed lines with group commit: whatever gathers while a write or an fsync is at work goes into the
 * next one, so that a busy run pays one fsync for many calls and an idle one waits for nobody.
 *
 * After an error nothing more is written: what an fsync that failed has left on the disk is unknown, and half a line may stand
 * at the end. The next opening reads what is really there.
 */
export class AppendLog {
  #file: Promise<FileHandle> | undefined;
  #size = 0;
  #waiting: Waiting[] = [];
  #written: Written[] = [];
  #writing: Promise<void> | undefined;
  #syncing: Promise<void> | undefined;
  #error: unknown;
  #closed = false;

  #torn: boolean;
  #lines: number;

  constructor(
    readonly path: string,
    tail: Tail,
  ) {
    this.#torn = tail.torn;
    this.#lines = tail.lines;
  }

  /**
   * Appends one line. Resolves when it is on disk (`durable`), or else when the kernel has it: then it survives the end of this
   * process, kill -9 included, but not a power cut.
   * @throws TaskmillError (source) for a full disk or a missing permission.
   */
  append(text: string, durable: boolean): Promise<Place> {
    const bytes = Buffer.byteLength(text);
    if (bytes > MAX_TEXT) {
      const message = `a call of ${bytes} bytes is too large to be recorded`;
      fail("provider", "reply_too_large", message, "ask for less, or lower `max_tokens`");
    }
    if (this.#closed) throw new Error("append to a closed log");
    return new Promise((done, failed) => {
      this.#waiting.push({ line: Buffer.from(sealed(text)), durable, done, failed });
      this.#writing ??= this.#write();
    });
  }

  async #write(): Promise<void> {
    // What the same callback goes on to append belongs to the same write.
    await undefined;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        if (this.#error !== undefined) throw this.#error;
        const places = await this.#put(batch.map((w) => w.line));
        for (const [i, { durable, done, failed }] of batch.entries()) {
          if (durable) this.#written.push({ place: places[i]!, done, failed });
          else done(places[i]!);
        }
        if (this.#written.length > 0) this.#syncing ??= this.#sync();
      } catch (error) {
        this.#fail(error, batch);
      }
    }
    this.#writing = undefined;
  }

  async #put(lines: readonly Buffer[]): Promise<Place[]> {
    this.#file ??= this.#open();
    const file = await this.#file;
    const start = this.#torn ? [Buffer.from("\n")] : [];
    let offset = this.#size + start.length;
    const places = lines.map((line) => {
      const place = { file, line: ++this.#lines, offset, length: line.length - 1 };
      offset += line.length;
      return place;
    });
    // Repeats short writes until all is out.
    await file.appendFile(Buffer.concat([...start, ...lines]));
    this.#size = offset;
    this.#torn = false;
    return places;
  }

  /** Made at the first append: a run without calls leaves no file. */
  async #open(): Promise<FileHandle> {
    const folder = dirname(this.path);
    await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
    const file = await openToAppend(this.path);
    this.#size = (await file.stat()).size;
    // The names must be on disk too, or a power cut takes the file with all that was synced into it.
    if (this.#size === 0) for (const path of [folder, dirname(folder)]) await syncFolder(path);
    return file;
  }

  /** Goes on beside the writing: lines that may be lost need not wait for those that may not. */
  async #sync(): Promise<void> {
    while (this.#written.length > 0) {
      const batch = this.#written;
      this.#written = [];
      try {
        await (await this.#file!).datasync();
        for (const { place, done } of batch) done(place);
      } catch (error) {
        this.#fail(error, batch);
      }
    }
    this.#syncing = undefined;
  }

  #fail(error: unknown, batch: readonly Pick<Waiting, "failed">[]): void {
    this.#error ??= diskProblem(error, this.path) ?? unwritable(this.path, error);
    for (const { failed } of batch) failed(this.#error);
  }

  /** Lets what was appended come to its end, on disk. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#writing;
    await this.#syncing;
    const file = await this.#file?.catch(() => undefined);
    if (file === undefined) return;
    try {
      if (this.#error === undefined) await file.datasync();
    } catch (error) {
      throw diskProblem(error, this.path) ?? unwritable(this.path, error);
    } finally {
      await file.close();
    }
  }
}

/** Whatever else a file system may say, such as EIO. */
function unwritable(path: string, error: unknown): unknown {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  if (code === undefined) return error;
  const hint = "look at the disk, then run the same command: what was recorded before is kept";
  return new TaskmillError(
    "source",
    [{ code: "cassette_unwritable", message: `cannot write ${path} (${code})`, hint }],
    {
      cause: error,
    },
  );
}

/** Makes the names in a folder survive a power cut. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
