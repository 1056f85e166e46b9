import type { Row } from "../stages/stage.js";
import type { Counts } from "./events.js";
import type { StoredResult } from "./store.js";
import type { Work } from "./work.js";
import { rowOf } from "./written.js";

/**
 * What a call of a stage gave: its key and counts at once, its rows when somebody asks. A run with nothing to do never
 * asks, and so reads counts only.
 */
export class Result {
  /** Its record in the run store. */
  stored: StoredResult | undefined;
  /** What is still to be put into the run store. */
  work: Work | undefined;
  #rows: Promise<readonly Row[]> | undefined;

  constructor(
    readonly key: string,
    readonly inputs: readonly Result[],
    readonly counts: Counts,
    readonly more: boolean,
    /** Gets the rows from wherever they are. */
    public load: () => Promise<readonly Row[]>,
  ) {}

  /** Rows in order; kept in memory until {@link release}. */
  rows(): Promise<readonly Row[]> {
    this.#rows ??= this.load();
    return this.#rows;
  }

  release(): void {
    this.#rows = undefined;
  }
}

/** Reads a stored result: each line is a row, or the position among the inputs of the row that passed unchanged. */
export async function linesIn(
  lines: AsyncIterable<string>,
  inputs: readonly Result[],
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let before: readonly Row[] | undefined;
  for await (const line of lines) {
    if (line.startsWith("{")) {
      rows.push(rowOf(line));
      continue;
    }
    before ??= (await Promise.all(inputs.map((r) => r.rows()))).flat();
    rows.push(before[Number(line)]!);
  }
  return rows;
}
