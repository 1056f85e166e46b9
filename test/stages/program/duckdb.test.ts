import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stream } from "../../../pipeline/base/random.js";
import { type Condition, cardSchema } from "../../../sources/card.js";
import { loadCatalog } from "../../../sources/catalog.js";
import { type Database, openDatabase } from "../../../sources/duckdb.js";
import { loadSource } from "../../../sources/load.js";
import type { Catalog } from "../../../sources/table.js";
import { formulaSchema } from "../../../stages/formulas/formula.js";
import { evaluate } from "../../../stages/formulas/typescript.js";
import { computationOf } from "../../../stages/program/computation.js";
import { catalogFor } from "../../../stages/program/derived.js";
import { answerByDuckDB } from "../../../stages/program/duckdb.js";
import { peersOf } from "../../../stages/program/path.js";
import { formOf, type Program } from "../../../stages/program/program.js";
import { nth } from "../../../stages/program/selection.js";
import { TableIndex } from "../../../stages/program/table-index.js";
import { LEAST_CARD } from "../../fixtures/least-card.js";

const formula = formulaSchema.parse({
  id: "speed",
  noun: "mean orbital speed",
  inputs: {
    a: { unit: "au", quantity: ["semi_major_axis"], noun: "semi-major axis" },
    p: { unit: "d", quantity: ["orbital_period"], noun: "orbital period" },
  },
  expression: "2 * pi * a / p",
  output: { unit: "km/s", quantity: "speed" },
  source: "circular orbit",
});

const common = {
  ...LEAST_CARD,
  key: "key",
  name: "key",
  complete: [{ total: 1, source: "by construction" }],
};
const may = ["filter", "select", "compute"];

describe("DuckDB and TypeScript", () => {
  const folder = mkdtempSync(join(tmpdir(), "taskmill-differential-"));
  let database: Database;
  let catalog: Catalog;

  async function load(id: string, text: string, columns: object, links: object = {}): Promise<void> {
    const file = join(folder, `${id}.csv`);
    writeFileSync(file, text);
    const sha256 = createHash("sha256").update(text).digest("hex");
    const card = cardSchema.parse({
      ...common,
      id,
      title: id,
      snapshot: { file: `${id}.csv`, sha256, read: { format: "csv" } },
      columns,
      links,
    });
    await loadSource(card, file, database);
  }

  beforeAll(async () => {
    database = await openDatabase(":memory:", { folders: [folder] });
    const random = stream("differential", "rows");
    const rows = Array.from({ length: 400 }, (_, i) => {
      const limited = random.int(12);
      return [
        `b${String(i).padStart(3, "0")}`,
        ["red", "Green", "NA", ""][random.int(4)],
        ["yes", "no", ""][random.int(3)],
        random.int(15) === 0 ? "" : (((i * 211) % 400) / 10 + 0.013).toFixed(3),
        limited === 0 ? "<" : limited === 1 ? ">" : "",
        (1 + ((i * 157) % 400) * 2.2).toFixed(1),
        `star${random.int(9)}`,
      ].join(",");
    });
    await load(
      "bodies",
      `key,colour,ringed,a,flag,p,star\n${rows.join("\n")}\n`,
      {
        key: { from: "key", type: "text", scale: "nominal" },
        colour: { from: "colour", type: "text", scale: "nominal", may },
        ringed: { from: "ringed", type: "flag", scale: "flag", flag: { true: ["yes"], false: ["no"] }, may },
        a: {
          from: "a",
          type: "number",
          scale: "ratio",
          unit: "au",
          uncertainty: { rounding: true },
          limit: { from: "flag", upper: ["<"], lower: [">"] },
          may,
        },
        p: { from: "p", type: "number", scale: "ratio", unit: "d", uncertainty: { rounding: true }, may },
        star: { from: "star", type: "text", scale: "nominal" },
      },
      { star: { column: "star", to: "stars", phrase: "the star that {it} orbits" } },
    );
    const stars = Array.from({ length: 7 }, (_, i) => `star${i},${i + 0.5},${100 * (i + 1)}`);
    await load("stars", `key,a,p\n${stars.join("\n")}\n`, {
      key: { from: "key", type: "text", scale: "nominal" },
      a: { from: "a", type: "number", scale: "ratio", unit: "10^6 km", uncertainty: { rounding: true }, may },
      p: { from: "p", type: "number", scale: "ratio", unit: "h", uncertainty: { rounding: true }, may },
    });
    catalog = await loadCatalog(database);
  });

  afterAll(() => {
    database.close();
    rmSync(folder, { recursive: true });
  });

  function condition(random: ReturnType<typeof stream>): Condition {
    const column = random.pick(["a", "p"]);
    const value = random.int(30) === 0 ? 6e24 : column === "a" ? random.int(400) / 10 : random.int(900);
    switch (random.int(8)) {
      case 0:
        return { column: "colour", op: "eq", value: random.pick(["red", "NA", "green"]) };
      case 1:
        return { column: "colour", op: "in", values: ["Green", "NA"] };
      case 2:
        return { column: "colour", op: "starts_with", values: ["g", "N"] };
      case 3:
        return { column: "ringed", op: "is", value: random.int(2) === 0 };
      case 4:
        return { column, op: "between", low: value, high: value + 200 };
      case 5:
        return { column: random.pick(["a", "colour", "ringed"]), op: "known" };
      default:
        return { column, op: random.pick(["lt", "le", "gt", "ge"]), value };
    }
  }

  it("agree on candidates, entity and value for 200 random programs", async () => {
    let answered = 0;
    for (let i = 0; i < 200; i++) {
      const random = stream("differential", "program", i);
      const of = random.pick(["selected", "followed"] as const);
      const program: Program = {
        version: 2,
        table: "bodies",
        where: Array.from({ length: random.int(4) }, () => condition(random)),
        select: {
          column: random.pick(["a", "p"]),
          order: random.pick(["max", "min"]),
          rank: 1 + random.int(3),
        },
        ...(of === "followed" ? { follow: ["star"] } : {}),
        compute: {
          formula: "speed",
          inputs: { a: { of, column: "a" }, p: { of, column: "p" } },
          unit: "km/s",
          digits: 3,
        },
      };
      const byDuckDB = await answerByDuckDB(database, catalog, { program, formula });
      const index = new TableIndex(catalog.tables.get("bodies")!);
      const rows = index.holding(program.where);
      const row = nth(index.order(program.select!.column), program.select!, rows);
      if (row < 0) {
        expect(byDuckDB.choices.selected, JSON.stringify(program)).toBeNull();
        continue;
      }
      expect(byDuckDB.choices, JSON.stringify(program)).toMatchObject({
        selected: index.table.keys[row],
        candidates: rows.count(),
      });
      const computation = computationOf(catalog, program, formula);
      const args = computation.args({ selected: row });
      if (args.some(Number.isNaN)) continue;
      const inputs = Object.fromEntries(
        computation.inputs.map((b, k) => [b.name, { value: args[k]!, unit: b.column.card.unit! }]),
      );
      const value = evaluate(formula, inputs, "km/s");
      if (byDuckDB.value === 0 || !Number.isFinite(value)) continue;
      expect(Math.abs(byDuckDB.value / value - 1), JSON.stringify(program)).toBeLessThan(4e-12);
      answered++;
    }
    expect(answered).toBeGreaterThan(100);
  }, 60_000);

  /** Any selection: both ways of reading take conditions and ranks at face value. */
  function selection(random: ReturnType<typeof stream>, columns: readonly string[]) {
    return {
      column: random.pick(columns),
      order: random.pick(["max", "min"] as const),
      rank: 1 + random.int(3),
    };
  }

  function anyForm(random: ReturnType<typeof stream>): Program {
    const derive = { speed: { formula: "speed", inputs: { a: "a", p: "p" } } };
    const columns = random.int(2) === 0 ? ["a", "p", "speed"] : ["a", "p"];
    const where = Array.from({ length: random.int(3) }, () => condition(random));
    if (columns.length === 3)
      where.push({ column: "speed", op: random.pick(["lt", "gt"]), value: 1 + random.int(400) });
    const form = random.pick(["peers", "peers and link", "other", "figure"] as const);
    const take = random.pick(["total", "mean", "median"] as const);
    const of = form === "other" ? "other" : form === "figure" ? "candidates" : "followed";
    const input = (column: string) => ({ of, column, ...(form === "figure" ? { take } : {}) }) as const;
    const peers = { peers: "colour", select: selection(random, columns) };
    return {
      version: 2,
      table: "bodies",
      ...(columns.length === 3 ? { derive } : {}),
      where,
      ...(form === "figure" ? {} : { select: selection(random, columns) }),
      ...(form === "peers"
        ? { follow: [peers] }
        : form === "peers and link"
          ? { follow: [peers, "star"] }
          : {}),
      ...(form === "other"
        ? { other: { where: [condition(random)], select: selection(random, columns) } }
        : {}),
      compute: { formula: "speed", inputs: { a: input("a"), p: input("p") }, unit: "km/s", digits: 3 },
    };
  }

  it("agree on every choice, its candidates and the value for 300 random programs of the other forms", async () => {
    const answered = new Map<string, number>();
    for (let i = 0; i < 300; i++) {
      const program = anyForm(stream("differential", "form", i));
      const derived = program.derive === undefined ? undefined : { speed: formula };
      const scene = catalogFor({ program, derived }, catalog);
      const byDuckDB = await answerByDuckDB(database, scene, { program, formula, derived });
      const table = scene.tables.get("bodies")!;
      const index = new TableIndex(table);
      const rows = index.holding(program.where);
      const { choices } = byDuckDB;
      const nthOf = (where: Condition[], wanted: NonNullable<Program["select"]>) =>
        nth(index.order(wanted.column), wanted, index.holding(where));
      const selected = program.select === undefined ? -1 : nthOf(program.where, program.select);
      const other = program.other === undefined ? -1 : nthOf(program.other.where, program.other.select);
      const key = (row: number) => (row < 0 ? null : table.keys[row]);
      expect(choices, JSON.stringify(program)).toMatchObject({
        selected: key(selected),
        candidates: rows.count(),
        other: key(other),
        others: program.other === undefined ? null : index.holding(program.other.where).count(),
      });
      const computation = computationOf(scene, program, formula);
      const places = {
        selected: selected < 0 ? undefined : selected,
        other: other < 0 ? undefined : other,
        members: rows,
      };
      if (program.follow !== undefined && selected >= 0) {
        const { walk, tables } = computation.path!;
        const way = walk(selected).map((row, k) => tables[k]!.keys[row]);
        expect(choices.steps, JSON.stringify(program)).toEqual(tables.map((_, k) => way[k] ?? null));
        const group = peersOf(table, "colour", selected);
        const size = group === undefined ? 0 : index.holding([group]).count();
        expect(choices.peers, JSON.stringify(program)).toEqual([size]);
      }
      const args = computation.args(places);
      if (args.some(Number.isNaN)) continue;
      const inputs = computation.inputs.map((b, k) => [
        b.name,
        { value: args[k]!, unit: b.column.card.unit! },
      ]);
      const value = evaluate(formula, Object.fromEntries(inputs), "km/s");
      if (byDuckDB.value === 0 || !Number.isFinite(value)) continue;
      expect(Math.abs(byDuckDB.value / value - 1), JSON.stringify(program)).toBeLessThan(4e-12);
      answered.set(formOf(program), (answered.get(formOf(program)) ?? 0) + 1);
    }
    expect([...answered.keys()].sort()).toEqual(["aggregate", "compare", "hop"]);
    for (const count of answered.values()) expect(count).toBeGreaterThan(20);
  }, 60_000);
});
