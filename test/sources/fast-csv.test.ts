import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Card, cardSchema } from "../../sources/card.js";
import { type Database, openDatabase } from "../../sources/duckdb.js";
import { loadPlainCsv } from "../../sources/fast-csv.js";
import { layoutOf } from "../../sources/layout.js";
import { loadByRecords } from "../../sources/load.js";
import { openSnapshot } from "../../sources/snapshot.js";
import { Tally } from "../../sources/tally.js";
import { cardOf, flag, folder, integer, number, snapshotFile, text } from "./helper.js";

/** Loads a file both ways and gives both tables, undefined for the short way when it declines. */
async function bothWays(database: Database, file: string, card: Card) {
  const snapshot = await openSnapshot(snapshotFile(file));
  const [fast, slow] = [layoutOf(card, 1), layoutOf(card, 2)];
  const all = (table: string) => database.rows(`SELECT * FROM ${table} ORDER BY record`);
  const plain = await loadPlainCsv({ card, snapshot, database, layout: fast });
  const fastRows = plain === undefined ? undefined : await all(fast.table);
  const tally = new Tally();
  let slowRows: unknown[][] | undefined;
  try {
    await loadByRecords({ card, snapshot, database, layout: slow }, tally);
    slowRows = await all(slow.table);
  } catch {
    slowRows = undefined;
  }
  return { fastRows, slowRows, report: tally.report(card.id, slowRows?.length ?? 0) };
}

const COLUMNS = {
  id: text("id"),
  plain: number("a"),
  declared: number("a", { uncertainty: { relative: 0.01, absolute: 0.1 } }),
  undeclared: number("a", { uncertainty: undefined, nulls: ["", "NA"] }),
  scaled: number("a", { number: { factor: 1e24 }, range: [-1e30, 1e30] }),
  exact: integer("n", { scale: "exact", range: [-1000, null] }),
  counted: integer("n", { uncertainty: { rounding: true } }),
  yes: flag("f"),
  note: text("t", { nulls: ["NA"] }),
};

function card(read: object = {}): Card {
  return cardOf({
    columns: COLUMNS,
    snapshot: { file: "data", sha256: "0".repeat(64), read: { format: "csv", ...read } },
  });
}

async function withDatabase(use: (database: Database) => Promise<void>): Promise<void> {
  const database = await openDatabase(":memory:", { folders: [folder], threads: 2 });
  await use(database);
  database.close();
}

describe("the short way in", () => {
  it("is taken for plain files, in file order", async () => {
    await withDatabase(async (database) => {
      const rows = Array.from({ length: 5000 }, (_, i) => `k${i},${i / 8},${i},${i % 2 === 0},"n, ${i}"`);
      const { fastRows, slowRows } = await bothWays(database, `id,a,n,f,t\n${rows.join("\n")}\n`, card());
      expect(fastRows).toHaveLength(5000);
      expect(fastRows).toEqual(slowRows);
      expect(fastRows!.every((row, i) => row[0] === `k${i}` && row[1] === i + 1)).toBe(true);
    });
  });

  it("reads every written form as the record readers do", async () => {
    await withDatabase(async (database) => {
      for (const a of [
        "1",
        "-1",
        "0",
        "-0",
        "-0.00",
        "1.5e3",
        "1.50E-10",
        "0.330",
        ".5",
        "-.25",
        "12e4",
        "007",
        "1e22",
        "9007199254740993",
      ]) {
        const one = cardSchema.parse({
          ...card(),
          columns: { id: COLUMNS.id, plain: COLUMNS.plain, declared: COLUMNS.declared },
        });
        const { fastRows, slowRows } = await bothWays(database, `id,a\nx,${a}\n`, one);
        expect(fastRows, a).toBeDefined();
        expect(fastRows, a).toEqual(slowRows);
        expect(Object.is(fastRows![0]![2], slowRows![0]![2]), a).toBe(true);
      }
    });
  });

  it("declines what is not plain, and leaves the file to the record readers", async () => {
    await withDatabase(async (database) => {
      const fine = "id,a,n,f,t\nx,1,1,true,t\n";
      const declined = async (file: string, read: object = {}) =>
        (await bothWays(database, file, card(read))).fastRows === undefined;
      expect(await declined(fine)).toBe(false);
      expect(await declined(fine.replace("1,1", "oops,1"))).toBe(true);
      expect(await declined(fine.replace("1,1", "1,1.5"))).toBe(true);
      expect(await declined(fine.replace("1,1", "1,-2000"))).toBe(true);
      expect(await declined(fine.replace("true", "maybe"))).toBe(true);
      expect(await declined(`${fine}y,1\n`, { ragged: "pad" })).toBe(true);
      expect(await declined(`${fine}y,1,1,true,the 5" pipe\n`)).toBe(true);
      expect(await declined(`${fine}y,1,1,true,"open\n`)).toBe(true);
      expect(await declined(`# note\n${fine}`, { comment: "#" })).toBe(true);
      expect(await declined(fine.replaceAll(",", "||"), { delimiter: "||" })).toBe(true);
    });
  });

  it("agrees with the record readers on every file that both can read", async () => {
    const mostly = <T>(common: readonly T[], odd: readonly T[]) =>
      fc.oneof(
        { weight: 30, arbitrary: fc.constantFrom(...common) },
        { weight: 1, arbitrary: fc.constantFrom(...odd) },
      );
    const odd = ["12.", " 1", "1_0", "inf", "nan", "1e400", "0x1", "٣", "1,5"];
    const cell = mostly(["1", "-2.50", "1e3", "0.0", "", "9007199254740993"], odd);
    const whole = mostly(["1", "0042", "-7", ""], ["9007199254740993", "1.0", "1e2", "NA"]);
    const yes = mostly(["true", "false", ""], ["TRUE", "1"]);
    const quoted = [
      '""',
      '"a, b"',
      '"a\nb"',
      '"a\r\nb"',
      "é𝔸",
      "#x",
      "'",
      "\\",
      "\u0000",
      "\u00a0",
      "\uFEFF",
    ];
    const note = mostly(["", "NA", "plain", ...quoted], [' "', 'a"b', '"', '"a ""q"" b"', '"a"b', '"x\\"']);
    const key = mostly(["a", "b", '"k"', "#c", "1E2", "x y", " "], [""]);
    const row = fc.oneof(
      { weight: 60, arbitrary: fc.tuple(key, cell, whole, yes, note).map((r) => r.join(",")) },
      { weight: 1, arbitrary: fc.constantFrom("", "x", ",,,,", ",,,,,", " ", '"', "a,1,1,true") },
    );
    const file = fc.tuple(
      fc.array(row, { maxLength: 8 }),
      fc.constantFrom("\n", "\r\n", "\r"),
      fc.boolean(),
      fc.boolean(),
    );
    const options = fc.constantFrom({}, { quote: null }, { ragged: "pad" }, { ragged: "reject_row" });
    let both = 0;
    await withDatabase(async (database) => {
      await fc.assert(
        fc.asyncProperty(file, options, async ([rows, end, mark, last], read) => {
          const content = (mark ? "\uFEFF" : "") + ["id,a,n,f,t", ...rows].join(end) + (last ? end : "");
          const { fastRows, slowRows, report } = await bothWays(database, content, card(read));
          if (fastRows === undefined) return;
          both++;
          expect(fastRows).toEqual(slowRows);
          expect(report).toMatchObject({ rejected: {}, cells: {}, records: fastRows.length });
        }),
        { numRuns: 100, seed: 7 },
      );
    });
    expect(both).toBeGreaterThan(10);
  }, 30_000);
});
