import { ArrowFault } from "./arrow-fault.js";

/**
 * Unpacks an LZ4 frame, as described in the LZ4 project's lz4_Frame_format.md (1.6) and lz4_Block_format.md. Own code, as no library
 * of it for Node is kept up that brings types and runs without native code. Checksums are passed over: the snapshot's hash guards its bytes.
 */

const MAGIC = 0x184d2204;
/** Bits of the first byte after the magic number. */
const VERSION = 0xc0;
const FIRST_VERSION = 0x40;
const BLOCK_CHECKSUMS = 0x10;
const CONTENT_SIZE = 0x08;
const DICTIONARY = 0x01;
/** Marks a block that is stored as it is. */
const STORED = 2 ** 31;
const SHORTEST_MATCH = 4;

/** @throws ArrowFault for damaged data, and for more than `most` bytes of output. */
export function unpackLz4(bytes: Uint8Array, most: number): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const out = new Output(Math.min(most, bytes.length * 4), most);
  try {
    const flags = view.getUint8(4);
    const known = view.getUint32(0, true) === MAGIC && (flags & VERSION) === FIRST_VERSION;
    if (!known || (flags & DICTIONARY) !== 0)
      throw new ArrowFault("a packed buffer is no LZ4 frame that can be read");
    const checksum = (flags & BLOCK_CHECKSUMS) === 0 ? 0 : 4;
    let at = 7 + ((flags & CONTENT_SIZE) === 0 ? 0 : 8);
    for (;;) {
      const size = view.getUint32(at, true);
      if (size === 0) return out.done();
      at += 4;
      const end = at + (size % STORED);
      if (end > bytes.length) throw new ArrowFault("a packed buffer ends too early");
      if (size >= STORED) out.add(bytes.subarray(at, end));
      else unpackBlock(bytes.subarray(at, end), out);
      at = end + checksum;
    }
  } catch (error) {
    if (error instanceof RangeError) throw new ArrowFault("a packed buffer ends too early");
    throw error;
  }
}

/** A block is a row of steps: some bytes as they are, then a match, which repeats bytes that came before. The last has no match. */
function unpackBlock(block: Uint8Array, out: Output): void {
  let at = 0;
  const byte = (): number => {
    if (at >= block.length) throw new ArrowFault("a packed buffer ends too early");
    return block[at++]!;
  };
  /** A length of four bits; 15 says that bytes follow that add to it, as long as they are 255. */
  const length = (bits: number): number => {
    let sum = bits;
    if (bits === 15) for (let more = 255; more === 255; sum += more) more = byte();
    return sum;
  };
  for (;;) {
    const token = byte();
    const literals = length(token >> 4);
    if (at + literals > block.length) throw new ArrowFault("a packed buffer ends too early");
    out.add(block.subarray(at, at + literals));
    at += literals;
    if (at === block.length) return;
    const distance = byte() + 256 * byte();
    out.repeat(distance, length(token & 15) + SHORTEST_MATCH);
  }
}

/** Grows up to a bound. */
class Output {
  private bytes: Uint8Array;
  private length = 0;

  constructor(
    expected: number,
    private readonly most: number,
  ) {
    this.bytes = new Uint8Array(expected);
  }

  add(piece: Uint8Array): void {
    this.makeRoom(piece.length);
    this.bytes.set(piece, this.length);
    this.length += piece.length;
  }

  /** Copies byte by byte: a match may reach into itself. */
  repeat(distance: number, count: number): void {
    if (distance === 0 || distance > this.length)
      throw new ArrowFault("a packed buffer repeats what it has not");
    this.makeRoom(count);
    for (let i = 0; i < count; i++, this.length++)
      this.bytes[this.length] = this.bytes[this.length - distance]!;
  }

  done(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }

  private makeRoom(count: number): void {
    const needed = this.length + count;
    if (needed <= this.bytes.length) return;
    if (needed > this.most) throw new ArrowFault(`a buffer unpacks to more than ${this.most} bytes`);
    const larger = new Uint8Array(Math.min(this.most, Math.max(needed, this.bytes.length * 2)));
    larger.set(this.bytes.subarray(0, this.length));
    this.bytes = larger;
  }
}
