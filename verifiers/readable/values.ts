/** Whether a passage states a value: in any unit of its kind, to within a tolerance. */
import { type Numeral, scanNumbers } from "../number-scan.js";
import { parseUnit, toSI, type Unit, UnitError } from "../units.js";
import { alike } from "../values-equal.js";
import type { Passage } from "./passages.js";
import { tokensOf } from "./phrases.js";

/** A value that a reader looks for. */
export interface WantedValue {
  readonly kind: "value";
  readonly value: number;
  readonly unit: string;
  /** How far a stated value may be off, in `unit`; 0 for exact numbers. */
  readonly tolerance: number;
  /** Words of which all must stand with a number that has no unit (see `nounTokens`): 7 is a period only where it is called one. */
  readonly nouns: readonly string[];
}

/** A value as some text has it. */
export interface Reading {
  /** In the unit that was wanted. */
  readonly value: number;
  /** The words it stands in. */
  readonly excerpt: string;
}

/** Digits from which on a rounded value may be off by half its last digit. */
const ROUNDED = 3;
/** ... but by no more than this share of it. */
const COARSEST = 0.005;
const EXCERPT = 160;

/** The reading of a passage that is closest to a wanted value, if one is close enough. */
export function readValue(passage: Passage, wanted: WantedValue): Reading | undefined {
  const unit = parseUnit(wanted.unit);
  let best: Reading | undefined;
  for (const { text, context, headingUnit } of fieldsOf(passage)) {
    const named = wanted.nouns.every((n) => context().has(n));
    for (const numeral of scanNumbers(text)) {
      for (const value of valuesIn(numeral, unit, headingUnit, named)) {
        if (!closeEnough(value, numeral, wanted)) continue;
        if (best !== undefined && Math.abs(best.value - wanted.value) <= Math.abs(value - wanted.value))
          continue;
        best = { value, excerpt: passage.text.slice(0, EXCERPT) };
      }
    }
  }
  return best;
}

interface Field {
  readonly text: string;
  /** Tokens that say what a number here is. */
  readonly context: () => ReadonlySet<string>;
  readonly headingUnit: Unit | undefined;
}

/** Where numbers stand: the sentence; or each cell of a row, called what its heading and the row's first cell say. */
function fieldsOf(passage: Passage): Field[] {
  if (passage.kind === "prose") {
    return [{ text: passage.text, context: once(() => tokensOf(passage.text)), headingUnit: undefined }];
  }
  const first = passage.cells[0]?.text ?? "";
  return passage.cells.map((cell, i) => ({
    text: cell.text,
    context: once(() => tokensOf(`${cell.heading} ${i === 0 ? "" : first} ${cell.text}`)),
    headingUnit: unitOf(cell.heading) ?? (i === 0 ? undefined : unitOf(first)),
  }));
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** The unit in a heading's last parentheses, or behind its last comma: "mass (10^24 kg)", "period, d". */
function unitOf(heading: string): Unit | undefined {
  const text = /[([]([^()[\]]{1,40})[)\]]\s*$/.exec(heading)?.[1] ?? /, ([^,]{1,20})$/.exec(heading)?.[1];
  if (text === undefined) return undefined;
  try {
    return parseUnit(text.trim());
  } catch (error) {
    if (error instanceof UnitError) return undefined;
    throw error;
  }
}

/** What a number may mean in a unit; without one of its own it takes the heading's, or is a pure number if it is called what is wanted. */
function valuesIn(numeral: Numeral, unit: Unit, headingUnit: Unit | undefined, named: boolean): number[] {
  const written = numeral.units.filter((u) => !u.doubtful).map((u) => u.unit);
  const pure = unit.dimension.every((d) => d === 0);
  const own = written.length > 0 ? written : headingUnit === undefined ? [] : [headingUnit];
  const units = own.filter((u) => alike(u, unit));
  if (pure && !named) return [];
  if (pure && own.length === 0) units.push(ONE);
  return units.flatMap((u) => numeral.values.map((v) => (toSI(v, u) - unit.offset) / unit.factor));
}

const ONE = parseUnit("1");

function closeEnough(value: number, numeral: Numeral, { value: wanted, tolerance }: WantedValue): boolean {
  const off = Math.abs(value - wanted);
  // Binary arithmetic of conversions is no difference.
  if (off <= tolerance || off <= 1e-12 * Math.abs(wanted)) return true;
  if (tolerance === 0 || numeral.digits < ROUNDED) return false;
  const half = 0.5 * 10 ** (1 - numeral.digits);
  // Half a unit of the last digit is between `half` and a tenth of it, by the first digit.
  return off <= Math.min(half / leading(numeral), COARSEST) * Math.abs(value);
}

/** First digits of a number as it is written: 1 ≤ m < 10. */
function leading({ values }: Numeral): number {
  const value = Math.abs(values[0] ?? 0);
  return value === 0 ? 1 : Number(value.toExponential().split("e")[0]);
}
