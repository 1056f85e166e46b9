import { z } from "zod";
import type { Gate } from "../datasets/admission.js";
import type { Problem } from "../pipeline/base/errors.js";
import type { RoundTripEvidence } from "./evidence.js";
import type { Message } from "./model.js";
import { comparePrograms } from "./program/compare.js";
import { formulasKnownTo, programRead, type ReadProgram, readingSchema } from "./program/reading.js";
import { fillPrompt, missingSlots, promptText } from "./prompts.js";
import { type QuestionRow, questionRow } from "./question.js";
import { evidenceJson, withGate } from "./screen/verdict.js";
import { defineStage, type Outcome, type StageContext } from "./stage.js";
import { type WordedRow, wordedRow } from "./task.js";
import { publicSchema } from "./words/public-schema.js";

const params = z.strictObject({
  /** The model that reads; best another one than the writer. */
  role: z.string().min(1),
  /** Perturbed worlds on which both programs are run, beside the snapshot. */
  worlds: z.number().int().min(0).max(200).default(20),
  /** How often the reader may try until its reply holds a program. A program that differs is not asked for again. */
  attempts: z.number().int().min(1).max(10).default(1),
  /** In place of the bundled system prompt; `{{schema}}` is filled in. */
  prompt: z.string().min(1).optional(),
});
type Params = z.infer<typeof params>;
type Context = StageContext<Params>;

/** Tokens of a call: rules, the tables' columns and formulas, the question; a program. */
const PLANNED = { input: 7000, output: 400 };

/** Reads each question back into a program and compares what the two programs do, on the data and on perturbed data. */
export const roundTrip = defineStage<Params, WordedRow, QuestionRow>({
  kind: "round_trip",
  version: 2,
  summary:
    "a second model reads the question back into a program, which must do the same on real and perturbed data",
  mode: "row",
  params,
  takes: "worded",
  gives: "same",
  gate: "round_trip",
  input: wordedRow,
  // Beside its gate and its evidence it gives back what it was given.
  output: questionRow,
  reasons: {
    reading_differs:
      "the question was read as a program that gives other candidates, another winner or another answer",
    reading_unreadable: "the reader's reply holds no program over the source's columns",
  },
  roles: ({ role }) => [role],
  calls: ({ role, attempts }) => [{ role, calls: 2 * attempts, ...PLANNED }],
  check: ({ prompt }) =>
    prompt === undefined
      ? []
      : missingSlots(prompt, ["schema"]).map((slot) => ({
          code: "missing_slot",
          message: `\`prompt\` has no place for the ${slot}`,
          hint: `write {{${slot}}} where the reader is to see the tables' columns and the formulas`,
          path: ["prompt"],
        })),
  async run(row, context) {
    const { role, attempts } = context.params;
    const identity = context.models.identity(role);
    if (identity === undefined) return { out: judged(row, "not_run", "no model is configured") };
    const reading = await firstReading(row, attempts, context);
    const base = { role, model: identity.model, call: reading.call };
    if ("program" in reading) return verdict(row, { ...base, reading: reading.program }, reading, context);
    const none = { ...base, worlds: 0, agreed: 0, difference: null };
    if ("problems" in reading)
      return rejected(row, "reading_unreadable", { ...none, reading: reading.reply }, reading.problems);
    const why = `the reader gave no reply: ${reading.why}`;
    return { out: judged(row, "not_run", why, { ...none, reading: null }) };
  },
});

type Reading = { readonly call: string } & (
  | ReadProgram
  | { readonly problems: readonly Problem[]; readonly reply: unknown }
  | { readonly why: string }
);

/** The first reading that holds a program; else one that holds anything, as silence decides nothing. */
async function firstReading(row: WordedRow, attempts: number, context: Context): Promise<Reading> {
  const readings: Reading[] = [];
  for (let sample = 0; sample < attempts; sample++) {
    const reading = await read(row, sample, context);
    if ("program" in reading) return reading;
    readings.push(reading);
  }
  return readings.find((r) => "problems" in r) ?? readings[0]!;
}

/** The reader sees the question and the public schema: nothing of the program, the entity or the figures. */
async function read(row: WordedRow, sample: number, { params, models, catalog }: Context): Promise<Reading> {
  const schema = publicSchema(catalog, row);
  const messages: Message[] = [
    { role: "system", content: fillPrompt(params.prompt ?? promptText("read"), { schema }) },
    { role: "user", content: row.question },
  ];
  const type = { name: "program", type: readingSchema };
  const reply = await models.ask({ role: params.role, row: row.id, messages, sample, schema: type });
  const { call } = reply;
  if (!reply.ok) {
    // Text that is no program is a reading, if a bad one; a reply cut short, filtered or missing is none.
    if (reply.why !== "unstructured") return { call, why: reply.why };
    return {
      call,
      problems: [{ code: "no_program", message: reply.message }],
      reply: reply.text.slice(0, SHOWN),
    };
  }
  const known = { catalog, formulas: formulasKnownTo(row), derive: row.program.derive };
  const result = programRead(reply.value!, known);
  if ("problems" in result) return { call, problems: result.problems, reply: reply.value };
  return { call, ...result };
}

const SHOWN = 4000;

function verdict(
  row: WordedRow,
  base: Pick<RoundTripEvidence, "role" | "model" | "call" | "reading">,
  read: ReadProgram,
  { params, catalog, seed }: Context,
): Outcome<QuestionRow> {
  const { worlds } = params;
  const comparison = comparePrograms(row, read, catalog, {
    seed,
    key: row.id,
    worlds,
  });
  const evidence: RoundTripEvidence = { ...base, ...comparison };
  if (comparison.difference !== null) return rejected(row, "reading_differs", evidence);
  const why = `read back by ${base.model}: same candidates, winner and answer on the data and in ${worlds} perturbed worlds`;
  return { out: judged(row, "passed", why, evidence) };
}

/** The row with its gate and the evidence, in place of earlier ones. */
function judged(
  row: WordedRow,
  status: Gate["status"],
  why: string,
  evidence?: RoundTripEvidence,
): QuestionRow {
  const out = withGate(row, { gate: "round_trip", status, why });
  return evidence === undefined ? out : { ...out, round_trip: evidence };
}

function rejected(
  row: WordedRow,
  reason: string,
  evidence: RoundTripEvidence,
  problems: readonly Problem[] = [],
): Outcome<QuestionRow> {
  const kept = {
    question: row.question.slice(0, SHOWN),
    written: row.program,
    round_trip: evidence,
    problems,
  };
  return { reject: { reason, evidence: evidenceJson(kept) } };
}
