import { basename, dirname } from "node:path";
import { openDatabase } from "../duckdb.js";
import { sourceError } from "../problems.js";
import { FIELDS, type Field, type Row } from "./row.js";

const COLUMNS = `SELECT COLUMNS(lambda c: c IN (${FIELDS.map((field) => `'${field}'`).join(", ")})) FROM read_parquet($1)`;

/** The rows of a Parquet file, read as a stream; only the columns that documents have. @throws TaskmillError (source) */
export async function* parquetRows(path: string): AsyncGenerator<Row> {
  const name = basename(path);
  const database = await openDatabase(":memory:", {
    folders: [dirname(path)],
    threads: 1,
    memoryLimit: "512MB",
  });
  try {
    const names = await orExplain(name, () => database.rows("SELECT name FROM parquet_schema($1)", [path]));
    if (!names.some(([column]) => column === "text" || column === "html")) {
      sourceError("no_text", `${name} has no column \`text\` or \`html\``, {
        hint: `its columns: ${names
          .slice(1, 40)
          .map(([column]) => column)
          .join(", ")}`,
      });
    }
    const result = await orExplain(name, () => database.connection.stream(COLUMNS, [path]));
    const fields = result.columnNames() as Field[];
    let row = 0;
    for (;;) {
      const chunk = await orExplain(name, () => result.fetchChunk());
      if (chunk === null || chunk.rowCount === 0) break;
      for (const values of chunk.getRows()) {
        row++;
        yield {
          fields: Object.fromEntries(fields.map((field, i) => [field, values[i]])),
          where: `row ${row}`,
        };
      }
    }
  } finally {
    database.close();
  }
}

async function orExplain<T>(name: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    const message = cause instanceof Error ? cause.message.split("\n")[0]! : String(cause);
    return sourceError("bad_parquet", `${name} cannot be read as Parquet: ${message}`, { cause });
  }
}
