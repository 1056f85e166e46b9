/** Values in several units, each a part of the one before: "17 h 15 min", "84 years and 7 days", 12° 30′ 15″. */
import { unitsAt } from "../unit-scan.js";
import { sameDimension, type Unit } from "../units.js";
import { compare, type Exact, fromDecimal, negate, over, plus, times, ZERO } from "./exact.js";
import type { Notation } from "./language.js";
import { literalAt } from "./literal.js";

interface Part {
  readonly value: Exact;
  readonly whole: boolean;
  readonly unit: Unit;
}

const MAX_PARTS = 4;

/** The sum in the first part's unit; undefined where the text is anything else, such as "5 km 7 m 3 kg" or "17 h 75 min". */
export function compoundOf(said: string, notation: Notation): { value: Exact; unit: Unit } | undefined {
  if (said.length > 80 || !/\d\D+\d/.test(said)) return undefined;
  // Behind degrees the typewriter's quotes are minutes and seconds; elsewhere they part groups of digits.
  const text = said.includes("°") ? said.replace(/''|"/g, "″").replaceAll("'", "′") : said;
  const minus = /^[-–] ?(?=\d)/.exec(text)?.[0].length ?? 0;
  const parts = partsOf(text, minus, notation);
  if (parts === undefined || parts.length < 2 || !parts.every((part, i) => follows(part, parts[i - 1])))
    return undefined;
  const { unit } = parts[0]!;
  const sum = parts.reduce((all, p) => plus(all, times(p.value, over(factor(p.unit), factor(unit))!)), ZERO);
  return { value: minus > 0 ? negate(sum) : sum, unit };
}

const factor = (unit: Unit): Exact => fromDecimal(unit.factor)!;

/** A part goes on with a smaller unit, is less than one of the larger, and stands behind a whole number of these. */
function follows(part: Part, before: Part | undefined): boolean {
  if (before === undefined) return part.unit.offset === 0;
  const size = times(part.value, over(factor(part.unit), factor(before.unit))!);
  return (
    before.whole &&
    sameDimension(part.unit, before.unit) &&
    part.unit.factor < before.unit.factor &&
    compare(size, fromDecimal(1)!) < 0
  );
}

function partsOf(text: string, start: number, notation: Notation): Part[] | undefined {
  const parts: Part[] = [];
  for (let at = start; at < text.length; ) {
    const number = literalAt(text, at, notation);
    const mark = / ?(\p{L}{1,12}|[°′″])\.?(?!\p{L})/uy;
    mark.lastIndex = number?.end ?? at;
    const symbol = mark.exec(text)?.[1];
    const unit = symbol === undefined ? undefined : unitOf(symbol, parts[0]?.unit);
    if (number?.value === undefined || unit === undefined || parts.length === MAX_PARTS) return undefined;
    parts.push({ value: number.value, whole: number.bare, unit });
    const link = /,? and |,? ?/iy;
    link.lastIndex = mark.lastIndex;
    at = mark.lastIndex + link.exec(text)![0].length;
  }
  return parts;
}

/** A symbol as a unit: behind hours or days, m are minutes. */
function unitOf(symbol: string, first: Unit | undefined): Unit | undefined {
  const minutes = symbol === "m" && first !== undefined && /^(?:h|d)$/.test(first.text);
  const name = minutes ? "min" : symbol === "′" ? "arcmin" : symbol === "″" ? "arcsec" : symbol;
  return unitsAt(name, 0).find((u) => u.end === name.length)?.unit;
}
