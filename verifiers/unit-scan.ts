/** Units where prose has them: symbols or words, British or American, "kg/m^3", "kg m^-3", "kilograms per cubic meter". */
import { dictionary } from "./dictionary.js";
import { fold } from "./plain-text.js";
import { ATOMS, PREFIXES } from "./unit-table.js";
import { parseUnit, type Unit, UnitError } from "./units.js";

export interface UnitReading {
  readonly unit: Unit;
  /** Where the unit ends in the text. */
  readonly end: number;
  /** Whether it could as well be an English word: "in", "a", "as". */
  readonly doubtful: boolean;
}

const MAX_PARTS = 6;
const DOUBTFUL = new Set(["a", "in", "as", "am", "A"]);
/** Names beside those of the table, with the symbol each stands for. */
const MORE_NAMES = dictionary<string>({
  degrees: "deg",
  degree: "deg",
  celsius: "degC",
  centigrade: "degC",
  fahrenheit: "degF",
  kelvin: "K",
  au: "au",
  "astronomical units": "au",
  "light years": "ly",
  "light year": "ly",
  "atomic mass units": "u",
  "atomic mass unit": "u",
  amu: "u",
  "metric tons": "t",
  "metric ton": "t",
  "julian years": "yr",
  "julian year": "yr",
  yrs: "yr",
  sec: "s",
  secs: "s",
  hr: "h",
  hrs: "h",
  mins: "min",
  minute: "min",
  minutes: "min",
  micron: "um",
  microns: "um",
  ångström: "angstrom",
  "per cent": "percent",
  "degrees c": "degC",
  "degrees k": "K",
});

let names: ReadonlyMap<string, string> | undefined;
let symbols: ReadonlySet<string> | undefined;

/** Folded names, singular and plural, with prefixes: "kilometers" gives "km". */
function nameMap(): ReadonlyMap<string, string> {
  if (names !== undefined) return names;
  const found = new Map<string, string>();
  for (const atom of ATOMS) {
    const taken = PREFIXES.filter(
      (p) => atom.prefixes === "all" || atom.prefixes.split(" ").includes(p.symbols[0]!),
    );
    for (const name of [atom.singular, atom.plural]) {
      for (const prefix of [undefined, ...taken]) {
        const symbol = `${prefix?.symbols[0] ?? ""}${atom.symbols[0]!}`;
        for (const spelling of spellings(`${prefix?.word ?? ""}${name}`)) {
          if (!found.has(spelling)) found.set(spelling, symbol);
        }
      }
    }
  }
  for (const [name, symbol] of Object.entries(MORE_NAMES)) found.set(fold(name), symbol);
  names = found;
  return found;
}

function spellings(name: string): string[] {
  const plain = fold(name).replaceAll("-", " ");
  return [
    ...new Set([
      plain,
      plain.replace("metre", "meter"),
      plain.replace("litre", "liter"),
      plain.replace("tonne", "metric ton"),
    ]),
  ];
}

function symbolSet(): ReadonlySet<string> {
  if (symbols !== undefined) return symbols;
  const found = new Set<string>();
  for (const atom of ATOMS) {
    const taken = PREFIXES.filter(
      (p) => atom.prefixes === "all" || atom.prefixes.split(" ").includes(p.symbols[0]!),
    );
    for (const symbol of atom.symbols.map((s) => s.normalize("NFKC").replace("\u03bc", "µ"))) {
      found.add(symbol);
      for (const prefix of taken)
        for (const p of prefix.symbols) found.add(p.replace("\u03bc", "µ") + symbol);
    }
  }
  symbols = found;
  return found;
}

interface Part {
  readonly symbol: string;
  readonly exponent: number;
}

/**
 * All readings of a unit at a place of a plain text, shortest first: "au in" gives au, then au·inch. An empty list where there is
 * none. Looks at most {@link MAX_PARTS} symbols ahead.
 */
export function unitsAt(plain: string, start: number): UnitReading[] {
  const readings: UnitReading[] = [];
  const parts: Part[] = [];
  let at = start;
  let group = 1;
  while (parts.length < MAX_PARTS) {
    const link = /(?: {0,2}(\/|\bper\b) {0,2}\(?|[ ·*.-]{0,2})/y;
    link.lastIndex = at;
    const joined = link.exec(plain)!;
    if (parts.length > 0 && joined[0] === "") break;
    const under = joined[1] !== undefined;
    if (under && joined[0].endsWith("(")) group = -1;
    const part = partAt(plain, link.lastIndex, under ? -1 : group);
    if (part === undefined) break;
    at = part.end;
    parts.push(part.part);
    const unit = compose(parts);
    if (unit !== undefined) {
      const close = plain[at] === ")" && group === -1 ? at + 1 : at;
      readings.push({
        unit,
        end: close,
        doubtful: parts.length === 1 && DOUBTFUL.has(plain.slice(part.start, at)),
      });
    }
  }
  return readings;
}

function partAt(
  plain: string,
  from: number,
  sign: number,
): { part: Part; start: number; end: number } | undefined {
  const area = /(?:(square|cubic|sq\.?|cu\.?) )?/iy;
  area.lastIndex = from;
  const word = area.exec(plain)![1]?.toLowerCase();
  const start = area.lastIndex;
  const before = word === undefined ? 1 : word.startsWith("sq") ? 2 : 3;
  const named = nameAt(plain, start);
  if (named !== undefined) {
    const power = / (squared|cubed)\b/y;
    power.lastIndex = named.end;
    const after = power.exec(plain)?.[1];
    const exponent = sign * before * (after === "squared" ? 2 : after === "cubed" ? 3 : 1);
    const raised = after === undefined ? exponentAt(plain, named.end) : undefined;
    const end = after === undefined ? (raised?.end ?? named.end) : named.end + after.length + 1;
    return { part: { symbol: named.symbol, exponent: exponent * (raised?.exponent ?? 1) }, start, end };
  }
  const token = /[\p{L}°%‰′″☉⊕][\p{L}°☉⊕_]{0,8}/uy;
  token.lastIndex = start;
  const symbol = token.exec(plain)?.[0];
  if (symbol === undefined || !symbolSet().has(symbol)) return undefined;
  const raised = exponentAt(plain, token.lastIndex);
  if (raised === undefined && /[\p{L}\p{N}_]/u.test(plain[token.lastIndex] ?? "")) return undefined;
  return {
    part: { symbol, exponent: sign * before * (raised?.exponent ?? 1) },
    start,
    end: raised?.end ?? token.lastIndex,
  };
}

/** "^-3", "^(−3)", "**2", "3" or "-3" directly behind a symbol. */
function exponentAt(plain: string, from: number): { exponent: number; end: number } | undefined {
  const form = /(?:\^|\*\*)\(?([+-]?\d)\)?(?!\d|\.\d)|(-?\d)(?!\d|\.\d|\p{L})/uy;
  form.lastIndex = from;
  const match = form.exec(plain);
  const exponent = Number(match?.[1] ?? match?.[2] ?? 0);
  return exponent === 0 ? undefined : { exponent, end: form.lastIndex };
}

/** The longest name of one to four words. */
function nameAt(plain: string, from: number): { symbol: string; end: number } | undefined {
  const words = /\p{L}+(?:[ -]\p{L}+){0,3}/uy;
  words.lastIndex = from;
  let text = words.exec(plain)?.[0].slice(0, 60);
  while (text !== undefined && text !== "") {
    const symbol = nameMap().get(fold(text).replaceAll("-", " "));
    if (
      symbol !== undefined &&
      text.length > 1 &&
      text !== "in" &&
      !/[\p{L}]/u.test(plain[from + text.length] ?? "")
    ) {
      return { symbol, end: from + text.length };
    }
    const cut = Math.max(text.lastIndexOf(" "), text.lastIndexOf("-"));
    text = cut < 0 ? undefined : text.slice(0, cut);
  }
  return undefined;
}

function compose(parts: readonly Part[]): Unit | undefined {
  try {
    return parseUnit(parts.map((p) => (p.exponent === 1 ? p.symbol : `${p.symbol}^${p.exponent}`)).join(" "));
  } catch (error) {
    if (error instanceof UnitError) return undefined;
    throw error;
  }
}
