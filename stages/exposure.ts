import { openTexts } from "../datasets/open-texts.js";
import { type RlRecord, rlPool } from "../datasets/schema/index.js";
import type { Catalog } from "../sources/table.js";
import { nameLeaks } from "../verifiers/name-leaks.js";
import { scanNumbers } from "../verifiers/number-scan.js";
import { plainText } from "../verifiers/plain-text.js";
import { shownAnswer } from "../verifiers/shown-answer.js";
import { sourceLeaks } from "../verifiers/source-leaks.js";
import { type StatedValue, valueLeaks } from "../verifiers/value-leaks.js";
import type { ProblemRow } from "./problem.js";
import type { SplitRow } from "./task.js";
import { type Expectations, expectationsOf } from "./words/expectations.js";

export interface Exposure {
  /** The field, e.g. `prompt[0].content`. */
  readonly field: string;
  readonly what: string;
}

/** Made of hex digits or of words of our own: nothing of the data can stand in them. */
const FIXED =
  /^(task_id|split|agent_name|extra_info\.(split|task_id)|gates\[\d+\]\.(gate|status)|prompt\[\d+\]\.role)$/;
/** What a model is shown. */
const RENDERED = /^(prompt\[\d+\]\.content|extra_info\.question)$/;

/**
 * Hidden targets that stand in open fields of a row of the RL pool (law 7). What a model is shown is searched for names,
 * values and sources; other fields for names and measured values, as small whole numbers there are about other things.
 */
export function exposed(record: RlRecord, row: SplitRow, catalog: Catalog): Exposure[] {
  const expected = expectationsOf(row, catalog);
  return [...openFields(record)].flatMap(([text, field]) =>
    search(plainText(text), RENDERED.test(field), expected).map((what) => ({ field, what })),
  );
}

/**
 * The answer of a user's own problem, where an open field of its row says it. Its source may be named: it is the user's own, and
 * no table to look the answer up in.
 */
export function exposedAnswer(record: RlRecord, { expected, problem }: ProblemRow): Exposure[] {
  const fields = openFields(record);
  if (problem.topic !== undefined && !fields.has(problem.topic)) fields.set(problem.topic, "topic");
  return [...fields].flatMap(([text, field]) => {
    const what = shownAnswer(text, expected);
    return what === undefined ? [] : [{ field, what }];
  });
}

/** Texts that may hold something of the data, each with the first field that it stands in: the same text is searched once. */
function openFields(record: RlRecord): Map<string, string> {
  const texts = new Map<string, string>();
  for (const { where, text } of openTexts(rlPool, record)) {
    if (!FIXED.test(where) && !texts.has(text)) texts.set(text, where);
  }
  return texts;
}

/** Whole numbers below this that stand alone in fields of our own are counts: of worlds, of samples. */
const COUNTS = 1000;

function counts(plain: string): StatedValue[] {
  return scanNumbers(plain)
    .flatMap(({ values }) => values)
    .filter((value) => Number.isInteger(value) && Math.abs(value) < COUNTS)
    .map((value) => ({ value, unit: null, condition: false }));
}

function search(plain: string, rendered: boolean, expected: Expectations): string[] {
  const { names, hidden, stated, sources } = expected;
  const values = rendered ? hidden : hidden.filter((h) => !h.integer);
  return [
    ...nameLeaks(plain, names, "name"),
    ...valueLeaks(plain, values, rendered ? stated : [...stated, ...counts(plain)]),
    ...(rendered ? sourceLeaks(plain, sources.names, sources.hosts, names.allowed, names.vocabulary) : []),
  ].map((finding) => finding.what);
}
