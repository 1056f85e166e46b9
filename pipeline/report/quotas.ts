import { z } from "zod";
import type { Draft } from "../manifest.js";
import { columnsOf, formOf, formulaOf, type ReportRow, shapeOf, subjectsOf } from "./reading.js";
import { Counter } from "./tally.js";

/** A configured share and the value that comes closest to it. */
export interface Quota {
  readonly stage: string;
  readonly property: string;
  readonly allowed: number;
  /** So many rows of a value are welcome before shares are looked at. */
  readonly floor: number;
  readonly largest: string;
  readonly rows: number;
  /** Rows that the share is taken of. */
  readonly of: number;
  /** Whether the share, or the few rows that are welcome before shares are looked at, is kept. */
  readonly kept: boolean;
}

type Property = (row: ReportRow) => readonly string[];
type Stage = Draft["stages"][number];

/** What `balance` may limit, and the values that a row counts under; of a property that is not here the report has no figures. */
const PROPERTIES: Readonly<Record<string, Property>> = {
  formula: (row) => [formulaOf(row)],
  entity: subjectsOf,
  table: ({ program }) => [program.table],
  select_column: (row) => columnsOf(row).select,
  filter_column: (row) => columnsOf(row).filter,
  conditions: (row) => [String(row.difficulty.conditions)],
  rank: (row) => [String(row.difficulty.rank)],
  form: (row) => [formOf(row)],
  shape: (row) => [shapeOf(row)],
  answer: ({ answer }) => [`${answer.text} ${answer.unit}`],
};

const shareParams = z
  .object({ tiny_tables: z.array(z.string()).default([]), floor: z.number().default(0) })
  .catchall(z.unknown());

interface Limit {
  readonly stage: string;
  readonly property: string;
  readonly allowed: number;
  readonly floor: number;
  readonly leftOut: ReadonlySet<string>;
  readonly counts: Counter;
}

/** Holds the shares that `balance` stages were told to keep against what the dataset holds. */
export class QuotaTally {
  readonly #limits: readonly Limit[];
  #rows = 0;

  constructor(stages: readonly Stage[]) {
    this.#limits = stages.filter(({ stage }) => stage === "balance").flatMap(limitsOf);
  }

  add(row: ReportRow): void {
    this.#rows++;
    for (const { property, leftOut, counts } of this.#limits) {
      if (leftOut.has(row.program.table)) continue;
      for (const value of PROPERTIES[property]!(row)) counts.add(value);
    }
  }

  result(): Quota[] {
    const of = this.#rows;
    return this.#limits.flatMap(({ stage, property, allowed, floor, counts }) => {
      const [largest] = counts.shares();
      if (largest === undefined) return [];
      const { value, rows } = largest;
      // What was turned away behind `balance` may have made a share larger by a little.
      const kept = rows <= Math.max(floor, Math.ceil(allowed * of - 1e-9));
      return [{ stage, property, allowed, floor, largest: value, rows, of, kept }];
    });
  }
}

function limitsOf({ id, params }: Stage): Limit[] {
  const parsed = shareParams.safeParse(params);
  if (!parsed.success) return [];
  const { tiny_tables, floor, ...shares } = parsed.data;
  return Object.keys(PROPERTIES).flatMap((property) => {
    const allowed = shares[property];
    if (typeof allowed !== "number" || allowed >= 1) return [];
    const leftOut = new Set(property === "entity" ? tiny_tables : []);
    return [{ stage: id, property, allowed, floor, leftOut, counts: new Counter() }];
  });
}
