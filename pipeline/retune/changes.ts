import type { DropRule } from "../../verifiers/drop-rule.js";

/** Thresholds that are to be changed; what is absent stays as the run had it. */
export interface Changes {
  /** Gap to the closest rival, in multiples of the required one. */
  readonly margin?: number;
  /** Closed-book samples of each role. */
  readonly k?: number;
  /** How many of them must be right for a row to go. */
  readonly drop?: DropRule;
  /** Relative grading tolerance of quantities, in place of each task's own. */
  readonly tolerance?: number;
}

/** What kept evidence says of a row under changed thresholds. `open`: it does not reach. */
export type Fate =
  | { readonly fate: "in" }
  | { readonly fate: "out"; readonly why: string }
  | { readonly fate: "open"; readonly why: string };

export const IN: Fate = { fate: "in" };
export const out = (why: string): Fate => ({ fate: "out", why });
export const open = (why: string): Fate => ({ fate: "open", why });
