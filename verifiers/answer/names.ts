/** Keys under which two spellings of a name are one: no case, accents or punctuation; transliterated; numerals as digits. */
import { dictionary } from "../dictionary.js";
import { fold, wordsOf } from "../plain-text.js";

const CYRILLIC: ReadonlyMap<string, string> = new Map(
  (
    "а:a б:b в:v г:g д:d е:e ж:zh з:z и:i к:k л:l м:m н:n о:o п:p р:r с:s т:t у:u ф:f х:kh ц:ts ч:ch ш:sh щ:shch " +
    "ы:y э:e ю:yu я:ya і:i є:ye ґ:g ъ: ь:"
  )
    .split(" ")
    .map((pair) => pair.split(":") as [string, string]),
);
const GREEK = dictionary<string>({
  α: "alpha",
  β: "beta",
  γ: "gamma",
  δ: "delta",
  ε: "epsilon",
  ζ: "zeta",
  η: "eta",
  θ: "theta",
  ι: "iota",
  κ: "kappa",
  λ: "lambda",
  μ: "mu",
  ν: "nu",
  ξ: "xi",
  ο: "omicron",
  π: "pi",
  ρ: "rho",
  σ: "sigma",
  τ: "tau",
  υ: "upsilon",
  φ: "phi",
  χ: "chi",
  ψ: "psi",
  ω: "omega",
});
const ARTICLES = /^(?:the|an?|der|die|das|les?|la|l|el|los|las|il|lo|os?|de|het)$/;
const SPELLINGS: readonly (readonly [string, string])[] = [
  ["aluminum", "aluminium"],
  ["cesium", "caesium"],
  ["sulphur", "sulfur"],
  ["saint", "st"],
  ["mount", "mt"],
];

/** All keys of a name; two names are one when they share a key. Empty for a text without letters and digits. */
export function nameKeys(text: string): ReadonlySet<string> {
  const known = memory.get(text);
  if (known !== undefined) return known;
  const keys = keysOf(text);
  if (memory.size > 50_000) memory.clear();
  if (text.length <= 100) memory.set(text, keys);
  return keys;
}

/** The names of a table are compared with every answer about it. */
const memory = new Map<string, ReadonlySet<string>>();

function keysOf(text: string): ReadonlySet<string> {
  const typed = text.slice(0, 400).replace(/['’ʻʼ‘`´]/g, "");
  const german = typed
    .normalize("NFC")
    .replace(/[äæÄÆ]/g, "ae")
    .replace(/[öøœÖØŒ]/g, "oe")
    .replace(/[üÜ]/g, "ue")
    .replace(/[åÅ]/g, "aa");
  return new Set([key(typed), key(german), key(latin(typed))].filter((k) => k !== ""));
}

/** Words run together, so that Kepler-22 b is Kepler-22b; digits of two words stay apart, so that 22 2b is not 2 22b. */
function key(text: string): string {
  const words = wordsOf(text).map((w, i) => numeral(w.raw, i) ?? w.folded);
  const named = words.length > 1 && ARTICLES.test(words[0]!) ? words.slice(1) : words;
  const spelt = named.map((w) => SPELLINGS.find(([from]) => from === w)?.[1] ?? w);
  return spelt.reduce((all, w) => all + (/\d$/.test(all) && /^\d/.test(w) ? "_" : "") + w, "");
}

/** Jupiter II is Jupiter 2. Only I, V and X make numerals, never in first place, and X alone is a letter. */
function numeral(raw: string, place: number): string | undefined {
  if (place === 0 || raw === "X" || !/^(?=.)X{0,3}(?:IX|IV|V?I{0,3})$/.test(raw)) return undefined;
  const values: Readonly<Record<string, number>> = { I: 1, V: 5, X: 10 };
  const digits = [...raw].map((c) => values[c]!);
  return String(digits.reduce((sum, v, i) => sum + (v < (digits[i + 1] ?? 0) ? -v : v), 0));
}

/** Cyrillic letter by letter; a Greek letter that stands alone by its name (α Centauri). */
function latin(text: string): string {
  return fold(text)
    .replace(/(?<!\p{L})[α-ω](?!\p{L})/gu, (c) => GREEK[c] ?? c)
    .replace(/[а-яієґ]/g, (c) => CYRILLIC.get(c) ?? c);
}

/** Whether a text has letters of a script in which none of the names is written: then it may be any of them. */
export function otherScript(text: string, names: readonly string[]): boolean {
  const foreign = /[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u;
  return foreign.test(text) && !names.some((n) => foreign.test(n));
}
