import type { Catalog, NumberColumn, Table } from "../../sources/table.js";
import { gradeAnswer } from "../../verifiers/answer/grade.js";
import { median } from "../../verifiers/chance.js";
import { round12 } from "../../verifiers/numbers.js";
import { convert } from "../../verifiers/units.js";
import { compileNumeric } from "../formulas/numeric.js";
import { Bits } from "../program/bits.js";
import { type Computation, computationOf } from "../program/computation.js";
import { catalogFor } from "../program/derived.js";
import type { Select } from "../program/program.js";
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
  const scene = catalogFor(row, catalog);
  const table = scene.tables.get(row.program.table)!;
  const computation = computationOf(scene, row.program, row.formula);
  const guesses = [
    ...ofEntity(row, table, computation),
    ["every input at its column's median", atMedians(computation)] as const,
    ...ofCandidates(row, table, computation),
  ];
  return guesses.flatMap(([how, value]) => {
    if (value === undefined || !Number.isFinite(value)) return [];
    const rounded = round12(value);
    return [{ how, value: rounded, right: within(rounded, row.answer) }];
  });
}

type Named = readonly [how: string, value: number | undefined];

/** Where entities are chosen: the answer for others than those asked for. */
function ofEntity({ program }: WordedRow, table: Table, computation: Computation): Named[] {
  const { where, select, other } = program;
  if (select === undefined) return [];
  const index = indexOf(table);
  const members = index.candidates(where).definite;
  const all = Bits.full(table.rows);
  const at = (selected: number, second?: number): number | undefined => {
    if (selected < 0 || (second ?? 0) < 0) return undefined;
    return computation.answer({ selected, other: second, members });
  };
  const holder = (s: Select) => nth(index.order(s.column), s, all);
  if (other !== undefined) {
    if (where.length + other.where.length === 0) return [];
    return [["extrema without conditions", at(holder(select), holder(other.select))]];
  }
  const guesses: Named[] = [["most frequent entity", at(mostFrequent(table))]];
  if (!computation.inputs.some((i) => i.of === "candidates"))
    guesses.push(["median of all answers", medianAnswer(computation)]);
  if (where.length > 0) guesses.push(["extremum without conditions", at(holder(select))]);
  return guesses;
}

/** Where a figure of all candidates is read: that of the whole table, and an entity like all others. */
function ofCandidates({ program, formula }: WordedRow, table: Table, computation: Computation): Named[] {
  const { where, select } = program;
  if (!computation.inputs.some((i) => i.of === "candidates")) return [];
  const members = indexOf(table).candidates(where).definite;
  if (formula.id === "share")
    return [["an equal share", convert(1 / members.count(), "1", computation.unit)]];
  if (formula.id === "times_mean") return [["an average entity", convert(1, "1", computation.unit)]];
  if (select !== undefined || where.length === 0) return [];
  return [["all entities, without conditions", computation.answer({ members: Bits.full(table.rows) })]];
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
    const known = Array.from({ length: Math.ceil(rows / step) }, (_, i) =>
      computation.answer({ selected: i * step }),
    );
    answers.set(computation, median(known.filter((v) => Number.isFinite(v))));
  }
  return answers.get(computation);
}
