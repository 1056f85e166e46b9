import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CellOutput } from "../../../../pipeline/environment/python/output.js";

const TOKEN = "\0the token";

/** Gives bytes in pieces that end at `cuts`. */
function feed(bytes: Buffer, cuts: readonly number[]): CellOutput {
  const output = new CellOutput(TOKEN);
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  let from = 0;
  for (const end of ends) {
    output.add(bytes.subarray(from, end));
    from = end;
  }
  return output;
}

describe("what a cell writes", () => {
  it("is the same however it comes in pieces", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.array(fc.nat()), (text, cuts) => {
        const output = feed(Buffer.from(`${text}${TOKEN}{"ok":true}\n`), cuts);
        expect([output.text(), output.status]).toEqual([Buffer.from(text).toString(), '{"ok":true}']);
      }),
    );
  });

  it("without an end is all there is, also what looks like the beginning of one", () => {
    const output = feed(Buffer.from("abc\0the tok"), [4]);
    expect([output.text(), output.status]).toEqual(["abc\0the tok", undefined]);
  });

  it("keeps its first and last half of a million bytes", () => {
    const output = new CellOutput(TOKEN);
    const line = (n: number): string => `${String(n).padStart(9, "0")}\n`;
    for (let from = 0; from < 300_000; from += 1000) {
      output.add(Buffer.from(Array.from({ length: 1000 }, (_, i) => line(from + i)).join("")));
    }
    output.add(Buffer.from(`${TOKEN}{}\n`));
    const text = output.text();
    expect(output.total).toBe(3_000_000);
    expect(text.length).toBe(1_000_000 + "\n[2000000 bytes are not kept]\n".length);
    expect([text.slice(0, 20), text.slice(-20)]).toEqual([line(0) + line(1), line(299_998) + line(299_999)]);
    expect(text.slice(500_000, 500_030)).toBe("\n[2000000 bytes are not kept]\n");
  });

  it("does not wait for ever for the end of a status", () => {
    const output = feed(Buffer.from(`${TOKEN}${"x".repeat(10_000)}`), []);
    expect(output.status).toBe("");
  });
});
