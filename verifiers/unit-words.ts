/** Units as prose writes them: with symbols ("g/cm³") or in words ("grams per cubic centimetre"). */
import { superscript } from "./numbers.js";
import { takeApart, type UnitPart } from "./unit-grammar.js";

/**
 * The unit with real superscripts and symbols: `g/cm^3` gives "g/cm³", `10^24 kg` "10²⁴ kg", `degC` "°C", `1` "".
 * @throws UnitError if it cannot be read.
 */
export function formatUnit(text: string): string {
  const { scale, parts, slash } = takeApart(text);
  const over = slash ? parts.slice(0, -1) : parts;
  const pieces = [
    ...(scale === "1" ? [] : [formatScale(scale)]),
    ...over.map((p) => formatPart(p, p.exponent)),
  ];
  if (!slash) return pieces.join(" ");
  const under = parts.at(-1)!;
  return `${pieces.length === 0 ? "1" : pieces.join(" ")}/${formatPart(under, -under.exponent)}`;
}

function formatPart({ atom, prefix, symbol }: UnitPart, exponent: number): string {
  const plain = atom.prose ?? symbol.slice(prefix === undefined ? 0 : prefixLength(symbol, prefix.symbols));
  const start = prefix === undefined ? "" : prefix.symbols[0] === "u" ? "µ" : prefix.symbols[0]!;
  return `${start}${plain}${exponent === 1 ? "" : superscript(exponent)}`;
}

function prefixLength(symbol: string, spellings: readonly string[]): number {
  return spellings.find((s) => symbol.startsWith(s))!.length;
}

function formatScale(scale: string): string {
  const [, mantissa, exponent] = /^(?:(\d+(?:\.\d+)?)[eE]|10\^)([+\-−]?\d+)$/.exec(scale) ?? [];
  if (exponent === undefined) return scale;
  const power = `10${superscript(Number(exponent.replace("−", "-")))}`;
  return mantissa === undefined || mantissa === "1" ? power : `${mantissa} × ${power}`;
}

/**
 * The unit in English words: `kg` gives "kilograms", `m/s^2` "metres per second squared", `g/cm^3` "grams per cubic
 * centimetre", `degC` "degrees Celsius", `1` "". `singular` is for a value of one.
 * @throws UnitError if it cannot be read.
 */
export function unitInWords(text: string, singular = false): string {
  const { scale, parts } = takeApart(text);
  const over = parts.filter((p) => p.exponent > 0);
  const under = parts.filter((p) => p.exponent < 0);
  const number = scale === "1" ? "" : `${formatScale(scale)} `;
  const top = over.map((p, i) => inWords(p, p.exponent, !singular && i === over.length - 1)).join(" ");
  const bottom = under.map((p) => `per ${inWords(p, -p.exponent, false)}`).join(" ");
  return `${number}${[top, bottom].filter((s) => s !== "").join(" ")}`.trim();
}

/** Spans of the Earth's past are said in millions of years, not in megayears. */
const OF_YEARS: Readonly<Record<string, string>> = { kilo: "thousand ", mega: "million ", giga: "billion " };

function inWords({ atom, prefix }: UnitPart, exponent: number, plural: boolean): string {
  const word = prefix?.word ?? "";
  const times = atom.singular === "year" ? OF_YEARS[word] : undefined;
  const name = `${times ?? word}${plural || times !== undefined ? atom.plural : atom.singular}`;
  if (exponent === 1) return name;
  const isLength = atom.dimension[0] === 1 && atom.dimension.every((d, i) => i === 0 || d === 0);
  if (isLength && exponent === 2) return `square ${name}`;
  if (isLength && exponent === 3) return `cubic ${name}`;
  return `${name} ${exponent === 2 ? "squared" : exponent === 3 ? "cubed" : `to the power ${exponent}`}`;
}
