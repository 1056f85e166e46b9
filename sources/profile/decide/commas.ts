import type { ColumnProfile } from "../column.js";

/** What else in a file says that commas stand before decimals. */
export type Hint = "commas" | "semicolons" | undefined;

/** Whether a column's commas stand before decimals: whole numbers say nothing of it. */
export function hasDecimalCommas(column: ColumnProfile, hint: Hint): boolean {
  const { forms } = column;
  const [dotted, groups] = column.dots;
  const commas = (forms.decimal_comma ?? 0) + (forms.dot_grouped ?? 0);
  if (commas > 0) return commas + (forms.grouped ?? 0) >= dotted - groups;
  return hint === "commas" && mayBeGrouped(column);
}

/** Nearly all numbers with a dot have three digits behind it: 371.000 may be 371 or 371 thousand. */
export function mayBeGrouped({ dots: [all, groups] }: ColumnProfile): boolean {
  return groups >= 2 && groups >= all * 0.9;
}

/** A column as it is where commas stand before decimals. */
export function asCommas(column: ColumnProfile): ColumnProfile {
  const { dots, decimals } = column;
  const counts: Record<number, number> = { ...decimals, 0: (decimals[0] ?? 0) + dots[1] };
  counts[3] = (decimals[3] ?? 0) - dots[1];
  return {
    ...{ ...column, ...column.underCommas },
    decimals: Object.fromEntries(Object.entries(counts).filter(([, n]) => n > 0)),
  };
}

/** Numbers that the chosen reading cannot read, or reads otherwise than they were meant. */
export function againstReading({ forms, dots: [all, groups] }: ColumnProfile, commas: boolean): number {
  return commas ? all - groups : (forms.decimal_comma ?? 0) + (forms.dot_grouped ?? 0);
}
