import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { basename } from "node:path";
import { createGunzip } from "node:zlib";
import { Decompress } from "fzstd";
import { TaskmillError } from "../pipeline/base/errors.js";
import { excerpt, sourceError } from "./problems.js";

/** A snapshot file whose bytes are read as a stream, decompressed by what they are, not by the file's name. */
export interface Snapshot {
  readonly path: string;
  /** For messages: the file's name without folders. */
  readonly name: string;
  readonly compression: "none" | "gzip" | "zstd";
  /** A fresh pass over the decompressed bytes. */
  bytes(): AsyncIterable<Uint8Array>;
}

const CHUNK = 1 << 18;
/** A file that unpacks to more than this is taken for a bomb. */
const MAX_UNPACKED = 64 * 2 ** 30;

/** Opens a snapshot. @throws TaskmillError (source) when the file is missing, no file, or empty. */
export async function openSnapshot(path: string): Promise<Snapshot> {
  const name = basename(path);
  const head = await firstBytes(path, name);
  const compression =
    head.length >= 2 && head[0] === 0x1f && head[1] === 0x8b ? "gzip" : isZstd(head) ? "zstd" : "none";
  return {
    path,
    name,
    compression,
    bytes: () => (compression === "none" ? fileBytes(path) : unpacked(path, name, compression)),
  };
}

/** SHA-256 of a file as it lies on disk (packed, if it is packed), in one streamed pass. */
export async function fileSha256(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of fileBytes(path)) hash.update(chunk);
  return hash.digest("hex");
}

async function firstBytes(path: string, name: string): Promise<Uint8Array> {
  const refuse = (how: string): never =>
    sourceError("no_snapshot", `the snapshot ${excerpt(name)} ${how}`, { location: { file: path } });
  try {
    // Asked first: opening a FIFO would wait for a writer.
    const found = await stat(path);
    if (!found.isFile()) refuse(found.isDirectory() ? "is a folder" : "is not a regular file");
    // What the system makes up while it is read has no size either, and may never end.
    if (found.size === 0) sourceError("empty_snapshot", `the snapshot ${name} is empty`);
    const handle = await open(path, "r");
    try {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(8), 0, 8, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (cause instanceof TaskmillError || code === undefined) throw cause;
    if (code === "ENOENT") refuse("is missing");
    if (code === "EACCES" || code === "EPERM") refuse("may not be read");
    return refuse(`cannot be read (${code})`);
  }
}

function isZstd(head: Uint8Array): boolean {
  return head.length >= 4 && head[0] === 0x28 && head[1] === 0xb5 && head[2] === 0x2f && head[3] === 0xfd;
}

function fileBytes(path: string): AsyncIterable<Uint8Array> {
  return createReadStream(path, { highWaterMark: CHUNK });
}

async function* unpacked(
  path: string,
  name: string,
  compression: "gzip" | "zstd",
): AsyncGenerator<Uint8Array> {
  let total = 0;
  try {
    for await (const chunk of compression === "gzip" ? gunzip(path) : unzstd(path)) {
      total += chunk.length;
      if (total > MAX_UNPACKED) break;
      yield chunk;
    }
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    sourceError("bad_compression", `${name} is damaged ${compression} data: ${why}`, { cause });
  }
  if (total > MAX_UNPACKED)
    sourceError("bad_compression", `${name} unpacks to more than ${MAX_UNPACKED} bytes`);
}

function gunzip(path: string): AsyncIterable<Uint8Array> {
  const file = createReadStream(path, { highWaterMark: CHUNK });
  const gunzip = createGunzip({ chunkSize: CHUNK });
  file.on("error", (error) => gunzip.destroy(error));
  return file.pipe(gunzip);
}

async function* unzstd(path: string): AsyncGenerator<Uint8Array> {
  const ready: Uint8Array[] = [];
  let ended = false;
  const stream = new Decompress((chunk, final) => {
    if (chunk.length > 0) ready.push(chunk.slice());
    ended = final === true;
  });
  for await (const chunk of fileBytes(path)) {
    stream.push(chunk);
    yield* ready.splice(0);
  }
  stream.push(new Uint8Array(0), true);
  yield* ready.splice(0);
  if (!ended) throw new Error("unexpected end of data");
}
