import type { RawRecord, TurnedAway } from "./adapters/adapter.js";
import type { Card } from "./card.js";
import { type Cell, type CellReader, cellReader, fieldsOfColumn } from "./cells.js";
import { holds, type Value } from "./conditions.js";
import { excerpt, sourceError } from "./problems.js";
import type { Snapshot } from "./snapshot.js";
import type { IngestSample } from "./table.js";
import type { Tally } from "./tally.js";

/** A record that became a row: its key, and one cell for each column of the card, in order. */
export interface LoadedRow {
  readonly record: number;
  readonly key: string;
  readonly cells: readonly Cell[];
}

/** Stands for the record's own number, where a file gives its records no key. */
export const RECORD_FIELD = "#record";

/** All raw fields that a card reads from the file, each once. */
export function fieldsOfCard(card: Card): string[] {
  return [...new Set(Object.values(card.columns).flatMap(fieldsOfColumn))].filter((f) => f !== RECORD_FIELD);
}

/** Applies a card to raw records: reads cells, keeps rows, follows the policies and tells a {@link Tally} what was lost. */
export class RecordReader {
  private readonly ids: readonly string[];
  private readonly readers: readonly CellReader[];
  private readonly keyAt: number;
  /** Columns that the row cuts need, read before the others. */
  private readonly early: readonly number[];

  constructor(
    private readonly card: Card,
    private readonly snapshot: Snapshot,
    private readonly tally: Tally,
    fields: readonly string[] = fieldsOfCard(card),
  ) {
    const places = new Map([...fields, RECORD_FIELD].map((field, i) => [field, i]));
    this.ids = Object.keys(card.columns);
    this.readers = Object.values(card.columns).map((column) =>
      cellReader(column, (field) => places.get(field)!),
    );
    this.keyAt = this.ids.indexOf(card.key);
    this.early = [...new Set(card.rows.map((row) => this.ids.indexOf(row.keep.column)))];
  }

  /** Counts a record that its adapter could not take apart. */
  refuse(away: TurnedAway): void {
    this.tally.records++;
    this.tally.leave({ ...away });
  }

  /** The row of a record, or undefined when it is turned away. @throws TaskmillError where the policy is to fail. */
  read(raw: RawRecord): LoadedRow | undefined {
    this.tally.records++;
    const fields = [...raw.fields, String(raw.record)];
    const place: Place = { record: raw.record, ...(raw.line === undefined ? {} : { line: raw.line }) };
    const key = this.readers[this.keyAt]!(fields, null).value as string | null;
    const cells: (Cell | undefined)[] = new Array(this.ids.length);
    for (const i of this.early) if (!this.readCell(i, fields, key, cells, place)) return undefined;
    if (!this.keeps(cells, place)) return undefined;
    if (key === null) {
      const sample: IngestSample = { ...place, reason: "missing_key", detail: `no ${this.card.key}` };
      this.tally.leave(sample, (column) => this.valueOf(column, fields, key));
      return undefined;
    }
    for (let i = 0; i < this.ids.length; i++) {
      if (cells[i] === undefined && !this.readCell(i, fields, key, cells, place)) return undefined;
    }
    return { record: raw.record, key, cells: cells as Cell[] };
  }

  /** Reads a cell; false when the record goes with it. */
  private readCell(
    i: number,
    fields: readonly (string | null)[],
    key: string | null,
    cells: (Cell | undefined)[],
    place: Place,
  ): boolean {
    const cell = this.readers[i]!(fields, key);
    cells[i] = cell;
    const { problem } = cell;
    if (problem === undefined) return true;
    const column = this.ids[i]!;
    const sample: IngestSample = { ...place, ...problem };
    if (problem.reason === "unreadable_value") {
      if (this.card.on_unreadable === "fail") this.failOn(column, sample);
      if (this.card.on_unreadable === "reject_row") {
        this.tally.leave({ ...sample, column }, (id) => this.valueOf(id, fields, key));
        return false;
      }
    }
    this.tally.cell(column, sample);
    return true;
  }

  /** What a record that is left out has in a column; undefined where that cannot be read. */
  private valueOf(column: string, fields: readonly (string | null)[], key: string | null): Value | undefined {
    const cell = this.readers[this.ids.indexOf(column)]!(fields, key);
    return cell.problem?.reason === "unreadable_value" ? undefined : valueOfCell(cell);
  }

  private keeps(cells: readonly (Cell | undefined)[], place: Place): boolean {
    for (const row of this.card.rows) {
      const cell = cells[this.ids.indexOf(row.keep.column)]!;
      if (holds(row.keep, valueOfCell(cell)) === true) continue;
      this.tally.record({
        ...place,
        reason: "not_kept",
        column: row.keep.column,
        ...(cell.value === null ? {} : { text: String(cell.value) }),
        detail: row.reason,
      });
      return false;
    }
    return true;
  }

  private failOn(column: string, sample: IngestSample): never {
    const { record, line, text, detail } = sample;
    const where = line === undefined ? `record ${record}` : `record ${record}, line ${line}`;
    sourceError(
      "unreadable_value",
      `${this.snapshot.name}, ${where}, column ${column}: cannot read ${JSON.stringify(excerpt(text ?? ""))}: ${detail}`,
      {
        hint: "declare the spelling in `nulls` or `number`, or set `on_unreadable: null` or `reject_row`",
        location: { file: this.snapshot.path, ...(line === undefined ? {} : { line }) },
      },
    );
  }
}

/** A bound is no value. */
const valueOfCell = ({ value, limit }: Cell): Value => (limit === 0 ? value : null);

interface Place {
  readonly record: number;
  readonly line?: number;
}
