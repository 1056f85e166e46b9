import { describe, expect, it } from "vitest";
import { formulaSchema } from "../../../stages/formulas/formula.js";
import { placesOf, wrongChoices } from "../../../stages/program/assess.js";
import { type Chosen, choose, chooseLimits } from "../../../stages/program/choose.js";
import { computationOf } from "../../../stages/program/computation.js";
import { pathOf } from "../../../stages/program/path.js";
import { type Program, programSchema } from "../../../stages/program/program.js";
import { tableOf } from "../../fixtures/tables.js";

const exact = { type: "integer", scale: "exact", unit: "1" } as const;
const degrees = {
  type: "number",
  scale: "interval",
  unit: "deg",
  quantity: "latitude",
  uncertainty: { absolute: 0.1 },
} as const;
const text = { type: "text", scale: "nominal" } as const;

function chosenOf(
  program: Program,
  ...tables: ReturnType<typeof tableOf>[]
): [Chosen, ReturnType<typeof pathOf>] {
  const catalog = { tables: new Map(tables.map((t) => [t.id, t])) };
  const chosen = choose(program, catalog, chooseLimits.parse({}));
  if ("reason" in chosen) throw new Error(`${chosen.part}: ${chosen.reason}`);
  return [chosen, pathOf(program, catalog)];
}

const programOf = (of: object): Program =>
  programSchema.parse({
    table: "t",
    where: [],
    compute: { formula: "f", inputs: {}, unit: "1", digits: 3 },
    ...of,
  });

describe("wrong choices", () => {
  it("are all that share a value: each of two may be taken for the next in rank", () => {
    const table = tableOf("t", { n: exact }, { a: [9], b: [7], c: [7], d: [3], e: [3] });
    const wrong = wrongChoices(...chosenOf(programOf({ select: { column: "n", order: "max" } }), table));
    expect(wrong.map(({ how, places }) => `${how} ${table.keys[places.selected!]}`)).toEqual([
      "next in rank c",
      "next in rank b",
      "other end d",
      "other end e",
    ]);
  });

  it("are conditions that two selections of different classes have in common, overlooked in both; and all of them", () => {
    const columns = { n: exact, size: exact, kind: text } as const;
    const rows = {
      a: [9, 1, "x"],
      b: [7, 5, "x"],
      c: [5, 6, "x"],
      d: [8, 1, "y"],
      e: [6, 5, "y"],
      f: [4, 7, "y"],
      g: [11, 9, "z"],
    } as const;
    const table = tableOf("t", columns, rows as never);
    const large = { column: "size", op: "gt", value: 3 };
    const of = (kind: string) => ({
      where: [{ column: "kind", op: "eq", value: kind }, large],
      select: { column: "n", order: "max" },
    });
    const wrong = wrongChoices(...chosenOf(programOf({ ...of("x"), other: of("y") }), table));
    const throughout = wrong.filter(({ how }) => how.endsWith("throughout"));
    const name = (row: number | undefined) => table.keys[row!];
    expect(
      throughout.map(({ how, places }) => `${how}: ${name(places.selected)}, ${name(places.other)}`),
    ).toEqual(["condition 2 ignored throughout: a, d", "no condition applied throughout: g, g"]);
  });

  it("are all that share a place once a common condition is overlooked in both", () => {
    const columns = { start: exact, n: exact, dark: exact } as const;
    const table = tableOf("t", columns, {
      a: [0, 5, 0],
      b: [0, 8, 0],
      c: [3, 6, 1],
      d: [4, 9, 1],
      e: [8, 7, 1],
    });
    const where = [{ column: "dark", op: "eq", value: 1 }];
    const wrong = wrongChoices(
      ...chosenOf(
        programOf({
          where,
          select: { column: "start", order: "min" },
          other: {
            where: [...where, { column: "n", op: "lt", value: 9 }],
            select: { column: "n", order: "max" },
          },
        }),
        table,
      ),
    ).filter(({ how }) => how === "condition 1 ignored throughout");
    expect(wrong.map(({ places }) => `${table.keys[places.selected!]} ${table.keys[places.other!]}`)).toEqual(
      ["a b", "b b"],
    );
  });

  it("are to read the quantity of an entity on the way: the airport's latitude for its capital's", () => {
    const airports = tableOf(
      "t",
      { height: { ...degrees, quantity: "height", unit: "m" }, latitude: degrees, capital: text },
      { SCL: [474, -33.4, "Santiago"], LIM: [34, -12, "Lima"], LPB: [4061, -16.5, "Sucre"] },
    );
    airports.card.links.capital = {
      column: "capital",
      to: "capitals",
      phrase: { noun: "capital of {it}" },
    } as never;
    const capitals = tableOf(
      "capitals",
      { latitude: degrees },
      { Santiago: [-33.5], Lima: [-12.1], Sucre: [-19] },
    );
    const program = programOf({
      select: { column: "height", order: "max" },
      follow: ["capital"],
      compute: {
        formula: "twice",
        inputs: { at: { of: "followed", column: "latitude" } },
        unit: "deg",
        digits: 3,
      },
    });
    const twice = formulaSchema.parse({
      id: "twice",
      noun: "double latitude",
      inputs: { at: { unit: "deg", quantity: ["latitude"], noun: "latitude" } },
      expression: "2*at",
      output: { unit: "deg", quantity: "double" },
      source: "made for a test",
    });
    const tables = { tables: new Map([airports, capitals].map((t) => [t.id, t])) };
    const [chosen] = chosenOf(program, airports, capitals);
    const computation = computationOf(tables, program, twice);
    expect(computation.answer(placesOf(chosen))).toBe(-38);
    expect(computation.wrongRoutes(placesOf(chosen))).toEqual([{ how: "no step made", value: -33 }]);
  });

  it("lead nowhere where a step comes to the same entity by name in another table", () => {
    const cities = tableOf("t", { n: exact, country: text }, { Dublin: [9, "IE"], Cork: [7, "IE"] });
    const countries = tableOf("countries", { capital: text }, { IE: ["Dublin"] });
    const capitals = tableOf("capitals", { n: exact }, { Dublin: [9] });
    cities.card.links.country = {
      column: "country",
      to: "countries",
      phrase: { noun: "country of {it}" },
    } as never;
    countries.card.links.capital = {
      column: "capital",
      to: "capitals",
      phrase: { noun: "capital of {it}" },
    } as never;
    const program = programOf({ select: { column: "n", order: "max" }, follow: ["country", "capital"] });
    expect(() => chosenOf(program, cities, countries, capitals)).toThrow("followed: same_entity");
  });
});
