import type { Card } from "../../sources/card.js";
import { type Condition, type Program, type Select, stepsOf } from "./reading.js";

/** Programs in words for people who read a report: shorter than a question, and as exact as the program. */

export type Cards = ReadonlyMap<string, Pick<Card, "columns" | "domain">>;

/** What the card calls a column; its id where the card has no words for it. */
export function nounOf(column: string, table: string, cards: Cards): string {
  return cards.get(table)?.columns[column]?.phrase?.noun ?? column.replaceAll("_", " ");
}

const OPERATORS: Readonly<Record<string, string>> = { lt: "<", le: "≤", gt: ">", ge: "≥", eq: "=" };

/** A condition as people write it: "melting point 1660 to 2200 K". */
export function conditionText(condition: Condition, table: string, cards: Cards): string {
  const { column, op = "", value, values, low, high } = condition;
  const noun = nounOf(column, table, cards);
  const unit = cards.get(table)?.columns[column]?.unit ?? "1";
  const behind = unit === "1" ? "" : ` ${unit}`;
  const list = Array.isArray(values) ? values.map(String) : [];
  switch (op) {
    case "between":
      return `${noun} ${low} to ${high}${behind}`;
    case "in":
      return `${noun} one of ${list.join(", ")}`;
    case "starts_with":
      return `${noun} starts with ${list.join(" or ")}`;
    case "is":
      return `${noun}: ${value === true ? "yes" : "no"}`;
    case "known":
      return `${noun} is known`;
    default:
      return `${noun} ${OPERATORS[op] ?? op} ${String(value ?? "")}${typeof value === "number" ? behind : ""}`;
  }
}

/** "elements: period = 2; largest boiling point, rank 2; then element; ionization wavelength". */
export function programText(program: Program, cards: Cards): string {
  const { table, derive, where = [], select, other, compute } = program;
  const listed = (conditions: readonly Condition[]) =>
    conditions.length === 0 ? "all" : conditions.map((c) => conditionText(c, table, cards)).join(", ");
  return [
    `${table}: ${listed(where)}`,
    ...(derive === undefined ? [] : [`with ${Object.keys(derive).join(", ").replaceAll("_", " ")}`]),
    select === undefined ? "all of them" : selectText(select, table, cards),
    ...stepsOf(program).map((step) => `then ${step}`),
    ...(other === undefined
      ? []
      : [`against ${listed(other.where)}, ${selectText(other.select, table, cards)}`]),
    ...(compute === undefined ? [] : [compute.formula.replaceAll("_", " ")]),
  ].join("; ");
}

/** "largest mass, rank 2" */
export function selectText({ column, order, rank }: Select, table: string, cards: Cards): string {
  const end = order === "max" ? "largest" : order === "min" ? "smallest" : order;
  return `${end} ${nounOf(column, table, cards)}${rank > 1 ? `, rank ${rank}` : ""}`;
}
