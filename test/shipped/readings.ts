import type { Card } from "../../sources/card.js";
import type { Program } from "../../stages/program/program.js";
import type { Reading } from "../../stages/program/reading.js";
import type { WordedRow } from "../../stages/task.js";
import * as fixture from "../fixtures/reading.js";

/** A task's program as a faultless reader puts it down. */
export function readingOf(row: WordedRow, cards: ReadonlyMap<string, Card>): Reading {
  return fixture.readingOf(row, cards.get(row.program.table)!, row.answer.type === "integer");
}

/** The task with one condition less. */
export function withoutCondition<T extends { readonly program: Program }>(row: T): T {
  return { ...row, program: { ...row.program, where: row.program.where.slice(1) } };
}
