import type { Catalog, NumberColumn, Table } from "../../sources/table.js";
import { gradeAnswer } from "../../verifiers/answer/grade.js";
import { median } from "../../verifiers/chance.js";
import { round12 } from "../../verifiers/numbers.js";
import { compileNumeric } from "../formulas/numeric.js";
import { Bits } from "../program/bits.js";
import { type Computation, computationOf } from "../program/computation.js";
import { nth } from "../program/selection.js";
import { indexOf } from "../program/table-index.js";
import { expectedOf } from "../question.js";
import type { WordedRow } from "../task.js";

/** An answer that needs no knowledge of the entity asked for. */
export interface Guess {
  readonly how: string;
  /** In the answer's unit, at 12 significant digits. */
  readonly value: number;
  readonly right: boolean;
}

/**
 * What a solver could say who knows the table only roughly: the answer for the entity that holds most of its records, for a typical
 * entity, for the record holder that the conditions rule out. Each with the verdict that it would get.
 */
export function naiveGuesses(row: WordedRow, catalog: Catalog): Guess[] {
  const { program } = row;
  const table = catalog.tables.get(program.table)!;
  const computation = computationOf(catalog, program, row.formula);
  const all = Bits.full(table.rows);
  const guesses: [string, number | undefined][] = [
    ["most frequent entity", at(computation, mostFrequent(table))],
    ["every input at its column's median", atMedians(computation)],
    ["median of all answers", medianAnswer(computation)],
  ];
  if (program.where.length > 0) {
    const holder = nth(indexOf(table).order(program.select.column), program.select, all);
    guesses.push(["extremum without conditions", at(computation, holder)]);
  }
  return guesses.flatMap(([how, value]) => {
    if (value === undefined || !Number.isFinite(value)) return [];
    const rounded = round12(value);
    return [{ how, value: rounded, right: within(rounded, row.answer) }];
  });
}

/** The guesses that a sample's answer could be: those for which it would be right, were they the reference. */
export function guessedBy(
  row: WordedRow,
  guesses: readonly Guess[],
  answer: string,
  language: string,
): string[] {
  const like = ({ value }: Guess) => {
    if (row.answer.type === "integer" && !Number.isInteger(value)) return false;
    const expected = expectedOf({ answer: { ...row.answer, value } });
    return gradeAnswer(answer, expected, { language }).verdict === "right";
  };
  return guesses.filter(like).map(({ how }) => how);
}

function within(guess: number, { value, tolerance }: WordedRow["answer"]): boolean {
  return Math.abs(guess - value) <= tolerance * Math.abs(value);
}

function at(computation: Computation, row: number): number | undefined {
  return row < 0 ? undefined : computation.answer(row);
}

const frequent = new WeakMap<Table, number>();

/** The entity that has most of the largest and smallest values of the columns that select; the first in key order of several. */
function mostFrequent(table: Table): number {
  const before = frequent.get(table);
  if (before !== undefined) return before;
  const wins = new Map<number, number>();
  for (const column of table.columns.values()) {
    if (column.type === "text" || column.type === "flag" || !column.card.may.includes("select")) continue;
    const { ascending } = indexOf(table).order(column.id);
    for (const row of [ascending.at(0), ascending.at(-1)])
      if (row !== undefined) wins.set(row, (wins.get(row) ?? 0) + 1);
  }
  let best = -1;
  for (const [row, count] of wins) {
    const most = wins.get(best) ?? 0;
    if (count > most || (count === most && row < best)) best = row;
  }
  frequent.set(table, best);
  return best;
}

const medians = new WeakMap<NumberColumn, number | undefined>();

function medianOf(column: NumberColumn): number | undefined {
  if (!medians.has(column)) {
    const known = [...column.values].filter((v, row) => !Number.isNaN(v) && column.limit[row] === 0);
    medians.set(column, median(known));
  }
  return medians.get(column);
}

function atMedians({ formula, inputs, unit }: Computation): number | undefined {
  const units = Object.fromEntries(inputs.map((i) => [i.name, i.column.card.unit!]));
  const args = inputs.map((i) => medianOf(i.column) ?? Number.NaN);
  return compileNumeric(formula, units, unit)(args);
}

const answers = new WeakMap<Computation, number | undefined>();

/** Rows that stand for a large table. */
const SAMPLE = 10_000;

/** Of all rows, or of at most so many, evenly spaced in the order of keys. */
function medianAnswer(computation: Computation): number | undefined {
  if (!answers.has(computation)) {
    const { rows } = computation.table;
    const step = Math.ceil(rows / SAMPLE);
    const known = Array.from({ length: Math.ceil(rows / step) }, (_, i) => computation.answer(i * step));
    answers.set(computation, median(known.filter((v) => Number.isFinite(v))));
  }
  return answers.get(computation);
}
