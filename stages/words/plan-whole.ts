import { capitalised, shortNoun } from "./english.js";
import { type Asked, doIt, one, seek } from "./moods.js";
import type { Plan } from "./plans.js";
import type { Selection } from "./selection.js";
import type { Voice } from "./voice.js";

/** One entity against all candidates, itself among them. */
export interface AgainstAll {
  readonly kind: "share" | "times_mean";
  /** "mass" */
  readonly noun: string;
  /** "total mass", "mean mass" */
  readonly whole: string;
  readonly percent: boolean;
  /** "planets" */
  readonly plural: string;
}

/** The candidates are always named first, so that "all these planets" has something to point at. */
export function againstAll(plan: Plan, s: Selection, q: AgainstAll, voice: Voice): Asked {
  const it = voice.pick("it", [`this ${shortNoun(s.noun)}`, "it"]);
  const all = allOf(q.plural, s.noun, voice);
  switch (plan) {
    case "question_first":
    case "consider":
      return one(`Consider ${s.set}, and among them ${s.one}. ${question(q, it, all, voice)}`);
    case "among":
    case "of_which":
    case "take":
      return one(
        `${voice.pick("from", ["Of", "From", "Among"])} ${s.set}, take ${s.one}. ${question(q, it, all, voice)}`,
      );
    case "find":
    case "calculate":
      return one(`Among ${s.set}, ${seek(voice)} ${s.one}. ${order(q, it, all, voice)}`);
  }
}

function question({ kind, noun, whole, percent }: AgainstAll, it: string, all: string, voice: Voice): string {
  const own = ownOf(noun, it);
  if (kind === "times_mean") {
    return voice.pick("against", [
      `What is the ratio of ${own} to the ${whole} of ${all}?`,
      `How many times the ${whole} of ${all} is ${own}?`,
    ]);
  }
  const share = percent
    ? voice.pick("share", ["share", "percentage"])
    : voice.pick("share", ["share", "fraction"]);
  return voice.pick("against", [
    `What ${share} of the ${whole} of ${all} is ${own}?`,
    `What is ${it === "it" ? "its" : `${it}’s`} share of the ${whole} of ${all}?`,
  ]);
}

function order({ kind, noun, whole, percent }: AgainstAll, it: string, all: string, voice: Voice): string {
  const own = ownOf(noun, it);
  const verb = doIt(voice);
  const start = capitalised(verb);
  if (kind === "times_mean") return `${start} the ratio of ${own} to the ${whole} of ${all}.`;
  const share = percent ? "percentage" : voice.pick("share", ["share", "fraction"]);
  return `${start} the ${share} of the ${whole} of ${all} that ${own} makes up.`;
}

/** "Its mass", "this airport’s elevation", "the number of runways of this airport", "the length of its longest runway". */
function ownOf(noun: string, it: string): string {
  if (!/ (?:of|in|at|per|to|by|from|on|that|with) /.test(noun))
    return it === "it" ? `its ${noun}` : `${it}’s ${noun}`;
  if (it !== "it") return `the ${noun} of ${it}`;
  return noun.includes(" of the ") ? `the ${noun.replace(" of the ", " of its ")}` : `its ${noun}`;
}

/** Whether the one itself is among them changes the answer, so it is said. */
function allOf(plural: string, noun: string, voice: Voice): string {
  return `all ${voice.pick("all_of", ["these", "of these"])} ${shortNoun(plural)} (this ${shortNoun(noun)} included)`;
}
