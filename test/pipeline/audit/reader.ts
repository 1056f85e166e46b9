import type { TaskRecord } from "../../../datasets/schema/index.js";
import type { Json } from "../../../pipeline/base/canonical.js";
import type { Card } from "../../../sources/card.js";
import type { Program } from "../../../stages/program/program.js";
import { conditionsRead } from "../../fixtures/reading.js";

/** A task's program as a faultless reader would put it down; or as one who overlooks its first condition. */
export function readingOf(task: TaskRecord, card: Card, overlooks: boolean): Json {
  const program = JSON.parse(task.hidden_program) as Program;
  const where = overlooks ? program.where.slice(1) : program.where;
  return {
    table: program.table,
    where: conditionsRead(where, card),
    select: { ...program.select },
    follow: program.follow ?? "",
    formula: program.compute.formula,
    inputs: Object.entries(program.compute.inputs).map(([name, ref]) => ({ name, ...ref })),
    unit: program.compute.unit,
    digits: task.answer_type === "integer" ? 0 : program.compute.digits,
  };
}
