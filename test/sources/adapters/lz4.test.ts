import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { unpackLz4 } from "../../../sources/adapters/lz4.js";

const le = (value: number, bytes: number): number[] =>
  Array.from({ length: bytes }, (_, i) => Math.floor(value / 2 ** (8 * i)) % 256);
const frame = (...blocks: number[][]): Uint8Array =>
  Uint8Array.from([
    4,
    0x22,
    0x4d,
    0x18,
    0x60,
    0x40,
    0x82,
    ...blocks.flatMap((b) => [...le(b.length, 4), ...b]),
    0,
    0,
    0,
    0,
  ]);

/** A step of a block, and what it stands for. */
type Step = { literals: number[]; back: number; count: number };
const lengthBytes = (n: number): number[] =>
  n < 15 ? [] : [...new Array<number>(Math.floor((n - 15) / 255)).fill(255), (n - 15) % 255];
const written = ({ literals, back, count }: Step): number[] => [
  Math.min(15, literals.length) * 16 + Math.min(15, count - 4),
  ...lengthBytes(literals.length),
  ...literals,
  ...le(back, 2),
  ...lengthBytes(count - 4),
];

describe("LZ4 frames", () => {
  it("unpack to what their steps say", () => {
    const bytes = fc.array(fc.nat(255), { maxLength: 40 });
    const step = fc.record({ literals: bytes, back: fc.nat(60), count: fc.integer({ min: 4, max: 600 }) });
    fc.assert(
      fc.property(
        fc.array(fc.array(step, { maxLength: 5 }), { minLength: 1, maxLength: 3 }),
        bytes,
        (blocks, last) => {
          const out: number[] = [];
          const packed = blocks.map((steps) => {
            const block: number[] = [];
            for (const { literals, back, count } of steps) {
              out.push(...literals);
              if (out.length === 0) continue;
              const distance = 1 + (back % out.length);
              block.push(...written({ literals, back: distance, count }));
              for (let i = 0; i < count; i++) out.push(out[out.length - distance]!);
            }
            out.push(...last);
            return [...block, Math.min(15, last.length) * 16, ...lengthBytes(last.length), ...last];
          });
          expect([...unpackLz4(frame(...packed), 1e6)]).toEqual(out);
        },
      ),
      { seed: 5, numRuns: 200 },
    );
  });

  it("end with an error where they are damaged, wherever", () => {
    const good = frame([0x1f, 7, 1, 0, 255, 100, 0x50, 7, 7, 7, 7, 7]);
    expect(unpackLz4(good, 1000)).toHaveLength(1 + 4 + 15 + 355 + 5);
    expect(() => unpackLz4(good, 100)).toThrow("unpacks to more than 100 bytes");
    expect(() => unpackLz4(frame([0x10, 1, 2, 0]), 100)).toThrow("repeats what it has not");
    for (let end = 0; end < good.length; end++)
      expect(() => unpackLz4(good.subarray(0, end), 1000)).toThrow(/ends too early|no LZ4 frame/);
  });
});
