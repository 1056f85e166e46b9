/** Which steps of a hidden chain an agent's findings verify. `docs/reward.md` has the rules with their reasons. */
import type { Expected } from "../answer/answer.js";
import { gradeAnswer } from "../answer/grade.js";
import { plainAnswer } from "../answer/latex.js";
import { fold } from "../plain-text.js";
import { parseUnit, type Unit, UnitError } from "../units.js";
import { type Finding, quantityIn, readFinding, type Value } from "./findings.js";
import { alike, type Given, givenIn, matches } from "./given.js";
import type { GroundTruth, Score, Target } from "./reward.js";

/** Relative tolerance of a step that states none. */
const TOLERANCE = 0.01;
/** Significant digits below which a figure is guessed too easily. */
const MIN_DIGITS = 2;

/** Why a step earns nothing by nature: it counts neither for nor against, and no other step waits for it. */
type LeftOut = "given" | "few_digits" | "answer" | "unreadable";

interface Step {
  readonly target: Target;
  readonly out: LeftOut | undefined;
  /** Of a step that is a quantity. */
  readonly value: Value | undefined;
}

interface Chain {
  readonly steps: readonly Step[];
  readonly given: Given;
  readonly answer: Value | undefined;
}

/** A claim that a finding makes: steps that it meets (none for a wrong one), or what else it says. */
type Claim = { readonly finding: Finding; readonly meets: readonly Step[] };

/**
 * P and the verdict on each step.
 * @param findings undefined if there were too many
 * @param submitted the final answer as extracted: a finding that only says it again is no candidate for a step
 */
export function verifySteps(
  findings: readonly Finding[] | undefined,
  truth: GroundTruth,
  submitted: string | null,
): Pick<Score, "progress" | "steps"> {
  const chain = chainOf(truth);
  if (chain.steps.length === 0) return { progress: 0, steps: [] };
  const found = foundSteps(findings, chain, submitted, truth.language);
  const steps = chain.steps.map((step) => verdictOn(step, chain.steps, found));
  const counted = chain.steps.filter((s) => s.out === undefined).length;
  const verified = steps.filter((s) => s.verified).length;
  return { progress: counted === 0 ? 0 : verified / counted, steps };
}

/** Texts and truths are met again and again: a group's samples share one. */
const chains = new WeakMap<GroundTruth, Chain>();

function chainOf(truth: GroundTruth): Chain {
  const known = chains.get(truth);
  if (known !== undefined) return known;
  const given = givenIn(truth.question, truth.language);
  const answer = answerOf(truth.answer);
  const targets = truth.chain.filter((t) => t.kind !== "answer");
  const steps = targets.map((target) => stepOf(target, given, answer, truth.language));
  const chain = { steps, given, answer };
  chains.set(truth, chain);
  return chain;
}

function answerOf(answer: Expected): Value | undefined {
  if (answer.type !== "quantity") return undefined;
  const unit = unitOf(answer.unit);
  const value = Number(answer.value);
  return unit === undefined || !Number.isFinite(value) ? undefined : { value, unit };
}

function stepOf(target: Target, given: Given, answer: Value | undefined, language: string): Step {
  if (target.kind === "entity") return { target, out: nameOut(target, given, language), value: undefined };
  const unit = unitOf(target.unit ?? "1");
  if (target.value === null || !Number.isFinite(target.value) || unit === undefined)
    return { target, out: "unreadable", value: undefined };
  const value = { value: target.value, unit };
  return { target, out: valueOut(value, toleranceOf(target), given, answer), value };
}

const namesOf = ({ text, aliases = [] }: Target): readonly string[] => [text, ...aliases];

/** A name that reads as a number ("97", "3C 273") cannot be told from a value. */
function nameOut(target: Target, given: Given, language: string): LeftOut | undefined {
  if (namesOf(target).some(given.says)) return "given";
  return namesOf(target).some((name) => readFinding(name, language)?.kind === "name")
    ? undefined
    : "unreadable";
}

function valueOut(
  value: Value,
  tolerance: number,
  given: Given,
  answer: Value | undefined,
): LeftOut | undefined {
  if (significant(value.value) < MIN_DIGITS) return "few_digits";
  if (given.values.some((v) => matches(v, value, tolerance))) return "given";
  return answer !== undefined && matches(answer, value, tolerance) ? "answer" : undefined;
}

/** Digits that say something: 2000 and 5e24 have one. */
function significant(value: number): number {
  return String(value)
    .replace(/e.*$/, "")
    .replace(/\D/g, "")
    .replace(/^0+|0+$/g, "").length;
}

const toleranceOf = ({ tolerance }: Target): number => tolerance ?? TOLERANCE;

function unitOf(text: string): Unit | undefined {
  try {
    return parseUnit(text);
  } catch (error) {
    if (error instanceof UnitError) return undefined;
    throw error;
  }
}

type Found = ReadonlyMap<Step, "met" | "several_candidates"> | "too_many_findings";

/** Steps that findings meet, unless more candidates were named for them than there are steps of their kind. */
function foundSteps(
  findings: readonly Finding[] | undefined,
  chain: Chain,
  submitted: string | null,
  language: string,
): Found {
  if (findings === undefined) return "too_many_findings";
  const own = submitted === null ? undefined : quantityIn(plainAnswer(submitted), language);
  const said = own === "unclear" ? undefined : own;
  const claims = findings.flatMap((finding) => claimOf(finding, chain, said) ?? []);
  const open = chain.steps.filter((s) => s.out === undefined);
  const found = new Map<Step, "met" | "several_candidates">();
  for (const step of open) {
    const peers = open.filter((s) => isPeer(s, step));
    const rivals = claims.filter((c) => isAbout(c.finding, step));
    if (!rivals.some((c) => c.meets.includes(step))) continue;
    found.set(step, candidates(rivals) > peers.length ? "several_candidates" : "met");
  }
  return found;
}

const isPeer = (a: Step, b: Step): boolean =>
  a.value === undefined || b.value === undefined ? a.value === b.value : alike(a.value.unit, b.value.unit);

const isAbout = (finding: Finding, step: Step): boolean =>
  finding.kind === "name"
    ? step.value === undefined
    : step.value !== undefined && alike(finding.unit, step.value.unit);

/** What a finding claims, or undefined for what is no candidate: the question's own, the answer, one digit, what is left out. */
function claimOf(finding: Finding, chain: Chain, submitted: Value | undefined): Claim | undefined {
  const meets = chain.steps.filter((step) => meetsStep(finding, step));
  if (meets.some((s) => s.out !== undefined)) return undefined;
  if (finding.kind === "name") return chain.given.says(finding.text) ? undefined : { finding, meets };
  if (finding.digits < MIN_DIGITS || chain.given.values.some((v) => matches(finding, v))) return undefined;
  const answers = [chain.answer, submitted].filter((v) => v !== undefined);
  return answers.some((v) => matches(finding, v)) ? undefined : { finding, meets };
}

function meetsStep(finding: Finding, { target, value }: Step): boolean {
  if (finding.kind === "value") return value !== undefined && matches(finding, value, toleranceOf(target));
  if (value !== undefined || target.kind !== "entity" || mixesScripts(finding.text)) return false;
  const expected = { type: "entity", name: target.text, aliases: target.aliases ?? [] } as const;
  return gradeAnswer(finding.text, expected).verdict === "right";
}

/** A word of Latin letters and of look-alikes from another script: no spelling of anything. */
const mixesScripts = (text: string): boolean =>
  (text.match(/[\p{L}\p{M}]+/gu) ?? []).some(
    (word) => /[A-Za-z\u00c0-\u024f]/.test(word) && /[\u0370-\u052f\u1f00-\u1fff]/.test(word),
  );

/** How many different things the claims say; what meets the same steps is one, and so are equal values or spellings. */
function candidates(claims: readonly Claim[]): number {
  const met = new Set<string>();
  const others: Finding[] = [];
  for (const { finding, meets } of claims) {
    if (meets.length > 0) met.add(JSON.stringify(meets.map((s) => s.target.id)));
    else if (!others.some((o) => saysSame(o, finding))) others.push(finding);
  }
  return met.size + others.length;
}

function saysSame(a: Finding, b: Finding): boolean {
  if (a.kind === "value") return b.kind === "value" && matches(b, a);
  return b.kind === "name" && spelling(a.text) === spelling(b.text);
}

const spelling = (name: string): string => fold(plainAnswer(name)).replace(/[^\p{L}\p{N}]+/gu, "");

type Verdict = Score["steps"][number];

function verdictOn(step: Step, all: readonly Step[], found: Found): Verdict {
  const { id } = step.target;
  if (step.out !== undefined) return { id, verified: false, why: step.out };
  if (found === "too_many_findings") return { id, verified: false, why: found };
  const own = found.get(step);
  if (own !== "met") return { id, verified: false, why: own ?? "not_said" };
  const stands = rests(step, all, found, new Set());
  return { id, verified: stands, why: stands ? "verified" : "ancestor" };
}

/** Whether a step's ancestors were all found; those that are left out were given, or cannot be asked for. */
function rests(
  step: Step,
  all: readonly Step[],
  found: ReadonlyMap<Step, string>,
  seen: Set<string>,
): boolean {
  if (seen.has(step.target.id)) return true;
  seen.add(step.target.id);
  return step.target.depends_on.every((id) => {
    const before = all.find((s) => s.target.id === id);
    if (before === undefined) return false;
    return (before.out !== undefined || found.get(before) === "met") && rests(before, all, found, seen);
  });
}
