import { z } from "zod";
import type { Problem } from "../../pipeline/base/errors.js";
import type { ColumnCard, Condition } from "../../sources/card.js";
import { convert, parseUnit, sameDimension } from "../../verifiers/units.js";

/** A condition as a reader puts it down: what its operator does not take is empty. */
export const readCondition = z.strictObject({
  column: z.string(),
  op: z.enum(["lt", "le", "gt", "ge", "between", "one_of", "starts_with", "is_true", "is_false", "known"]),
  numbers: z.array(z.number()),
  texts: z.array(z.string()),
  /** Of the numbers, as the question gives it. */
  unit: z.string(),
});
export type ReadCondition = z.infer<typeof readCondition>;

/** No question lists more. */
const MOST_VALUES = 100;

/** The condition that is meant, none where it means nothing, with the problem. */
export function conditionRead(
  read: ReadCondition,
  column: ColumnCard,
  path: (string | number)[],
  problems: Problem[],
): Condition[] {
  const { op, texts } = read;
  const numbers = inColumnUnit(read, column);
  const wrong = (message: string): Condition[] => {
    problems.push({ code: "no_condition", message, path });
    return [];
  };
  if (typeof numbers === "string") return wrong(numbers);
  switch (op) {
    case "lt":
    case "le":
    case "gt":
    case "ge":
      if (numbers.length !== 1) return wrong(`\`${op}\` takes one number`);
      return [{ column: read.column, op, value: numbers[0]! }];
    case "between": {
      if (numbers.length !== 2) return wrong("`between` takes two numbers");
      const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
      return [{ column: read.column, op, low, high }];
    }
    case "one_of": {
      const values = column.type === "text" ? texts : numbers;
      if (values.length === 0) return wrong("`one_of` takes at least one value of the column's type");
      if (values.length > MOST_VALUES) return wrong(`\`one_of\` takes at most ${MOST_VALUES} values`);
      return values.length === 1
        ? [{ column: read.column, op: "eq", value: values[0]! }]
        : [{ column: read.column, op: "in", values: [...values] }];
    }
    case "starts_with":
      if (texts.length === 0 || texts.length > MOST_VALUES || texts.includes(""))
        return wrong("`starts_with` takes texts");
      return [{ column: read.column, op, values: texts }];
    case "is_true":
    case "is_false":
      return [{ column: read.column, op: "is", value: op === "is_true" }];
    case "known":
      return [{ column: read.column, op }];
  }
}

/** The numbers of a condition in the column's unit, or why they have none there. */
function inColumnUnit({ numbers, unit: written }: ReadCondition, column: ColumnCard): number[] | string {
  const unit = written.trim();
  const own = column.unit ?? "1";
  if (numbers.length === 0) return [];
  if (isPlain(column)) return isPlainUnit(unit) ? numbers : converted(numbers, unit, own);
  if (unit === "") return `the question gives no unit for a value in ${own}`;
  return converted(numbers, unit, own);
}

/** Counts, pure numbers and calendar years have no unit in prose. */
function isPlain({ unit = "1", scale }: ColumnCard): boolean {
  return unit === "1" || (unit === "yr" && scale === "interval");
}

/** No unit, or what is counted ("moons"). */
function isPlainUnit(unit: string): boolean {
  if (unit === "" || unit === "1" || /^years?$/i.test(unit)) return true;
  try {
    parseUnit(unit);
    return false;
  } catch {
    return true;
  }
}

function converted(numbers: readonly number[], from: string, to: string): number[] | string {
  try {
    if (!sameDimension(from, to)) return `${from} is no unit for a value in ${to}`;
    return from === to ? [...numbers] : numbers.map((n) => Number(convert(n, from, to).toPrecision(14)));
  } catch {
    return `${from.slice(0, 40)} is no unit`;
  }
}
