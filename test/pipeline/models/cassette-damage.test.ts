import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openCassette } from "../../../pipeline/models/cassette.js";
import { MAX_TEXT } from "../../../pipeline/models/cassette-lines.js";
import { AppendLog } from "../../../pipeline/models/cassette-log.js";
import { inFolder } from "../helpers.js";
import { askerOf, callOf } from "./cassette-fixture.js";

/** A log of `n` calls as lines, without their ends: a record for each. */
async function logOf(dir: string, n: number): Promise<string[]> {
  const cassette = await openCassette(dir, { mode: "auto" });
  for (let i = 0; i < n; i++) {
    await cassette.intend({ ...askerOf(i), key: callOf(i).key, model: "m" });
    await cassette.keep(callOf(i), askerOf(i));
  }
  await cassette.close();
  return readFileSync(join(dir, "log.ndjson"), "utf8").trimEnd().split("\n");
}

describe("damage", () => {
  it("takes the lines that it hits and no other, and never makes another reply", () =>
    inFolder(async (dir) => {
      const lines = await logOf(join(dir, "calls"), 4);
      const bytes = readFileSync(join(dir, "calls", "log.ndjson"));
      await fc.assert(
        fc.asyncProperty(
          fc.nat(bytes.length - 1),
          fc.uint8Array({ minLength: 1, maxLength: 300 }),
          async (at, hit) => {
            const changed = Buffer.from(bytes);
            changed.set(hit.subarray(0, bytes.length - at), at);
            writeFileSync(join(dir, "calls", "log.ndjson"), changed);
            const sound = new Set(changed.toString("latin1").split("\n").slice(0, -1));
            const cassette = await openCassette(join(dir, "calls"), { mode: "replay" });
            for (let i = 0; i < 4; i++) {
              const expected = sound.has(lines[i]!) ? callOf(i).reply : undefined;
              expect(cassette.find(callOf(i).key)).toEqual(expected);
            }
            await cassette.close();
          },
        ),
        { numRuns: 60, seed: 20261129 },
      );
    }));

  it("reads lines whole wherever the chunks of the file end", () =>
    inFolder(async (dir) => {
      const texts = [2 ** 20 - 400, 3, 2 ** 21, 2 ** 20, 1].map((length, n) => `${n}ü`.repeat(length / 3));
      const first = await openCassette(dir, { mode: "auto" });
      for (const [n, text] of texts.entries()) await first.keep(callOf(n, text), askerOf(n));
      await first.close();
      const cassette = await openCassette(dir, { mode: "replay" });
      expect(texts.map((text, n) => cassette.find(callOf(n).key)?.text === text)).toEqual(
        texts.map(() => true),
      );
      await cassette.close();
    }));

  it("passes over a line longer than any record without holding it", () =>
    inFolder(async (dir) => {
      mkdirSync(join(dir, "calls"));
      const first = await openCassette(join(dir, "calls"), { mode: "auto" });
      await first.keep(callOf(0), askerOf(0));
      await first.close();
      // A hole in the file reads as zeros and takes no space.
      const file = openSync(join(dir, "calls", "log.ndjson"), "r+");
      writeSync(file, "\n", 130 * 2 ** 20);
      closeSync(file);
      const second = await openCassette(join(dir, "calls"), { mode: "auto" });
      expect(second.torn).toBe(1);
      await second.keep(callOf(1), askerOf(1));
      await second.close();
      const cassette = await openCassette(join(dir, "calls"), { mode: "replay" });
      expect([0, 1].map((n) => cassette.find(callOf(n).key)?.text)).toEqual(["answer 0", "answer 1"]);
      await cassette.close();
    }));

  it("refuses a record too large to be read again", () =>
    inFolder(async (dir) => {
      const log = new AppendLog(join(dir, "log.ndjson"), { lines: 0, torn: false });
      const append = async (text: string) => log.append(text, true);
      await expect(append("x".repeat(MAX_TEXT + 1))).rejects.toMatchObject({
        kind: "provider",
        problems: [{ code: "reply_too_large" }],
      });
      expect(await append("x")).toMatchObject({ line: 1, offset: 0, length: 18 });
      await log.close();
      expect(readFileSync(join(dir, "log.ndjson"), "utf8")).toBe("2d711642b726b044 x\n");
    }));
});
