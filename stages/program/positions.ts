import type { RowSet } from "./row-set.js";
import type { Scene } from "./scene.js";
import type { Order, TableIndex } from "./table-index.js";

/**
 * Where each row stands in the orders of several columns, row by row: whoever reads a row's position in one column will want others,
 * and memory is read by lines of 64 bytes.
 */
export class Positions {
  readonly orders: readonly Order[];
  readonly width: number;
  /** `width` positions of each row; -1 where a column has no plain value. */
  readonly all: Int32Array;

  constructor(index: TableIndex, columns: readonly string[]) {
    this.orders = columns.map((id) => index.order(id));
    this.width = columns.length;
    this.all = new Int32Array(index.table.rows * this.width).fill(-1);
    this.orders.forEach(({ ascending }, column) => {
      ascending.forEach((row, at) => {
        this.all[row * this.width + column] = at;
      });
    });
  }

  of(row: number, column: number): number {
    return this.all[row * this.width + column]!;
  }
}

/** The positions of a few rows, column by column: those of a scene's candidates are gathered once and read by every selection. */
export class NearPositions {
  private readonly gathered: Int32Array[];
  private readonly scratch: Int32Array;
  private gatheredOf = -1;
  private askedOf = -1;

  constructor(
    private readonly scene: Scene,
    private readonly positions: Positions,
  ) {
    const { length } = scene.few.rows;
    this.gathered = positions.orders.map(() => new Int32Array(length));
    this.scratch = new Int32Array(length);
  }

  /** Positions in one column of listed rows, to be read before the next call. */
  of(few: RowSet, column: number): Int32Array {
    const { scene, positions, scratch } = this;
    if (few === scene.few) {
      // While conditions are drawn one column is asked for, then all are.
      if (this.gatheredOf !== scene.generation && this.askedOf === scene.generation) this.gather(few);
      if (this.gatheredOf === scene.generation) return this.gathered[column]!;
      this.askedOf = scene.generation;
    }
    for (let i = 0; i < few.count; i++) scratch[i] = positions.of(few.rows[i]!, column);
    return scratch;
  }

  private gather({ rows, count }: RowSet): void {
    const { gathered, scene, positions } = this;
    const { all, width } = positions;
    this.gatheredOf = scene.generation;
    for (let i = 0; i < count; i++) {
      const first = rows[i]! * width;
      for (let column = 0; column < width; column++) gathered[column]![i] = all[first + column]!;
    }
  }
}
