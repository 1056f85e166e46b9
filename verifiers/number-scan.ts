/**
 * Numbers where prose has them, in many notations: 5.2, 5,2, 5 000, 5,000, 5.000, 5'000, 5e3, 5 × 10^3, 5·10³, 10²⁴, 5 million,
 * "twenty-five thousand", "one point two seven". A text may be read in more than one way; all readings are kept. Linear in the
 * text's length.
 */
import { dictionary } from "./dictionary.js";
import { type UnitReading, unitsAt } from "./unit-scan.js";

export interface Numeral {
  readonly start: number;
  readonly end: number;
  /** All values that the text may mean. */
  readonly values: readonly number[];
  /** Readings of the unit that follows (or that follows the last number of a range or list). */
  readonly units: readonly UnitReading[];
  /** Digits written, leading zeros aside; 0 for words. */
  readonly digits: number;
  readonly inWords: boolean;
}

/** All numbers of a plain text, in order. */
export function scanNumbers(plain: string): readonly Numeral[] {
  if (plain !== last.plain) last = { plain, numbers: scan(plain) };
  return last.numbers;
}

/** The checks of one wording all ask for the numbers of the same text. */
let last: { plain: string; numbers: readonly Numeral[] } = { plain: "", numbers: [] };

function scan(plain: string): Numeral[] {
  const found = [...digitNumbers(plain), ...wordNumbers(plain)].sort(
    (a, b) => a.start - b.start || a.end - b.end,
  );
  return shareUnits(plain, found);
}

const SCALES = dictionary<number>({
  hundred: 100,
  thousand: 1e3,
  million: 1e6,
  billion: 1e9,
  trillion: 1e12,
  quadrillion: 1e15,
});

function digitNumbers(plain: string): Numeral[] {
  const found: Numeral[] = [];
  // A run of digits with single separators inside; a space only parts groups of exactly three.
  const run =
    /(?<![\p{L}\p{N}^_]|\^-|\*\*-?)(?:\d+|\.\d+)(?:[.,'_]\d+|·(?!10(?:\^|\*\*))\d+| \d{3}(?!\d))*/gu;
  for (let match = run.exec(plain); match !== null; match = run.exec(plain)) {
    const start = match.index;
    const sign = signBefore(plain, start);
    const raised = powerAt(plain, run.lastIndex, match[0]);
    const end = raised?.end ?? run.lastIndex;
    const scaled = scaleAt(plain, end);
    const factor = scaled.factor;
    const written = match[0].replace(/\D/g, "").replace(/^0+/, "").length;
    const values =
      raised?.pure === true
        ? [raised.power]
        : readings(match[0]).map((v) => timesPower(v, raised?.exponent ?? 0) * factor);
    if (values.length > 0)
      found.push(
        numeral(
          plain,
          start,
          scaled.end,
          values.flatMap((v) => (sign ? [-v, v] : [v])),
          raised?.pure ? 1 : written,
          false,
        ),
      );
    found.push(...pieces(plain, match[0], start, raised !== undefined || factor !== 1));
    run.lastIndex = Math.max(run.lastIndex, scaled.end);
  }
  return found;
}

function numeral(
  plain: string,
  start: number,
  end: number,
  values: readonly number[],
  digits: number,
  inWords: boolean,
): Numeral {
  return { start, end, values, units: unitsAt(plain, end), digits, inWords };
}

/** Groups parted by spaces or commas may be numbers of their own: "in 2024 500 planets", "26,27,28". */
function pieces(plain: string, text: string, start: number, scaled: boolean): Numeral[] {
  if (scaled || !/[ ,]/.test(text) || text.length > 60) return [];
  return Array.from(text.matchAll(/[^ ,]+/g), (m) => {
    const at = start + m.index;
    const values = readings(m[0]);
    return {
      start: at,
      end: at + m[0].length,
      values,
      units: m.index + m[0].length === text.length ? unitsAt(plain, at + m[0].length) : [],
      digits: m[0].length,
      inWords: false,
    };
  });
}

function timesPower(value: number, exponent: number): number {
  if (exponent === 0) return value;
  const [mantissa, ten] = value.toExponential().split("e");
  return Number(`${mantissa}e${Number(ten) + exponent}`);
}

/** A minus sign that belongs to the number: not a hyphen after a word, not a range. */
function signBefore(plain: string, start: number): boolean {
  if (plain[start - 1] === "-") return !/[\p{L}\p{N})]/u.test(plain[start - 2] ?? "");
  return plain.slice(Math.max(0, start - 6), start) === "minus ";
}

/** What a run of digits and separators may mean: 1,234 is 1234 or, with a decimal comma, 1.234. */
function readings(text: string): number[] {
  const separators = text.replace(/\d/g, "");
  const parts = text.split(/[.,'_· ]/);
  const kinds = new Set(separators);
  const values: number[] = [];
  const grouped = (groups: readonly string[]): boolean =>
    groups.length > 1 &&
    groups[0]!.length <= 3 &&
    groups.slice(1).every((g, i) => g.length === 3 || (g.length === 2 && i < groups.length - 2));
  if (separators === "") return [Number(text)];
  if (text.startsWith(".")) return separators.length === 1 ? [Number(text)] : [];
  const last = separators.at(-1)!;
  if (kinds.size === 1 && grouped(parts)) values.push(Number(parts.join("")));
  if (/[.,·]/.test(last) && separators.length === 1) values.push(Number(parts.join(".")));
  const head = separators.slice(0, -1);
  if (
    /[.,·]/.test(last) &&
    head !== "" &&
    new Set(head).size === 1 &&
    head[0] !== last &&
    grouped(parts.slice(0, -1))
  ) {
    values.push(Number(`${parts.slice(0, -1).join("")}.${parts.at(-1)}`));
  }
  // 0.000 123 456: the fraction in groups of three, perhaps after a grouped whole.
  const spaced = /^(\d{1,3}(?: \d{3})*)[.,·](\d{3}(?: \d{1,3})+)$/.exec(text);
  if (spaced !== null)
    values.push(Number(`${spaced[1]!.replaceAll(" ", "")}.${spaced[2]!.replaceAll(" ", "")}`));
  return values;
}

interface Power {
  readonly end: number;
  readonly exponent: number;
  /** The run itself was the 10 of "10^24". */
  readonly pure: boolean;
  readonly power: number;
}

/** "e3", "× 10^3", "x10**3", "times ten to the 3", or "^24" behind a bare 10. */
function powerAt(plain: string, from: number, text: string): Power | undefined {
  if (text === "10") {
    const form = /(?:\^|\*\*| to the (?:power (?:of )?)?)\(?([+-]?\d{1,3})\)?(?!\d)/y;
    form.lastIndex = from;
    const exponent = form.exec(plain)?.[1];
    if (exponent !== undefined)
      return { end: form.lastIndex, exponent: 0, pure: true, power: Number(`1e${Number(exponent)}`) };
  }
  const form =
    /[eE]([+-]?\d{1,3})(?![\p{L}\d])| ?(?:×|x|X|\*|·|times) ?(?:10|ten) ?(?:\^|\*\*|to the (?:power (?:of )?)?) ?\(?([+-]?\d{1,3})\)?(?!\d)/uy;
  form.lastIndex = from;
  const match = form.exec(plain);
  if (match === null) return undefined;
  return { end: form.lastIndex, exponent: Number(match[1] ?? match[2]), pure: false, power: Number.NaN };
}

/** " million", " thousand million": at most three words. */
function scaleAt(plain: string, from: number): { factor: number; end: number } {
  let factor = 1;
  let end = from;
  for (let i = 0; i < 3; i++) {
    const form = /[ -](hundred|thousand|million|billion|trillion|quadrillion)s?\b/iy;
    form.lastIndex = end;
    const word = form.exec(plain)?.[1]?.toLowerCase();
    if (word === undefined) break;
    factor *= SCALES[word]!;
    end = form.lastIndex;
  }
  return { factor, end };
}

const SMALL = new Map(
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
    .split(" ")
    .map((w, i) => [w, i]),
);
const TENS = new Map(
  "twenty thirty forty fifty sixty seventy eighty ninety".split(" ").map((w, i) => [w, 20 + 10 * i]),
);

/** Numbers in words. */
function wordNumbers(plain: string): Numeral[] {
  const found: Numeral[] = [];
  const words = Array.from(plain.matchAll(/[A-Za-z]+/g), (m) => ({
    word: m[0].toLowerCase(),
    start: m.index,
    end: m.index + m[0].length,
  }));
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!.word;
    if (!SMALL.has(word) && !TENS.has(word)) continue;
    const taken = takeWords(plain, words, i);
    found.push(numeral(plain, words[i]!.start, words[taken.last]!.end, [taken.value], taken.digits, true));
    i = taken.last;
  }
  return found;
}

/** The longest number that starts at word `i`: cardinals with scales, then "point" and digits. */
function takeWords(
  plain: string,
  words: readonly { word: string; start: number; end: number }[],
  i: number,
): { value: number; last: number; digits: number } {
  let total = 0;
  let current = 0;
  let last = i;
  let step = Number.POSITIVE_INFINITY;
  for (
    let j = i;
    j < words.length && (j === i || plain.slice(words[j - 1]!.end, words[j]!.start).trim().length <= 1);
    j++
  ) {
    const { word } = words[j]!;
    const small = SMALL.get(word);
    const ten = TENS.get(word);
    if (
      small !== undefined &&
      (step === Number.POSITIVE_INFINITY || (step === 10 && small > 0 && small < 10) || step >= 100)
    ) {
      current += small;
      step = 1;
    } else if (ten !== undefined && step >= 100) {
      current += ten;
      step = 10;
    } else if (word === "hundred" && current > 0) {
      current *= 100;
      step = 100;
    } else if (SCALES[word] !== undefined && current > 0) {
      total += current * SCALES[word]!;
      current = 0;
      step = 1000;
    } else if (word === "and" && step >= 100 && step !== Number.POSITIVE_INFINITY) {
      continue;
    } else if (word === "point" && j + 1 < words.length && SMALL.has(words[j + 1]!.word)) {
      let fraction = "";
      let k = j + 1;
      while (k < words.length && (SMALL.get(words[k]!.word) ?? 10) < 10)
        fraction += SMALL.get(words[k++]!.word);
      if (fraction === "") break;
      const value = Number(`${total + current}.${fraction}`);
      const scale = scaleAt(plain, words[k - 1]!.end);
      while (k < words.length && words[k]!.end <= scale.end) k++;
      return {
        value: value * scale.factor,
        last: k - 1,
        digits: String(total + current).length + fraction.length,
      };
    } else break;
    last = j;
  }
  return { value: total + current, last, digits: 0 };
}

/** "between 5 and 10 au", "26, 27 or 28 K": a number without a unit shares that of the next one. */
function shareUnits(plain: string, numbers: readonly Numeral[]): Numeral[] {
  const shared = [...numbers];
  for (let i = shared.length - 2; i >= 0; i--) {
    const here = shared[i]!;
    if (here.units.length > 0 && !here.units.every((u) => u.doubtful)) continue;
    for (let j = i + 1; j < shared.length && j < i + 5; j++) {
      const next = shared[j]!;
      if (next.start < here.end) continue;
      if (next.start - here.end > 11) break;
      const joined = /^ ?(?:and|or|to|,|-|–|—|,? ?(?:and|or)) ?-?$/.test(plain.slice(here.end, next.start));
      if (joined && next.units.length > 0) shared[i] = { ...here, units: next.units };
    }
  }
  return shared;
}
