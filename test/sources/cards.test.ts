import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Problem } from "../../pipeline/base/errors.js";
import { bundledIds, findCard } from "../../sources/cards.js";
import { checkAmong } from "../../sources/check-card.js";
import { cardOf, failure, flag, folder, number, text } from "./helper.js";

const GOOD = `card: 1
id: things
title: Things
domain: test
entity: { singular: thing, plural: things, public: true }
key: id
name: id
licence: { id: CC0-1.0 }
citation: nobody
publisher: { name: nobody, hosts: [example.org] }
provenance: made up
as_of: "2024"
snapshot:
  file: data.csv
  sha256: ${"ab".repeat(32)}
  read: { format: csv }
columns:
  id: { from: id, type: text, scale: nominal }
  mass: { from: mass, type: number, scale: ratio, unit: kg, uncertainty: { rounding: true }, may: [select] }
  kind: { from: kind, type: text, scale: nominal }
  ring: { from: ring, type: flag, scale: flag, flag: { "true": ["yes"], "false": ["no"] } }
`;

let files = 0;
async function problems(yaml: string): Promise<readonly Problem[]> {
  const file = join(folder, `card-${files++}.yaml`);
  writeFileSync(file, yaml);
  return (await failure(findCard(file, "/"))).problems;
}

describe("a card file", () => {
  it.each(["{id", "{id}}", "a {{id}", "{{id}}"])("has no stray brace in a name: %s", async (name) => {
    const found = await problems(GOOD.replace("name: id", `name: ${JSON.stringify(name)}`));
    expect(found.map((p) => p.code)).toContain("bad_template");
  });

  it("that is sound gives card, file and snapshot", async () => {
    const file = join(folder, "good.yaml");
    writeFileSync(file, GOOD);
    const found = await findCard("good.yaml", folder);
    expect(found).toMatchObject({ file, snapshot: join(folder, "data.csv"), card: { id: "things" } });
  });

  it.each<[string, (yaml: string) => string, string, RegExp, number]>([
    ["an unknown key", (y) => y.replace("title:", "titel: x\ntitle:"), "unknown_key", /titel/, 3],
    ["a missing key", (y) => y.replace("key: id\n", ""), "missing_key", /key/, 1],
    ["a wrong scale", (y) => y.replace("scale: ratio", "scale: ration"), "wrong_value", /ration/, 19],
    ["a hash that is none", (y) => y.replace(/(ab){32}/, "abc"), "wrong_form", /sha256/, 15],
    ["a key that is no column", (y) => y.replace("key: id", "key: ids"), "unknown_column", /ids/, 6],
    ["a key that is a number", (y) => y.replace("key: id", "key: mass"), "key_type", /mass/, 19],
    [
      "a name that is no column",
      (y) => y.replace("name: id", "name: '{id} {ms}'"),
      "unknown_column",
      /ms/,
      7,
    ],
    [
      "a name through no link",
      (y) => y.replace("name: id", "name: '{planet.name}'"),
      "unknown_link",
      /planet/,
      7,
    ],
    [
      "a link whose phrase has no place for the entity",
      (y) => `${y}links: { home: { column: kind, to: homes, phrase: the home of it } }\n`,
      "link_phrase",
      /"the home of it" must contain \{it\}/,
      22,
    ],
    [
      "a text for a list",
      (y) => y.replace("unit: kg", "unit: kg, number: { suffix: kg }"),
      "wrong_type",
      /list/,
      19,
    ],
    ["an unknown unit", (y) => y.replace("unit: kg", "unit: kgs"), "bad_unit", /kgs/, 19],
    ["no unit", (y) => y.replace("unit: kg, ", ""), "missing_unit", /unit/, 19],
    [
      "a unit on a text",
      (y) => y.replace("{ from: kind, ", "{ from: kind, unit: kg, "),
      "not_a_number",
      /unit/,
      20,
    ],
    [
      "selecting without uncertainty",
      (y) => y.replace("uncertainty: { rounding: true }, ", ""),
      "no_uncertainty",
      /select/,
      19,
    ],
    [
      "a range upside down",
      (y) => y.replace("unit: kg", "unit: kg, range: [5, 1]"),
      "range_order",
      /range/,
      19,
    ],
    [
      "a scale that does not fit",
      (y) => y.replace("scale: ratio", "scale: nominal"),
      "scale_type",
      /nominal/,
      19,
    ],
    ["a flag without texts", (y) => y.replace(/, flag: \{.*\} \}/, " }"), "missing_flag", /flag/, 21],
    ["a flag text twice", (y) => y.replace('["no"]', '["yes"]'), "flag_overlap", /yes/, 21],
    [
      "a kind that is no column",
      (y) => y.replace("unit: kg", "unit: kg, kind: kin"),
      "unknown_column",
      /kin/,
      19,
    ],
    ["a kind that is no text", (y) => y.replace("unit: kg", "unit: kg, kind: ring"), "kind_type", /ring/, 19],
    [
      "group and decimal mark the same",
      (y) => y.replace("unit: kg", 'unit: kg, number: { forms: [grouped], decimal: "," }'),
      "group_is_decimal",
      /mark/,
      19,
    ],
    [
      "a unit of another dimension",
      (y) => y.replace("unit: kg", "unit: kg, unit_from: { from: u, units: { y: yr } }"),
      "unit_dimension",
      /yr/,
      19,
    ],
    ["selected_on nothing", (y) => `${y}selected_on: [size]\n`, "unknown_column", /size/, 22],
    [
      "a cut-off on a text",
      (y) => `${y}cutoffs: [{ column: kind, keeps: above, at: 1 }]\n`,
      "not_a_number",
      /kind/,
      22,
    ],
    [
      "a condition on no column",
      (y) => `${y}complete: [{ where: [{ column: k, op: known }], total: 1, source: s }]\n`,
      "unknown_column",
      /`k`/,
      22,
    ],
    [
      "a condition that does not fit",
      (y) => `${y}rows: [{ keep: { column: kind, op: lt, value: 3 }, reason: r }]\n`,
      "condition_type",
      /lt/,
      22,
    ],
    [
      "a text compared with a number",
      (y) => `${y}rows: [{ keep: { column: kind, op: eq, value: 3 }, reason: r }]\n`,
      "condition_type",
      /text/,
      22,
    ],
    [
      "a link over a number",
      (y) => `${y}links: { up: { column: mass, to: others, phrase: "of {it}" } }\n`,
      "link_type",
      /mass/,
      22,
    ],
    ["a snapshot outside", (y) => y.replace("data.csv", "../data.csv"), "snapshot_outside", /folder/, 14],
    [
      "no names without header",
      (y) => y.replace("format: csv", "format: csv, header: false"),
      "missing_names",
      /names/,
      16,
    ],
    [
      "names beside a header",
      (y) => y.replace("format: csv", "format: csv, names: [a]"),
      "names_and_header",
      /names/,
      16,
    ],
    [
      "public by record number",
      (y) => y.replace("{ from: id,", '{ from: "#record",'),
      "no_public_key",
      /record number/,
      5,
    ],
  ])("with %s says so, and where", async (_, change, code, message, line) => {
    const found = await problems(change(GOOD));
    expect(found.map((p) => p.code)).toContain(code);
    const problem = found.find((p) => p.code === code)!;
    expect(problem.message).toMatch(message);
    expect(problem.location?.line).toBe(line);
  });

  it("takes no variables: what looks like one is a plain text", async () => {
    const title = `${"$"}{HOME} and ${"$$"}{x`;
    const file = join(folder, `card-${files++}.yaml`);
    writeFileSync(
      file,
      GOOD.replace("title: Things", () => `title: "${title}"`),
    );
    expect((await findCard(file, "/")).card.title).toBe(title);
  });

  it("gives all problems at once", async () => {
    const found = await problems(
      GOOD.replace("unit: kg", "unit: kgs").replace("key: id", "key: ids").replace("name: id", "name: x"),
    );
    expect(found.map((p) => p.code).sort()).toEqual(["bad_unit", "unknown_column", "unknown_column"]);
  });

  it("that is not there, or not bundled, is said to be so", async () => {
    expect((await failure(findCard("./none.yaml", folder))).kind).toBe("config");
    const error = await failure(findCard("nowhere", folder));
    expect(error.problems[0]).toMatchObject({ code: "unknown_source" });
  });
});

describe("bundled cards", () => {
  it("are all sound, and their snapshots are there", async () => {
    for (const id of bundledIds()) expect((await findCard(id, "/")).card.id).toBe(id);
  });
});

describe("cards among each other", () => {
  const snapshot = { file: "data", sha256: "0".repeat(64), read: { format: "csv" } };
  const planets = cardOf({
    id: "planets",
    snapshot,
    columns: { id: text("id"), mass: number("m"), ring: flag("r") },
  });
  const link = { planet: { column: "planet", to: "planets", phrase: "the planet of {it}" } };
  const moons = (more: object = {}) =>
    cardOf({ id: "moons", snapshot, columns: { id: text("id"), planet: text("p") }, links: link, ...more });

  it("must be linked to each other, and through existing columns", () => {
    expect(checkAmong([planets, moons({ name: "{planet.id} I" })], 1)).toEqual([]);
    expect(checkAmong([moons()], 0)).toMatchObject([
      { code: "unknown_source", path: ["links", "planet", "to"] },
    ]);
    const wrong = checkAmong([planets, moons({ name: "{planet.mas}" })], 1);
    expect(wrong).toMatchObject([{ code: "unknown_column", hint: "did you mean `mass`?" }]);
  });

  it("may not share an id", () => {
    expect(checkAmong([planets, planets], 0)).toEqual([]);
    expect(checkAmong([planets, planets], 1)).toMatchObject([{ code: "duplicate_source" }]);
  });
});
