import { z } from "zod";
import { expectedSchema } from "../answer/schema.js";
import type { GroundTruth, Target } from "./reward.js";

/** What a ground truth from outside may be. Bounds keep scoring quick whatever a file or a request holds. */

const MAX_STEPS = 1000;
const MAX_QUESTION = 200_000;

const short = z.string().min(1).max(2000);

/** Pools say more of a step (its label) than a reward looks at: further members are left out. */
const targetSchema: z.ZodType<Target> = z.object({
  id: short,
  kind: z.enum(["entity", "attribute", "intermediate", "answer"]),
  text: z.string().max(20_000),
  aliases: z.array(short).max(1000).optional(),
  value: z.number().nullable(),
  unit: z.string().max(200).nullable(),
  tolerance: z.number().min(0).nullable(),
  depends_on: z.array(short).max(MAX_STEPS),
});

/** The schema of {@link GroundTruth}. */
export const groundTruthSchema: z.ZodType<GroundTruth> = z.strictObject({
  version: z.literal(1),
  answer: expectedSchema,
  chain: z.array(targetSchema).max(MAX_STEPS),
  question: z.string().max(MAX_QUESTION),
  language: z.string().min(1).max(100),
});
