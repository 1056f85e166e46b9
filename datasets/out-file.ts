import { createHash } from "node:crypto";
import { closeSync, openSync, writeSync } from "node:fs";

/** A file being written, hashed on the way. Writes are synchronous: nothing piles up in memory when the disk is slow. */
export class OutFile {
  readonly #fd: number;
  readonly #hash = createHash("sha256");
  #sha256: string | undefined;
  bytes = 0;

  constructor(path: string) {
    this.#fd = openSync(path, "w");
  }

  write(chunk: Uint8Array): void {
    // An encoder may still have something to say after an abort; by then the descriptor may be another file's.
    if (this.#sha256 !== undefined) throw new Error("the file is closed");
    this.#hash.update(chunk);
    this.bytes += chunk.byteLength;
    for (let at = 0; at < chunk.byteLength; ) at += writeSync(this.#fd, chunk, at, chunk.byteLength - at);
  }

  /** Closes the file; more than once does no harm. @returns SHA-256 of all that was written. */
  close(): string {
    if (this.#sha256 === undefined) closeSync(this.#fd);
    this.#sha256 ??= this.#hash.digest("hex");
    return this.#sha256;
  }
}
