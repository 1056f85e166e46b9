import { bool, json, nullable, text } from "./kinds.js";
import { definePool, hidden, open, type RowOf } from "./pool.js";

/**
 * What each gate said of each row that it saw, the rows it turned away included: one Parquet file that DuckDB reads as a table. It is
 * for auditors: none of it is for a model's eyes.
 */
export const ledgerTable = definePool(
  "ledger",
  "what every gate said of every row that it saw, for auditors",
  {
    task_id: open(text, "the same row in the tasks pool, if it was accepted"),
    instance: open(text, "the stage instance"),
    gate: open(text, "the gate that it decides"),
    status: open(text, "passed, failed, not_run, or rejected: the row ended here"),
    reason: open(text, "reason code of a rejection, else empty"),
    why: open(text, "the decision in words"),
    accepted: open(bool, "whether the row is in the dataset"),
    domain: open(nullable(text), "domain of the row's table"),
    table: open(nullable(text), "id of the source card"),
    formula: open(nullable(text), "id of the formula"),
    question: open(text, "the question as it was asked"),
    hidden_entity: hidden(
      nullable(text),
      "table and key of the selected entity: rows of one are not independent",
    ),
    hidden_evidence: hidden(
      json,
      "what the gate found: samples with their recorded calls, readings, matches",
    ),
    hidden_row: hidden(
      json,
      "the row as the gate saw it, if it was not accepted; else null: the tasks pool has it",
    ),
  },
);
export type LedgerRecord = RowOf<typeof ledgerTable>;
