import {
  type Asked,
  about,
  closed,
  doIt,
  one,
  pickOut,
  type Quantity,
  seek,
  takeOne,
  what,
} from "./moods.js";
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

/** Plans that read well for a selection: a long noun phrase is not squeezed into the middle of a question. */
export function suitable(plans: readonly Plan[], selection: Selection): readonly Plan[] {
  const fits = plans.filter((p) =>
    selection.whole === undefined ? p !== "question_first" && p !== "calculate" : true,
  );
  return fits.length > 0 ? fits : ["consider", "find"];
}

/** The quantity belongs to the selected entity. */
export function direct(plan: Plan, s: Selection, q: Quantity, voice: Voice): Asked {
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
