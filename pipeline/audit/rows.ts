import { z } from "zod";
import type { Row } from "../../stages/stage.js";
import type { Expected } from "../../verifiers/answer/answer.js";
import { expectedSchema } from "../../verifiers/answer/schema.js";
import { canonicalJson } from "../base/canonical.js";

/** Rows as an audit looks at them: out of a file that may come from anywhere, so nothing is taken for granted. */

const gate = z.object({ gate: z.string(), status: z.string(), why: z.string() });
const entity = z.looseObject({ table: z.string(), key: z.string(), name: z.string() });

const choice = z.looseObject({
  entity,
  ranking: z.array(z.looseObject({ key: z.string() })),
  margin: z.looseObject({ gap: z.number(), required: z.number() }).nullable(),
});
export type Choice = z.infer<typeof choice>;

const common = { id: z.string(), question: z.string(), gates: z.array(gate), split: z.string().optional() };

const tableRow = z.looseObject({
  ...common,
  program: z.looseObject({
    table: z.string(),
    where: z.array(z.looseObject({ column: z.string() })),
    select: z.looseObject({ column: z.string() }).optional(),
    follow: z
      .array(z.union([z.string(), z.looseObject({ select: z.looseObject({ column: z.string() }) })]))
      .optional(),
    other: z.looseObject({ select: z.looseObject({ column: z.string() }) }).optional(),
    compute: z.looseObject({ formula: z.string() }),
  }),
  snapshots: z.record(z.string(), z.string()),
  /** Absent where a figure of all candidates is asked for. */
  selection: choice
    .extend({
      via: z.array(entity).optional(),
      followed: entity.optional(),
      peers: z.array(choice).optional(),
      other: choice.optional(),
    })
    .optional(),
  aggregate: z.looseObject({ members: z.array(z.looseObject({ key: z.string() })) }).optional(),
  answer: z.looseObject({
    type: z.string(),
    value: z.number(),
    unit: z.string(),
    digits: z.number(),
    tolerance: z.number(),
    uncertainty: z.number(),
  }),
  wrong_answers: z.array(z.object({ how: z.string(), value: z.number() })),
  wording: z.looseObject({ by: z.string(), style: z.record(z.string(), z.string()) }),
});
export type TableTask = z.infer<typeof tableRow>;

const problemRow = z.looseObject({
  ...common,
  problem: z.looseObject({ source: z.string(), domain: z.string(), language: z.string() }),
  expected: expectedSchema,
});

/** Every entity that a task chooses or comes by, the last of its way first. */
export function entitiesOf({ selection }: TableTask): z.infer<typeof entity>[] {
  if (selection === undefined) return [];
  const { entity: chosen, via = [], followed, other } = selection;
  return [
    ...(followed === undefined ? [] : [followed]),
    ...via,
    chosen,
    ...(other === undefined ? [] : [other.entity]),
  ];
}

/** A question with all that judging replies to it takes. */
export interface Question {
  readonly id: string;
  readonly question: string;
  readonly language: string;
  readonly expected: Expected;
  /** Rows of one entity are not independent of each other. */
  readonly entity: string;
  readonly table: string | null;
  readonly formula: string | null;
  readonly domain: string;
  readonly split: string | null;
  readonly gates: readonly z.infer<typeof gate>[];
  /** Who worded it; null for problems. */
  readonly by: string | null;
  /** What only table tasks have. */
  readonly task: TableTask | undefined;
  /** As it was read. */
  readonly row: Row;
}

/** @returns undefined for a row that is neither a table task nor a problem. */
export function questionOf(row: Row, domainOf: (table: string) => string): Question | undefined {
  const task = tableRow.safeParse(row);
  if (task.success) {
    const question = ofTask(task.data, row, domainOf);
    // A unit that is none, a tolerance beyond all measure: grading by it would mean nothing.
    return expectedSchema.safeParse(question.expected).success ? question : undefined;
  }
  const problem = problemRow.safeParse(row);
  if (!problem.success) return undefined;
  const { id, question, gates, split = null, expected } = problem.data;
  const { source, domain, language } = problem.data.problem;
  const groups = { entity: `problem/${source}/${id}`, table: null, formula: null, domain };
  return { id, question, gates, split, expected, language, ...groups, by: null, task: undefined, row };
}

function ofTask(task: TableTask, row: Row, domainOf: (table: string) => string): Question {
  const { id, question, gates, split = null, program, selection, wording } = task;
  return {
    id,
    question,
    gates,
    split,
    language: wording.style.language ?? "en",
    expected: expectedOf(task),
    // A set of candidates is named by the conditions that make it.
    entity: `${program.table}/${selection?.entity.key ?? canonicalJson(task.aggregate?.members.map((m) => m.key) ?? [])}`,
    table: program.table,
    formula: program.compute.formula,
    domain: domainOf(program.table),
    by: wording.by,
    task,
    row,
  };
}

/** Half a unit of the last of the 12 digits at which answers are stored, at worst. */
const STORED = 5e-12;

/** The reference answer of a table task, read off the row by the audit itself, whatever the gates took for it. */
export function expectedOf({ answer }: Pick<TableTask, "answer">): Expected {
  const { type, value, unit, digits, tolerance } = answer;
  const whole = type === "integer" && unit === "1";
  if (whole && Number.isSafeInteger(value)) return { type: "integer", value: String(value) };
  return {
    type: "quantity",
    value,
    unit,
    tolerance: whole ? Math.max(STORED, tolerance) : tolerance,
    digits,
  };
}

/** Whether a value counts as the answer of a table task, by plain arithmetic. */
export function isAnswer(value: number, { answer }: Pick<TableTask, "answer">): boolean {
  return Math.abs(value - answer.value) <= Math.max(STORED, answer.tolerance) * Math.abs(answer.value);
}
