import { z } from "zod";
import { expectedOf } from "../datasets/expected.js";
import type { Catalog } from "../sources/table.js";
import type { Expected } from "../verifiers/answer/answer.js";
import type { ProblemRow } from "./problem.js";
import type { Row } from "./stage.js";
import { gate, subjectOf, type WordedRow } from "./task.js";

export { expectedOf } from "../datasets/expected.js";

/** What worded tasks and a user's own problems have in common. All other fields travel along. */
export const questionRow = z.looseObject({
  id: z.string(),
  question: z.string(),
  gates: z.array(gate),
});
export type QuestionRow = z.infer<typeof questionRow>;

/** A question of either kind, told apart. */
export type Asked =
  | { readonly kind: "table"; readonly row: WordedRow }
  | { readonly kind: "problem"; readonly row: ProblemRow };

/** Which kind a row is. What comes through a port that gives `question` is one of the two, and was checked where it was made. */
export function askedOf(row: Row): Asked {
  if ("problem" in row) return { kind: "problem", row: row as ProblemRow };
  return { kind: "table", row: row as unknown as WordedRow };
}

/** What a gate needs in order to grade replies and to say afterwards for which rows it did. */
export interface Gradable {
  readonly expected: Expected;
  /** BCP 47. */
  readonly language: string;
  readonly domain: string;
  /** Null for problems, which have neither. */
  readonly table: string | null;
  readonly formula: string | null;
  /** Rows with the same one are no independent observations: the entity asked for, or the problem itself. */
  readonly entity: string;
}

/** The answer of a question and the groups that it belongs to. */
export function gradable(asked: Asked, catalog: Catalog): Gradable {
  if (asked.kind === "problem") {
    const { id, problem, expected } = asked.row;
    const { language, domain, source } = problem;
    return { expected, language, domain, table: null, formula: null, entity: `problem/${source}/${id}` };
  }
  const { row } = asked;
  const { table, compute } = row.program;
  return {
    expected: expectedOf(row),
    language: row.wording.style.language ?? "en",
    domain: catalog.tables.get(table)?.card.domain ?? "unknown",
    table,
    formula: compute.formula,
    entity: subjectOf(row),
  };
}
