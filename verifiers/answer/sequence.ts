import { fold } from "../plain-text.js";
import type { Expected, Verdict } from "./answer.js";
import type { Notation } from "./language.js";
import { type Items, itemsOf, topLevel, unwrap } from "./split.js";
import { right, undecided, wrong } from "./verdicts.js";

/** Judges one item of a list. */
export type GradeItem = (text: string, expected: Expected) => Verdict;
type Sequence = Extract<Expected, { items: readonly Expected[] }>;

const MAX_ITEMS = 400;

/** Judges lists, tuples, vectors (in order) and sets (in any order, said twice or once). */
export function gradeSequence(
  raw: string,
  plain: string,
  expected: Sequence,
  notation: Notation,
  grade: GradeItem,
): Verdict {
  const set = expected.type === "set";
  if (/(?:\.{3}|…|\betc\.?)\W*$/.test(plain))
    return undecided("unreadable", "the list is not written out", plain);
  const components = expected.type === "vector" ? inUnitVectors(plain, expected.items.length) : undefined;
  const read =
    components === undefined
      ? readItems(raw, plain, expected.items.length, notation, set)
      : { items: components, ambiguous: false };
  if (read.items.length > MAX_ITEMS) return undecided("too_long", "there are too many items to judge", plain);
  const verdict = set
    ? gradeSet(read.items, expected.items, grade, plain)
    : inOrder(read.items, expected.items, grade, plain);
  return read.ambiguous && verdict.verdict === "right"
    ? undecided("ambiguous_number", "a comma may part items or be part of a number", plain)
    : verdict;
}

function readItems(raw: string, plain: string, count: number, notation: Notation, set: boolean): Items {
  const text = plain
    .replace(/^(?:[A-Za-z]\w{0,3}|\p{L}⃗|\([\p{L}\d_, ]{1,40}\)) ?[=∈:] ?/u, "")
    .replace(/[.;,\s]+$/, "");
  if (/^(?:∅|ø|(?:the )?empty set|emptyset|varnothing|none|\{ ?\}|❴ ?❵|\[ ?\]|\( ?\))$/i.test(text.trim()))
    return { items: [], ambiguous: false };
  const lines = linesOf(raw);
  if (lines !== undefined && count > 1) return { items: lines, ambiguous: false };
  const box = unwrap(text);
  const outer =
    box !== undefined && (count !== 1 || topLevel(box.inside, ",;").length > 0 || box.open !== "(");
  const items = outer
    ? itemsOf(box.inside, notation, count, true, set)
    : (arrowed(text, count, set) ?? itemsOf(text, notation, count, false, set));
  const shared = outer && box.behind !== "" ? items.items.map((i) => `${i} ${box.behind}`) : items.items;
  // A column or a row written as a matrix: [[1];[2]].
  const single = shared.length === 1 && count > 1 ? unwrap(shared[0]!) : undefined;
  const row = single === undefined ? shared : itemsOf(single.inside, notation, count, true, set).items;
  const flat = row.map((i) => (set ? i.replace(/^[A-Za-z]\w{0,3} ?= ?/, "") : i));
  return { ...items, items: set ? flat.flatMap(bothSigns) : flat };
}

/** "3i - 2j + k": the components of a vector by its unit vectors, each at most once. */
function inUnitVectors(plain: string, count: number): string[] | undefined {
  const text = plain.replace(/^[^=]{1,20}= ?/, "").replace(/[.\s]+$/, "");
  if (count < 2 || count > 3 || text.length > 200 || !/^[^ijkîĵ]*[iî](?!\p{L})|[jĵ](?!\p{L})/u.test(text))
    return undefined;
  const terms = text.split(/ ?(?=[+-] ?[^+-]*$|[+-] ?[^+-]*[ijkîĵ](?!\p{L}))/u).map((t) => t.trim());
  const components = new Array<string>(count).fill("0");
  const seen = new Set<number>();
  for (const term of terms) {
    const match = /^([+-]?) ?(.{0,40}?) ?[*·]? ?([iîjĵk])\u0302?$/u.exec(term);
    const at = match === null ? -1 : "ijk".indexOf(fold(match[3]!));
    if (at < 0 || at >= count || seen.has(at)) return undefined;
    seen.add(at);
    components[at] = `${match![1] === "-" ? "-" : ""}${match![2] === "" ? "1" : match![2]}`;
  }
  return components;
}

/** "Io < Europa < Titan", "1 → 2 → 5": an order in which one kind of mark parts the items. */
function arrowed(text: string, count: number, set: boolean): Items | undefined {
  if (set || count < 2 || topLevel(text, ";,").length > 0) return undefined;
  const marks = new Set(text.match(/→|->|⟹|[<>≤≥]/g) ?? []);
  if (marks.size !== 1) return undefined;
  const items = text.split([...marks][0]!).map((i) => i.trim());
  return items.length > 1 && !items.includes("") ? { items, ambiguous: false } : undefined;
}

/** x = ±2 are two solutions. */
function bothSigns(item: string): string[] {
  return /^±[^±]+$/.test(item) ? [item.slice(1).trim(), `-${item.slice(1).trim()}`] : [item];
}

/** Items on lines of their own, with or without bullets and numbers. */
function linesOf(raw: string): string[] | undefined {
  if (!/\n/.test(raw.trim()) || /[[({\\]/.test(raw)) return undefined;
  const lines = raw
    .split("\n")
    .map((l) => l.trim())
    .filter((l) => l !== "");
  const bulleted = lines.every((l) => /^(?:[-*•] |\d{1,3}[.)] )/.test(l));
  return lines.map((l) => (bulleted ? l.replace(/^(?:[-*•]|\d{1,3}[.)]) /, "") : l).replace(/[,;]$/, ""));
}

/** Items as strict as the list: a bracketed single such as "(3)" is unwrapped by the item's own reader. */
function inOrder(
  items: readonly string[],
  expected: readonly Expected[],
  grade: GradeItem,
  plain: string,
): Verdict {
  if (items.length !== expected.length)
    return wrong("wrong_count", `there are ${items.length} items where ${expected.length} are right`, plain);
  const verdicts = items.map((item, i) => unnested(item, expected[i]!, grade));
  const bad = verdicts.find((v) => v.verdict === "wrong");
  if (bad !== undefined) return wrong("wrong_item", `an item is wrong: ${bad.why}`, plain);
  const open = verdicts.find((v) => v.verdict === "undecided");
  if (open !== undefined) return undecided(open.reason, `an item cannot be judged: ${open.why}`, plain);
  return right("equal", "all items are right", plain);
}

/** An item, or the only entry of a row: [1] for 1. */
function unnested(item: string, expected: Expected, grade: GradeItem): Verdict {
  const box =
    "items" in expected || expected.type === "interval" || expected.type === "matrix"
      ? undefined
      : unwrap(item);
  return grade(box !== undefined && box.open === "[" && box.behind === "" ? box.inside : item, expected);
}

function gradeSet(
  items: readonly string[],
  expected: readonly Expected[],
  grade: GradeItem,
  plain: string,
): Verdict {
  const distinct = [...new Set(items)];
  const table = distinct.map((item) => expected.map((e) => grade(item, e)));
  const open = table.find(
    (row) => row.every((v) => v.verdict !== "right") && row.some((v) => v.verdict === "undecided"),
  );
  const strange = table.some((row) => row.every((v) => v.verdict === "wrong"));
  if (strange) return wrong("wrong_item", "an item does not belong to the set", plain);
  if (open !== undefined) {
    const why = open.find((v) => v.verdict === "undecided")!;
    return undecided(why.reason, `an item cannot be judged: ${why.why}`, plain);
  }
  return covered(
    table.map((row) => row.map((v) => v.verdict === "right")),
    expected.length,
  )
    ? right("equal", "the items are those of the set", plain)
    : wrong("wrong_count", "an item of the set is missing", plain);
}

/** Whether each expected item has an answer of its own (Kuhn's matching); answers may repeat one. */
function covered(fits: readonly (readonly boolean[])[], count: number): boolean {
  const owner = new Array<number>(fits.length).fill(-1);
  const place = (want: number, seen: Set<number>): boolean =>
    fits.some((row, i) => {
      if (!row[want] || seen.has(i)) return false;
      seen.add(i);
      if (owner[i]! >= 0 && !place(owner[i]!, seen)) return false;
      owner[i] = want;
      return true;
    });
  for (let want = 0; want < count; want++) if (!place(want, new Set())) return false;
  return true;
}
