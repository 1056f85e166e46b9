import { z } from "zod";
import type { Gate } from "../datasets/admission.js";
import type { Catalog } from "../sources/table.js";
import type { Finding } from "../verifiers/findings.js";
import type { WantedNumber } from "../verifiers/mention-conditions.js";
import { missingMentions } from "../verifiers/mentions.js";
import { nameLeaks } from "../verifiers/name-leaks.js";
import { scanNumbers } from "../verifiers/number-scan.js";
import { plainText } from "../verifiers/plain-text.js";
import { formProblems } from "../verifiers/question-form.js";
import { sourceLeaks } from "../verifiers/source-leaks.js";
import { parseUnit } from "../verifiers/units.js";
import { addedQuantities, states, valueLeaks } from "../verifiers/value-leaks.js";
import { same } from "../verifiers/values-equal.js";
import { defineStage } from "./stage.js";
import { type WordedRow, wordedRow } from "./task.js";
import { expectationsOf } from "./words/expectations.js";
import { isEnglish } from "./words/language.js";

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
  missing_statistic: "the figure over all candidates (total, mean, median, share) is not asked for",
  wrong_direction: "two figures are compared the wrong way round, or it is not said which way",
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
  const { names, sources } = expected;
  const plain = plainText(row.question);
  return [
    ...form,
    ...nameLeaks(plain, names, "name_leaked"),
    ...valueLeaks(plain, expected.hidden, expected.stated),
    ...sourceLeaks(plain, sources.names, sources.hosts, names.allowed, names.vocabulary),
    ...(isEnglish(languageOf(row))
      ? missingMentions(plain, expected.wanted)
      : unstated(plain, expected.wanted.numbers)),
    ...addedQuantities(plain, expected.stated),
  ];
}

function languageOf({ wording }: WordedRow): string {
  return wording.style.language ?? "en";
}

/** All that can be said of conditions in a language whose words are not read here: whether their numbers are there. */
function unstated(plain: string, wanted: readonly WantedNumber[]): Finding[] {
  const numbers = scanNumbers(plain);
  return wanted.flatMap(({ label, value, unit }) => {
    const said = numbers.some(
      (n) => n.values.some((v) => same(v, value)) || states(n, value, parseUnit(unit)),
    );
    return said ? [] : [{ code: "missing_condition", what: `${label} is not stated as ${value} ${unit}` }];
  });
}

/** What the checks come to when they find nothing: in a language that they only half read, they have not passed. */
function verdictFor(language: string): Gate {
  if (isEnglish(language)) {
    const why = "all is stated that must be, and no name, hidden value or source is given away";
    return { gate: "lint", status: "passed", why };
  }
  const why = `nothing is given away and every number is there, but words in \`${language}\` are not read: see round_trip`;
  return { gate: "lint", status: "not_run", why };
}

const params = z.strictObject({});
type Params = z.infer<typeof params>;

/** The most findings that a rejection shows. */
const SHOWN = 20;

/** Checks a wording by machine: all that must be said is said, and nothing that must not. */
export const lint = defineStage<Params, WordedRow, WordedRow>({
  kind: "lint",
  version: 3,
  summary:
    "checks each question: conditions, unit and digits stated; no name, hidden value or source given away",
  mode: "row",
  // Behind a set stage it sees the same rows in every round.
  costly: true,
  params,
  takes: "worded",
  gives: "worded",
  gate: "lint",
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
    const gates = [...row.gates.filter((g) => g.gate !== "lint"), verdictFor(languageOf(row))];
    return { out: { ...row, gates } };
  },
});
