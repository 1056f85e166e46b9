import { capitalised } from "./english.js";
import type { Selection } from "./selection.js";
import type { Voice } from "./voice.js";

/** Sentence plans: what comes first, and in which mood. */
export const PLANS = [
  "question_first",
  "among",
  "of_which",
  "consider",
  "find",
  "take",
  "calculate",
] as const;
export type Plan = (typeof PLANS)[number];

/** The computed quantity in words. */
export interface Quantity {
  /** With a pronoun: "its bulk density", "the radius of its Hill sphere". */
  readonly its: string;
  /** "the bulk density", where " of the planet" may follow. */
  readonly of: string | undefined;
  /** ", taking the body as a sphere of its mean radius", or "". */
  readonly definition: string;
}

/** A hop: how to speak of the entity that another one leads to. */
export interface Hop {
  /** "the planet that {it} orbits" for a given "it". */
  readonly to: (it: string) => string;
  /** Whether the quantity belongs to both entities, and so is asked of the selected one. */
  readonly mixed: boolean;
  /** "planet" */
  readonly noun: string;
}

/** What a plan makes: the sentence or two that ask, and whether they ask for the entity too. */
export interface Asked {
  readonly text: string;
  readonly twoQuestions: boolean;
}

/** Plans that read well for a selection: a long noun phrase is not squeezed into the middle of a question. */
function suitable(plans: readonly Plan[], selection: Selection): readonly Plan[] {
  const fits = plans.filter((p) =>
    selection.whole === undefined ? p !== "question_first" && p !== "calculate" : true,
  );
  return fits.length > 0 ? fits : ["consider", "find"];
}

export function ask(
  selection: Selection,
  quantity: Quantity,
  hop: Hop | undefined,
  plans: readonly Plan[],
  voice: Voice,
): Asked {
  const plan = voice.named("plan", suitable(plans, selection));
  if (hop === undefined) return direct(plan, selection, quantity, voice);
  return hop.mixed
    ? both(plan, selection, quantity, hop, voice)
    : across(plan, selection, quantity, hop, voice);
}

const what = (voice: Voice, thing: string): string =>
  voice.pick("what", [`what is ${thing}`, `what is ${thing}`, `find ${thing}`]);
/** "calculate", "compute" ... */
const doIt = (voice: Voice): string => voice.pick("verb", ["calculate", "compute", "determine", "work out"]);
const seek = (voice: Voice): string => voice.pick("seek", ["find", "identify", "pick out"]);

/** A question ends with its mark; an order with a full stop. */
function closed(sentence: string): string {
  return `${capitalised(sentence)}${/^(?:what|which|of .*\bwh|among .*\bwh)/i.test(sentence) ? "?" : "."}`;
}

/** "what is the bulk density of X", "for X, what is its orbital speed at perihelion". */
function about(thing: string, verb: string, q: Quantity): string {
  const said = q.of === undefined ? `for ${thing}, ${verb} ${q.its}` : `${verb} ${q.of} of ${thing}`;
  return capitalised(`${said}${q.definition}${verb === "what is" ? "?" : "."}`);
}

function direct(plan: Plan, s: Selection, q: Quantity, voice: Voice): Asked {
  const its = `${q.its}${q.definition}`;
  const chosen = s.whole ?? s.one;
  switch (plan) {
    case "question_first":
      return one(about(chosen, "what is", q));
    case "among":
      if (q.of === undefined)
        return one(
          `${voice.pick("from", ["Among", "Of"])} ${s.set}, ${seek(voice)} ${s.one}. What is ${its}?`,
        );
      return one(`Among ${s.set}, what is ${q.of} of ${s.one}${q.definition}?`);
    case "of_which": {
      const from = voice.pick("from", ["Of", "Among"]);
      return { text: `${from} ${s.set}, which one ${s.verb}, and what is ${its}?`, twoQuestions: true };
    }
    case "consider":
      return one(`Consider ${s.set}. ${about(s.ofThem, "what is", q)}`);
    case "find":
      return one(
        `${pickOut(s, voice)}${s.whole !== undefined && s.clauses > 0 ? "," : ""} and ${doIt(voice)} ${its}.`,
      );
    case "take":
      return one(`${takeOne(s, voice)}. ${closed(what(voice, its))}`);
    case "calculate":
      return one(about(chosen, doIt(voice), q));
  }
}

const one = (text: string): Asked => ({ text, twoQuestions: false });

/** "Find the least massive planet that ..." or "Among the planets that ..., find the one with the smallest mass". */
function pickOut(s: Selection, voice: Voice): string {
  const verb = seek(voice);
  if (s.whole !== undefined) return `${capitalised(verb)} ${s.whole}`;
  return `${voice.pick("from", ["Among", "Of"])} ${s.set}, ${verb} ${s.one}`;
}

function takeOne(s: Selection, voice: Voice): string {
  if (s.whole !== undefined) return `${voice.pick("take", ["Take", "Consider"])} ${s.whole}`;
  return `${voice.pick("from", ["Of", "From"])} ${s.set}, take ${s.one}`;
}

/** The quantity belongs to the entity at the far end of the hop. */
function across(plan: Plan, s: Selection, q: Quantity, hop: Hop, voice: Voice): Asked {
  const beyond = hop.to(`this ${s.noun}`);
  const short = s.whole !== undefined && s.clauses === 0 && s.verb.startsWith("is ");
  switch (plan) {
    case "question_first":
    case "calculate": {
      const verb = plan === "calculate" ? doIt(voice) : "what is";
      if (short) return one(about(hop.to(s.whole!), verb, q));
      return one(`${takeOne(s, voice)}. ${about(beyond, verb, q)}`);
    }
    case "of_which": {
      if (q.of === undefined) return one(`${takeOne(s, voice)}. ${about(beyond, "what is", q)}`);
      const from = voice.pick("from", ["Of", "Among"]);
      return {
        text: `${from} ${s.set}, which one ${s.verb}, and what is ${q.of} of ${hop.to("it")}${q.definition}?`,
        twoQuestions: true,
      };
    }
    case "consider":
    case "among":
      return one(`${takeOne(s, voice)}, and then ${hop.to("it")}. ${about(thatOne(s, hop), "what is", q)}`);
    case "find":
      if (q.of === undefined) return one(`${pickOut(s, voice)}. ${about(beyond, doIt(voice), q)}`);
      return one(`${pickOut(s, voice)}, then ${doIt(voice)} ${q.of} of ${hop.to("it")}${q.definition}.`);
    case "take":
      return one(`${takeOne(s, voice)}. ${about(beyond, "what is", q)}`);
  }
}

/** "that planet"; where both are of one kind, "the latter". */
function thatOne(s: Selection, hop: Hop): string {
  return hop.noun === s.noun ? `the latter ${hop.noun}` : `that ${hop.noun}`;
}

/** The quantity needs figures of both: it is asked of the selected entity, the other one being named in the question. */
function both(plan: Plan, s: Selection, q: Quantity, hop: Hop, voice: Voice): Asked {
  const owned = `${q.its.replace(/\bits\b/, `the ${s.noun}’s`)}${q.definition}`;
  const imperative = plan === "find" || plan === "calculate";
  const start = imperative ? pickOut(s, voice) : takeOne(s, voice);
  const end = imperative ? `${capitalised(doIt(voice))} ${owned}.` : `What is ${owned}?`;
  return one(`${start}${s.clauses > 0 ? ", together with" : " and"} ${hop.to("it")}. ${end}`);
}
