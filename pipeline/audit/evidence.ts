import { z } from "zod";

/** What gates leave in the ledger, read by the audit's own schemas: a dataset may come from anywhere. */

const sample = z.object({
  role: z.string(),
  model: z.string(),
  sample: z.number().int(),
  call: z.string(),
  outcome: z.enum(["right", "wrong", "undecided", "no_reply"]),
  answer: z.string().nullable(),
  reason: z.string(),
  chance: z.array(z.string()).optional(),
});
export type Sample = z.infer<typeof sample>;

const probe = z.object({
  k: z.number().int(),
  drop: z.string(),
  samples: z.array(sample),
  power: z.array(z.object({ role: z.string(), right: z.number(), asked: z.number() })).optional(),
});
export type ProbeRecord = z.infer<typeof probe>;

const solve = z.object({
  mode: z.enum(["open_book", "self_contained"]),
  n: z.number().int(),
  samples: z.array(sample),
  clusters: z.array(z.object({ answer: z.string(), votes: z.number(), right: z.boolean() })),
});
export type SolveRecord = z.infer<typeof solve>;

const roundTrip = z.object({ role: z.string(), model: z.string(), call: z.string() });

const contamination = z.object({
  files: z.array(z.object({ name: z.string(), sha256: z.string(), texts: z.number() })),
});

const evidence = z.object({
  probe: probe.optional(),
  solve: solve.optional(),
  round_trip: roundTrip.optional(),
  contamination: contamination.optional(),
});
export type Evidence = z.infer<typeof evidence>;

/** @returns undefined for what is no evidence of any gate that is known here. */
export function evidenceOf(json: string): Evidence | undefined {
  try {
    const parsed = evidence.safeParse(JSON.parse(json) ?? {});
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
