import type { TaskRecord } from "../../../datasets/schema/index.js";
import type { Json } from "../../../pipeline/base/canonical.js";
import type { Card, Condition } from "../../../sources/card.js";
import type { Program } from "../../../stages/program/program.js";

/** A task's program as a faultless reader would put it down; or as one who overlooks its first condition. */
export function readingOf(task: TaskRecord, card: Card, overlooks: boolean): Json {
  const program = JSON.parse(task.hidden_program) as Program;
  const where = overlooks ? program.where.slice(1) : program.where;
  return {
    table: program.table,
    where: where.map((condition) => conditionRead(condition, card.columns[condition.column]!.unit ?? "")),
    select: { ...program.select },
    follow: program.follow ?? "",
    formula: program.compute.formula,
    inputs: Object.entries(program.compute.inputs).map(([name, ref]) => ({ name, ...ref })),
    unit: program.compute.unit,
    digits: task.answer_type === "integer" ? 0 : program.compute.digits,
  };
}

function conditionRead(c: Condition, unit: string): Json {
  const base = { column: c.column, numbers: [], texts: [], unit: "" };
  switch (c.op) {
    case "is":
      return { ...base, op: c.value ? "is_true" : "is_false" };
    case "known":
      return { ...base, op: c.op };
    case "between":
      return { ...base, op: c.op, numbers: [c.low, c.high], unit };
    case "starts_with":
      return { ...base, op: c.op, texts: c.values };
    case "eq":
    case "in": {
      const values = c.op === "eq" ? [c.value] : c.values;
      const texts = values.filter((v) => typeof v === "string");
      return { ...base, op: "one_of", texts, numbers: values.filter((v) => typeof v === "number") };
    }
    default:
      return { ...base, op: c.op, numbers: [c.value], unit };
  }
}
