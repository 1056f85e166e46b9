import { z } from "zod";
import { defineStage } from "./stage.js";
import { type ComputedRow, computedRow, type WordedRow, wordedRow } from "./task.js";
import { wordQuestion } from "./words/grammar.js";
import { PLANS } from "./words/plans.js";

const params = z.strictObject({
  /** Sentence plans to draw from; default: all. */
  styles: z
    .array(z.enum(PLANS))
    .min(1)
    .default([...PLANS]),
});
type Params = z.infer<typeof params>;

/** Words the program by a deterministic grammar: no model, no network, and the answer stays unseen. */
export const verbalize = defineStage<Params, ComputedRow, WordedRow>({
  kind: "verbalize",
  version: 1,
  summary: "writes the question from the program with a deterministic grammar",
  mode: "row",
  params,
  takes: "computed",
  gives: "worded",
  input: computedRow,
  output: wordedRow,
  reasons: {},
  run(row, { params, catalog, random }) {
    const cards = new Map([...catalog.tables].map(([id, table]) => [id, table.card]));
    const { question, style } = wordQuestion(row, cards, random("wording", row.id), params.styles);
    return { out: { ...row, question, wording: { by: "grammar/1", style } } };
  },
});
