/**
 * A run of digits and marks as a number of the question's language. One reading or none: 1,270 is 1270 in English and 1.27 in
 * French; what a language has no use for (1.270.000 in English) is `foreign` and is never guessed at.
 */
import { type Exact, fromDecimal } from "./exact.js";
import type { Notation } from "./language.js";

interface Literal {
  /** Undefined for a run that the language has no reading for. */
  readonly value: Exact | undefined;
  readonly end: number;
  /** Digits alone, no mark: may be the whole of a mixed number. */
  readonly bare: boolean;
}

/** Digits with single marks inside. A space only parts groups of exactly three digits: "1 270/1000" is no 1270. */
const RUN = /(?:\d+|[.,]\d+)(?:[.,'_]\d+| \d{3}(?!\d| ?[/⁄]))*/y;

/** The number at a place of a plain text, sign aside. Undefined where no digit stands. */
export function literalAt(plain: string, at: number, notation: Notation): Literal | undefined {
  RUN.lastIndex = at;
  const run = RUN.exec(plain)?.[0];
  if (run === undefined) return undefined;
  const decimal = decimalOf(run, notation);
  return {
    value: decimal === undefined ? undefined : fromDecimal(decimal),
    end: at + run.length,
    bare: /^\d+$/.test(run),
  };
}

/** The run in plain decimal form, or undefined. */
function decimalOf(run: string, notation: Notation): string | undefined {
  if (/^\d+$/.test(run)) return run;
  const { decimal } = notation;
  const parts = run.split(decimal);
  if (parts.length > 2) return undefined;
  const [head, tail] = parts as [string, string?];
  const wholePart = head === "" ? "0" : ungrouped(head, notation);
  const fraction = tail === undefined ? "" : ungroupedFraction(tail);
  if (wholePart !== undefined && fraction !== undefined)
    return fraction === "" ? wholePart : `${wholePart}.${fraction}`;
  return decimalPointOnly(run, notation);
}

/**
 * Science and programs write a decimal point in any language. Where that is the only reading (not three digits behind the point, or a
 * zero before it) it is taken: 1.27 in German is 1.27, and 1.270 is 1270.
 */
function decimalPointOnly(run: string, notation: Notation): string | undefined {
  if (notation.decimal !== ",") return undefined;
  const match = /^(\d*)\.(\d+)$/.exec(run);
  if (match === null) return undefined;
  const [, before, after] = match as unknown as [string, string, string];
  const group = after.length === 3 && /^[1-9]\d{0,2}$/.test(before);
  return group ? undefined : `${before === "" ? "0" : before}.${after}`;
}

/** Whole digits without the marks between groups, if all groups are as they should be. */
function ungrouped(text: string, { groups, lakh }: Notation): string | undefined {
  if (/^\d+$/.test(text)) return text;
  const marks = new Set(text.replace(/\d/g, ""));
  const mark = [...marks][0]!;
  if (marks.size !== 1 || !(mark === " " || groups.includes(mark))) return undefined;
  const parts = text.split(mark);
  const first = parts[0]!;
  const rest = parts.slice(1);
  const thousands = /^[1-9]\d{0,2}$/.test(first) && rest.every((p) => p.length === 3);
  const lakhs =
    lakh &&
    /^[1-9]\d?$/.test(first) &&
    rest.at(-1)!.length === 3 &&
    rest.slice(0, -1).every((p) => p.length === 2);
  return thousands || lakhs ? parts.join("") : undefined;
}

/** Decimals, perhaps in groups of three parted by spaces: 667 430 15 does not come through, 667 430 does. */
function ungroupedFraction(text: string): string | undefined {
  if (/^\d*$/.test(text)) return text;
  return /^\d{3}(?: \d{3})*$/.test(text) ? text.replaceAll(" ", "") : undefined;
}
