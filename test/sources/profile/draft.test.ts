import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findCard } from "../../../sources/cards.js";
import { loadCatalog } from "../../../sources/catalog.js";
import { openDatabase } from "../../../sources/duckdb.js";
import { loadSource } from "../../../sources/load.js";
import { decide } from "../../../sources/profile/decide/decide.js";
import { draftCard } from "../../../sources/profile/draft.js";
import { layoutOf } from "../../../sources/profile/layout/guess.js";
import { objectionsTo } from "../../../sources/profile/objections/objections.js";
import { profileFile } from "../../../sources/profile/profile.js";
import type { Told } from "../../../sources/profile/told.js";
import { openSnapshot } from "../../../sources/snapshot.js";

/** Drafts a card for a table, loads the table through it, and says what is objected to. */
async function drafted(
  content: string | Uint8Array,
  told: Partial<Told> = {},
  edit = (card: string) => card,
  key?: string,
) {
  const given = { ...told, ...(key === undefined ? {} : { key }) };
  const dir = mkdtempSync(join(tmpdir(), "taskmill-draft-"));
  const database = await openDatabase(":memory:", { folders: [dir], threads: 1 });
  try {
    const path = join(dir, "table.txt");
    writeFileSync(path, content);
    const snapshot = await openSnapshot(path);
    const profile = await profileFile(snapshot, await layoutOf(snapshot));
    const text = edit(draftCard(profile, decide(profile, [], given), { id: "things", hosts: [], ...given }));
    writeFileSync(join(dir, "card.yaml"), text);
    const { card } = await findCard(join(dir, "card.yaml"), ".");
    const report = await loadSource(card, path, database);
    const table = (await loadCatalog(database)).tables.get(card.id)!;
    const objections = objectionsTo({ table, report, linked: new Map(), known: [] });
    return { text, card, report, table, objections, codes: objections.map((o) => o.code) };
  } finally {
    database.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

const ROWS = Array.from(
  { length: 30 },
  (_, i) => `thing ${i},${(i * 3.7 + 1).toFixed(1)},${i % 3 === 0 ? "Yes" : "No"},c${i % 4}`,
);
const TABLE = `name,Mass (kg),rings,class\n${ROWS.join("\n")}\n`;
const TOLD: Partial<Told> = {
  ...{
    entity: "thing",
    scope: "of this test",
    publisher: "Nobody",
    hosts: ["nobody.org"],
    licence: "CC0-1.0",
    asOf: "2024",
  },
  ...{ complete: "the test, which says so" },
};

describe("a draft card", () => {
  it("loads at once, and every value comes through", async () => {
    const { card, table, text } = await drafted(TABLE, TOLD);
    expect(table.rows).toBe(30);
    expect(card.complete).toEqual([{ where: [], total: 30, source: "the test, which says so" }]);
    expect(table.columns.get("mass")).toMatchObject({
      type: "number",
      card: { unit: "kg", may: ["filter", "select", "compute"] },
    });
    expect(table.columns.get("rings")!.values[0]).toBe(1);
    expect(text).toContain("# CHECK:");
  });

  it("marks what nobody has said, and is objected to for it", async () => {
    const { codes, card } = await drafted(TABLE);
    expect(card.publisher.hosts).toEqual(["example.org"]);
    expect(codes.filter((c) => c === "placeholder")).toHaveLength(4);
    expect(codes).toContain("nothing_complete");
    expect((await drafted(TABLE, TOLD)).objections.filter((o) => o.severity === "error")).toEqual([]);
  });

  it("loads whatever texts the table holds", async () => {
    const cell = fc
      .string({ unit: "binary", maxLength: 12 })
      .map((t) => t.replace(/[\r\n\t"\0\uFEFF]/g, "_"));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(cell, cell), { minLength: 3, maxLength: 8 }),
        cell,
        async (rows, header) => {
          const name = `h${header}`.replace(/\p{Cs}/gu, "_");
          const lines = rows.map(([a, b], i) => `k${i}\t${a}\t${b}`.replace(/\p{Cs}/gu, "_"));
          const { table } = await drafted(`id\t${name}\tother column\n${lines.join("\n")}\n`, TOLD);
          expect(table.rows).toBe(rows.length);
        },
      ),
      { numRuns: 25 },
    );
  });

  it("has a key of its own where the table has none, which is not public", async () => {
    const { card, codes } = await drafted("kind,Mass (g)\na,1.5\na,2.5\nb,1.5\n", TOLD);
    expect(card).toMatchObject({ key: "record", entity: { public: false } });
    expect(codes).toContain("not_public");
  });

  it("says how the file is read only as far as it differs from a plain one", async () => {
    expect((await drafted(TABLE, TOLD)).text).toContain("read: { format: csv }\n");
    const other = await drafted("# c\nname;x_kg\na;1,5\nb;2,5\nc;3,5\n", TOLD);
    expect(other.text).toContain('read: { format: csv, delimiter: ;, comment: "#" }');
    expect(other.table.columns.get("x")!.values).toEqual(Float64Array.of(1.5, 2.5, 3.5));
  });
});

describe("words of a draft", () => {
  it.each([
    ["countries", "country", "countries"],
    ["classes", "class", "classes"],
    ["species", "species", "species"],
    ["lakes", "lake", "lakes"],
    ["gas", "gas", "gases"],
  ])("of a table called %s are %s and %s", async (id, singular, plural) => {
    const { text } = await drafted(TABLE, { id, hosts: [] });
    expect(text).toContain(`  singular: ${singular}\n`);
    expect(text).toContain(`  plural: ${plural}\n`);
  });

  it("offer a class that the table could have", async () => {
    const { complete: _, ...told } = TOLD;
    const { text, card, codes } = await drafted(TABLE, told, (text) =>
      text.replace(/^# complete:$/m, "complete:").replace(/^# {3}- \{ where: \[ \{/m, "  - { where: [ {"),
    );
    expect(text).toContain("complete:");
    expect(card.complete).toMatchObject([
      { where: [{ column: "mass", op: "ge", value: expect.any(Number) }], total: 8 },
    ]);
    expect(codes).not.toContain("incomplete_class");
  });
});

describe("European numbers in a draft", () => {
  const named = (header: string, cells: readonly string[]) =>
    `name;${header}\n${cells.map((c, i) => `n${i};${c}`).join("\n")}\n`;

  it("asks whether three digits behind a dot are thousands", async () => {
    const { text, table } = await drafted(named("Area (km²)", ["371.000", "82.100", "1.230", "801"]), TOLD);
    expect(text).toContain("CHECK: 371.000: a decimal dot, as taken here, or thousands?");
    expect(text.replace(/\n *# */g, " ")).toContain(
      '`number: { forms: [plain, grouped], decimal: ",", group: "." }`',
    );
    expect(table.columns.get("area")!.values[0]).toBe(371);
  });

  it("does not ask where decimals are of all lengths", async () => {
    const { text } = await drafted(named("Area (km²)", ["37.125", "82.1", "1.23", "801"]), TOLD);
    expect(text).not.toContain("thousands?");
  });

  it("reads dots between groups where commas are decimal, in the column or beside it", async () => {
    const both = await drafted(named("Area (km²)", ["1.991,0", "1.059.600", "82.100", "801"]), TOLD);
    expect(both.table.columns.get("area")!.values).toEqual(Float64Array.of(1991, 1059600, 82100, 801));
    const beside = await drafted(named("Area (km²);Depth (m)", ["371.000;1,5", "1.230;2,5", "801;3"]), TOLD);
    expect(beside.table.columns.get("area")!.values).toEqual(Float64Array.of(371000, 1230, 801));
    expect(beside.text).toContain("3 with 0 decimals");
    expect(beside.table.columns.get("depth")!.values).toEqual(Float64Array.of(1.5, 2.5, 3));
  });

  it("loads a few decimal commas among whole numbers, and what is mixed", async () => {
    const cells = ["100", "19,5", "1,2", "40", "55", "60", "70", "80", "90", "7"];
    const { text, table } = await drafted(named("Length (m)", cells), TOLD);
    expect(text).toContain('decimal: ","');
    expect([...table.columns.get("length")!.values].slice(0, 3)).toEqual([100, 19.5, 1.2]);
    const mixed = await drafted(named("Length (m)", ["1,5", "2,5", "3,5", "4.5", "6"]), TOLD);
    expect(mixed.table.columns.get("length")!.values).toEqual(Float64Array.of(1.5, 2.5, 3.5, Number.NaN, 6));
  });
});

describe("a key that repeats", () => {
  const SPANS = [...Array.from({ length: 25 }, (_, i) => `Bridge ${i}`), "Bridge 3"]
    .map((b, i) => `${b}\t${1000 + i} (${3000 + i} ft)\t${i * 2.5 + 1}`)
    .join("\n");
  const BRIDGES = `Bridge\tMain span [m]\tMass (t)\n${SPANS}\n`;

  it("is said and left to decide, and no measurement takes its place", async () => {
    const { text, card, table } = await drafted(BRIDGES, TOLD);
    expect(card).toMatchObject({ key: "bridge", name: "bridge", on_duplicate_key: "reject_row" });
    expect(text).toContain("25 of 26 distinct; repeated: Bridge 3 (rows 4, 26)");
    expect(text.replace(/\n *# */g, " ")).toContain("CHECK: records that share one are left out");
    expect(table.rows).toBe(24);
  });

  it("loads where the user chose it, and a measurement is not public", async () => {
    const kinds = await drafted("kind,no,Mass (g)\na,1,1.5\na,2,2.5\nb,3,3.5\n", TOLD, undefined, "kind");
    expect(kinds.card).toMatchObject({ key: "kind", on_duplicate_key: "reject_row" });
    expect(kinds.text).toContain("repeated: a (rows 1, 2)");
    const spans = await drafted(BRIDGES, TOLD, undefined, "Main span [m]");
    expect(spans.card).toMatchObject({ key: "main_span", entity: { public: false } });
  });

  it.each(["12 May 19XX", "19XX-05-12", "XX m", "1,4XX"])("is never %j", async (form) => {
    const rows = Array.from({ length: 12 }, (_, i) => `a\t${form.replace("XX", String(i + 20))} [1]`);
    expect((await drafted(`kind\tOpening\n${rows.join("\n")}\n`, TOLD)).card.key).toBe("record");
  });
});

describe("objections to a card", () => {
  const edited = async (...edits: readonly (readonly [string, string])[]) =>
    (
      await drafted(TABLE, TOLD, (card) =>
        edits.reduce((c, [from, to]) => {
          expect(c).toContain(from);
          return c.replace(from, to);
        }, card),
      )
    ).codes;

  it("misses a drift, a range, a definition and words", async () => {
    const drift = / {4}drift:[^\n]*\n/;
    const { codes } = await drafted(TABLE, TOLD, (card) =>
      card.replace(drift, "").replace(/ {4}range:[^\n]*\n/, ""),
    );
    expect(codes).toEqual(expect.arrayContaining(["no_drift", "no_range", "no_definition", "no_words"]));
  });

  it("refuses relative margins where zero is a convention", async () => {
    expect(await edited(["scale: ratio", "scale: interval"])).toContain("relative_margin");
  });

  it("refuses exactness of decimals", async () => {
    expect(await edited(["uncertainty: { rounding: true }", "uncertainty: { exact: true }"])).toContain(
      "exact_decimals",
    );
  });

  it("counts classes", async () => {
    expect(await edited(["total: 30", "total: 31"])).toContain("incomplete_class");
  });

  it("never takes a table for whole from which records are missing", async () => {
    const twins = `${TABLE}thing 7,900.5,No,c1\n`;
    for (const total of [31, 29]) {
      const told = { ...TOLD, key: "name" };
      const { objections } = await drafted(
        twins,
        told,
        (card) => card.replace("total: 31", `total: ${total}`),
        "name",
      );
      const of = (code: string) => objections.find((o) => o.code === code)!;
      expect(of("incomplete_class").what).toContain(
        "2 records that may belong to it were left out (duplicate_key 2)",
      );
      expect(of("incomplete_class").fix).not.toContain("total");
      expect(of("records_left_out").what).toContain('record 8: "thing 7"');
    }
  });

  it("sees entities that are called by their key", async () => {
    const name = (card: string): string => card.replace("name: name\n", 'name: "{name} ({class})"\n');
    const nameless = TABLE.replace(",c1\n", ",\n");
    const { objections } = await drafted(nameless, TOLD, name);
    expect(objections.find((o) => o.code === "nameless")!.what).toContain(
      "1 of 30 rows lack what `{name} ({class})`",
    );
    expect((await drafted(TABLE, TOLD, name)).codes).not.toContain("nameless");
  });

  it("counts no decimals that a factor has made", async () => {
    const table = `name,Size (tenths)\n${ROWS.map((_, i) => `t${i},${i * 7 + 3}`).join("\n")}\n`;
    const exact = (card: string): string =>
      card
        .replace(/unit: "?1"?[^\n]*/, 'unit: "1"\n    number: { factor: 0.1 }')
        .replace("{ rounding: true }", "{ exact: true }");
    expect((await drafted(table, TOLD, exact)).codes).not.toContain("exact_decimals");
  });

  it("sees names of a source that questions have to use", async () => {
    const { objections } = await drafted(TABLE, { ...TOLD, publisher: "Data/Things" });
    expect(objections.find((o) => o.code === "source_name_is_noun")!.what).toContain('"Things"');
  });

  it("sees ranges that are idle, values that are cut away, and quantities that nothing takes", async () => {
    expect(await edited(["range: [ 1, 200 ]", "range: [ 0, 1.0e+9 ]"])).toContain("idle_range");
    expect(await edited(["range: [ 1, 200 ]", "range: [ 50, 200 ]"])).toContain("implausible_value");
    expect(
      await edited([
        "    may: [ filter, select, compute ]",
        "    quantity: magic\n    may: [ filter, select, compute ]",
      ]),
    ).toContain("unused_quantity");
  });

  it("sees ties, outliers, cut-offs and columns that are mostly unknown", async () => {
    const of = async (values: readonly (string | number)[]): Promise<string[]> =>
      (await drafted(`name,Size (km)\n${values.map((v, i) => `t${i},${v}`).join("\n")}\n`, TOLD)).codes;
    const plain = Array.from({ length: 120 }, (_, i) => (100 * 1.02 ** i + 0.3).toFixed(1));
    expect(await of([1, 1, 2, 3, 5, 5].map((v) => v + 0.5))).toContain("tie_at_extreme");
    expect(await of([...plain.slice(0, 20), "99000.5"])).toContain("outlier");
    expect(await of(plain)).toContain("cutoff_suspected");
    expect(await of(["1.5", "2.5", "3.5", "", "", "", ""])).toContain("mostly_unknown");
  });

  it("sees links that lead nowhere", async () => {
    const link = 'links:\n  home: { column: class, to: homes, phrase: "the home of {it}" }\n';
    const { objections } = await drafted(TABLE, TOLD, (card) => `${card}${link}`);
    expect(objections.map((o) => o.code)).toContain("link_unchecked");
  });
});
