import { type Pool, problemsPool, tasksPool } from "../../datasets/schema/index.js";

/** What may change of a row, the most telling first. */
export const ASPECTS = [
  "answer",
  "wording",
  "gates",
  "pools",
  "split",
  "derivation",
  "evidence",
  "origin",
  "source",
] as const;
export type Aspect = (typeof ASPECTS)[number];

/** The pools whose rows are tasks. */
export const TASK_POOLS = { tasks: tasksPool, problems: problemsPool } as const;
export type TaskPool = keyof typeof TASK_POOLS;

const OF_COLUMN: Readonly<Record<string, Aspect>> = {
  answer_type: "answer",
  answer_unit: "answer",
  answer_digits: "answer",
  hidden_answer: "answer",
  hidden_entity_key: "answer",
  hidden_entity_name: "answer",
  question: "wording",
  wording: "wording",
  language: "wording",
  gates: "gates",
  split: "split",
  hidden_group: "split",
  source: "source",
  domain: "source",
  licences: "source",
  snapshots: "source",
  hidden_provenance: "source",
  hidden_rest: "evidence",
  origin: "origin",
};

/** The aspect of a column of the tasks or problems pool; what is not named above says how the answer comes about. */
export function aspectOf(column: string): Aspect {
  return OF_COLUMN[column] ?? "derivation";
}

/** Columns that are compared, in the schema's order: all but the id, by which rows are found. */
export function comparedColumns(pool: Pool): string[] {
  return Object.keys(pool.columns).filter((column) => column !== "task_id");
}

/** Aspects of which every difference is said; of the others only the columns. */
export const TOLD: ReadonlySet<Aspect> = new Set(["answer", "wording", "gates", "split"]);
