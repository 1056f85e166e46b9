import { createHash } from "node:crypto";
import { closeSync, openSync, writeSync } from "node:fs";

/** A file being written, hashed on the way. Writes are synchronous: nothing piles up in memory when the disk is slow. */
export class OutFile {
  readonly #fd: number;
  readonly #hash = createHash("sha256");
  bytes = 0;

  constructor(path: string) {
    this.#fd = openSync(path, "w");
  }

  write(chunk: Uint8Array): void {
    this.#hash.update(chunk);
    this.bytes += chunk.byteLength;
    for (let at = 0; at < chunk.byteLength; ) at += writeSync(this.#fd, chunk, at, chunk.byteLength - at);
  }

  /** @returns SHA-256 of all that was written. */
  close(): string {
    closeSync(this.#fd);
    return this.#hash.digest("hex");
  }
}
