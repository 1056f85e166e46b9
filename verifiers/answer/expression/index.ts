import type { Expected, GradingContext, Verdict } from "../answer.js";
import { aligned, withoutConstant, withoutOwnConstant } from "./antiderivative.js";
import { cleaned } from "./clean.js";
import { type Comparison, compare } from "./compare.js";
import { type Equation, readEquation } from "./equation.js";
import { separatorsOf } from "./number.js";
import { type ParseOptions, parse } from "./parse.js";
import { Points } from "./points.js";
import { type Choice, combinations, Reading } from "./reading.js";
import { Refusal } from "./refusal.js";
import { bare, type Node, variablesOf } from "./tree.js";
import { canonicalName } from "./variables.js";

type ExpectedExpression = Extract<Expected, { type: "expression" }>;
type Range = readonly [low: number, high: number];

/** The longest answer that is looked at, in UTF-16 units. */
const LONGEST = 10_000;
/** Sides of `y = a = b` that are looked at: each costs as much as an answer of its own. */
const SIDES = 4;
/** The longest excerpt in a verdict. */
const SHOWN = 400;

/**
 * Grades an expression, LaTeX or plain text, that should equal another up to algebra. Pure and total: never throws, in time linear
 * in the texts. What cannot be read, or be told at the points that can be compared, is `undecided`.
 * Reasons: `equal`; `wrong_value`, `different_domain`, `undefined`, `missing_constant`; `unreadable`, `unreadable_reference`,
 * `ambiguous`, `several_answers`, `different_label`, `different_domain`, `out_of_reach`, `too_long`, `no_answer`.
 * @param context its language says what `,` and `.` mean in numbers
 */
export function gradeExpression(
  answer: string,
  expected: ExpectedExpression,
  context: GradingContext = {},
): Verdict {
  if (answer.trim() === "") return undecided("no_answer", "it is empty");
  if (answer.length > LONGEST) return undecided("too_long", `it has more than ${LONGEST} characters`);
  const domain = domainOf(expected.domain);
  if (domain === undefined)
    return undecided("unreadable_reference", "the domain of the expected expression is no range");
  const reference = attempt(() => sides(expected.text, domain));
  if (reference instanceof Refusal) return unreadableReference(reference);
  if (reference.values.length !== 1)
    return undecided("unreadable_reference", "the expected expression has several values");
  const given = attempt(() => sides(answer, domain));
  if (given instanceof Refusal) return unreadable(given);
  if (reference.label !== undefined && given.label !== undefined && reference.label !== given.label) {
    return undecided(
      "different_label",
      `it names ${given.label}, the expected expression ${reference.label}`,
    );
  }
  const grader = new Grader(domain, context);
  if (given.values.length > SIDES) return undecided("too_long", `it has more than ${SIDES} sides`);
  return together(given.values.map((value) => grader.grade(value, reference.values[0]!)));
}

class Grader {
  constructor(
    private readonly domain: ReadonlyMap<string, Range>,
    private readonly context: GradingContext,
  ) {}

  /** Reads both texts in every way in which they can be read; the verdicts must be the same. */
  grade(answer: string, reference: string): Verdict {
    const asked = new Set<Choice>();
    const first = this.gradeOnce(answer, reference, new Reading(), asked);
    if (asked.size === 0) return first;
    const verdicts = combinations(asked).map((c) =>
      this.gradeOnce(answer, reference, new Reading(c), new Set()),
    );
    const readable = verdicts.filter(({ reason }) => !reason.startsWith("unreadable"));
    if (readable.length === 0) return first;
    const odd = readable.find((v) => v.verdict !== readable[0]!.verdict);
    if (odd === undefined) return readable[0]!;
    return {
      ...undecided(
        "ambiguous",
        `it can be read in several ways (${[...asked].sort().join(", ")}), not all of them equal`,
      ),
      read: readable[0]!.read,
    };
  }

  private gradeOnce(answer: string, reference: string, reading: Reading, asked: Set<Choice>): Verdict {
    const named = new Set(this.domain.keys());
    // The reference is written by the project in plain notation, whatever the question's language.
    const expected = attempt(() => parse(reference, { reading, separators: separatorsOf(), named }));
    const options: ParseOptions = { reading, separators: separatorsOf(this.context.language), named };
    const given = attempt(() => parse(answer, options));
    for (const choice of reading.asked) asked.add(choice);
    if (expected instanceof Refusal) return unreadableReference(expected);
    if (given instanceof Refusal) return unreadable(given);
    return { ...this.decide(expected, given, `${reference}\n${answer}`), read: bare(given).slice(0, SHOWN) };
  }

  private decide(expected: Node, answer: Node, seed: string): Comparison {
    const core = withoutConstant(expected, (name) => this.domain.has(name));
    if (core === undefined) return this.compared(expected, answer, seed);
    const own = withoutOwnConstant(answer, new Set(variablesOf(core)));
    if (own === undefined) {
      return { verdict: "wrong", reason: "missing_constant", why: "it lacks the constant of integration" };
    }
    const moved = aligned(core, own, new Points([core, own], this.domain, seed));
    return moved === undefined
      ? { verdict: "undecided", reason: "out_of_reach", why: "no point is left at which both are real" }
      : this.compared(core, moved, seed);
  }

  private compared(expected: Node, answer: Node, seed: string): Comparison {
    const declared = [expected, answer].flatMap(variablesOf).every((name) => this.domain.has(name));
    return compare(expected, answer, new Points([expected, answer], this.domain, seed), declared);
  }
}

function sides(text: string, domain: ReadonlyMap<string, Range>): Equation {
  return readEquation(cleaned(text), new Set(domain.keys()));
}

/** One verdict for the sides of `y = a = b`. */
function together(verdicts: readonly Verdict[]): Verdict {
  const last = verdicts.at(-1)!;
  if (verdicts.every((v) => v.verdict === last.verdict)) return last;
  return { ...undecided("several_answers", "its sides are not equal to one another"), read: last.read };
}

/** Ranges by the names that the parser gives to variables; undefined if one is no range. */
function domainOf(domain: ExpectedExpression["domain"] = {}): Map<string, Range> | undefined {
  const ranges = Object.entries(domain).map(([name, range]) => [canonicalName(name), range] as const);
  const sound = ranges.every(
    ([, [low, high]]) => Number.isFinite(low) && Number.isFinite(high) && low <= high,
  );
  return sound ? new Map(ranges) : undefined;
}

function attempt<T>(read: () => T): T | Refusal {
  try {
    return read();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

function undecided(reason: string, why: string): Verdict {
  return { verdict: "undecided", reason, why, read: null };
}

function unreadable({ why, at }: Refusal): Verdict {
  return undecided("unreadable", `it cannot be read: ${why} (character ${at + 1})`);
}

function unreadableReference({ why, at }: Refusal): Verdict {
  return undecided(
    "unreadable_reference",
    `the expected expression cannot be read: ${why} (character ${at + 1})`,
  );
}
