import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { load } from "../../pipeline/index.js";
import { bundledIds, findCards } from "../../sources/cards.js";
import { builtinFormulas } from "../../stages/formulas/index.js";
import { asksOf, formulasNamed } from "../../stages/program/asks.js";
import { loadBundled } from "../facts/load.js";

const configs = readdirSync("configs").filter((file) => file.endsWith(".yaml"));

describe("the configs that come along", () => {
  it.each(configs)("%s is sound", async (file) => {
    const { config } = await load(`configs/${file}`);
    expect(config.name).toBe(file.replace(/\.yaml$/, ""));
  });

  it("take every bundled table, of seven domains, into one", async () => {
    const { config } = await load("configs/all.yaml");
    expect([...config.sources].sort()).toEqual(bundledIds());
    const domains = (await findCards(bundledIds(), ".")).map(({ card }) => card.domain);
    expect([...new Set(domains)].sort()).toEqual([
      "astronomy",
      "aviation",
      "biology",
      "chemistry",
      "earth",
      "geography",
      "mathematics",
    ]);
  });

  it("bind at least five formulas in each domain, and over a hundred in all", async () => {
    const { tables } = await loadBundled(bundledIds());
    const formulas = formulasNamed(undefined, builtinFormulas).filter((f) => typeof f !== "string");
    const bound = new Map<string, Set<string>>();
    for (const table of tables.values()) {
      const asks = asksOf(table, { tables }, formulas);
      const ids = [...asks.plain, ...asks.hop, ...asks.compare].flat().map((a) => a.formula.id);
      const known = bound.get(table.card.domain) ?? new Set<string>();
      bound.set(table.card.domain, new Set([...known, ...ids]));
    }
    for (const [domain, ids] of bound) expect(ids.size, domain).toBeGreaterThanOrEqual(5);
    expect(new Set([...bound.values()].flatMap((ids) => [...ids])).size).toBeGreaterThan(100);
  });
});
