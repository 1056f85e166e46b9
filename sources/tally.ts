import type { Card } from "./card.js";
import { holds, type Value } from "./conditions.js";
import { excerpt } from "./problems.js";
import type { IngestReason, IngestReport, IngestSample } from "./table.js";

/** Samples kept for each column and reason. */
export const SAMPLES = 20;
const TEXT = 200;

/** Counts what was turned away while a source is read, and keeps the first samples of each kind. */
export class Tally {
  records = 0;
  private readonly rejected = new Map<IngestReason, number>();
  private readonly cells = new Map<string, Map<IngestReason, number>>();
  private readonly samples = new Map<string, IngestSample[]>();
  /** Of each class that the card declares complete, how many records were left out that may belong to it. */
  private readonly leftOut: number[];

  constructor(private readonly classes: Card["complete"] = []) {
    this.leftOut = classes.map(() => 0);
  }

  /** A record that is not loaded, by decision of the card. */
  record(sample: IngestSample): void {
    this.rejected.set(sample.reason, (this.rejected.get(sample.reason) ?? 0) + 1);
    this.keep(`/${sample.reason}`, sample);
  }

  /** A record that is of the table and not loaded: it may be the extremum of each class that `cell` does not rule out. */
  leave(sample: IngestSample, cell: (column: string) => Value | undefined = () => undefined): void {
    this.record(sample);
    this.classes.forEach(({ where }, i) => {
      const may = where.every((condition) => {
        const value = cell(condition.column);
        return value === undefined || holds(condition, value) !== false;
      });
      if (may) this.leftOut[i]!++;
    });
  }

  /** A cell that is treated as unknown; its record may live on. */
  cell(column: string, sample: IngestSample): void {
    const counts = this.cells.get(column) ?? new Map<IngestReason, number>();
    counts.set(sample.reason, (counts.get(sample.reason) ?? 0) + 1);
    this.cells.set(column, counts);
    this.keep(`${column}/${sample.reason}`, { ...sample, column });
  }

  private keep(kind: string, sample: IngestSample): void {
    const list = this.samples.get(kind) ?? [];
    if (list.length < SAMPLES) {
      list.push(sample.text === undefined ? sample : { ...sample, text: excerpt(sample.text, TEXT) });
    }
    this.samples.set(kind, list);
  }

  report(source: string, loaded: number): IngestReport {
    return {
      source,
      records: this.records,
      loaded,
      rejected: sorted(this.rejected),
      cells: Object.fromEntries(
        [...this.cells].sort(([a], [b]) => (a < b ? -1 : 1)).map(([c, m]) => [c, sorted(m)]),
      ),
      left_out: this.leftOut,
      samples: [...this.samples.values()].flat().sort(inOrder),
    };
  }
}

function sorted(counts: ReadonlyMap<IngestReason, number>): Partial<Record<IngestReason, number>> {
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function inOrder(a: IngestSample, b: IngestSample): number {
  if (a.record !== b.record) return a.record - b.record;
  const [left, right] = [`${a.column ?? ""}/${a.reason}`, `${b.column ?? ""}/${b.reason}`];
  return left < right ? -1 : left > right ? 1 : 0;
}
