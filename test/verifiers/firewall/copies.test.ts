import { describe, expect, it } from "vitest";
import { type CopyRow, copyFinder, rowsOfACopy } from "../../../verifiers/firewall/copies.js";

/** Numbers without a pattern, the same each time. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const SYLLABLES = "ka lo mi ra ten vu sor bel nix par dun qui hes fal gor".split(" ");

function tableOf(rows: number, seed = 1, columns = 4): CopyRow[] {
  const next = random(seed);
  return Array.from({ length: rows }, (_, i) => {
    const parts = [i % 15, Math.floor(i / 15) % 15, Math.floor(i / 225) % 15, Math.floor(i / 3375) % 15, 3];
    return {
      name: parts.map((part) => SYLLABLES[part]).join(""),
      aliases: [`S/${2000 + i} X`],
      values: Array.from({ length: columns }, () => Number((10 ** (1 + 4 * next())).toPrecision(5))),
    };
  });
}

const finder = (rows: readonly CopyRow[]) => copyFinder([{ table: "moons", hash: "", rows: () => rows }]);
const table = tableOf(120);
const judge = finder(table);
const lines = (rows: readonly CopyRow[], line: (row: CopyRow, i: number) => string): string =>
  rows.map(line).join("\n");

describe("a copy of a table", () => {
  it("has so many rows", () => {
    const rows = [4, 9, 16, 30, 40, 99, 100, 120, 1000];
    expect(rows.map(rowsOfACopy)).toEqual([8, 8, 8, 15, 20, 20, 20, 24, 200]);
  });

  const forms: Readonly<Record<string, (row: CopyRow, i: number) => string>> = {
    csv: ({ name, values }) => [name, ...values].join(","),
    markdown: ({ name, values }) => `| ${[name, ...values].join(" | ")} |`,
    "numbers first": ({ name, values }, i) => `${i + 1} ${values.join(" ")} ${name}`,
    json: (row) => JSON.stringify(row, null, 1),
    "an alias": ({ aliases, values }) => [aliases[0], ...values].join("; "),
    "fewer figures": ({ name, values }) => [name, ...values.map((v) => v.toPrecision(4))].join("\t"),
    "powers of ten": ({ name, values }) =>
      [name, ...values.map((v) => v.toExponential(3).replace("e+", " × 10^"))].join(" "),
    "another unit": ({ name, values }) =>
      [name, ...values.map((v) => (v * 0.621371).toPrecision(4))].join(" "),
    "grouped figures": ({ name, values }) =>
      `${name}: ${values.map((v) => Math.round(v * 1000).toLocaleString("en")).join(" and ")}`,
    "other columns between": ({ name, values }, i) =>
      `${name} 19${i % 90} ${values[0]} no. ${i} ${values[1]} 3.${i}7`,
    prose: ({ name, values }) =>
      `The moon ${name} has a mass of ${values[0]} Zg and, it is said, a radius of ${values[2]} km.`,
  };
  it.each(Object.entries(forms))("is found as %s", (_, form) => {
    expect(judge(lines(table, form))).toMatch(/^copy of moons: (?:120|11\d) of 120 rows$/);
    expect(judge(lines(table.slice(10, 40), form))).toMatch(/of 120 rows/);
  });

  it("is found on one line, and on its side", () => {
    expect(judge(JSON.stringify(table))).toBe("copy of moons: 120 of 120 rows");
    const planets = tableOf(9, 5);
    const onItsSide = [
      `| | ${planets.map((p) => p.name).join(" | ")} |`,
      ...[0, 1, 2, 3].map((c) => `| value 10^24 ${c} | ${planets.map((p) => p.values[c]).join(" | ")} |`),
    ].join("\n");
    expect(finder(planets)(onItsSide)).toBe("copy of moons: 9 of 9 rows");
  });

  it("is none with too few rows, or one value to a row", () => {
    const csv = forms.csv!;
    expect(judge(lines(table.slice(0, 23), csv))).toBeUndefined();
    expect(judge(lines(table.slice(0, 24), csv))).toBe("copy of moons: 24 of 120 rows");
    expect(judge(lines(table, ({ name, values }) => `${name} ${values[0]}`))).toBeUndefined();
  });

  it("is no page on one entity, however often it is named", () => {
    const { name, values } = table[3]!;
    expect(judge(`${name} has ${values.join(", ")}. `.repeat(500))).toBeUndefined();
  });
});

describe("pages that are no copies", () => {
  it("may list the entities with figures of their own: none of 300 is blocked", () => {
    const next = random(7);
    let blocked = 0;
    for (let page = 0; page < 300; page++) {
      const figures = (): string[] =>
        Array.from({ length: 1 + Math.floor(next() * 8) }, () =>
          (10 ** (1 + 5 * next())).toPrecision(2 + Math.floor(next() * 4)),
        );
      const text = lines(table, ({ name }) =>
        [name, 1600 + Math.floor(next() * 420), ...figures()].join(" | "),
      );
      if (judge(text) !== undefined) blocked++;
    }
    expect(blocked).toBe(0);
  });

  it("may have the table's own figures in the wrong rows", () => {
    const text = lines(table, ({ name }, i) => [name, ...table[(i + 37) % table.length]!.values].join(" "));
    expect(judge(text)).toBeUndefined();
  });

  it("may list entities of a table whose values are all alike", () => {
    const alike = table.map((row, i) => ({ ...row, values: [1990 + (i % 3), 1.234, 5.678] }));
    const text = lines(alike, ({ name }) => `${name} 1991 1.234 5.678`);
    expect(finder(alike)(text)).toBeUndefined();
  });
});

it("looks through large texts and tables in one pass", () => {
  const large = tableOf(40_000, 3, 6);
  const judgeLarge = finder(large);
  expect(judgeLarge("lorem ipsum 1.234 dolor 56,789 ".repeat(30_000))).toBeUndefined();
  const copy = lines(large.slice(0, 9000), ({ name, values }) => [name, ...values].join(","));
  expect(judgeLarge(copy)).toMatch(/^copy of moons: (?:9000|89\d\d) of 40000 rows$/);
});
