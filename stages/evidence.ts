import { z } from "zod";

/** What the gates leave on a row: evidence from which each decision can be taken again, without a model call. */

/** One reply to one question, graded. */
export const sampleEvidence = z.object({
  role: z.string(),
  /** As the config names it. */
  model: z.string(),
  /** Which draw, from 0. */
  sample: z.number(),
  /** The recorded call. */
  call: z.string(),
  /** Refused, truncated, filtered and failed replies are no misses: they count for nothing. */
  outcome: z.enum(["right", "wrong", "undecided", "no_reply"]),
  /** The final answer as extracted, or null. */
  answer: z.string().nullable(),
  /** Verdict's reason code, or why there was no reply. */
  reason: z.string(),
  /** Naive guesses (`probe.guesses`, by `how`) that give the same answer: a right sample among them may be a lucky guess. */
  chance: z.array(z.string()).optional(),
});
export type SampleEvidence = z.infer<typeof sampleEvidence>;

/** After `probe` (field `probe` of the row). */
export const probeEvidence = z.object({
  k: z.number(),
  drop: z.string(),
  samples: z.array(sampleEvidence),
  /** What became of each role, in the config's order; `why` says what kept it from `k` graded samples. */
  parts: z
    .array(z.object({ role: z.string(), model: z.string().nullable(), ran: z.boolean(), why: z.string() }))
    .optional(),
  /** How many planted famous facts each role knew. */
  power: z.array(z.object({ role: z.string(), right: z.number(), asked: z.number() })).optional(),
  /** Answers that need no knowledge of the entity, and whether each would be right. */
  guesses: z.array(z.object({ how: z.string(), value: z.number(), right: z.boolean() })).optional(),
  /** Probability that one blind guess among the possible answers is right; absent where these are no short list. */
  blind: z.number().optional(),
});
export type ProbeEvidence = z.infer<typeof probeEvidence>;

/** After `solve` (field `solve` of the row). */
export const solveEvidence = z.object({
  mode: z.enum(["open_book", "self_contained"]),
  n: z.number(),
  samples: z.array(sampleEvidence),
  /** Equal answers together, largest first; `right` where the cluster agrees with the reference. */
  clusters: z.array(z.object({ answer: z.string(), votes: z.number(), right: z.boolean() })),
  /** Verdicts on derivations by another role, in the order of samples. */
  checks: z.array(
    z.object({ role: z.string(), call: z.string(), sample: z.number(), sound: z.boolean().nullable() }),
  ),
});
export type SolveEvidence = z.infer<typeof solveEvidence>;

/** After `round_trip` (field `round_trip` of the row). */
export const roundTripEvidence = z.object({
  role: z.string(),
  model: z.string(),
  call: z.string(),
  /** The program as the reader understood it, or null if it could not be read. */
  reading: z.unknown(),
  /** Worlds on which both programs were run: the snapshot, then seeded perturbations; and on how many they agreed. */
  worlds: z.number(),
  agreed: z.number(),
  /** The first world in which they differ, and how. */
  difference: z
    .object({ world: z.number(), what: z.string(), written: z.string(), read: z.string() })
    .nullable(),
});
export type RoundTripEvidence = z.infer<typeof roundTripEvidence>;

/** After `decontaminate` (field `contamination` of the row). */
export const contaminationEvidence = z.object({
  /** Files compared with, by SHA-256. */
  files: z.array(z.object({ name: z.string(), sha256: z.string(), texts: z.number() })),
  /** The closest text found: Jaccard of word shingles after masking, containment of 13-grams. */
  closest: z
    .object({
      name: z.string(),
      record: z.number(),
      jaccard: z.number(),
      containment: z.number(),
      text: z.string(),
    })
    .nullable(),
});
export type ContaminationEvidence = z.infer<typeof contaminationEvidence>;

/** Why a rollout ended. */
export const STOPS = [
  /** A message without tool calls. */
  "answered",
  /** The limit of turns, of tokens or of cost (the stage's params), or the context under the policy `stop`. */
  "turns",
  "tokens",
  "cost",
  "context",
  /** The last reply was cut off, filtered or declined, or the model read no more. */
  "truncated",
  "filter",
  "refusal",
  "context_length",
  /** The endpoint gave no reply: the rollout is not valid, and another is drawn in its place. */
  "unavailable",
] as const;

/** One turn of an agent: names of recorded calls, from which the conversation is read back. */
const turn = z.object({
  /** The model's reply. */
  call: z.string(),
  /** The observations of its tool calls, in their order. */
  tools: z.array(z.object({ id: z.string(), name: z.string(), call: z.string(), ok: z.boolean() })),
  /** From 0; a new one starts where old observations were taken out of the context. */
  segment: z.number(),
  input: z.number().nullable(),
  output: z.number().nullable(),
});

/** One agent's attempt, without its texts: these lie in the recorded calls. */
export const rolloutEvidence = z.object({
  /** Instance of the stage that drew it. */
  by: z.string(),
  role: z.string(),
  model: z.string(),
  sample: z.number(),
  turns: z.array(turn),
  /** SHA-256 over all that the model said and saw: what is written from recorded calls depends on it. */
  digest: z.string(),
  stop: z.enum(STOPS),
  /** False when the endpoint failed: it counts for nothing. */
  valid: z.boolean(),
  /** The final answer as extracted, or null. */
  answer: z.string().nullable(),
  outcome: z.enum(["right", "wrong", "undecided", "no_reply"]),
  reason: z.string(),
  reward: z.object({
    score: z.number(),
    acc: z.union([z.literal(0), z.literal(1)]),
    progress: z.number(),
    answered: z.union([z.literal(0), z.literal(1)]),
    steps: z.array(z.object({ id: z.string(), verified: z.boolean(), why: z.string() })),
  }),
  /** What a judge said of steps that no matcher can read; beside the reward, never part of it. Null where it gave no verdict. */
  judged: z
    .array(z.object({ id: z.string(), role: z.string(), call: z.string(), found: z.boolean().nullable() }))
    .optional(),
  /** The audit of every address: how many were asked for, how many kept back, and what was served although a rule forbids it. */
  firewall: z.object({
    asked: z.number(),
    blocked: z.number(),
    served: z.array(z.object({ url: z.string(), rule: z.string() })),
  }),
  /** Faults of form: calls of unknown tools, arguments that do not fit, an answer not in the form asked for, ... Empty is clean. */
  faults: z.array(z.string()),
  /** Of token ids, where the endpoint gives them: turns whose prompt does not extend the last one's tokens. Null where it does not. */
  drift: z.number().nullable(),
  /** Why it is not in the SFT pool; empty if it is; absent until `curate` has looked. */
  unselected: z.string().optional(),
});
export type RolloutEvidence = z.infer<typeof rolloutEvidence>;

/** After `admit` (field `admission` of the row): what its decision was taken from, draw by draw. */
export const admissionEvidence = z.object({
  /** Instance of the rollouts. */
  by: z.string(),
  /** Valid rollouts that were asked for. */
  n: z.number(),
  rewards: z.array(z.number()),
  accs: z.array(z.union([z.literal(0), z.literal(1)])),
  answers: z.array(z.string().nullable()),
  stops: z.array(z.string()),
  input: z.array(z.number().nullable()),
  output: z.array(z.number().nullable()),
  /** Wilson interval (95 %) of the share that is right. */
  low: z.number(),
  high: z.number(),
});
export type AdmissionEvidence = z.infer<typeof admissionEvidence>;
