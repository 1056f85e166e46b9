import { beforeAll, describe, expect, it } from "vitest";
import {
  judgeSolvability,
  type Solvability,
  solvableShare,
  type TaskSolvability,
} from "../../../pipeline/solvability/solvability.js";
import type { Document } from "../../../sources/corpus/corpus.js";
import type { Catalog } from "../../../sources/table.js";
import type { Row } from "../../../stages/stage.js";
import type { Firewall } from "../../../verifiers/firewall/firewall.js";
import { loadBundled } from "../../facts/load.js";

let catalog: Catalog;
let groups: Catalog;
beforeAll(async () => {
  catalog = await loadBundled(["planets", "moons"]);
  groups = await loadBundled(["groups"]);
});

interface Asked {
  readonly table: string;
  readonly where?: readonly object[];
  readonly select: { readonly column: string; readonly order: "max" | "min"; readonly rank?: number };
  readonly inputs: Readonly<
    Record<string, { readonly of?: "selected" | "followed"; readonly column: string }>
  >;
  readonly follow?: string[];
  readonly entity: string;
  readonly followed?: string;
}

function task(id: string, { table, where = [], select, inputs, follow, entity, followed }: Asked): Row {
  return {
    id,
    program: { table, where, select: { rank: 1, ...select }, follow, compute: { formula: "some", inputs } },
    selection: {
      entity: { table, key: entity },
      ...(followed === undefined ? {} : { followed: { table: "planets", key: followed } }),
    },
    question: "...",
  };
}

const OPEN: Firewall = { rules: [], hash: "", blocks: () => undefined, copies: () => undefined };

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

const page = (title: string, text: string, url = `corpus://t/${title}`): Document => ({ url, title, text });

function judge(rows: readonly Row[], pages: readonly Document[], firewall = OPEN): Promise<Solvability> {
  return judgeSolvability(each(rows), catalog, each(pages), firewall);
}

async function one(asked: Asked, pages: readonly Document[], firewall = OPEN): Promise<TaskSolvability> {
  return (await judge([task("t", asked)], pages, firewall)).tasks[0]!;
}

/** Of the moons of Mars the larger one, its radius for the answer. */
const mars: Asked = {
  table: "moons",
  where: [{ column: "planet", op: "eq", value: "Mars" }],
  select: { column: "mean_radius", order: "max" },
  inputs: { radius: { column: "mean_radius" } },
  entity: "Phobos",
};
const phobos = page("Phobos", "Phobos is a moon of Mars with a mean radius of 11.1 km.");
const deimos = page("Deimos (moon)", "It is the smaller moon of Mars.\n\n| mean radius (m) | 6200 |");

describe("a table task", () => {
  it("is whole where every candidate's values stand somewhere", async () => {
    expect(await one(mars, [phobos, deimos])).toMatchObject({
      candidates: 2,
      state: "whole",
      found: 5,
      needed: 5,
      settled: null,
      documents: ["corpus://t/Deimos (moon)", "corpus://t/Phobos"],
    });
  });

  it("is partial where one is not told of, and says which", async () => {
    const judged = await one(mars, [phobos]);
    expect(judged.state).toBe("partial");
    expect(judged.missing.map((m) => `${m.for} ${m.column} of ${m.entity}`)).toEqual([
      "filter planet of Deimos",
      "select mean_radius of Deimos",
    ]);
  });

  it("takes no value of another entity, of another size, or without a unit", async () => {
    for (const text of [
      "It is the smaller moon of Mars, unlike Phobos (6.2 km).",
      "moon of Mars, 7.2 km",
      "moon of Mars, radius 6.2",
    ]) {
      const pages = [phobos, page("Moons of Mars", text)];
      expect((await one(mars, pages)).state).toBe("partial");
    }
  });

  it("needs no candidate's values where a superlative settles the selection", async () => {
    const said = page("Phobos", "Phobos is the largest moon of Mars. Its radius is 11.08 km.");
    const judged = await one(mars, [said]);
    expect(judged).toMatchObject({ state: "whole", needed: 1, settled: { url: "corpus://t/Phobos" } });
    // Not where it is said of another, nor for a rank or a threshold.
    expect((await one(mars, [page("Deimos", "Deimos is the largest moon of Mars.")])).settled).toBeNull();
    expect((await one({ ...mars, select: { ...mars.select, rank: 2 } }, [said])).settled).toBeNull();
    const threshold = { column: "mean_radius", op: "gt", value: 1 };
    expect((await one({ ...mars, where: [...mars.where!, threshold] }, [said])).settled).toBeNull();
  });

  it("reads GM as a mass and a mass as GM", async () => {
    const asked: Asked = { ...mars, inputs: { gm: { column: "gm" } } };
    const mass = page("Phobos", "The mass of Phobos is 1.062e16 kg.");
    expect((await one(asked, [phobos, deimos, mass])).state).toBe("whole");
    const wrong = page("Phobos", "The mass of Phobos is 1.2e16 kg.");
    expect((await one(asked, [phobos, deimos, wrong])).missing).toEqual([
      { for: "input", table: "moons", column: "gm", entity: "Phobos" },
    ]);
  });

  it("needs the hop, and the followed entity's values", async () => {
    const asked: Asked = {
      ...mars,
      follow: ["planet"],
      followed: "Mars",
      inputs: { axis: { of: "followed", column: "semi_major_axis" } },
    };
    expect((await one(asked, [phobos, deimos])).missing).toEqual([
      { for: "input", table: "planets", column: "semi_major_axis", entity: "Mars" },
    ]);
    const orbit = page("Mars: orbit", "The semi-major axis is 227.94 million km.");
    expect((await one(asked, [phobos, deimos, orbit])).state).toBe("whole");
  });

  it("reads flags with their denials", async () => {
    const asked: Asked = {
      table: "planets",
      where: [
        { column: "rings", op: "is", value: true },
        { column: "mass", op: "gt", value: 5e26 },
      ],
      select: { column: "mass", order: "min" },
      inputs: { mass: { column: "mass" } },
      entity: "Saturn",
    };
    const jupiter = page("Jupiter", "Jupiter has a ring system. Its mass is 1.8982e27 kg.");
    const saturn = page("Saturn", "Saturn has a ring system. Its mass is 5.6834e26 kg.");
    expect((await one(asked, [jupiter, saturn])).state).toBe("whole");
    const without = page("Saturn", "Saturn has no ring system. Its mass is 5.6834e26 kg.");
    expect((await one(asked, [jupiter, without])).missing.map((m) => m.column)).toEqual(["rings"]);
  });

  it("is computable where the card says that anyone can compute it, without a document", async () => {
    const asked: Asked = {
      table: "groups",
      where: [{ column: "order", op: "eq", value: 24 }],
      select: { column: "classes", order: "max" },
      inputs: { order: { column: "order" } },
      entity: groups.tables.get("groups")!.keys[0]!,
    };
    const both: Catalog = { tables: new Map([...catalog.tables, ...groups.tables]) };
    const rows = each([task("g", asked), task("m", mars)]);
    const judged = await judgeSolvability(rows, both, each([phobos, deimos]), OPEN);
    expect(judged.totals).toEqual({ whole: 1, partial: 0, computable: 1, unfit: 0 });
    expect(solvableShare(judged)).toBe(1);
  });

  it("that does not fit the tables is told apart, and problems are counted", async () => {
    const rows = [
      task("x", { ...mars, entity: "Nobody" }),
      { id: "p", problem: {} },
      task("y", { ...mars, table: "none" }),
    ];
    const judged = await judge(rows, []);
    expect(judged).toMatchObject({ others: 1, totals: { unfit: 2 } });
    expect(solvableShare(judged)).toBe(0);
  });
});

describe("the firewall", () => {
  const firewall: Firewall = {
    ...OPEN,
    blocks: (url) => (url.includes("ssd.jpl") ? "publisher of moons" : undefined),
    copies: (text) => (text.includes("whole table") ? "copy of moons: 30 of 31 rows" : undefined),
  };

  it("keeps documents from being evidence, and counts them by rule", async () => {
    const pages = [
      phobos,
      { ...deimos, url: "https://ssd.jpl.nasa.gov/sats" },
      { ...deimos, text: `${deimos.text}\nThe whole table.` },
    ];
    const judged = await judge([task("t", mars)], pages, firewall);
    expect(judged.tasks[0]!.state).toBe("partial");
    expect(judged).toMatchObject({
      documents: 3,
      blocked: { "copy of moons: 30 of 31 rows": 1, "publisher of moons": 1 },
    });
  });
});

it("counts cells by column, each once", async () => {
  const judged = await judge([task("a", mars), task("b", mars)], [phobos]);
  expect(judged.columns).toEqual([
    { table: "moons", column: "mean_radius", needed: 2, found: 1 },
    { table: "moons", column: "planet", needed: 2, found: 1 },
  ]);
});
