import { type Random, stream } from "../../pipeline/base/random.js";
import { type Value, valueAt } from "../../sources/conditions.js";
import type { Catalog, Table } from "../../sources/table.js";
import { tiesOf } from "./perturb-ties.js";

/**
 * Perturbed worlds: tables whose columns were shuffled apart, so that two programs which happen to agree on the real figures show
 * whether they mean the same. A world holds no entities: its rows are numbered, and a link leads to a numbered row.
 */

/** Rows that a world takes over from its table, at most: enough to tell programs apart, and quick for any table. */
const MOST_ROWS = 400;
/** Rows at the end of each world that the comparison of two programs sets as it needs them. */
export const STAGED_ROWS = 40;

/** A table in one world: cells by row, null for unknown. */
export class World {
  readonly rows: number;
  /** Rows from here on are to be staged. */
  readonly staged: number;
  private readonly columns = new Map<string, readonly Value[]>();
  private readonly links = new Map<string, readonly (number | null)[]>();

  constructor(
    readonly table: Table,
    private readonly seed: string,
    private readonly number: number,
  ) {
    this.staged = Math.min(table.rows, MOST_ROWS);
    this.rows = this.staged + STAGED_ROWS;
  }

  /** The cells of a column: its own, dealt out anew; columns that say the same are dealt out alike. */
  column(id: string): readonly Value[] {
    let cells = this.columns.get(id);
    if (cells === undefined) {
      const column = this.table.columns.get(id)!;
      cells = this.deal(tiesOf(this.table).get(id)?.to ?? id).map((row) => valueAt(column, row));
      this.columns.set(id, cells);
    }
    return cells;
  }

  /** Rows of the linked table's world of the same number; null where the link is not known. */
  link(name: string, catalog: Catalog): readonly (number | null)[] {
    let rows = this.links.get(name);
    if (rows === undefined) {
      const { column, to } = this.table.card.links[name]!;
      const there = worldOf(catalog.tables.get(to)!, this.seed, this.number).rows;
      const random = this.stream("link", name);
      rows = this.column(column).map((key) => (key === null ? null : random.int(there)));
      this.links.set(name, rows);
    }
    return rows;
  }

  /** Rows of the table in the order of dealing. */
  private deal(name: string): number[] {
    const random = this.stream("deal", name);
    const { rows } = this.table;
    if (rows === 0) return [];
    const all = rows <= MOST_ROWS ? random.shuffle(Array.from({ length: rows }, (_, i) => i)) : [];
    return Array.from({ length: this.rows }, (_, i) => all[i] ?? random.int(rows));
  }

  private stream(...names: readonly string[]): Random {
    return stream(this.seed, "world", this.table.id, this.number, ...names);
  }
}

/** Worlds by seed and number; those of an earlier seed go. */
const worlds = new WeakMap<Table, { seed: string; worlds: Map<number, World> }>();

/** World `number` of a table under a seed: made once, then shared by all programs. */
export function worldOf(table: Table, seed: string, number: number): World {
  let kept = worlds.get(table);
  if (kept?.seed !== seed) {
    kept = { seed, worlds: new Map() };
    worlds.set(table, kept);
  }
  let world = kept.worlds.get(number);
  if (world === undefined) {
    world = new World(table, seed, number);
    kept.worlds.set(number, world);
  }
  return world;
}
