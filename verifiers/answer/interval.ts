import type { Expected, Verdict } from "./answer.js";
import type { Notation } from "./language.js";
import type { GradeItem } from "./sequence.js";
import { cut, itemsOf, topLevel } from "./split.js";
import { right, undecided, wrong } from "./verdicts.js";

type Interval = Extract<Expected, { type: "interval" }>;

interface Reading {
  /** Null for no bound on that side. */
  readonly low: string | null;
  readonly high: string | null;
  readonly closed: readonly [boolean, boolean];
  readonly ambiguous: boolean;
}

const INFINITE = /^([+-]?) ?(?:∞|infinity|inf|infty|oo)$/i;

/** Judges an interval: [1, 2), ]1; 2[, 1 < x ≤ 2, x ≥ 3, (-∞, 3]. Whether an end belongs to it counts as much as where it is. */
export function gradeInterval(
  plain: string,
  expected: Interval,
  notation: Notation,
  grade: GradeItem,
): Verdict {
  const read = readInterval(plain.replace(/[.;,\s]+$/, ""), notation);
  if (read === undefined) return undecided("unreadable", "the answer cannot be read as an interval", plain);
  const ends = [
    gradeEnd(read.low, expected.low, read.closed[0], expected.closed[0], grade),
    gradeEnd(read.high, expected.high, read.closed[1], expected.closed[1], grade),
  ];
  const bad = ends.find((v) => v.verdict === "wrong");
  if (bad !== undefined) return wrong(bad.reason, bad.why, plain);
  const open = ends.find((v) => v.verdict === "undecided");
  if (open !== undefined) return undecided(open.reason, open.why, plain);
  if (read.ambiguous)
    return undecided("ambiguous_number", "a comma may part the ends or be part of a number", plain);
  return right("equal", "it is the same interval", plain);
}

function gradeEnd(
  text: string | null,
  expected: Expected | null,
  closed: boolean,
  asked: boolean,
  grade: GradeItem,
): Verdict {
  if (expected === null) {
    if (text !== null) return wrong("wrong_end", "there is an end where the right interval has none");
    return closed
      ? wrong("wrong_closure", "infinity does not belong to an interval")
      : right("equal", "no end");
  }
  if (text === null) return wrong("wrong_end", "an end is missing");
  const verdict = grade(text, expected);
  if (verdict.verdict !== "right")
    return { ...verdict, reason: verdict.verdict === "wrong" ? "wrong_end" : verdict.reason };
  return closed === asked
    ? verdict
    : wrong("wrong_closure", "whether an end belongs to the interval is wrong");
}

function readInterval(plain: string, notation: Notation): Reading | undefined {
  if (plain.length > 2000) return undefined;
  const text = plain
    .replace(/<=|=</g, "≤")
    .replace(/>=|=>/g, "≥")
    .replace(/^[A-Za-z] ?(?:∈|=|in) ?/, "");
  return bracketed(text, notation) ?? inequality(text);
}

function bracketed(text: string, notation: Notation): Reading | undefined {
  const match = /^([([\]])(.*)([)\][])\s?([^()[\]]{0,40})$/su.exec(text);
  if (match === null) return undefined;
  const [, open, inside, close, unit] = match as unknown as [string, string, string, string, string];
  const { items, ambiguous } = itemsOf(inside, notation, 2, true, false);
  const dots =
    items.length === 2
      ? items
      : cut(inside.replace(/\.{2,3}/, ";"), topLevel(inside.replace(/\.{2,3}/, ";"), ";"));
  if (dots.length !== 2) return undefined;
  const [low, high] = dots.map((end) => (unit === "" || INFINITE.test(end) ? end : `${end} ${unit}`)) as [
    string,
    string,
  ];
  return ended(low, high, [open === "[", close === "]"], ambiguous);
}

function ended(
  low: string,
  high: string,
  closed: readonly [boolean, boolean],
  ambiguous: boolean,
): Reading | undefined {
  const [l, h] = [INFINITE.exec(low), INFINITE.exec(high)];
  // An interval from +∞, or to -∞, is none.
  if ((l !== null && l[1] !== "-") || (h !== null && h[1] === "-")) return undefined;
  return { low: l === null ? low : null, high: h === null ? high : null, closed, ambiguous };
}

function inequality(text: string): Reading | undefined {
  const parts = text.split(/\s?([<>≤≥])\s?/);
  const isName = (s: string | undefined) => s !== undefined && /^[A-Za-zα-ω](?:_?\w{1,4})?$/.test(s);
  if (parts.length === 5 && isName(parts[2])) {
    const [a, first, , second, b] = parts as [string, string, string, string, string];
    const up = /[<≤]/.test(first);
    if (up !== /[<≤]/.test(second)) return undefined;
    const closed = [/[≤≥]/.test(first), /[≤≥]/.test(second)] as const;
    return up ? ended(a, b, closed, false) : ended(b, a, [closed[1], closed[0]], false);
  }
  if (parts.length !== 3) return undefined;
  const [left, sign, value] = isName(parts[0]) ? parts : [parts[2], mirrored(parts[1]!), parts[0]];
  if (!isName(left) || value === undefined) return undefined;
  const closed = /[≤≥]/.test(sign!);
  return /[<≤]/.test(sign!)
    ? ended("-∞", value, [false, closed], false)
    : ended(value, "∞", [closed, false], false);
}

const mirrored = (sign: string): string => ({ "<": ">", ">": "<", "≤": "≥", "≥": "≤" })[sign]!;
