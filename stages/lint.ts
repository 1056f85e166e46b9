import { z } from "zod";
import type { Catalog } from "../sources/table.js";
import type { Finding } from "../verifiers/findings.js";
import { missingMentions } from "../verifiers/mentions.js";
import { nameLeaks } from "../verifiers/name-leaks.js";
import { plainText } from "../verifiers/plain-text.js";
import { formProblems } from "../verifiers/question-form.js";
import { sourceLeaks } from "../verifiers/source-leaks.js";
import { addedQuantities, valueLeaks } from "../verifiers/value-leaks.js";
import { defineStage } from "./stage.js";
import { type WordedRow, wordedRow } from "./task.js";
import { expectationsOf } from "./words/expectations.js";

export const lintReasons = {
  malformed: "the question's form is broken: length, end, brackets, characters, an unfilled template",
  name_leaked: "the question names the entity it asks for, or the one it leads to",
  value_leaked: "the answer or a value on the way to it can be read in the question",
  source_named: "the question names the source, its publisher or an address",
  missing_condition: "a condition, its value or its unit is not stated",
  added_quantity: "a quantity is stated that the program does not have",
  wrong_comparison: "a condition is stated the wrong way round",
  missing_order: "the superlative, or what it is about, is missing or the wrong way round",
  missing_rank: "the rank is missing or another one is stated",
  missing_scope: "the candidates or their scope are not named",
  missing_quantity: "the quantity asked for is not named",
  missing_definition: "the quantity's definition is not given",
  missing_hop: "the step to the linked entity is not stated",
  missing_constant: "a constant that the answer depends on is not stated",
  missing_date: "the date of values that change is not stated",
  missing_unit: "the unit of the answer is not asked for",
  missing_precision: "the number of significant figures is not asked for",
} as const;

/** All that is wrong with a question, whoever wrote it. Time is linear in its length. */
export function lintQuestion(row: WordedRow, catalog: Catalog): Finding[] {
  const form = formProblems(row.question);
  const expected = expectationsOf(row, catalog);
  const plain = plainText(row.question);
  return [
    ...form,
    ...nameLeaks(plain, expected.names, "name_leaked"),
    ...valueLeaks(plain, expected.hidden, expected.stated),
    ...sourceLeaks(plain, expected.sources.names, expected.sources.hosts, expected.names.allowed),
    ...missingMentions(plain, expected.wanted),
    ...addedQuantities(plain, expected.stated),
  ];
}

const params = z.strictObject({});
type Params = z.infer<typeof params>;

/** The most findings that a rejection shows. */
const SHOWN = 20;

/** Checks a wording by machine: all that must be said is said, and nothing that must not. */
export const lint = defineStage<Params, WordedRow, WordedRow>({
  kind: "lint",
  version: 1,
  summary:
    "checks each question: conditions, unit and digits stated; no name, hidden value or source given away",
  mode: "row",
  params,
  takes: "worded",
  gives: "worded",
  input: wordedRow,
  output: wordedRow,
  reasons: lintReasons,
  run(row, { catalog }) {
    const findings = lintQuestion(row, catalog);
    const first = findings[0];
    if (first !== undefined) {
      return {
        reject: {
          reason: first.code,
          evidence: {
            question: row.question.slice(0, 4000),
            findings: findings.slice(0, SHOWN).map((f) => ({ ...f })),
          },
        },
      };
    }
    const gates = [
      ...row.gates.filter((g) => g.gate !== "lint"),
      {
        gate: "lint",
        status: "passed" as const,
        why: "all is stated that must be, and no name, hidden value or source is given away",
      },
    ];
    return { out: { ...row, gates } };
  },
});
