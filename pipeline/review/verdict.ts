import { z } from "zod";

const said = z.boolean().nullable();

const verdictSchema = z.strictObject({
  task: z.string().min(1),
  /** Of the question as it was reviewed. */
  question_sha256: z.string().regex(/^[0-9a-f]{64}$/),
  reviewer: z.string().min(1),
  clear: said,
  one_answer: said,
  natural: said,
  from_memory: said,
  /** As the reviewer wrote it; null where none was given. */
  answer: z.string().nullable(),
  /** What the project's graders say of the answer; null where none was given. */
  grade: z.strictObject({ verdict: z.enum(["right", "wrong", "undecided"]), reason: z.string() }).nullable(),
  note: z.string(),
});
/** What one reviewer says of one task. */
export type Verdict = z.infer<typeof verdictSchema>;

export const reviewSchema = z.strictObject({
  review: z.literal(1),
  /** SHA-256 of the manifest of the dataset that was reviewed. */
  manifest_sha256: z.string(),
  /** In the order of task and reviewer. */
  verdicts: z.array(verdictSchema),
});
export type StoredReview = z.infer<typeof reviewSchema>;
