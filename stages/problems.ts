import { z } from "zod";
import { canonicalJson } from "../pipeline/base/canonical.js";
import { type Problem, suggest } from "../pipeline/base/errors.js";
import { type Card, identifier } from "../sources/card.js";
import { excerpt, sourceError } from "../sources/problems.js";
import type { Catalog, Table } from "../sources/table.js";
import { type CellFault, problemAt, type StatedProblem } from "./problem/record.js";
import { PROBLEMS_KIND, type ProblemRow, problemRow } from "./problem.js";
import {
  type CheckContext,
  defineStage,
  type RejectedItem,
  type Rejection,
  type StageContext,
} from "./stage.js";

/** Records in a block: enough to keep a model busy, few enough that a small target asks it little in vain. */
const BLOCK = 200;

const params = z.strictObject({
  /** Ids of cards of problems; all of the config's without it. */
  sources: z.array(identifier).min(1).optional(),
});
type Params = z.infer<typeof params>;

/** Questions and answers of the user's own, as their cards map them. */
export const problems = defineStage<Params, ProblemRow>({
  kind: PROBLEMS_KIND,
  version: 1,
  summary: "questions with their answers from sources of kind `problems`",
  mode: "source",
  params,
  takes: "tables",
  gives: "problem",
  output: problemRow,
  reasons: {
    missing_question: "a record without question",
    missing_answer: "a record without answer",
    unreadable_answer: "a cell that is no answer of its type, or says of it what cannot be",
    hidden_target_shown: "the question shows its own answer",
    repeated_problem: "the same question with the same answer stands in an earlier record",
    conflicting_answers:
      "the same question stands in another record with another answer: one of them is wrong",
  },
  check: checkSources,
  run(block, context) {
    const stated = statedIn(context);
    const part = stated.slice(block * BLOCK, (block + 1) * BLOCK);
    const out: ProblemRow[] = [];
    const rejected: RejectedItem[] = [];
    for (const one of part) {
      if ("reject" in one) rejected.push({ ref: refOf(one), ...one.reject });
      else out.push(rowOf(one, context.instance));
    }
    return { out, rejected, created: part.length, more: (block + 1) * BLOCK < stated.length };
  },
  again(row, context) {
    const { name, index } = row.origin as ProblemRow["origin"];
    const found = statedIn(context).find((one) => one.record === index && one.table.id === name);
    return found === undefined || "reject" in found ? undefined : rowOf(found, context.instance);
  },
});

interface Place {
  readonly table: Table;
  /** 1-based, in the snapshot. */
  readonly record: number;
}
type Stated = Sound | (Place & { readonly reject: Rejection });

const known = new WeakMap<Catalog, Map<string, readonly Stated[]>>();

/** Every record of the sources with what it states, read once per catalog. */
function statedIn({ params, catalog }: StageContext<Params>): readonly Stated[] {
  const name = JSON.stringify(params.sources ?? null);
  const byName = known.get(catalog) ?? new Map<string, readonly Stated[]>();
  known.set(catalog, byName);
  const found = byName.get(name) ?? withoutDoubles(tablesOf(params, catalog).flatMap(readTable));
  byName.set(name, found);
  return found;
}

function tablesOf({ sources }: Params, { tables }: Catalog): Table[] {
  return [...tables.values()]
    .filter(({ id, card }) => card.kind === "problems" && (sources?.includes(id) ?? true))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

function readTable(table: Table): Stated[] {
  return Array.from({ length: table.rows }, (_, row): Stated => {
    const place = { table, record: table.records[row]! };
    const problem = problemAt(table, row);
    if (!("reason" in problem)) return { ...place, problem };
    // A question that gives its answer away is read well enough.
    const unread = problem.reason !== "hidden_target_shown";
    if (unread && table.card.on_unreadable === "fail") failOn(problem, place);
    return { ...place, reject: rejection(problem, place) };
  });
}

function failOn({ column, text, why, right }: CellFault, { table, record }: Place): never {
  const { file } = table.card.snapshot;
  const cell = text === "" ? "" : ` ${JSON.stringify(excerpt(text))}`;
  const where = `${file}, record ${record}, column ${column}`;
  sourceError("unreadable_answer", `${where}:${cell} does not fit: ${why}`, {
    hint: `${right}; or set \`on_unreadable: reject_row\``,
  });
}

function rejection({ reason, column, text, why, right }: CellFault, { table, record }: Place): Rejection {
  return { reason, evidence: { source: table.id, record, column, text: excerpt(text, 200), why, right } };
}

type Sound = Place & { readonly problem: StatedProblem };

/** Of equal problems the first stays; of a question with several answers nobody knows which is right, and none stays. */
function withoutDoubles(all: readonly Stated[]): Stated[] {
  /** The first record of each answer, by question. */
  const byQuestion = new Map<string, Map<string, Sound>>();
  for (const one of all) {
    if ("reject" in one) continue;
    const answers = byQuestion.get(one.problem.question) ?? new Map<string, Sound>();
    const answer = answerOf(one);
    if (!answers.has(answer)) answers.set(answer, one);
    byQuestion.set(one.problem.question, answers);
  }
  return all.map((one): Stated => {
    if ("reject" in one) return one;
    const answers = byQuestion.get(one.problem.question)!;
    const first = answers.get(answerOf(one))!;
    if (answers.size > 1) return against("conflicting_answers", one, [...answers.values()]);
    return first === one ? one : against("repeated_problem", one, [first]);
  });
}

const refOf = ({ table, record }: Place): string => `${table.id}#${record}`;
const answerOf = ({ problem }: Sound): string => canonicalJson(problem.expected);

/** Other records shown with a rejection. */
const SHOWN = 5;

function against(reason: string, one: Sound, others: readonly Sound[]): Stated {
  const { table, record, problem } = one;
  const shown = others
    .filter((other) => other !== one)
    .slice(0, SHOWN)
    .map((other) => ({ record: refOf(other), answer: excerpt(answerOf(other), 400) }));
  const evidence = {
    question: excerpt(problem.question, 400),
    answer: excerpt(answerOf(one), 400),
    others: shown,
  };
  return { table, record, reject: { reason, evidence } };
}

function rowOf({ table, record, problem }: Sound, instance: string): ProblemRow {
  const { id, question, expected, language, topic } = problem;
  const { domain } = table.card;
  return {
    id,
    question,
    gates: [],
    problem: { source: table.id, domain, language, ...(topic === undefined ? {} : { topic }) },
    expected,
    origin: { stage: instance, kind: "problem", name: table.id, index: record },
    snapshots: { [table.id]: table.hash },
  };
}

function checkSources({ sources }: Params, { cards }: CheckContext): Problem[] {
  const usable = [...cards.values()].filter((card) => card.kind === "problems").map((card) => card.id);
  if (sources === undefined) {
    if (usable.length > 0) return [];
    const hint = "add the path of a card with `kind: problems` to `sources`; docs/problems.md shows one";
    return [{ code: "missing_source", message: "no source holds problems", hint, path: [] }];
  }
  return sources.flatMap((id, i) => problemWith(cards.get(id), id, usable, ["sources", i]));
}

function problemWith(
  card: Card | undefined,
  id: string,
  usable: readonly string[],
  path: (string | number)[],
): Problem[] {
  if (card === undefined)
    return [{ code: "unknown_table", message: `unknown source \`${id}\``, hint: suggest(id, usable), path }];
  if (card.kind === "problems") return [];
  const message = `\`${id}\` is a table, not a source of problems`;
  return [{ code: "not_problems", message, hint: suggest(id, usable, "problems here"), path }];
}
