import type { Condition } from "../../sources/card.js";
import { holds, type Value } from "../../sources/conditions.js";
import type { Column, NumberColumn, Table } from "../../sources/table.js";
import { type Tie, tiesOf } from "./perturb-ties.js";

/** What one program asks of a table's columns. */
export interface Asks {
  readonly where: readonly Condition[];
  /** Columns whose value decides or is computed with. */
  readonly needs: readonly string[];
}

/** Columns that are set together: one, or several that say the same. Their values are drawn as the representative's. */
export interface Group {
  readonly column: Column;
  readonly members: readonly Member[];
  /** Conditions of each program, by program. */
  readonly where: readonly (readonly Condition[])[];
  readonly conditions: readonly Condition[];
  /** All numbers that conditions name, ascending, in the representative's figures. */
  readonly limits: readonly number[];
  /** Known values of the representative, where it holds numbers. */
  readonly values: readonly number[];
  /** The largest of them, either sign; 1 where there is none. */
  readonly largest: number;
  /** Only whole numbers occur. */
  readonly whole: boolean;
  /** "More than 3" and "at least 3" are different things. */
  readonly exact: boolean;
}

export interface Member {
  readonly id: string;
  readonly tie: Tie;
  readonly whole: boolean;
}

/** The columns that programs read, in groups, in the order of their ids. */
export function groupsOf(table: Table, asks: readonly Asks[]): Group[] {
  const ties = tiesOf(table);
  const used = [...new Set(asks.flatMap((a) => [...a.where.map((c) => c.column), ...a.needs]))].sort();
  const groups = new Map<string, Member[]>();
  for (const id of used) {
    const tie = ties.get(id) ?? { to: id, factor: 1, offset: 0 };
    const member = { id, tie, whole: table.columns.get(id)!.type === "integer" };
    groups.set(tie.to, [...(groups.get(tie.to) ?? []), member]);
  }
  return [...groups].map(([id, members]) => groupOf(table.columns.get(id)!, members, asks));
}

function groupOf(column: Column, members: readonly Member[], asks: readonly Asks[]): Group {
  const where = asks.map((a) => a.where.filter((c) => members.some((m) => m.id === c.column)));
  const conditions = where.flat();
  const { scale } = column.card;
  const whole = column.type === "integer" || scale === "count" || members.some((m) => m.whole);
  const { values, largest } = figuresOf(column);
  return {
    column,
    members,
    where,
    conditions,
    limits: limitsOf(conditions, members),
    values,
    largest,
    whole,
    exact: whole || scale === "exact",
  };
}

/** A member's value, when the representative's is `drawn`. */
export function memberValue({ tie, whole }: Member, drawn: Value): Value {
  if (typeof drawn !== "number") return drawn;
  const value = tie.factor * drawn + tie.offset;
  return whole ? Math.round(value) : value;
}

/** Whether a value meets all that a program asks of the group. */
export function pleases({ members, where }: Group, drawn: Value, program: number): boolean {
  const valueIn = (id: string) => memberValue(members.find((m) => m.id === id)!, drawn);
  return where[program]!.every((c) => holds(c, valueIn(c.column)) === true);
}

/** Closer than this, two limits are one in other units. */
const SAME = 1e-9;

function limitsOf(conditions: readonly Condition[], members: readonly Member[]): number[] {
  const numbers = conditions.flatMap((c) => {
    const { factor, offset } = members.find((m) => m.id === c.column)!.tie;
    return numbersIn(c).map((n) => (n - offset) / factor);
  });
  const ascending = numbers.sort((a, b) => a - b);
  return ascending.filter((n, i) => i === 0 || n - ascending[i - 1]! > SAME * Math.abs(n));
}

function numbersIn(condition: Condition): number[] {
  switch (condition.op) {
    case "lt":
    case "le":
    case "gt":
    case "ge":
      return [condition.value];
    case "between":
      return [condition.low, condition.high];
    case "eq":
      return typeof condition.value === "number" ? [condition.value] : [];
    case "in":
      return condition.values.filter((v) => typeof v === "number");
    default:
      return [];
  }
}

type Figures = Pick<Group, "values" | "largest">;

const NONE: Figures = { values: [], largest: 1 };
const figures = new WeakMap<NumberColumn, Figures>();

function figuresOf(column: Column): Figures {
  if (column.type === "text" || column.type === "flag") return NONE;
  let found = figures.get(column);
  if (found === undefined) {
    const values = [...column.values].filter((v, row) => !Number.isNaN(v) && column.limit[row] === 0);
    const largest = values.reduce((most, v) => Math.max(most, Math.abs(v)), 0) || 1;
    found = { values, largest };
    figures.set(column, found);
  }
  return found;
}
