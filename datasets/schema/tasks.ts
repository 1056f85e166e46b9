import { float64, int64, json, list, nullable, struct, text } from "./kinds.js";
import { chain, difficulty, gates } from "./parts.js";
import { definePool, hidden, open, type RowOf } from "./pool.js";

/** The auditor's pool: every accepted task with all that is known of it, enough to derive it again. */
export const tasksPool = definePool(
  "tasks",
  "every accepted task with all that is known of it, for auditors",
  {
    task_id: open(text, "16 hex digits from program, formula and table hashes; stable across runs"),
    split: open(text, "train, validation or test"),
    domain: open(text, "domain of the selected entity's table, e.g. astronomy"),
    table: open(text, "id of the source card that the conditions and the selection are about"),
    formula: open(text, "id of the formula"),
    question: open(text, "the question as a solver sees it"),
    answer_type: open(text, "quantity or integer"),
    answer_unit: open(text, "unit that the question asks for; 1 for plain numbers"),
    answer_digits: open(int64, "significant figures that the question asks for"),
    conditions: open(int64, "number of conditions, each necessary"),
    hops: open(int64, "steps from the selected entity to others"),
    candidates: open(int64, "entities that meet all conditions"),
    difficulty: open(difficulty, "what makes the task hard, as counted"),
    gates: open(gates, "checks after the question was worded; `passed` only if it ran"),
    licences: open(list(text), "licences of the tables that it reads, sorted"),
    snapshots: open(
      list(struct({ table: text, hash: text })),
      "SHA-256 over card and snapshot of each table read",
    ),
    origin: open(
      struct({ stage: text, kind: text, name: text, index: nullable(int64) }),
      "the recipe, or the space and candidate index, that it comes from",
    ),
    wording: open(json, "who worded it, and how"),
    hidden_group: hidden(text, "rows of a group share a split"),
    hidden_entity_key: hidden(
      nullable(text),
      "key of the selected entity in its table; null where a figure of all candidates is asked for",
    ),
    hidden_entity_name: hidden(nullable(text), "name of the selected entity"),
    hidden_answer: hidden(
      struct({
        value: float64,
        text,
        tolerance: float64,
        uncertainty: float64,
        by_duckdb: float64,
        by_typescript: float64,
        condition_number: float64,
      }),
      "value in answer_unit at 12 significant digits, text as asked for, relative grading tolerance, relative standard uncertainty, both evaluators' values",
    ),
    hidden_chain: hidden(
      chain,
      "verification targets in dependency order, the answer last; tolerances are relative",
    ),
    hidden_wrong_answers: hidden(
      list(struct({ how: text, value: float64 })),
      "answers of wrong ways, in answer_unit, none within three tolerances",
    ),
    hidden_program: hidden(json, "the task as a program: where, select, follow, compute"),
    hidden_formula: hidden(json, "the formula's definition"),
    hidden_filter: hidden(json, "rows that meet each condition"),
    hidden_selection: hidden(json, "selected entity, ranking, margin, who wins without each condition"),
    hidden_inputs: hidden(json, "the formula's inputs with value, unit, uncertainty and sensitivity"),
    hidden_provenance: hidden(
      list(struct({ table: text, key: text, record: int64, column: text, snapshot_sha256: text })),
      "the source cells behind it; record counts from 1 in the snapshot file",
    ),
    hidden_rest: hidden(json, "fields that later stages added to the row"),
  },
);
export type TaskRecord = RowOf<typeof tasksPool>;
