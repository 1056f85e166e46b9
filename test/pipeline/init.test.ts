import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { TaskmillError } from "../../pipeline/base/errors.js";
import { checkSource } from "../../pipeline/check-source.js";
import { draftOf, isTable } from "../../pipeline/check-table.js";
import { readOption } from "../../pipeline/commands/sources/table-options.js";
import { load, plan } from "../../pipeline/index.js";
import { initConfig } from "../../pipeline/init/init.js";
import { knownQuantities } from "../../pipeline/quantities.js";
import { inFolder } from "./helpers.js";

const MOONS = Array.from({ length: 24 }, (_, i) => `Moon ${i},${(i + 1) ** 2 * 31}.5,${(i + 2) * 40}.5`);
const TABLE = `name,mass_kg,mean_radius_km\n${MOONS.join("\n")}\n`;
const TOLD = {
  ...{ entity: "moon", scope: "of nowhere", domain: "astronomy", publisher: "Nobody", hosts: ["nobody.org"] },
  ...{ licence: "CC0-1.0", citation: "nobody", asOf: "2024", complete: "the test" },
};
const problem = (error: unknown): string => (error as TaskmillError).problems[0]!.code;

describe("a table of one's own", () => {
  it("becomes a card, the card a config, and the config a plan", () =>
    inFolder(async (dir) => {
      const [file, card] = [join(dir, "moons.csv"), join(dir, "moons.yaml")];
      writeFileSync(file, TABLE);
      expect([await isTable(file), await isTable("moons")]).toEqual([true, false]);
      const { text } = await draftOf(file, { ...TOLD, write: card });
      expect(text).toContain("moons.csv: 24 records, 3 columns");
      expect(text).toContain("mass_kg: number in kg, ratio, quantity mass");
      expect(await isTable(card)).toBe(false);

      const checked = await checkSource(card);
      expect(checked.sound).toBe(true);
      expect(checked.text).toContain("moons: card and snapshot are sound; 24 rows of 24 records");

      const made = await initConfig({ folder: join(dir, "configs"), sources: [card] });
      expect(made.json.sources).toEqual(["../moons.yaml"]);
      const config = readFileSync(made.json.config, "utf8");
      expect(config).toContain("# Formulas that fit: bulk_density,");
      const planned = await plan(made.json.config, { outDir: join(dir, "run") });
      expect(planned.sources.map((s) => s.id)).toEqual(["moons"]);
      // The recipe that is commented out is a valid one.
      writeFileSync(
        made.json.config,
        config.replace(/^ {2}# (?= *(?:recipes:|- id: my|table:|select:|compute:))/gm, "  "),
      );
      await load(made.json.config);
    }));

  it("gets a recipe where no formula fits, and hears again what is wrong with its card", () =>
    inFolder(async (dir) => {
      const [file, card] = [join(dir, "lakes.csv"), join(dir, "lakes.yaml")];
      const lakes = Array.from(
        { length: 24 },
        (_, i) => `Lake ${i},${(i + 1) ** 2 * 31}.5,${(i + 2) * 40}.5`,
      );
      writeFileSync(file, `name,Shore (km),Depth (m)\n${lakes.join("\n")}\n`);
      await draftOf(file, { ...TOLD, entity: "lake", complete: undefined, write: card });
      const made = await initConfig({ folder: dir, sources: [card] });
      expect(made.warnings).toMatch(/this card will accept nothing: .*\[nothing_complete\]/);
      const config = readFileSync(made.json.config, "utf8");
      expect(config).toContain("other: { where: [], select: { column: shore, order: min } }");
      const pattern = /^ {2}# (?= *(?:recipes:|- id: my|table:|select:|other:|compute:))/gm;
      writeFileSync(made.json.config, config.replace(pattern, "  "));
      await load(made.json.config);
    }));

  it("is never written over, nor is its card put elsewhere", () =>
    inFolder(async (dir) => {
      const file = join(dir, "moons.csv");
      writeFileSync(file, TABLE);
      writeFileSync(join(dir, "there.yaml"), "mine");
      mkdirSync(join(dir, "sub"));
      const failing = async (write: string) =>
        problem(await draftOf(file, { ...TOLD, write }).catch((e: unknown) => e));
      expect(await failing(join(dir, "there.yaml"))).toBe("file_exists");
      expect(await failing(join(dir, "sub", "a.yaml"))).toBe("card_elsewhere");
      expect(await failing(join(dir, "a.txt"))).toBe("card_name");
      expect(readFileSync(join(dir, "there.yaml"), "utf8")).toBe("mine");
    }));

  it("is read as the user says", () =>
    inFolder(async (dir) => {
      const file = join(dir, "t.txt");
      writeFileSync(file, "a;b\n1;2\n2;3\n");
      const of = async (read: string, key?: string) =>
        (await draftOf(file, {
          hosts: [],
          read: readOption(read),
          ...(key === undefined ? {} : { key }),
        }).catch((e: unknown) => e)) as never;
      expect(((await of("{ format: csv, delimiter: ';' }")) as { text: string }).text).toContain(
        "2 records, 2 columns",
      );
      expect(problem(await of("{ format: csv, delimiter: ';' }", "zzz"))).toBe("unknown_field");
    }));
});

describe("init", () => {
  it("brings along what bundled cards link to, and writes over nothing", () =>
    inFolder(async (dir) => {
      const made = await initConfig({ folder: dir, sources: ["moons"] });
      expect(made.json).toEqual({ config: join(dir, "moons-tasks.yaml"), sources: ["moons", "planets"] });
      await load(made.json.config);
      const again = await initConfig({ folder: dir, sources: ["moons"] }).catch((e: unknown) => e);
      expect(again).toBeInstanceOf(TaskmillError);
      expect(problem(again)).toBe("file_exists");
    }));

  it("gives every bundled source a config that holds", () =>
    inFolder(async (dir) => {
      for (const id of ["planets", "elements", "graphs", "isotopes"]) {
        const made = await initConfig({ folder: dir, sources: [id] });
        expect((await load(made.json.config)).config.name).toBe(`${id}-tasks`);
      }
    }));

  it("says what is wrong with a name or a card", () =>
    inFolder(async (dir) => {
      const failing = async (request: { sources: string[]; name?: string }) =>
        problem(await initConfig({ folder: dir, ...request }).catch((e: unknown) => e));
      expect(await failing({ sources: ["planets"], name: "No Name" })).toBe("bad_name");
      expect(await failing({ sources: ["plannets"] })).toBe("unknown_source");
    }));
});

describe("the quantities that formulas know", () => {
  it("come with units, formulas and the size of published figures", () => {
    const known = new Map(knownQuantities().map((q) => [q.id, q]));
    const mass = known.get("mass")!;
    expect(mass).toMatchObject({ unit: "kg", nouns: expect.arrayContaining(["mass"]) });
    expect(mass.formulas).toContain("bulk_density");
    expect(mass.typical![0]).toBeLessThanOrEqual(7.346e22);
    expect(mass.typical![1]).toBeGreaterThanOrEqual(5.9722e24);
    expect(known.get("semi_major_axis")!.solar.length).toBeGreaterThan(0);
    expect(known.get("mean_radius")!.solar).toEqual([]);
  });
});
