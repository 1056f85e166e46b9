import type { RowDifference } from "./difference.js";

/** Causes of one kind that examples are kept of; more would fill a terminal. */
const CAUSES = 20;

/** Keeps the first rows of each cause, so that a rare cause is seen beside a common one. */
export class Examples {
  readonly #rows = new Map<string, RowDifference[]>();
  readonly #causes = { lost: 0, gained: 0, changed: 0 };

  /** @param each rows of each cause that are kept */
  constructor(private readonly each: number) {}

  readonly take = (row: RowDifference): void => {
    const name = `${row.kind} ${headline(row)}`;
    const known = this.#rows.get(name);
    if (known !== undefined) {
      if (known.length < this.each) known.push(row);
    } else if (this.#causes[row.kind]++ < CAUSES) this.#rows.set(name, [row]);
  };

  /** Causes in the order in which they were met, each with its rows together. */
  get rows(): readonly RowDifference[] {
    return [...this.#rows.values()].flat();
  }
}

/** What a row is an example of: its first cause, or the first cause of the most telling aspect that changed. */
function headline(row: RowDifference): string {
  if (row.kind !== "changed") return row.causes[0]?.text ?? "";
  const [first] = row.aspects;
  return first === undefined ? "" : `${first.aspect} ${first.causes[0]?.text ?? ""}`;
}
