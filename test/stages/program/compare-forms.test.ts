import { describe, expect, it } from "vitest";
import { builtinFormulas } from "../../../stages/formulas/index.js";
import { checkProgram } from "../../../stages/program/check.js";
import { comparePrograms } from "../../../stages/program/compare.js";
import { derivedCard } from "../../../stages/program/derived.js";
import { formulaOf } from "../../../stages/program/formula-of.js";
import { type Program, programSchema } from "../../../stages/program/program.js";
import { programRead } from "../../../stages/program/reading.js";
import { derivedOf } from "../../../stages/program/row.js";
import type { ProgramRow } from "../../../stages/task.js";
import { readingOf } from "../../fixtures/reading.js";
import { catalog, FORM_ROWS } from "./form-worlds.js";

const cards = new Map([...catalog.tables].map(([id, t]) => [id, t.card]));

function compare(row: ProgramRow, program: Program, worlds = 20, key = row.id) {
  const derived = derivedOf(program, builtinFormulas);
  const card = derivedCard(cards.get("moons")!, program.derive, derived ?? {});
  const formula = formulaOf(program, builtinFormulas, new Map([...cards, ["moons", card]]))!;
  const digits = program.compute.digits;
  return comparePrograms(row, { program, formula, derived, digits }, catalog, { seed: "3", key, worlds });
}

type Loose = { [key: string]: unknown };

/** The program with one thing in it changed, at any depth: what stands there, and each other value that it may have. */
function corruptions(program: Program): Program[] {
  const found: Program[] = [];
  const visit = (value: unknown, put: (changed: unknown) => unknown): void => {
    if (Array.isArray(value)) {
      value.forEach((item, i) => {
        found.push(put(value.filter((_, k) => k !== i)) as Program);
        visit(item, (changed) => put(value.with(i, changed)));
      });
    } else if (typeof value === "object" && value !== null) {
      for (const [key, item] of Object.entries(value as Loose)) {
        if (["table", "version", "derive", "unit", "digits", "formula"].includes(key)) continue;
        for (const other of otherValues(key, item)) found.push(put({ ...value, [key]: other }) as Program);
        visit(item, (changed) => put({ ...value, [key]: changed }));
      }
    }
  };
  visit(program, (changed) => changed);
  return found.filter(
    (p) => programSchema.safeParse(p).success && checkProgram(p, cards, builtinFormulas).length === 0,
  );
}

const NUMBERS = ["mass", "radius", "wide", "period"];

function otherValues(key: string, value: unknown): unknown[] {
  switch (key) {
    case "column":
      return NUMBERS.filter((c) => c !== value);
    case "peers":
      return ["family", "planet"].filter((c) => c !== value);
    case "order":
      return [value === "max" ? "min" : "max"];
    case "rank":
      return [(value as number) + 1];
    case "op":
      return value === "gt" ? ["lt"] : value === "lt" ? ["gt"] : [];
    case "value":
      return typeof value === "boolean" ? [!value] : [(value as number) * 1.1];
    case "take":
      return ["total", "mean", "median"].filter((t) => t !== value);
    case "of":
      return ["selected", "followed", "other"].filter((o) => o !== value);
    default:
      return [];
  }
}

describe("comparing programs of every form", () => {
  it.each([...FORM_ROWS])("finds %s equal to itself", (_, row) => {
    for (const key of ["a", "b"]) {
      expect(compare(row, row.program, 20, key)).toEqual({ worlds: 21, agreed: 21, difference: null });
    }
  });

  it.each([...FORM_ROWS])("notices each single corruption of %s", (name, row) => {
    const tried = corruptions(row.program);
    const missed = tried.filter((p) => compare(row, p, 8).difference === null);
    expect(missed.map((p) => JSON.stringify(p))).toEqual([]);
    expect([name, tried.length]).toEqual([name, expect.toSatisfy((n: number) => n >= 4)]);
  });

  it("takes no notice of which of two entities comes first, as long as the formula follows", () => {
    const row = FORM_ROWS.get("compare")!;
    const { where, select, other, compute } = row.program;
    const turned = (first: string, second: string) =>
      programSchema.parse({
        ...row.program,
        where: other!.where,
        select: other!.select,
        other: { where, select },
        compute: {
          ...compute,
          inputs: { first: { of: first, column: "mass" }, second: { of: second, column: "mass" } },
        },
      });
    expect(compare(row, turned("other", "selected")).difference).toBeNull();
    expect(compare(row, turned("selected", "other")).difference).not.toBeNull();
  });

  it("tells apart one entity, two and none", () => {
    const [share, total, two] = ["share", "total", "compare"].map((n) => FORM_ROWS.get(n)!);
    expect(compare(total!, share!.program).difference).toEqual({
      world: 0,
      what: "form",
      written: "chooses nobody",
      read: "chooses one entity",
    });
    expect(compare(two!, share!.program).difference?.what).toBe("form");
  });

  it("knows a derived column by what it is computed from, not by its name", () => {
    const row = FORM_ROWS.get("derived")!;
    const wide = { bulk_density: { formula: "bulk_density", inputs: { mass: "mass", radius: "wide" } } };
    expect(compare(row, { ...row.program, derive: wide }).difference?.what).toBe("candidates");
    const named = JSON.parse(
      JSON.stringify(row.program)
        .replaceAll('"bulk_density":', '"other_name":')
        .replace('"column":"bulk_density"', '"column":"other_name"'),
    );
    expect(compare(row, programSchema.parse(named)).difference).toBeNull();
  });
});

describe("readings of every form", () => {
  it.each([...FORM_ROWS])("come out as the program: %s", (_, row) => {
    const card = catalog.tables.get("moons")!.card;
    const reading = readingOf(row, card, row.formula.exact);
    const read = programRead(reading, { catalog, formulas: builtinFormulas, derive: undefined });
    expect(read).toMatchObject({ program: row.program, formula: row.formula });
  });

  it("hold derived columns that the row's own program binds otherwise", () => {
    const row = FORM_ROWS.get("derived")!;
    const derive = { bulk_density: { formula: "bulk_density", inputs: { mass: "mass", radius: "wide" } } };
    const reading = readingOf(row, catalog.tables.get("moons")!.card, false);
    const read = programRead(reading, { catalog, formulas: builtinFormulas, derive });
    expect(read).toMatchObject({ program: { derive } });
  });

  it("say what is wrong", () => {
    const row = FORM_ROWS.get("compare")!;
    const good = readingOf(row, catalog.tables.get("moons")!.card, false);
    const codes = (part: object) => {
      const read = programRead(
        { ...good, ...part },
        { catalog, formulas: builtinFormulas, derive: undefined },
      );
      return "problems" in read ? read.problems.map((p) => p.code) : [];
    };
    const none = { column: "", order: "max", rank: 1 } as const;
    expect(codes({ other: { ...none, where: [] } })).toEqual(["nothing_followed"]);
    expect(codes({ select: none })).toContain("nothing_selected");
    expect(codes({ other: { ...good.other, column: "prototype" } })).toEqual(["unknown_column"]);
    expect(
      codes({ other: { ...good.other, where: [{ ...good.other.where[0]!, column: "valueOf" }] } }),
    ).toEqual(["unknown_column"]);
    expect(
      codes({ follow: Array.from({ length: 9 }, () => ({ ...none, link: "planet", peers: "" })) }),
    ).toEqual(["unknown_link"]);
    expect(codes({ inputs: good.inputs.map((i) => ({ ...i, take: "mean" })) })).toContain("wrong_take");
    expect(codes({ formula: "total" }).length).toBeGreaterThan(0);
  });
});
