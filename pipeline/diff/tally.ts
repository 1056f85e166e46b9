import type { Aspect } from "./aspects.js";
import type { Cause } from "./cause.js";
import type { CauseCount, RowDifference } from "./difference.js";

/** Counts rows under their first causes, and hands them on. */
export class Tally {
  readonly counts = { changed: 0, lost: 0, gained: 0 };
  readonly aspects: Partial<Record<Aspect, number>> = {};
  readonly #causes = new Map<string, CauseCount & { rows: number }>();

  constructor(private readonly give: (row: RowDifference) => void) {}

  absent(row: Extract<RowDifference, { kind: "lost" | "gained" }>): void {
    this.counts[row.kind]++;
    this.#count(row.kind, null, row.causes);
    this.give(row);
  }

  changed(row: Extract<RowDifference, { kind: "changed" }>): void {
    this.counts.changed++;
    for (const { aspect, causes } of row.aspects) {
      this.aspects[aspect] = (this.aspects[aspect] ?? 0) + 1;
      this.#count("changed", aspect, causes);
    }
    this.give(row);
  }

  #count(kind: CauseCount["kind"], aspect: Aspect | null, [first]: readonly Cause[]): void {
    if (first === undefined) return;
    const { code, text } = first;
    const name = JSON.stringify([kind, aspect, code, text]);
    const entry = this.#causes.get(name);
    if (entry === undefined) this.#causes.set(name, { kind, aspect, code, text, rows: 1 });
    else entry.rows++;
  }

  /** Most rows first; of equal ones the first that was met. */
  causes(): CauseCount[] {
    return [...this.#causes.values()].sort((x, y) => y.rows - x.rows);
  }
}
