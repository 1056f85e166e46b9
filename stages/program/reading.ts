import { z } from "zod";
import type { Problem } from "../../pipeline/base/errors.js";
import type { Card, ColumnCard, Condition } from "../../sources/card.js";
import { convert, parseUnit, sameDimension } from "../../verifiers/units.js";
import type { Formula } from "../formulas/formula.js";
import { checkProgram } from "./check.js";
import { type Program, programSchema } from "./program.js";

/**
 * The form that a reader fills in: a program without unions and open records, as endpoints that take a JSON schema want it.
 * All of it is untrusted.
 */
const readCondition = z.strictObject({
  column: z.string(),
  op: z.enum(["lt", "le", "gt", "ge", "between", "one_of", "starts_with", "is_true", "is_false", "known"]),
  numbers: z.array(z.number()),
  texts: z.array(z.string()),
  /** Of the numbers, as the question gives it. */
  unit: z.string(),
});
type ReadCondition = z.infer<typeof readCondition>;

export const readingSchema = z.strictObject({
  table: z.string(),
  where: z.array(readCondition),
  select: z.strictObject({ column: z.string(), order: z.enum(["max", "min"]), rank: z.number() }),
  /** Empty for none. */
  follow: z.string(),
  formula: z.string(),
  inputs: z.array(
    z.strictObject({ name: z.string(), of: z.enum(["selected", "followed"]), column: z.string() }),
  ),
  unit: z.string(),
  /** 0 for an exact integer. */
  digits: z.number(),
});
export type Reading = z.infer<typeof readingSchema>;

export interface ReadProgram {
  readonly program: Program;
  /** Figures asked for as read: 0 where the question asks for none. */
  readonly digits: number;
}

/** The program that a reading says, or why it says none. Numbers come out in their columns' units. */
export function programRead(
  reading: Reading,
  cards: ReadonlyMap<string, Card>,
  formulas: ReadonlyMap<string, Formula>,
): ReadProgram | { problems: Problem[] } {
  const unknown = unknownNames(reading, cards);
  if (unknown.length > 0) return { problems: unknown };
  const card = cards.get(reading.table)!;
  const problems: Problem[] = [];
  const where = reading.where.flatMap((c, i) => conditionRead(c, card.columns[c.column]!, i, problems));
  const formula = formulas.get(reading.formula);
  const parsed = programSchema.safeParse({
    table: reading.table,
    where,
    select: reading.select,
    ...(reading.follow === "" ? {} : { follow: reading.follow }),
    compute: {
      formula: reading.formula,
      inputs: Object.fromEntries(reading.inputs.map(({ name, ...ref }) => [name, ref])),
      unit: reading.unit.trim() === "" ? "1" : reading.unit.trim(),
      // How many figures an exact integer has nobody asks.
      digits:
        formula !== undefined && (formula.exact || reading.digits === 0) ? formula.digits : reading.digits,
    },
  });
  if (!parsed.success) {
    const issues = parsed.error.issues.map((i) => ({
      code: "no_program",
      message: `${i.path.join(".")}: ${i.message}`,
    }));
    return { problems: [...problems, ...issues] };
  }
  if (problems.length === 0) problems.push(...checkProgram(parsed.data, cards, formulas));
  return problems.length > 0 ? { problems } : { program: parsed.data, digits: reading.digits };
}

/** Names are looked up in plain objects later on: only own members count, so `constructor` is no column. */
function unknownNames(
  { table, where, select, follow, inputs }: Reading,
  cards: ReadonlyMap<string, Card>,
): Problem[] {
  const card = cards.get(table);
  if (card === undefined) return [unknown("table", table)];
  const known = (column: string, at: Card | undefined) =>
    at !== undefined && Object.hasOwn(at.columns, column);
  const columns = [...where.map((c) => c.column), select.column].filter((c) => !known(c, card));
  if (follow !== "" && !Object.hasOwn(card.links, follow)) return [unknown("link", follow)];
  const there = follow === "" ? undefined : cards.get(card.links[follow]!.to);
  const read = inputs
    .filter((i) => !known(i.column, i.of === "selected" ? card : there))
    .map((i) => i.column);
  return [...columns, ...read].map((c) => unknown("column", c));
}

function unknown(what: string, name: string): Problem {
  return { code: `unknown_${what}`, message: `there is no ${what} \`${name.slice(0, 80)}\`` };
}

/** No question lists more. */
const MOST_VALUES = 100;

function conditionRead(
  read: ReadCondition,
  column: ColumnCard,
  at: number,
  problems: Problem[],
): Condition[] {
  const { op, texts } = read;
  const numbers = inColumnUnit(read, column);
  const wrong = (message: string): Condition[] => {
    problems.push({ code: "no_condition", message, path: ["where", at] });
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
