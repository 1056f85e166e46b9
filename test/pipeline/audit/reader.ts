import type { TaskRecord } from "../../../datasets/schema/index.js";
import { taskRow } from "../../../datasets/task-record.js";
import type { Card } from "../../../sources/card.js";
import type { Reading } from "../../../stages/program/reading.js";
import type { WordedRow } from "../../../stages/task.js";
import * as fixture from "../../fixtures/reading.js";

/** A task's program as a faultless reader would put it down; or as one who overlooks its first condition. */
export function readingOf(task: TaskRecord, card: Card, overlooks: boolean): Reading {
  const row = taskRow(task) as unknown as WordedRow;
  const { program } = row;
  const where = overlooks ? program.where.slice(1) : program.where;
  return fixture.readingOf({ ...row, program: { ...program, where } }, card, task.answer_type === "integer");
}
