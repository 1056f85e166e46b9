import type { Catalog } from "../../sources/table.js";
import { builtinFormulas } from "../formulas/index.js";

/**
 * Phrases with which table tasks are worded, whatever they ask: those of the sources' cards and of the bundled formulas. They depend
 * on the run's sources alone, not on its rows, so that they mean the same for the first row and the last.
 */
export function ownPhrases({ tables }: Catalog): string[] {
  const cards = [...tables.values()].map(({ card }) => card);
  return [...texts([...builtinFormulas.values()]), ...texts(cards)];
}

/** All texts of some length in plain data. */
function texts(value: unknown): string[] {
  if (typeof value === "string") return value.includes(" ") ? [value] : [];
  if (value === null || typeof value !== "object") return [];
  return Object.values(value).flatMap(texts);
}
