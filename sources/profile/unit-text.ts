import { dictionary } from "../../verifiers/dictionary.js";
import { parseUnit, UnitError } from "../../verifiers/units.js";

/** A unit as people write it in headers, turned into one that cards know. */
export interface FoundUnit {
  readonly unit: string;
  /** A power of ten in front: "1024kg" of a fact sheet is 10²⁴ kg. */
  readonly factor?: number;
}

/** Words and spellings, in lower case, and what they are in cards. */
const WORDS = dictionary<string>({
  ...each("yr", "year years yrs yr"),
  ...each("d", "day days"),
  ...each("h", "hour hours hrs hr"),
  ...each("min", "minute minutes mins"),
  ...each("s", "second seconds sec secs"),
  ...each("m", "meter meters metre metres"),
  ...each("km", "kilometer kilometers kilometre kilometres kms"),
  ...each("cm", "centimeter centimeters centimetre centimetres"),
  ...each("mm", "millimeter millimeters millimetre millimetres"),
  ...each("ft", "foot feet"),
  ...each("mi", "mile miles"),
  ...each("in", "inch inches"),
  ...each("nmi", "nm_nautical nautical_miles"),
  ...each("g", "gram grams gm gms"),
  ...each("kg", "kilogram kilograms kgs"),
  ...each("mg", "milligram milligrams"),
  ...each("t", "tonne tonnes"),
  ...each("lb", "pound pounds lbs"),
  ...each("deg", "degree degrees degs degt deg_true"),
  ...each("degC", "celsius degc °c"),
  ...each("degF", "fahrenheit degf °f"),
  ...each("K", "kelvin kelvins"),
  ...each("percent", "percent pct percentage"),
  ...each("kn", "knot knots kts"),
  ...each("au", "au"),
  ...each("pc", "parsec parsecs"),
  ...each("ly", "light-years lightyears light-year lightyear"),
  ...each("mag", "magnitude magnitudes mags"),
  ...each("M_sun", "msun m_sun solarmass"),
  ...each("R_sun", "rsun r_sun solarradius"),
  ...each("L_sun", "lsun l_sun"),
  ...each("M_earth", "mearth m_earth"),
  ...each("R_earth", "rearth r_earth"),
  ...each("M_jup", "mjup m_jup mjupiter"),
  ...each("R_jup", "rjup r_jup rjupiter"),
  ...each("kHz", "khz"),
  ...each("MHz", "mhz"),
  ...each("GHz", "ghz"),
  ...each("Hz", "hz"),
  ...each("kPa", "kpa"),
  ...each("hPa", "hpa"),
  ...each("MPa", "mpa"),
  ...each("Pa", "pascal pascals"),
  ...each("bar", "bars"),
  ...each("kJ", "kj"),
  ...each("eV", "ev"),
  ...each("keV", "kev"),
  ...each("MeV", "mev"),
  ...each("km^2", "sqkm km2 sq_km"),
  ...each("m^2", "sqm m2 sq_m"),
});

function each(unit: string, words: string): Record<string, string> {
  return Object.fromEntries(words.split(" ").map((word) => [word, unit]));
}

const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\bsquare (?:kilometers?|kilometres?)\b|\bsq\.? ?km\b/gi, "km^2"],
  [/\bsquare (?:meters?|metres?)\b|\bsq\.? ?m\b/gi, "m^2"],
  [/\bsquare miles?\b|\bsq\.? ?mi\b/gi, "mi^2"],
  [/\bcubic (?:meters?|metres?)\b|\bcu\.? ?m\b/gi, "m^3"],
  [/\b(?:deg(?:rees)?|°) ?c(?:elsius)?\b/gi, "degC"],
  [/\b(?:deg(?:rees)?|°) ?f(?:ahrenheit)?\b/gi, "degF"],
  [/\bdecimal degrees\b/gi, "deg"],
  [/\bsolar mass(?:es)?\b/gi, "M_sun"],
  [/\bsolar radi(?:us|i)\b/gi, "R_sun"],
  [/\bsolar luminosit(?:y|ies)\b/gi, "L_sun"],
  [/\bearth mass(?:es)?\b/gi, "M_earth"],
  [/\bearth radi(?:us|i)\b/gi, "R_earth"],
  [/\bjupiter mass(?:es)?\b/gi, "M_jup"],
  [/\bjupiter radi(?:us|i)\b/gi, "R_jup"],
  [/\blight[ -]years?\b/gi, "ly"],
  [/\bnautical miles?\b/gi, "nmi"],
  [/\bastronomical units?\b/gi, "au"],
];
const FACTORS: readonly (readonly [RegExp, number])[] = [
  [/^thousands? (?:of )?/i, 1e3],
  [/^millions? (?:of )?/i, 1e6],
  [/^billions? (?:of )?/i, 1e9],
  [/^trillions? (?:of )?/i, 1e12],
];
const MAX_LENGTH = 60;

/** Whether a text reads as a unit, or says that there is none. */
export function readsAsUnit(text: string): boolean {
  return /^\(?(?:-|none|unitless|dimensionless|n\/a)\)?$/i.test(text) || unitOf(bare(text)) !== undefined;
}

function bare(text: string): string {
  return text.trim().replace(/^[([]\s*|\s*[)\]]$/g, "");
}

/** The unit that a text such as "km/s", "kg/m3", "yrs", "1024kg" or "million sq km" stands for, or undefined. */
export function unitOf(written: string): FoundUnit | undefined {
  const text = PHRASES.reduce((t, [pattern, unit]) => t.replace(pattern, unit), bare(written));
  if (text === "" || text.length > MAX_LENGTH) return undefined;
  if (isUnit(text)) return { unit: text };
  for (const [pattern, factor] of FACTORS) {
    const inner = pattern.test(text) ? unitOf(text.replace(pattern, "")) : undefined;
    if (inner !== undefined) return { unit: inner.unit, factor: factor * (inner.factor ?? 1) };
  }
  const power = /^10(?:\^|\*\*)?(-?\d{1,2}) ?([a-zA-Z].*)$/.exec(text);
  if (power !== null) {
    const inner = unitOf(power[2]!);
    if (inner !== undefined) return { unit: inner.unit, factor: Number(`1e${power[1]}`) };
  }
  const plain = normalised(text);
  return isUnit(plain) ? { unit: plain } : undefined;
}

/** Words to symbols, "per" to a power of minus one, m3 to m^3. */
function normalised(text: string): string {
  const [above = "", ...below] = text.replace(/\s+per\s+|^per\s+/gi, "/").split("/");
  const top = above.trim() === "1" || above.trim() === "" ? [] : symbols(above);
  const under = below.flatMap(symbols);
  const quotient = `${top.join(" ")}/${under[0]}`;
  if (under.length === 1 && top.length > 0 && isUnit(quotient)) return quotient;
  return [...top, ...under.map(inverse)].join(" ");
}

function symbols(text: string): string[] {
  return text
    .trim()
    .split(/[ *·.]+(?!\d)/)
    .filter((t) => t !== "")
    .map(symbol);
}

function symbol(token: string): string {
  const word = WORDS[token.toLowerCase()];
  if (word !== undefined) return word;
  const [, base, exponent] = /^([^\d^]+?)(?:\^|\*\*)?(-?\d)$/.exec(token) ?? [];
  if (base === undefined) return token;
  return `${WORDS[base.toLowerCase()] ?? base}^${exponent}`;
}

function inverse(part: string): string {
  const [, base, exponent] = /^(.*)\^(-?\d+)$/.exec(part) ?? [];
  return base === undefined ? `${part}^-1` : `${base}^${-Number(exponent)}`;
}

function isUnit(text: string): boolean {
  try {
    parseUnit(text);
    return !/^\d/.test(text);
  } catch (error) {
    if (error instanceof UnitError) return false;
    throw error;
  }
}

/** A column's name taken apart. */
export interface NamedUnit extends FoundUnit {
  /** The name without its unit. */
  readonly rest: string;
}

/** Last words of names that are rarely units: temp_min, checked_in, birth_day. */
const NOT_AS_SUFFIX = new Set(
  "min in a A C F T H S L l u U y b day year month hour minute second foot mile at rad sr mag k kn pc".split(
    " ",
  ),
);

/** A name with a text in brackets at its end. */
export function bracketsIn(name: string): { readonly rest: string; readonly text: string } | undefined {
  const [, rest, text] = /^(.*?)[\s_]*[([]([^()[\]]{1,40})[)\]]\s*$/.exec(name.slice(0, 200)) ?? [];
  return rest === undefined || text === undefined ? undefined : { rest, text: text.trim() };
}

/** The unit in a column's name: "Mass (kg)", "speed [km/s]", "Height / m", "mass_kg", "Weight_in_lbs", "R_J_mol_K"; or undefined. */
export function unitInName(name: string): NamedUnit | undefined {
  const bracket = bracketsIn(name);
  if (bracket !== undefined) {
    const found = unitOf(bracket.text);
    return found === undefined ? undefined : { ...found, rest: bracket.rest };
  }
  const inUnit = /^(.*\S)[\s_]in[\s_](\S.{0,39})$/i.exec(name.slice(0, 200));
  const worded = inUnit === null ? undefined : unitOf(inUnit[2]!.replaceAll("_", " "));
  if (worded !== undefined) return { ...worded, rest: inUnit![1]! };
  const slash = /^(.*?\S)(?:\s+\/\s*|\/\s+)(\S.{0,39})$/.exec(name.slice(0, 200));
  const behind = slash === null ? undefined : unitOf(slash[2]!);
  if (behind !== undefined) return { ...behind, rest: slash![1]! };
  const tokens = name.split("_");
  for (let from = Math.max(1, tokens.length - 4); from < tokens.length; from++) {
    const unit = unitOfTokens(tokens.slice(from));
    if (unit !== undefined) return { unit, rest: tokens.slice(0, from).join("_") };
  }
  const camel = /^(.*[a-z0-9])(Km2?|Kg|Ft|Deg|Kpc|Au|Yrs?|Days|Hours|Kelvin|Hz)$/.exec(name);
  const found = camel === null ? undefined : unitOf(camel[2] === "Kg" ? "kg" : camel[2]!.toLowerCase());
  return found === undefined ? undefined : { ...found, rest: camel![1]! };
}

/** "J", "mol", "K" at the end of a name are J mol⁻¹ K⁻¹: the first above the line, the others below. */
function unitOfTokens(tokens: readonly string[]): string | undefined {
  const parts = tokens.filter((t) => t !== "per");
  if (parts.length === 0 || tokens.at(-1) === "per" || parts.some((t) => NOT_AS_SUFFIX.has(t) || t === ""))
    return undefined;
  if (parts.length > 1 && parts.some((t) => !isSymbol(symbol(t)))) return undefined;
  const [first, ...others] = parts.map(symbol);
  const top = tokens[0] === "per" ? [inverse(first!)] : [first!];
  const text =
    others.length === 1 && top.length === 1 && tokens[0] !== "per"
      ? `${first}/${others[0]}`
      : [...top, ...others.map(inverse)].join(" ");
  return isUnit(text) ? text : undefined;
}

function isSymbol(text: string): boolean {
  return isUnit(text) && text !== "deg" && text !== "percent";
}
