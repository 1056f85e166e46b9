import type { Catalog } from "../../sources/table.js";
import { type Asked, gradable } from "../question.js";

/** What a rejection has to say of its row, as the row itself is not kept: the question and the groups that rates are given for. */
export interface Subject {
  readonly question: string;
  readonly domain: string;
  readonly table: string | null;
  readonly formula: string | null;
  readonly entity: string;
  readonly expected: unknown;
}

/** Longest part of a question that evidence shows. */
const SHOWN = 4000;

export function subjectOf(asked: Asked, catalog: Catalog): Subject {
  const { expected, domain, table, formula, entity } = gradable(asked, catalog);
  return { question: asked.row.question.slice(0, SHOWN), domain, table, formula, entity, expected };
}
