import { capitalised } from "./english.js";
import type { Selection } from "./selection.js";
import type { Voice } from "./voice.js";

/** Small turns of phrase that all sentence plans share. */

/** The computed quantity in words. */
export interface Quantity {
  /** With a pronoun: "its bulk density", "the radius of its Hill sphere". */
  readonly its: string;
  /** "the bulk density", where " of the planet" may follow. */
  readonly of: string | undefined;
  /** ", taking the body as a sphere of its mean radius", or "". */
  readonly definition: string;
}

/** What a plan makes: the sentence or two that ask, and whether they ask for the entity too. */
export interface Asked {
  readonly text: string;
  readonly twoQuestions: boolean;
}

export const one = (text: string): Asked => ({ text, twoQuestions: false });

export const what = (voice: Voice, thing: string): string =>
  voice.pick("what", [`what is ${thing}`, `what is ${thing}`, `find ${thing}`]);

/** "calculate", "compute" ... */
export const doIt = (voice: Voice): string =>
  voice.pick("verb", ["calculate", "compute", "determine", "work out"]);

export const seek = (voice: Voice): string => voice.pick("seek", ["find", "identify", "pick out"]);

/** A question ends with its mark; an order with a full stop. */
export function closed(sentence: string): string {
  return `${capitalised(sentence)}${/^(?:what|which|how|by how|of .*\bwh|among .*\bwh)/i.test(sentence) ? "?" : "."}`;
}

/** "what is the bulk density of X", "what is that moon’s orbital speed at perihelion", "for X, what is its ...". */
export function about(thing: string, verb: string, q: Quantity): string {
  const near = /^(?:this|that|the former|the latter) [\w -]+$/.test(thing) && q.its.startsWith("its ");
  const said =
    q.of !== undefined
      ? `${verb} ${q.of} of ${thing}`
      : near
        ? `${verb} ${thing}’s ${q.its.slice("its ".length)}`
        : `for ${thing}, ${verb} ${q.its}`;
  return capitalised(`${said}${q.definition}${verb === "what is" ? "?" : "."}`);
}

/** "Find the least massive planet that ..." or "Among the planets that ..., find the one with the smallest mass". */
export function pickOut(s: Selection, voice: Voice): string {
  const verb = seek(voice);
  if (s.whole !== undefined) return `${capitalised(verb)} ${s.whole}`;
  return `${voice.pick("from", ["Among", "Of"])} ${s.set}, ${verb} ${s.one}`;
}

export function takeOne(s: Selection, voice: Voice): string {
  if (s.whole !== undefined) return `${voice.pick("take", ["Take", "Consider"])} ${s.whole}`;
  return `${voice.pick("from", ["Of", "From"])} ${s.set}, take ${s.one}`;
}
