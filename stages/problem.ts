import { z } from "zod";
import { expectedSchema } from "../verifiers/answer/schema.js";
import { gate } from "./task.js";

/** Kind of the stage that reads a user's own questions and answers; validators look for it in a graph. */
export const PROBLEMS_KIND = "problems";

/** A user's own question with its answer: self-contained, no table stands behind it. */
export const problemRow = z.object({
  id: z.string(),
  question: z.string(),
  gates: z.array(gate),
  problem: z.object({
    /** Id of the source that it was read from. */
    source: z.string(),
    domain: z.string(),
    /** BCP 47. */
    language: z.string(),
    topic: z.string().optional(),
  }),
  expected: expectedSchema,
  /** Which record of which source. */
  origin: z.object({ stage: z.string(), kind: z.literal("problem"), name: z.string(), index: z.number() }),
  /** Hash of the file it was read from, by source id. */
  snapshots: z.record(z.string(), z.string()),
});
export type ProblemRow = z.infer<typeof problemRow>;
