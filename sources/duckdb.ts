import {
  BIGINT,
  BOOLEAN,
  DOUBLE,
  type DuckDBConnection,
  DuckDBInstance,
  type DuckDBType,
  type DuckDBValue,
  INTEGER,
  SQLNULL,
  VARCHAR,
} from "duckdb";
import { TaskmillError } from "../pipeline/base/errors.js";

/** A value bound to a statement: SQL text never holds data. */
export type Bindable = null | boolean | number | bigint | string;

/** More would only cost memory; the result is the same for any number. */
const MAX_THREADS = 256;

/** An open DuckDB database: one process holds the file. */
export interface Database {
  /** Runs a statement with positional parameters ($1, $2, ...) and returns no rows. */
  run(sql: string, params?: readonly Bindable[]): Promise<void>;
  /** Runs a query and returns all its rows as arrays. BIGINT arrives as bigint. */
  rows(sql: string, params?: readonly Bindable[]): Promise<DuckDBValue[][]>;
  /** The connection, for appenders and chunked reads. */
  readonly connection: DuckDBConnection;
  /** A second connection to the same database, with transactions of its own; close it before this one. */
  fork(): Promise<Database>;
  close(): void;
}

export interface OpenOptions {
  /** Folders that statements may read from and write to (their contents only). */
  readonly folders?: readonly string[];
  readonly threads?: number;
  /** e.g. "1GB". */
  readonly memoryLimit?: string;
  readonly readOnly?: boolean;
}

/**
 * Opens a database (":memory:" or a file) locked down: no extension is installed or loaded, no file outside
 * `folders` is touched, and no later statement can change that.
 * @throws TaskmillError (source) when another process holds the file or it is damaged.
 */
export async function openDatabase(path: string, options: OpenOptions = {}): Promise<Database> {
  let instance: DuckDBInstance;
  try {
    instance = await DuckDBInstance.create(path, {
      autoinstall_known_extensions: "false",
      autoload_known_extensions: "false",
      ...(options.threads === undefined ? {} : { threads: String(Math.min(options.threads, MAX_THREADS)) }),
      ...(options.memoryLimit === undefined ? {} : { memory_limit: options.memoryLimit }),
      ...(options.readOnly ? { access_mode: "READ_ONLY" } : {}),
    });
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    const held = /lock|in use|being used/i.test(message);
    throw new TaskmillError(
      "source",
      [
        {
          code: held ? "store_held" : "store_damaged",
          message: held
            ? `another process holds ${path}`
            : `cannot open the run store ${path}: ${message.split("\n")[0]}`,
          hint: held
            ? "wait for the other run to end, or use another --out"
            : "delete the file to start afresh; finished datasets are not inside it",
        },
      ],
      { cause },
    );
  }
  const connection = await instance.connect();
  const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;
  const folders = options.folders ?? [];
  if (folders.length > 0) await connection.run(`SET allowed_directories=[${folders.map(quote).join(", ")}]`);
  await connection.run("SET enable_external_access=false");
  await connection.run("SET preserve_insertion_order=true");
  await connection.run("SET lock_configuration=true");
  return wrap(instance, connection, () => instance.closeSync());
}

/** Left to itself the client binds a whole number such as 6e24 as a BIGINT, which it does not fit. */
function typeOf(value: Bindable): DuckDBType {
  switch (typeof value) {
    case "number":
      return Object.is(value | 0, value) ? INTEGER : DOUBLE;
    case "bigint":
      return BIGINT;
    case "boolean":
      return BOOLEAN;
    case "string":
      return VARCHAR;
    default:
      return SQLNULL;
  }
}

function bound(params: readonly Bindable[] = []): [DuckDBValue[], DuckDBType[]] {
  return [[...params], params.map(typeOf)];
}

function wrap(instance: DuckDBInstance, connection: DuckDBConnection, closeInstance: () => void): Database {
  return {
    connection,
    async run(sql, params) {
      await connection.run(sql, ...bound(params));
    },
    async rows(sql, params) {
      const result = await connection.runAndReadAll(sql, ...bound(params));
      return result.getRows();
    },
    async fork() {
      return wrap(instance, await instance.connect(), () => {});
    },
    close() {
      connection.closeSync();
      closeInstance();
    },
  };
}
