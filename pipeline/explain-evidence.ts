import { z } from "zod";
import type { Row } from "../stages/stage.js";

const sample = z.object({
  role: z.string(),
  model: z.string(),
  sample: z.number(),
  call: z.string(),
  outcome: z.string(),
  answer: z.string().nullable(),
  reason: z.string(),
});
const samples = z.object({ samples: z.array(sample) });
const reading = z.object({
  role: z.string(),
  model: z.string(),
  call: z.string(),
  worlds: z.number(),
  agreed: z.number(),
});
const contamination = z.object({
  closest: z.object({ name: z.string(), record: z.number(), jaccard: z.number() }).nullable(),
});

/** What the gates left on a row, a line for each reply; a call is named as the cassette names it, by its first digits. */
export function evidenceLines(row: Row): string[] {
  return [
    ...contaminationLines(row.contamination),
    ...readingLines(row.round_trip),
    ...sampleLines("probe", row.probe),
    ...sampleLines("solve", row.solve),
  ];
}

function sampleLines(gate: string, evidence: unknown): string[] {
  const parsed = samples.safeParse(evidence);
  if (!parsed.success) return [];
  return parsed.data.samples.map(
    ({ role, model, sample: draw, call, outcome, answer, reason }) =>
      `${gate}: ${role} (${model}), draw ${draw}: ${outcome}, ${reason}${answer === null ? "" : `: ${shortened(answer)}`} [${call.slice(0, 12)}]`,
  );
}

function readingLines(evidence: unknown): string[] {
  const parsed = reading.safeParse(evidence);
  if (!parsed.success) return [];
  const { role, model, call, worlds, agreed } = parsed.data;
  return [
    `round_trip: ${role} (${model}) read the question; both programs agree in ${agreed} of ${worlds} worlds [${call.slice(0, 12)}]`,
  ];
}

function contaminationLines(evidence: unknown): string[] {
  const closest = contamination.safeParse(evidence).data?.closest;
  if (closest === undefined || closest === null) return [];
  return [
    `contamination: closest is record ${closest.record} of ${closest.name}, Jaccard ${closest.jaccard}`,
  ];
}

function shortened(text: string): string {
  return text.length > 100 ? `${text.slice(0, 97)}...` : text;
}
