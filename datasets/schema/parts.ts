import { float64, int64, list, nullable, struct, text } from "./kinds.js";

/** Structs that more than one pool holds. */

export const gates = list(struct({ gate: text, status: text, why: text }));

export const chain = list(
  struct({
    id: text,
    kind: text,
    label: text,
    text,
    /** Other names of an entity; empty for values. */
    aliases: list(text),
    value: nullable(float64),
    unit: nullable(text),
    tolerance: nullable(float64),
    depends_on: list(text),
  }),
);

export const difficulty = struct({
  conditions: int64,
  hops: int64,
  candidates: int64,
  rank: int64,
  formula_inputs: int64,
  formula_depth: int64,
  form: text,
  evidence: int64,
});
