import { describe, expect, it } from "vitest";
import { stream } from "../../../pipeline/base/random.js";
import type { Card, ColumnCard, Condition } from "../../../sources/card.js";
import { genericFormula } from "../../../stages/formulas/generic.js";
import type { Program } from "../../../stages/program/program.js";
import { askedUnit } from "../../../stages/words/amounts.js";
import { clausesOf } from "../../../stages/words/clauses.js";
import { Definitions } from "../../../stages/words/columns.js";
import { wordQuestion } from "../../../stages/words/grammar.js";
import { modified } from "../../../stages/words/modified.js";
import type { Sayable } from "../../../stages/words/reads.js";
import { openVoice } from "../../../stages/words/voice.js";
import { cards } from "./cards.js";
import { drawForm } from "./form-programs.js";
import { asks, draw } from "./programs.js";

/** What could be read in two ways, or was no English, and how it is said. */

const SEEDS = 60;
const words = (row: Sayable, own: ReadonlyMap<string, Card> = cards): string[] =>
  Array.from({ length: SEEDS }, (_, i) => wordQuestion(row, own, stream("ambiguity", i)).question);

/** The test cards, with other words or figures for some columns of one of them. */
function altered(
  id: string,
  columns: Record<string, Partial<ColumnCard>>,
  entity: Partial<Card["entity"]> = {},
  more: Partial<Card> = {},
): Map<string, Card> {
  const card = cards.get(id)!;
  const others = Object.entries(columns).map(([name, c]) => [name, { ...card.columns[name]!, ...c }]);
  return new Map([
    ...cards,
    [
      id,
      {
        ...card,
        ...more,
        entity: { ...card.entity, ...entity },
        columns: { ...card.columns, ...Object.fromEntries(others) },
      },
    ],
  ]);
}

const own = (column: string) => ({ of: "selected" as const, column });
const other = (column: string) => ({ of: "other" as const, column });
const best = (column: string, order: "max" | "min" = "max") => ({ column, order, rank: 1 });

/** Two entities of one table compared in a column. */
function ratio(table: string, column: string, program: Partial<Program>, own_ = cards): Sayable {
  const card = own_.get(table)!;
  const { anchors: _, ...formula } = genericFormula("ratio", column, card.columns[column]!, card.entity)!;
  const inputs = { first: own(column), second: other(column) };
  return {
    program: {
      version: 2,
      table,
      where: [],
      ...program,
      compute: { formula: "ratio", inputs, unit: "1", digits: 3 },
    } as Program,
    formula,
    answer: { type: "quantity", unit: "1", digits: 3 },
  };
}

const hop = (table: string, follow: string, select = best("period")): Sayable => {
  const drawn = draw(0, asks.find((a) => a.table === table && a.follow === follow)!);
  return { ...drawn, program: { ...drawn.program, where: [], select } };
};

describe("a choice", () => {
  it("of size has no noun of its own only where none stands before it", () => {
    const own = altered("moons", {
      mean_radius: { phrase: { noun: "mean radius", max: ["largest"], min: ["smallest"] } },
      mass: { phrase: { noun: "mass", max: ["most massive"], min: ["least massive"] } },
    });
    const row = (column: string) =>
      ratio("moons", "period", { select: best("axis"), other: { where: [], select: best(column, "min") } });
    for (const q of words(row("mean_radius"), own)) expect(q).toContain("smallest mean radius");
    expect(words(row("mass"), own).some((q) => q.includes("least massive"))).toBe(true);
  });

  it("among peers is not described inside a question", () => {
    const asked = Array.from(
      { length: SEEDS },
      (_, seed) => wordQuestion(drawForm("peers", seed), cards, stream("across", seed)).question,
    );
    expect(asked.filter((q) => /the one (?:with|whose) [^.]* as the [^.]*, (?:what|\w+) /.test(q))).toEqual(
      [],
    );
  });

  it("is “the oldest” rather than one whose base has the greatest age", () => {
    const phrase = { noun: "age of the base", max: ["oldest"], min: ["youngest"] };
    const own = altered("planets", { axis: { phrase } });
    const drawn = draw(0, asks.find((a) => a.formula.id === "bulk_density")!);
    const row = { ...drawn, program: { ...drawn.program, where: [], select: best("axis") } };
    for (const q of words(row, own)) expect(q).toMatch(/\boldest\b/);
  });
});

describe("two entities", () => {
  it("are no “first” and “second” where the noun says “first” itself", () => {
    const own = altered("planets", { axis: { phrase: { noun: "first ionization energy" } } });
    const row = ratio(
      "planets",
      "axis",
      { select: best("mass"), other: { where: [], select: best("mass", "min") } },
      own,
    );
    for (const q of words(row, own)) expect(q).not.toMatch(/the (?:first|second)(?:’s| planet|,|\?|\.)/);
  });

  it("are of one table, whose scope is said once", () => {
    const row = ratio("moons", "period", {
      where: [{ column: "mass", op: "gt", value: 3 }],
      select: best("axis"),
      other: { where: [], select: best("mean_radius") },
    });
    for (const q of words(row)) expect(q.split("of the Solar System").length).toBe(2);
  });
});

describe("counts", () => {
  const say = (condition: Condition): Set<string> =>
    new Set(
      Array.from({ length: 20 }, (_, seed) => {
        const card = cards.get("planets")!;
        const speech = { card, voice: openVoice(stream("count", seed)), definitions: new Definitions() };
        return modified("planets", "", clausesOf([condition], speech), true);
      }),
    );

  it.each<[Condition, string[]]>([
    [{ column: "moons", op: "eq", value: 0 }, ["planets with no known moons"]],
    [{ column: "moons", op: "eq", value: 1 }, ["planets with exactly one known moon"]],
    [{ column: "moons", op: "eq", value: 2 }, ["planets with exactly two known moons"]],
    [{ column: "moons", op: "in", values: [1, 2] }, ["planets with one or two known moons"]],
    [{ column: "moons", op: "gt", value: 1 }, ["planets with more than one known moon"]],
    [
      { column: "moons", op: "between", low: 3, high: 5 },
      ["planets with between 3 and 5 known moons inclusive"],
    ],
  ])("are said of things: %o", (condition, said) => {
    expect([...say(condition)]).toEqual(said);
  });

  it("of many digits are written in one way", () => {
    const own = altered("planets", { moons: { phrase: { noun: "number of base pairs" } } });
    const drawn = draw(0, asks.find((a) => a.formula.id === "bulk_density")!);
    const where: Condition[] = [{ column: "moons", op: "between", low: 3500000, high: 4764328 }];
    const row = { ...drawn, program: { ...drawn.program, where, select: best("axis") } };
    for (const q of words(row, own))
      expect(q).toMatch(/between 3[,\u202f]500[,\u202f]000 and 4[,\u202f]764[,\u202f]328 base/);
  });
});

describe("a step", () => {
  const link = (phrase: string) => {
    const links = { planet: { ...cards.get("moons")!.links.planet!, phrase } };
    return words(hop("moons", "planet"), altered("moons", {}, { singular: "capital" }, { links }));
  };

  it("is “its capital”, not “the capital of it”", () => {
    const said = link("the capital of {it}");
    expect(said.filter((q) => / of it\b/.test(q))).toEqual([]);
    expect(said.some((q) => q.includes("its capital"))).toBe(true);
  });

  it("is not to one “whose capital is this capital”", () => {
    const said = link("the planet whose capital is {it}");
    expect(said.filter((q) => /capital is (?:this|that|it)\b|capital is the capital/.test(q))).toEqual([]);
    expect(said.some((q) => q.includes("the planet of which it is the capital"))).toBe(true);
  });

  it("between tables of different dates says which is which", () => {
    const own = altered("moons", { period: { drift: { relative: 0.1 } } }, {}, { as_of: "2015" });
    const planets = altered("planets", { mass: { drift: { relative: 0.1 } } }).get("planets")!;
    own.set("planets", planets);
    for (const q of words(hop("moons", "planet"), own))
      expect(q).toContain("known in 2015 for moons and in March 2024 for planets");
  });
});

describe("a figure", () => {
  it("of a part is one of each one’s part", () => {
    const card = cards.get("airports")!;
    const { anchors: _, ...formula } = genericFormula("mean", "runway", card.columns.runway!, card.entity)!;
    const row: Sayable = {
      program: {
        version: 2,
        table: "airports",
        where: [],
        compute: {
          formula: "mean",
          inputs: { values: { of: "candidates", column: "runway", take: "mean" } },
          unit: "m",
          digits: 3,
        },
      } as Program,
      formula,
      answer: { type: "quantity", unit: "m", digits: 3 },
    };
    const said = words(row);
    expect(said.some((q) => q.includes("the mean length of their longest runways"))).toBe(true);
    expect(said.filter((q) => /their mean length|longest runway\b/.test(q))).toEqual([]);
  });

  it("of all of them says by name that the one is among them", () => {
    for (let seed = 0; seed < SEEDS; seed++) {
      const { question } = wordQuestion(drawForm("whole", seed), cards, stream("whole", seed));
      expect(question).toMatch(/ \(this [a-z ]+ included\)/);
    }
  });
});

it("how values are compared is told only where the column decides", () => {
  const definition = "Masses are compared without their sign.";
  const own = altered("planets", { mass: { phrase: { noun: "mass", definition } } });
  const drawn = draw(0, asks.find((a) => a.formula.id === "bulk_density")!);
  const row = (column: string) => ({
    ...drawn,
    program: { ...drawn.program, where: [], select: best(column) },
  });
  for (const q of words(row("axis"), own)) expect(q).not.toContain(definition);
  for (const q of words(row("mass"), own)) expect(q).toContain(definition);
});

it("units whose symbol is a word are spelt out", () => {
  for (let seed = 0; seed < 20; seed++) {
    const voice = openVoice(stream("unit", seed));
    expect(["kn", "in^3", "Myr"].map((unit) => askedUnit(unit, voice))).toEqual([
      "knots",
      "cubic inches",
      "million years",
    ]);
  }
});
