import { type Asked, closed, doIt, one, what } from "./moods.js";
import type { Plan } from "./plans.js";
import type { Voice } from "./voice.js";

/** A figure of all candidates: "median mass", of "the planets of the Solar System with rings". */
export interface Figure {
  readonly noun: string;
  readonly set: string;
}

export function aggregate(plan: Plan, { noun, set }: Figure, voice: Voice): Asked {
  switch (plan) {
    case "question_first":
      return one(`What is the ${noun} of ${set}?`);
    case "calculate":
      return one(`${closed(`${doIt(voice)} the ${noun} of ${set}`)}`);
    case "among":
    case "of_which":
      return one(`For ${set}, ${closed(what(voice, `the ${noun}`)).replace(/^\w/, (c) => c.toLowerCase())}`);
    case "find":
      return one(`For ${set}, ${doIt(voice)} the ${noun}.`);
    case "consider":
      return one(`Consider ${set}. ${closed(what(voice, theirs(noun)))}`);
    case "take":
      return one(`Take ${set}. ${closed(`${doIt(voice)} ${theirs(noun)}`)}`);
  }
}

/** "Their mean mass", "the mean order of their derived subgroups". */
function theirs(noun: string): string {
  return noun.includes(" of the ") ? `the ${noun.replace(" of the ", " of their ")}` : `their ${noun}`;
}
