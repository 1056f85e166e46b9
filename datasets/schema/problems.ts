import { int64, json, list, nullable, struct, text } from "./kinds.js";
import { gates } from "./parts.js";
import { definePool, hidden, open, type RowOf } from "./pool.js";

/** The auditor's pool of a user's own problems: the tasks pool's counterpart, in datasets that have any. */
export const problemsPool = definePool(
  "problems",
  "every accepted problem of a user's own with its answer, for auditors",
  {
    task_id: open(text, "16 hex digits from source, question and answer; stable across runs"),
    split: open(text, "train, validation or test"),
    source: open(text, "id of the source card"),
    domain: open(text, "domain of the card"),
    question: open(text, "the question as a solver sees it"),
    answer_type: open(text, "quantity, integer, entity, ...: how replies are graded"),
    language: open(text, "BCP 47 language of the question; decides what a comma means in numbers"),
    topic: open(nullable(text), "topic, where the card maps one"),
    gates: open(gates, "checks that the problem went through; `passed` only if it ran"),
    licences: open(list(text), "licences of its source"),
    snapshots: open(
      list(struct({ table: text, hash: text })),
      "SHA-256 over card and snapshot of its source",
    ),
    origin: open(
      struct({ stage: text, kind: text, name: text, index: int64 }),
      "kind is problem; the record (counting from 1) of the source that it was read from",
    ),
    hidden_group: hidden(text, "rows of a group share a split"),
    hidden_answer: hidden(
      json,
      "the right answer in the verifier's form: {type, value, unit, tolerance, ...}",
    ),
    hidden_rest: hidden(json, "fields that gates added to the row, such as their evidence"),
  },
);
export type ProblemRecord = RowOf<typeof problemsPool>;
