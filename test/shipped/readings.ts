import type { Card, Condition } from "../../sources/card.js";
import type { Program } from "../../stages/program/program.js";
import type { Reading } from "../../stages/program/reading.js";
import type { WordedRow } from "../../stages/task.js";

type Cards = ReadonlyMap<string, Card>;
type ReadCondition = Reading["where"][number];

/** A task's program as a faultless reader puts it down. */
export function readingOf({ program, answer }: WordedRow, cards: Cards): Reading {
  const { table, where, select, follow = "", compute } = program;
  const card = cards.get(table)!;
  return {
    table,
    where: where.map((c) => conditionOf(c, card.columns[c.column]!.unit ?? "")),
    select,
    follow,
    formula: compute.formula,
    inputs: Object.entries(compute.inputs).map(([name, ref]) => ({ name, ...ref })),
    unit: compute.unit,
    digits: answer.type === "integer" ? 0 : compute.digits,
  };
}

function conditionOf(condition: Condition, unit: string): ReadCondition {
  const { column } = condition;
  const bare = { column, numbers: [], texts: [], unit: "" };
  switch (condition.op) {
    case "is":
      return { ...bare, op: condition.value ? "is_true" : "is_false" };
    case "known":
      return { ...bare, op: "known" };
    case "starts_with":
      return { ...bare, op: "starts_with", texts: [...condition.values] };
    case "eq":
    case "in": {
      const values: readonly (string | number)[] =
        condition.op === "eq" ? [condition.value] : condition.values;
      const numbers = values.filter((v) => typeof v === "number");
      const texts = values.filter((v) => typeof v === "string");
      return { ...bare, op: "one_of", numbers, texts, unit: numbers.length > 0 ? unit : "" };
    }
    case "between":
      return { ...bare, op: "between", numbers: [condition.low, condition.high], unit };
    default:
      return { ...bare, op: condition.op, numbers: [condition.value], unit };
  }
}

/** The task with one condition less. */
export function withoutCondition<T extends { readonly program: Program }>(row: T): T {
  return { ...row, program: { ...row.program, where: row.program.where.slice(1) } };
}
