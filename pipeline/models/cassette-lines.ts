import { constants } from "node:fs";
import { type FileHandle, lstat, open } from "node:fs/promises";
import { sha256 } from "../base/canonical.js";
import { fail } from "../base/errors.js";
import { diskProblem } from "../fs.js";

/**
 * Longest line that is read or written, in bytes: a reply as long as one may be, and as much again for what was asked. A longer one is
 * damage, and is passed over without being held in memory.
 */
export const MAX_LINE = 128 * 2 ** 20;
const CHUNK = 2 ** 20;
const NEWLINE = 10;

/** A line of a file, without its end. */
export interface Line {
  /** From 1. */
  readonly number: number;
  /** In bytes. */
  readonly offset: number;
  /** Undefined when it is longer than {@link MAX_LINE}. */
  readonly bytes: Buffer | undefined;
  /** Whether a newline follows: what a kill cut off has none. */
  readonly whole: boolean;
}

/** The lines of a file, a chunk's worth at a time (an await a line would cost more than the line). */
export async function* linesOf(file: FileHandle): AsyncGenerator<readonly Line[]> {
  let pieces: Buffer[] = [];
  let held = 0;
  let start = 0;
  let number = 1;
  const line = (last: Buffer, whole: boolean): Line => {
    const fits = held + last.length <= MAX_LINE;
    const bytes = !fits ? undefined : pieces.length === 0 ? last : Buffer.concat([...pieces, last]);
    const made = { number: number++, offset: start, bytes, whole };
    start += held + last.length + 1;
    pieces = [];
    held = 0;
    return made;
  };
  for (let at = 0; ; ) {
    const chunk = Buffer.allocUnsafe(CHUNK);
    const { bytesRead } = await file.read(chunk, 0, CHUNK, at);
    if (bytesRead === 0) break;
    at += bytesRead;
    const lines: Line[] = [];
    let from = 0;
    for (let to = chunk.indexOf(NEWLINE); to !== -1 && to < bytesRead; to = chunk.indexOf(NEWLINE, from)) {
      lines.push(line(chunk.subarray(from, to), true));
      from = to + 1;
    }
    const rest = chunk.subarray(from, bytesRead);
    if (held + rest.length <= MAX_LINE) pieces.push(rest);
    else pieces = [];
    held += rest.length;
    if (lines.length > 0) yield lines;
  }
  if (held > 0) yield [line(Buffer.alloc(0), false)];
}

/** Digits of a line's checksum: enough against accidents, which is all that a checksum beside its data can be for. */
const SUM = 16;
/** Longest text that fits into a sealed line. */
export const MAX_TEXT = MAX_LINE - SUM - 1;

/** A text as a line of a log: checksum, space, text. The text must hold no newline, as JSON does not. */
export function sealed(text: string): string {
  return `${sha256(text).slice(0, SUM)} ${text}\n`;
}

/** The text of a sealed line, or undefined when its checksum does not fit. */
export function unsealed(bytes: Buffer): string | undefined {
  if (bytes.length <= SUM + 1 || bytes[SUM] !== 32) return undefined;
  const text = bytes.subarray(SUM + 1);
  return sha256(text).startsWith(bytes.toString("latin1", 0, SUM)) ? text.toString("utf8") : undefined;
}

/**
 * Opens a plain file for reading. Asking the opened file what it is leaves no moment in which another could take its place;
 * a FIFO is opened without waiting for its other end.
 * @param own a file of a run directory: a symbolic link in its place is refused. One that a config names may be a link.
 * @returns undefined when there is none. @throws TaskmillError (source)
 */
export async function openPlain(path: string, own: boolean): Promise<FileHandle | undefined> {
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | (own ? constants.O_NOFOLLOW : 0);
  const file = await open(path, flags).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    if (error.code === "ELOOP") odd(path, own ? "a symbolic link" : "a loop of symbolic links", own);
    unreadable(path, error);
  });
  if (file === undefined || (await file.stat()).isFile()) return file;
  await file.close();
  odd(path, "not a regular file", own);
}

/** Opens a plain file for as long as something is done with it. @throws TaskmillError (source, `no_cassette`) when there is none */
export async function withPlain<T>(
  path: string,
  own: boolean,
  act: (file: FileHandle) => Promise<T>,
): Promise<T> {
  const file = await openPlain(path, own);
  if (file === undefined) fail("source", "no_cassette", `there is no ${path}`);
  try {
    return await act(file);
  } finally {
    await file.close();
  }
}

/** Opens a plain file to append to and to read from, and makes it if there is none. @throws TaskmillError (source) */
export async function openToAppend(path: string): Promise<FileHandle> {
  const { O_APPEND, O_CREAT, O_RDWR, O_NONBLOCK, O_NOFOLLOW } = constants;
  const flags = O_APPEND | O_CREAT | O_RDWR | O_NONBLOCK | O_NOFOLLOW;
  const file = await open(path, flags, 0o644).catch(async (error: NodeJS.ErrnoException) => {
    const found = await lstat(path).catch(() => undefined);
    if (found?.isSymbolicLink()) odd(path, "a symbolic link");
    if (found !== undefined && !found.isFile()) odd(path, "not a regular file");
    throw diskProblem(error, path) ?? error;
  });
  if ((await file.stat()).isFile()) return file;
  await file.close();
  odd(path, "not a regular file");
}

/** A folder of ours must be one itself, or what is written into it lands elsewhere. It need not be there. @throws TaskmillError (source) */
export async function refuseOddFolder(path: string): Promise<void> {
  const found = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    unreadable(path, error);
  });
  if (found !== undefined && !found.isDirectory()) odd(path, "not a directory");
}

function unreadable(path: string, { code }: NodeJS.ErrnoException): never {
  fail("source", "cassette_unreadable", `cannot read ${path} (${code})`, "look at its owner and mode");
}

/** @param own whether it stands where we write; what a user named is not to be removed */
function odd(path: string, what: string, own = true): never {
  const hint = own
    ? "recorded calls are kept in a plain file: remove what stands there"
    : "give the path of a cassette, such as a dataset's `cassette.ndjson`";
  fail("source", "cassette_is_no_file", `${path} is ${what}`, hint);
}
