import { openTexts } from "../datasets/open-texts.js";
import { type RlRecord, rlPool } from "../datasets/schema/index.js";
import type { Catalog } from "../sources/table.js";
import { nameLeaks } from "../verifiers/name-leaks.js";
import { plainText } from "../verifiers/plain-text.js";
import { sourceLeaks } from "../verifiers/source-leaks.js";
import { valueLeaks } from "../verifiers/value-leaks.js";
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
  const texts = new Map<string, string>();
  for (const { where, text } of openTexts(rlPool, record)) {
    // The same text in two fields is searched once.
    if (!FIXED.test(where) && !texts.has(text)) texts.set(text, where);
  }
  return [...texts].flatMap(([text, field]) =>
    search(plainText(text), RENDERED.test(field), expected).map((what) => ({ field, what })),
  );
}

function search(plain: string, rendered: boolean, expected: Expectations): string[] {
  const { names, hidden, stated, sources } = expected;
  const values = rendered ? hidden : hidden.filter((h) => !h.integer);
  return [
    ...nameLeaks(plain, names, "name"),
    ...valueLeaks(plain, values, stated),
    ...(rendered ? sourceLeaks(plain, sources.names, sources.hosts, names.allowed) : []),
  ].map((finding) => finding.what);
}
