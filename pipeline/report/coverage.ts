import type { Card } from "../../sources/card.js";
import { columnsOf, formOf, formulaOf, type ReportRow, shapeOf, subjectsOf } from "./reading.js";
import { type Class, Classes, Counter, type Share, type Variety, variety } from "./tally.js";

/** What the accepted tasks are about. */
export interface Coverage {
  readonly domains: Variety;
  readonly tables: Variety;
  readonly formulas: Variety;
  readonly entities: Variety;
  /** Entities, and sets of them, by the number of tasks about them. */
  readonly asked: readonly Class[];
  /** What programs do: select, hop, compare, aggregate. */
  readonly forms: Variety;
  readonly shapes: Variety;
  /** Rows that read a column, by use: in a condition, to select, to compute. The most used first. */
  readonly columns: readonly ColumnUse[];
  readonly splits: readonly Share[];
}

export interface ColumnUse {
  readonly column: string;
  readonly filter: number;
  readonly select: number;
  readonly compute: number;
}

/** Values that `report.json` holds of a property; the figures cover all. */
const TOP = 40;
const ASKED = [2, 3, 6, 11, 21, 51, 101];

/** Counts what accepted tasks are about, row by row. */
export class CoverageTally {
  readonly #domains = new Counter();
  readonly #tables = new Counter();
  readonly #formulas = new Counter();
  readonly #entities = new Counter();
  readonly #forms = new Counter();
  readonly #shapes = new Counter();
  readonly #splits = new Counter();
  readonly #uses = { filter: new Counter(), select: new Counter(), compute: new Counter() };

  constructor(private readonly cards: ReadonlyMap<string, Pick<Card, "domain">>) {}

  add(row: ReportRow): void {
    const { table } = row.program;
    this.#domains.add(this.cards.get(table)?.domain ?? "unknown");
    this.#tables.add(table);
    this.#formulas.add(formulaOf(row));
    this.#shapes.add(shapeOf(row));
    this.#splits.add(row.split);
    this.#forms.add(formOf(row));
    for (const subject of subjectsOf(row)) this.#entities.add(subject);
    const columns = columnsOf(row);
    for (const use of ["filter", "select", "compute"] as const)
      for (const column of columns[use]) this.#uses[use].add(column);
  }

  result(): Coverage {
    const asked = new Classes(ASKED);
    for (const { rows } of this.#entities.shares()) asked.add(rows);
    return {
      domains: variety(this.#domains, TOP),
      tables: variety(this.#tables, TOP),
      formulas: variety(this.#formulas, 2 * TOP),
      entities: variety(this.#entities, TOP),
      asked: asked.list(),
      forms: variety(this.#forms, TOP),
      shapes: variety(this.#shapes, TOP),
      columns: this.#columns(),
      splits: this.#splits.shares(),
    };
  }

  #columns(): ColumnUse[] {
    const { filter, select, compute } = this.#uses;
    const all = new Counter();
    for (const use of [filter, select, compute])
      for (const { value, rows } of use.shares()) all.add(value, rows);
    return all.shares().map(({ value: column }) => ({
      column,
      filter: filter.get(column),
      select: select.get(column),
      compute: compute.get(column),
    }));
  }
}
