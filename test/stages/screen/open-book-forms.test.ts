import { describe, expect, it } from "vitest";
import { stream } from "../../../pipeline/base/random.js";
import { PlainProgram } from "../../../stages/program/compare-run.js";
import { catalogFor } from "../../../stages/program/derived.js";
import { type Form, formOf } from "../../../stages/program/program.js";
import { naiveGuesses } from "../../../stages/screen/guesses.js";
import { openBook } from "../../../stages/screen/open-book.js";
import type { WordedRow } from "../../../stages/task.js";
import { catalog, FORM_ROWS } from "../program/form-worlds.js";
import { valueFromText } from "./table-solver.js";

const rowOf = (name: string, answer = { value: 1, tolerance: 0.005, unit: "1" }) =>
  ({ ...FORM_ROWS.get(name)!, answer }) as unknown as WordedRow;

/** Tables of a book: title, heading, names of the entities shown. */
function book(name: string, extent = { max_rows: 100, decoys: 0 }) {
  const found = openBook(rowOf(name), catalog, extent, stream("book", name));
  if (!("text" in found)) return found;
  const tables = found.text.split("\n\n").map((text) => {
    const [title, head, ...lines] = text.split("\n");
    return { title: title!, head: head!.split(" | "), names: lines.map((l) => l.split(" | ")[0]!).sort() };
  });
  return { tables, rows: found.rows };
}

function tablesOf(name: string) {
  const found = book(name);
  if ("needs" in found) throw new Error(`${name} needs ${found.needs}`);
  return found.tables;
}

const moons = catalog.tables.get("moons")!;
const cells = (column: string) => moons.columns.get(column)!.values as ArrayLike<number | string>;
const where = (test: (row: number) => boolean) =>
  Array.from({ length: moons.rows }, (_, row) => row).filter(test);
const names = (rows: readonly number[]) => rows.map((r) => moons.names[r]!);
const big = where((r) => (cells("radius")[r] as number) > 300);
const most = (rows: readonly number[], column: string) =>
  rows.reduce((a, b) => ((cells(column)[b] as number) > (cells(column)[a] as number) ? b : a));

describe("an open book", () => {
  it("has every table of a path, down to the figures at its end", () => {
    const tables = tablesOf("path");
    expect(tables.map((t) => t.title.split(",")[0])).toEqual(Array(3).fill("Table of bodies"));
    expect(tables[0]!.head).toEqual([
      "body",
      "mean radius [km]",
      "equatorial radius [km]",
      "orbital period [d]",
      "body",
    ]);
    expect(tables[0]!.names).toEqual(expect.arrayContaining(names(big)));
    expect(tables[1]!.head).toEqual(["body", "body"]);
    expect(tables[2]!.head).toEqual(["body", "mass [kg]", "mean radius [km]"]);
    const { names: stars } = tables[2]!;
    expect(stars.every((s) => s.startsWith("s"))).toBe(true);
  });

  it("has all peers of whoever is selected, and what they share", () => {
    const [table] = tablesOf("peers");
    const family = cells("family")[most(big, "period")];
    expect(table!.head).toEqual(
      expect.arrayContaining(["family", "mass [kg]", "mean radius [km]", "orbital period [d]"]),
    );
    expect(table!.names).toEqual(expect.arrayContaining(names(where((r) => cells("family")[r] === family))));
  });

  it("has peers at the far end of a link", () => {
    const [, planets] = tablesOf("link_then_peers");
    expect(planets!.head).toEqual(expect.arrayContaining(["kind", "mass [kg]", "mean radius [km]"]));
    expect(planets!.names.length).toBeGreaterThanOrEqual(6);
  });

  it("has the candidates of both entities", () => {
    const [table] = tablesOf("compare");
    const icy = where((r) => cells("icy")[r] === 1 && (cells("mass")[r] as number) < 60e20);
    expect(table!.names).toEqual(expect.arrayContaining(names([...big, ...icy])));
    expect(table!.head).toEqual(expect.arrayContaining(["mass [kg]", "icy", "mean radius [km]"]));
  });

  it("has every member of an aggregate, or says how many it needs", () => {
    const [table] = tablesOf("mean");
    expect(table!.names).toEqual(expect.arrayContaining(names(big)));
    expect(book("mean", { max_rows: 9, decoys: 0 })).toEqual({ needs: big.length });
    expect(book("times_mean", { max_rows: 9, decoys: 0 })).toEqual({ needs: expect.any(Number) });
  });

  it("shows what a derived column is computed from, not the column", () => {
    const [table] = tablesOf("derived");
    expect(table!.head).toEqual(expect.arrayContaining(["mass [kg]", "mean radius [km]"]));
    expect(table!.head.join()).not.toContain("density");
  });

  it.each([...FORM_ROWS.keys()])("holds all that the answer needs: %s", (name) => {
    const row = rowOf(name);
    const found = openBook(row, catalog, { max_rows: 100, decoys: 10 }, stream("solve", name));
    if (!("text" in found)) throw new Error(`${name} needs ${found.needs}`);
    const { unit } = row.program.compute;
    const { answer } = new PlainProgram(row, catalogFor(row, catalog), unit).onSnapshot();
    const solved = valueFromText(row, catalog, found.text);
    expect(Math.abs(solved / answer - 1)).toBeLessThan(1e-9);
  });

  it.each([...FORM_ROWS.keys()])("is the same each time: %s", (name) => {
    expect(book(name)).toEqual(book(name));
  });
});

describe("guesses", () => {
  const guesses = (name: string) => naiveGuesses(rowOf(name), catalog);
  const how = (name: string) => guesses(name).map((g) => g.how);

  it("are to be had for every form", () => {
    const forms = new Set<Form>();
    for (const [name, { program }] of FORM_ROWS) {
      forms.add(formOf(program));
      const found = guesses(name);
      expect([name, found.length]).not.toEqual([name, 0]);
      for (const g of found) expect([name, g.how, Number.isFinite(g.value)]).toEqual([name, g.how, true]);
    }
    expect([...forms].sort()).toEqual(["aggregate", "compare", "hop", "select"]);
  });

  it("fit the form: equal figures, an equal share, an average entity, the whole table", () => {
    expect(guesses("compare").find((g) => g.how.startsWith("every input"))).toMatchObject({
      value: 1,
      right: true,
    });
    expect(how("compare")).toContain("extrema without conditions");
    expect(guesses("share").find((g) => g.how === "an equal share")!.value).toBeCloseTo(100 / big.length, 9);
    expect(guesses("times_mean")).toContainEqual({ how: "an average entity", value: 1, right: true });
    expect(how("mean")).toContain("all entities, without conditions");
    expect(how("path")).toContain("median of all answers");
    expect(how("derived")).toContain("extremum without conditions");
  });
});
