import { compareText } from "../base/canonical.js";
import type { Fate } from "./changes.js";
import type { GatedRow } from "./rows.js";

/** How many rows with one value of a property pass, before and after; `open` may or may not. */
export interface Part {
  readonly property: "domain" | "table" | "formula" | "split";
  readonly value: string;
  readonly before: number;
  readonly after: number;
  readonly open: number;
}

const PROPERTIES = ["domain", "table", "formula", "split"] as const;
/** `split` runs behind the gates, so rows that they turned away have none. */
const NO_SPLIT = "(none yet)";

export function compositionOf(rows: readonly { readonly row: GatedRow; readonly fate: Fate }[]): Part[] {
  return PROPERTIES.flatMap((property) => {
    const parts = new Map<string, { before: number; after: number; open: number }>();
    for (const { row, fate } of rows) {
      const value = row.question[property] ?? (property === "split" ? NO_SPLIT : "(none)");
      const part = parts.get(value) ?? { before: 0, after: 0, open: 0 };
      if (row.passed) part.before++;
      if (fate.fate === "in") part.after++;
      if (fate.fate === "open") part.open++;
      parts.set(value, part);
    }
    return [...parts]
      .sort(([a, x], [b, y]) => y.before - x.before || compareText(a, b))
      .map(([value, part]) => ({ property, value, ...part }));
  });
}
