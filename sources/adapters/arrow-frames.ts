import type { Snapshot } from "../snapshot.js";
import { ArrowFault } from "./arrow-fault.js";
import { checkFooter, checkMessage } from "./arrow-metadata.js";

/** A message that claims more is not gathered in memory. In bytes. */
const MAX_METADATA = 64 * 2 ** 20;
const MAX_BODY = 2 ** 30;
const MARK = "ARROW1";
/** Length of the footer, and the mark again. */
const TAIL = 4 + MARK.length;

/** Whether the bytes are those of a file, which has a list of contents at its end, and not of a stream. */
export function isArrowFile(head: Uint8Array): boolean {
  return Buffer.from(head.subarray(0, MARK.length)).toString("latin1") === MARK;
}

/** A stream's messages, in pieces, their lengths and descriptions checked. */
export async function* checkedMessages(snapshot: Snapshot): AsyncGenerator<Uint8Array> {
  const source = new Bytes(snapshot.bytes());
  try {
    for (;;) {
      const prefix = await source.read(4);
      if (prefix.length === 0) return;
      const continued = int32(prefix, 0) === -1;
      const parts = continued ? [prefix, await source.read(4)] : [prefix];
      const length = int32(parts.at(-1)!, 0);
      yield* parts;
      if (length === 0) return;
      if (length < 0 || length > MAX_METADATA)
        throw new ArrowFault(`a message's description claims ${length} bytes`);
      const metadata = await source.read(length);
      const { body } = checkMessage(metadata);
      if (body < 0 || body > MAX_BODY) throw new ArrowFault(`a message claims ${body} bytes`);
      yield metadata;
      if (body > 0) yield await source.read(body);
    }
  } finally {
    await source.close();
  }
}

/** Checks a file's list of contents and the descriptions of its messages, before anything is made of them. */
export function checkArrowFile(bytes: Uint8Array): void {
  const end = bytes.length - TAIL;
  const length = end < 8 ? -1 : int32(bytes, end);
  if (!isArrowFile(bytes.subarray(end + 4)) || length <= 0 || length > end - 8) {
    throw new ArrowFault("it ends without a list of its contents");
  }
  for (const block of checkFooter(bytes.subarray(end - length, end))) {
    const prefix = int32(bytes, block.offset) === -1 ? 8 : 4;
    const message = checkMessage(bytes.subarray(block.offset + prefix, block.offset + block.metadata));
    // The library would wait for the right one for ever.
    if (message.kind !== block.kind)
      throw new ArrowFault(`a ${message.kind} stands where a ${block.kind} should`);
  }
}

function int32(bytes: Uint8Array, at: number): number {
  if (at < 0 || at + 4 > bytes.length) throw new ArrowFault("it ends too early");
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getInt32(at, true);
}

/** Takes pieces of any length apart into pieces of the lengths asked for. */
class Bytes {
  private readonly source: AsyncIterator<Uint8Array>;
  private rest: Uint8Array = new Uint8Array(0);

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.source = pieces[Symbol.asyncIterator]();
  }

  /** So many bytes, or none at all where the source is over. */
  async read(length: number): Promise<Uint8Array> {
    const parts: Uint8Array[] = [];
    let open = length;
    while (open > 0) {
      if (this.rest.length === 0) {
        const next = await this.source.next();
        if (next.done === true) break;
        this.rest = next.value;
      }
      const part = this.rest.subarray(0, open);
      this.rest = this.rest.subarray(part.length);
      open -= part.length;
      parts.push(part);
    }
    if (open > 0 && open < length) throw new ArrowFault("it ends too early");
    // A copy: the library wants numbers to lie where their size divides their place.
    return Uint8Array.from(parts.length === 1 ? parts[0]! : Buffer.concat(parts));
  }

  async close(): Promise<void> {
    await this.source.return?.();
  }
}
