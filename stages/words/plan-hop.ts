import { askCompared, type Comparison } from "./comparison.js";
import { capitalised, shortNoun } from "./english.js";
import { type Asked, about, doIt, one, pickOut, type Quantity, takeOne } from "./moods.js";
import type { PathWords, StepWords } from "./path-words.js";
import type { Plan } from "./plans.js";
import type { Selection } from "./selection.js";
import type { Voice } from "./voice.js";

/** Questions that go on from the selected entity to others. */
export function overPath(plan: Plan, s: Selection, q: Quantity, path: PathWords, voice: Voice): Asked {
  const [step, ...more] = path.steps;
  if (more.length === 0)
    return path.mixed ? both(plan, s, q, step!, voice) : across(plan, s, q, step!, voice);
  const end = path.mixed ? owned(q, s) : undefined;
  return one(`${walk(plan, s, path.steps, voice)} ${asked(plan, q, lastOf(s, path.steps), end, voice)}`);
}

/** The figures of both ends of a path are compared, or what lies between them is asked for. */
export function comparedOverPath(
  plan: Plan,
  s: Selection,
  c: Comparison,
  { steps }: PathWords,
  voice: Voice,
): Asked {
  const imperative = plan === "find" || plan === "calculate" ? doIt(voice) : undefined;
  const end = lastOf(s, steps);
  const pair = end.startsWith("the latter")
    ? { one: steps.length === 1 ? "the former" : `the first ${shortNoun(s.noun)}`, two: end }
    : { one: `this ${shortNoun(s.noun)}`, two: end };
  const start = steps.length === 1 ? oneStep(plan, s, steps[0]!, voice) : walk(plan, s, steps, voice);
  return one(`${start} ${askCompared(c, pair, imperative, voice)}`);
}

/** "Take the lowest airport, and the highest airport in the same country as it." */
function oneStep(plan: Plan, s: Selection, step: StepWords, voice: Voice): string {
  const start = plan === "find" || plan === "calculate" ? pickOut(s, voice) : takeOne(s, voice);
  return `${start}${voice.pick("step", [". Next, take", ", and then", ", together with"])} ${step.to(`this ${shortNoun(s.noun)}`)}.`;
}

/** So many words of a step do not stand around the description of the entity that it starts from. */
const SHORT = 10;

/** The quantity belongs to the entity one step away. */
function across(plan: Plan, s: Selection, q: Quantity, step: StepWords, voice: Voice): Asked {
  const beyond = step.to(`this ${shortNoun(s.noun)}`);
  const short =
    s.whole !== undefined &&
    s.clauses === 0 &&
    s.verb.startsWith("is ") &&
    step.to("it").split(" ").length < SHORT;
  switch (plan) {
    case "question_first":
    case "calculate": {
      const verb = plan === "calculate" ? doIt(voice) : "what is";
      if (short) return one(about(step.to(s.whole!), verb, q));
      return one(`${takeOne(s, voice)}. ${about(beyond, verb, q)}`);
    }
    case "of_which": {
      if (q.of === undefined) return one(`${takeOne(s, voice)}. ${about(beyond, "what is", q)}`);
      const from = voice.pick("from", ["Of", "Among"]);
      return {
        text: `${from} ${s.set}, which one ${s.verb}, and what is ${q.of} of ${step.to("it")}${q.definition}?`,
        twoQuestions: true,
      };
    }
    case "consider":
    case "among":
      return one(
        `${takeOne(s, voice)}, and then ${step.to("it")}. ${about(lastOf(s, [step]), "what is", q)}`,
      );
    case "find":
      if (q.of === undefined) return one(`${pickOut(s, voice)}. ${about(beyond, doIt(voice), q)}`);
      return one(`${pickOut(s, voice)}, then ${doIt(voice)} ${q.of} of ${step.to("it")}${q.definition}.`);
    case "take":
      return one(`${takeOne(s, voice)}. ${about(beyond, "what is", q)}`);
  }
}

/** The quantity needs figures of both: it is asked of the selected entity, the other one being named in the question. */
function both(plan: Plan, s: Selection, q: Quantity, step: StepWords, voice: Voice): Asked {
  const imperative = plan === "find" || plan === "calculate";
  const start = imperative ? pickOut(s, voice) : takeOne(s, voice);
  return one(
    `${start}${s.clauses > 0 ? ", together with" : " and"} ${step.to("it")}. ${asked(plan, q, "", owned(q, s), voice)}`,
  );
}

/** "the moon’s orbital speed, neglecting its own mass" */
function owned(q: Quantity, s: Selection): string {
  return `${q.its.replace(/\bits\b/, `the ${shortNoun(s.noun)}’s`)}${q.definition}`;
}

function asked(plan: Plan, q: Quantity, end: string, owned: string | undefined, voice: Voice): string {
  const imperative = plan === "find" || plan === "calculate";
  if (owned === undefined) return about(end, imperative ? doIt(voice) : "what is", q);
  return imperative ? `${capitalised(doIt(voice))} ${owned}.` : `What is ${owned}?`;
}

/** Step by step, as "the star that the planet that this moon orbits belongs to" would be read twice. */
export function walk(plan: Plan, s: Selection, steps: readonly StepWords[], voice: Voice): string {
  const start = plan === "find" || plan === "calculate" ? pickOut(s, voice) : takeOne(s, voice);
  const its = steps.map((_, i) =>
    i === 0 ? `this ${shortNoun(s.noun)}` : lastOf(s, steps.slice(0, i), "this"),
  );
  const places = steps.map((step, i) => step.to(its[i]!));
  const [first, ...rest] = places;
  const ways = [
    `${start}. Go on to ${first}, and from there to ${rest.join(", and from there to ")}.`,
    `${start}. Next, consider ${first}, and then ${rest.join(", and then ")}.`,
  ];
  if (s.clauses === 0)
    ways.push(`${start}, then ${steps[0]!.to("it")}, and then ${rest.join(", and then ")}.`);
  return voice.pick("walk", ways);
}

/** "that star", or "the latter planet" where another one has been spoken of on the way. */
function lastOf(s: Selection, steps: readonly StepWords[], word: "that" | "this" = "that"): string {
  const { noun } = steps.at(-1)!;
  const spoken = [s.noun, ...steps.slice(0, -1).map((step) => step.noun)];
  if (spoken.includes(noun)) return `the latter ${shortNoun(noun)}`;
  return `${word} ${shortNoun(noun)}`;
}
