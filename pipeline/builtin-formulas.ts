/**
 * The formulas that come with the stages, for what must know their inputs without running any: drafts of cards and of configs. Like
 * `builtins.ts` a place that may look into a room of stages, and apart from it as that one loads them all.
 */

export { isGeneric } from "../stages/formulas/generic.js";
export { builtinFormulas } from "../stages/formulas/index.js";
