import {
  BOOLEAN,
  DOUBLE,
  type DuckDBAppender,
  DuckDBDataChunk,
  type DuckDBType,
  type DuckDBValue,
  INTEGER,
  TINYINT,
  VARCHAR,
} from "duckdb";
import type { Database } from "./duckdb.js";
import type { PhysicalTable } from "./layout.js";
import type { LoadedRow } from "./records.js";

/** Rows of a DuckDB vector. */
const CHUNK = 2048;

/** Writes rows into a source's table, a chunk of columns at a time. */
export class RowWriter {
  private readonly columns: DuckDBValue[][];
  private readonly types: readonly DuckDBType[];
  private rows = 0;

  private constructor(
    private readonly appender: DuckDBAppender,
    private readonly layout: PhysicalTable,
  ) {
    this.types = [VARCHAR, INTEGER, ...[...layout.columns.values()].flatMap(typesOf)];
    this.columns = this.types.map(() => []);
  }

  static async open(database: Database, layout: PhysicalTable): Promise<RowWriter> {
    return new RowWriter(await database.connection.createAppender(layout.table), layout);
  }

  write(row: LoadedRow): void {
    const { columns } = this;
    columns[0]!.push(row.key);
    columns[1]!.push(row.record);
    let at = 2;
    let i = 0;
    for (const column of this.layout.columns.values()) {
      const cell = row.cells[i++]!;
      columns[at++]!.push(cell.value);
      if (column.u === undefined) continue;
      columns[at++]!.push(cell.u);
      columns[at++]!.push(cell.limit);
    }
    if (++this.rows === CHUNK) this.emit();
  }

  /** Hands everything written so far to DuckDB. */
  flush(): void {
    if (this.rows > 0) this.emit();
    this.appender.flushSync();
  }

  close(): void {
    this.appender.closeSync();
  }

  private emit(): void {
    const chunk = DuckDBDataChunk.create(this.types, this.rows);
    chunk.setColumns(this.columns);
    this.appender.appendDataChunk(chunk);
    for (const column of this.columns) column.length = 0;
    this.rows = 0;
  }
}

function typesOf(column: { type: string; u: string | undefined }): DuckDBType[] {
  if (column.type === "text") return [VARCHAR];
  return column.type === "flag" ? [BOOLEAN] : [DOUBLE, DOUBLE, TINYINT];
}
