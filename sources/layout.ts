import type { OwnAdapters } from "./adapters/adapter.js";
import type { Card, ColumnCard } from "./card.js";
import type { Database } from "./duckdb.js";
import type { Snapshot } from "./snapshot.js";
import type { IngestReport } from "./table.js";

/**
 * How tables lie in the run store. Table `sources` has one row per loaded source; source number n is table `source_<n>`
 * with `key` VARCHAR, `record` INTEGER and for the i-th column of the card (in the card's order, from 0):
 *
 * - `c<i>`: DOUBLE (number, integer; in the card's unit), VARCHAR (text) or BOOLEAN (flag); NULL is unknown;
 * - of numbers also `u<i>` DOUBLE, the standard uncertainty (NULL: unknown or undeclared), and `l<i>` TINYINT, 0 a value,
 *   -1 an upper limit, +1 a lower one.
 *
 * All names are generated, so that nothing from a card or a file ever stands in SQL.
 */
const SOURCES = "sources";

/** SQL names of one column. */
export interface PhysicalColumn {
  readonly type: ColumnCard["type"];
  readonly value: string;
  /** Of numbers only. */
  readonly u: string | undefined;
  readonly limit: string | undefined;
}

/** SQL names of one loaded table. */
export interface PhysicalTable {
  readonly table: string;
  readonly key: string;
  readonly record: string;
  readonly columns: ReadonlyMap<string, PhysicalColumn>;
}

/** A row of the table `sources`. */
export interface LoadedSource {
  readonly id: string;
  readonly number: number;
  /** SHA-256 over the canonical card and the snapshot's SHA-256. */
  readonly hash: string;
  readonly card: Card;
}

/** One source on its way into one table. */
export interface Load {
  /** Adapters of the user's own. */
  readonly adapters?: OwnAdapters;
  readonly card: Card;
  readonly snapshot: Snapshot;
  readonly database: Database;
  readonly layout: PhysicalTable;
  readonly signal?: AbortSignal;
}

/** The names of source number `number`, from its card alone. */
export function layoutOf(card: Card, number: number): PhysicalTable {
  const columns = Object.entries(card.columns).map(([id, column], i): [string, PhysicalColumn] => {
    const numeric = column.type === "number" || column.type === "integer";
    const physical = {
      type: column.type,
      value: `c${i}`,
      u: numeric ? `u${i}` : undefined,
      limit: numeric ? `l${i}` : undefined,
    };
    return [id, physical];
  });
  return { table: `source_${number}`, key: "key", record: "record", columns: new Map(columns) };
}

/** Column definitions for CREATE TABLE, in the layout's order: key, record, then value, u and limit of each column. */
export function columnDefinitions(layout: PhysicalTable): string {
  const of = { number: "DOUBLE", integer: "DOUBLE", text: "VARCHAR", flag: "BOOLEAN" } as const;
  const columns = [...layout.columns.values()].flatMap((c) =>
    c.u === undefined
      ? [`${c.value} ${of[c.type]}`]
      : [`${c.value} DOUBLE`, `${c.u} DOUBLE`, `${c.limit} TINYINT`],
  );
  return ["key VARCHAR", "record INTEGER", ...columns].join(", ");
}

/** What is loaded changes by {@link registerSource} only, and is asked for with every program. */
const known = new WeakMap<Database, readonly LoadedSource[]>();

/** All loaded sources, in the order of their numbers. */
export async function loadedSources(database: Database): Promise<readonly LoadedSource[]> {
  const cached = known.get(database);
  if (cached !== undefined) return cached;
  const there = await database.rows("SELECT 1 FROM duckdb_tables() WHERE table_name = $1", [SOURCES]);
  const rows =
    there.length === 0
      ? []
      : await database.rows(`SELECT number, id, hash, card FROM ${SOURCES} ORDER BY number`);
  const sources = rows.map(([number, id, hash, card]) => ({
    number: Number(number),
    id: String(id),
    hash: String(hash),
    card: JSON.parse(String(card)) as Card,
  }));
  known.set(database, sources);
  return sources;
}

/** What {@link registerSource} stored about a load. */
export async function storedReport(database: Database, id: string): Promise<IngestReport> {
  const [row] = await database.rows(`SELECT report FROM ${SOURCES} WHERE id = $1`, [id]);
  return JSON.parse(String(row![0])) as IngestReport;
}

/** From here on a table counts: one transaction puts it in place of an older one of the same id. */
export async function registerSource(
  database: Database,
  source: LoadedSource,
  report: IngestReport,
): Promise<void> {
  const old = (await loadedSources(database)).find((s) => s.id === source.id);
  known.delete(database);
  await database.run("BEGIN");
  try {
    await database.run(
      `CREATE TABLE IF NOT EXISTS ${SOURCES} (number INTEGER, id VARCHAR, hash VARCHAR, card VARCHAR, report VARCHAR)`,
    );
    if (old !== undefined) {
      await database.run(`DROP TABLE IF EXISTS ${layoutOf(old.card, old.number).table}`);
      await database.run(`DELETE FROM ${SOURCES} WHERE number = $1`, [old.number]);
    }
    // The order of a card's columns gives the physical layout: the stored JSON keeps it.
    const values = [
      source.number,
      source.id,
      source.hash,
      JSON.stringify(source.card),
      JSON.stringify(report),
    ];
    await database.run(`INSERT INTO ${SOURCES} VALUES ($1, $2, $3, $4, $5)`, values);
    await database.run("COMMIT");
  } catch (error) {
    await database.run("ROLLBACK");
    throw error;
  }
}
