/**
 * One value said in several ways, or with something beside it: "m/V = 5.4/4.25 = 1.27", "1270 kg/m³ (1.27 g/cm³)", "3 or 4",
 * "density: 1.27 g/cm³", "1.27 g/cm³, assuming a sphere". What is stated as the value must agree in all of them.
 */
import type { Verdict } from "./answer.js";
import { compare, type Exact } from "./exact.js";
import { withoutLead } from "./phrases.js";
import { topLevel } from "./split.js";
import { right, undecided, wrong } from "./verdicts.js";

/** How a type reads and judges one statement. */
export interface Statement {
  readonly grade: (text: string) => Verdict;
  /** The number in front, whatever its unit; undefined where the text is not one value. */
  readonly value: (text: string) => Exact | undefined;
  /** Judges as {@link grade} would with another relative tolerance. */
  readonly within: (text: string, tolerance: number) => Verdict;
}

const MAX_TEXT = 600;
const MAX_DEPTH = 3;
const MAX_PARTS = 20;

/** Judges a text that states one value once or more often. */
export function gradeStatements(plain: string, by: Statement): Verdict {
  const verdict = judged(plain, by, 0);
  return verdict.read === plain ? verdict : { ...verdict, read: right("", "", plain).read };
}

function judged(text: string, by: Statement, depth: number): Verdict {
  const first = by.grade(text);
  if (first.reason !== "unreadable" || text.length > MAX_TEXT || depth > MAX_DEPTH) return first;
  if (isRange(text, by.value)) return wrong("range", "a range is not one value", text);
  for (const form of [concluded, noted, qualified, labelled, listed, chained]) {
    const verdict = form(text, by, depth + 1);
    if (verdict !== undefined) return verdict;
  }
  return first;
}

type Form = (text: string, by: Statement, depth: number) => Verdict | undefined;

/** "a = 1, b = 2, so a + b = 3": what follows from the rest. */
const concluded: Form = (text, by, depth) => {
  const end =
    /^.{1,500}(?: ?(?:⟹|⇒|→|->|=>) ?|[,;.] (?:so|thus|hence|therefore|giving|which gives|and so) )(.+)$/isu.exec(
      text,
    );
  return end === null ? undefined : judged(end[1]!, by, depth);
};

/** Notes that say how the value was found or what it compares to. */
const ASIDE =
  /^(?:using|assuming|with|based on|converted|taking|where|since|because|given|calculated|computed|derived|obtained|rounded|for)\b|\btimes\b|% (?:of|more|less|higher|lower)\b|\bcompared\b/i;
const AGAIN =
  /^(?:(?:or|i\.e\.|that is|equivalently|equal to|approximately|approx\.?|about|roughly|more precisely|to [\p{L}\d]{1,10} (?:significant (?:figures|digits)|s\.?f\.?|decimals?(?: places)?):?|[=≈~:])[, ]*){1,4}/iu;

/** "1270 kg/m³ (1.27 g/cm³)": a note in brackets that holds a value must agree. */
const noted: Form = (text, by, depth) => {
  const match = /^(.{1,300}?) [([]((?:[^()[\]]|\([^()]{0,60}\)){1,200})[)\]][.\s]*$/s.exec(text);
  if (match === null) return undefined;
  const [, main, note] = match as unknown as [string, string, string];
  if (!/[\d∞π]/.test(note) || ASIDE.test(note)) return judged(main, by, depth);
  return together([main, note.replace(AGAIN, "")], text, by, depth);
};

const CLAUSE =
  /^(.{1,300}?)(?:,? (?:assuming|using|based on|rounded (?:to|from)|calculated|computed|derived|obtained|where|given|taking) .{1,200}|, (?:dimensionless|unitless)| for (?:[^,;=.]|\.(?! )){1,80})$/isu;
const WHICH = /^(.{1,300}?),? which (?:is|equals|corresponds to|is equivalent to|converts to) (.{1,200})$/is;

/** "1.27 g/cm³, assuming a sphere", "1.27 g/cm³ for Uranus", "1.27 g/cm³, which equals 1270 kg/m³". */
const qualified: Form = (text, by, depth) => {
  const same = WHICH.exec(text);
  if (same !== null) {
    return /\d/.test(same[2]!)
      ? together([same[1]!, same[2]!.replace(AGAIN, "")], text, by, depth)
      : judged(same[1]!, by, depth);
  }
  const clause = CLAUSE.exec(text);
  if (clause === null || /\b(?:and|or|but|not|if)\b/i.test(text.slice(clause[1]!.length))) return undefined;
  return judged(clause[1]!, by, depth);
};

const OTHER_LABEL =
  /\b(?:not|never|no|wrong|incorrect|error|bound|limit|least|most|minimum|maximum|min|max|lower|upper|than|if|before|initial|first|naive|guess)\b/i;

/** "Uranus: 1.27 g/cm³": what the value is of, then the value. */
const labelled: Form = (text, by, depth) => {
  const label = /^([^,;:=≈]{1,80}?) ?: (?=\S)/.exec(text);
  if (label === null || !/\p{L}/u.test(label[1]!) || OTHER_LABEL.test(label[1]!)) return undefined;
  return by.value(label[1]!) === undefined ? judged(text.slice(label[0].length), by, depth) : undefined;
};

/** "1270 kg/m³ or 1.27 g/cm³", "3 or 4", "M = 5 kg, ρ = 2 kg/m³". */
const listed: Form = (text, by, depth) => {
  const marks = topLevel(text, ";,").filter((i) => text[i + 1] === " ");
  const pieces = [...marks, text.length].map((end, i) =>
    text.slice(i === 0 ? 0 : marks[i - 1]! + 1, end).trim(),
  );
  const parts = pieces
    .flatMap((p) => p.split(/ (?:or|and|oder|ou|i\.e\.|und|et) /i))
    .map((p) => p.replace(/^(?:or|and|i\.e\.,?|that is,?) /i, ""));
  return parts.length > 1 && parts.length <= MAX_PARTS ? together(parts, text, by, depth) : undefined;
};

const together = (
  parts: readonly string[],
  text: string,
  by: Statement,
  depth: number,
): Verdict | undefined => {
  const verdicts = parts.map((part) => judged(part, by, depth));
  if (verdicts.some((v) => v.verdict === "undecided")) return undefined;
  if (verdicts.every((v) => v.verdict === "right"))
    return right("equal", "all statements of the value agree", text);
  const names = parts.map((part) => /^([^=≈:]{1,60}?) ?[=≈:]/.exec(part)?.[1]);
  const apart = new Set(names).size === parts.length && !names.includes(undefined);
  if (apart && verdicts.some((v) => v.verdict === "right"))
    return undecided("several_values", "values of several things are stated", text);
  return wrong("several_answers", "several values are given, and not all are right", text);
};

/** Left sides may be formulas; the last side must be the value, and any other value must not contradict it. */
const chained: Form = (text, by, depth) => {
  const sides = text.split(/ ?[=≈≃≅∼] ?| ~ /);
  if (sides.length < 2 || sides.length > 12) return undefined;
  // ρ != 1.27 and ρ <= 1.27 say something else.
  if (sides.slice(0, -1).some((side) => /[!<>≠]$/.test(side))) return undefined;
  const last = judged(sides.at(-1)!, by, depth);
  if (last.verdict === "undecided") return undefined;
  const read = sides
    .slice(0, -1)
    .map(by.grade)
    .filter((v) => v.verdict !== "undecided");
  const found = read.length > 0 && read.every((v) => v.verdict === "right");
  if (found && last.reason === "wrong_value" && isRounding(sides.at(-1)!, by)) return read[0];
  const contradicted = read.some((v) => v.verdict !== last.verdict && v.reason !== "missing_unit");
  return contradicted ? wrong("several_answers", "values that differ are stated side by side", text) : last;
};

/** "√2 ≈ 1.41": whether a side is the right value to the digits that it has. */
function isRounding(side: string, by: Statement): boolean {
  const digits = /^\D{0,20}?0*([1-9]\d*)?(?:[.,]0*(\d*))?/.exec(side.replaceAll(" ", ""));
  const all = `${digits?.[1] ?? ""}${digits?.[2] ?? ""}`;
  if (all === "") return false;
  const half = Number(`5e-${all.length}`) / Number(`${all[0]}.${all.slice(1, 15)}`);
  return by.within(side, Math.min(half, 0.5)).verdict === "right";
}

/** "5 to 7", "5–7 kg", "between 5 and 7": both ends read as values. */
function isRange(plain: string, value: (text: string) => Exact | undefined): boolean {
  if (plain.length > 400) return false;
  const text = withoutLead(plain).replace(
    /^(?:between|from|in the range(?: of)?|zwischen|von|entre|de) /i,
    "",
  );
  for (const link of text.matchAll(/ (?:to|and|bis|und|à|et|a|y) | ?[–—-] ?| ?\.{2,3} ?|(?<=\d) ?~ ?/g)) {
    const between = / (?:and|und|et|y) /.test(link[0]);
    if (link.index === 0 || (between && text === withoutLead(plain))) continue;
    const low = value(text.slice(0, link.index));
    const high = low && value(text.slice(link.index + link[0].length));
    if (low === undefined || high === undefined) continue;
    // "1 - 1/4" is a difference that was not worked out.
    if (!/^ - $/.test(link[0]) || compare(low, high) < 0) return true;
  }
  return /^(?:<|>|≤|≥|at least|at most|more than|less than|over|under|up to|mindestens|höchstens)/i.test(
    text,
  );
}
