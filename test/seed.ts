import fc from "fast-check";

/**
 * One seed for all properties, so that the same commit passes or fails the same way everywhere; `TASKMILL_SEED=NUMBER` explores other
 * draws, and a fault found there becomes a test of its own.
 */
const seed = Number(process.env.TASKMILL_SEED ?? 20_261_129);
if (!Number.isSafeInteger(seed))
  throw new Error(`TASKMILL_SEED is ${process.env.TASKMILL_SEED}: give a whole number`);
fc.configureGlobal({ seed });
