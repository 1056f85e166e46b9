import { describe, expect, it } from "vitest";
import type { Catalog } from "../../../sources/table.js";
import { expectationsOf } from "../../../stages/words/expectations.js";
import { nameLeaks } from "../../../verifiers/name-leaks.js";
import { plainText } from "../../../verifiers/plain-text.js";
import { drawForm, type FormName } from "./form-programs.js";
import { catalog, rowOf } from "./rows.js";

const firstOf = (form: FormName, fits: (row: ReturnType<typeof drawForm>) => boolean) => {
  for (let seed = 0; ; seed++) {
    const row = drawForm(form, seed);
    if (fits(row)) return rowOf(row, seed);
  }
};
const leaks = (row: ReturnType<typeof rowOf>, question: string, within: Catalog = catalog) =>
  nameLeaks(plainText(question), expectationsOf(row, within).names, "name_leaked").length;

describe("names that a question hides", () => {
  it("are those of what peers share, not its key alone", () => {
    const airports = catalog.tables.get("airports")!;
    const country = airports.columns.get("country")!;
    const keyed = { ...country, values: airports.keys.map(() => "ES") } as typeof country;
    const table = { ...airports, columns: new Map([...airports.columns, ["country", keyed]]) };
    const linked: Catalog = { tables: new Map([...catalog.tables, ["airports", table]]) };
    const row = firstOf(
      "peers",
      ({ program }) =>
        program.table === "airports" && typeof program.follow?.[0] === "object" && program.where.length === 0,
    );
    for (const name of ["ES", "Spain", "España"])
      expect([name, leaks(row, `Take the highest airport of ${name} here.`, linked)]).toEqual([name, 1]);
    expect(leaks(row, "Take the highest airport in the same country.", linked)).toBe(0);
  });

  it("are those of all members of a figure, by name and alias", () => {
    const row = firstOf("aggregate", ({ program }) => program.table === "planets");
    expect(leaks(row, "What is the mean mass of Venus and its like?")).toBe(1);
    expect(leaks(row, "What is the mean mass of Georgium Sidus and its like?")).toBe(1);
    expect(leaks(row, "What is the mean mass of the planets?")).toBe(0);
    const moons = firstOf("aggregate", ({ program }) => program.table === "moons");
    // The Moon is also the question's own word.
    expect(leaks(moons, "What is the mean mass of the moons, in kg?")).toBe(0);
  });

  it("are the members' too where one is held against all", () => {
    const whole = firstOf("whole", ({ program }) => program.table === "planets");
    const members = catalog.tables.get("planets")!.keys.map((key, i) => ({ key, record: i + 1 }));
    const row = { ...whole, aggregate: { members, leave_one_out: {} } };
    for (const name of ["Venus", "Uranus", "Mercury"])
      expect([name, leaks(row, `What share of the total does it have, next to ${name}?`)]).toEqual([name, 1]);
  });
});
