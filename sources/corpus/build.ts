import {
  type DuckDBAppender,
  DuckDBDataChunk,
  type DuckDBType,
  type DuckDBValue,
  INTEGER,
  VARCHAR,
} from "duckdb";
import { type Database, openDatabase } from "../duckdb.js";
import { addressKey, hostOf } from "./address.js";
import type { Document } from "./corpus.js";
import { wordsOf } from "./words.js";

/** Raised whenever the index of the same files would be another: with words, ranking or the tables. */
export const INDEX_VERSION = 2;

/** What DuckDB may hold in memory; the rest it keeps in a file beside the index while that is built. */
const MEMORY = "512MB";
const THREADS = 2;
/** Rows of a DuckDB vector. */
const CHUNK = 2048;
/** Characters after which a chunk is handed on even if it is not full: documents may be long. */
const FULL = 4 * 2 ** 20;

/**
 * Documents, each with its words in order: first those of the title, `titled` in number, then those of the text. All of it is temporary,
 * so that the file holds only what searching needs.
 */
const TYPES: readonly DuckDBType[] = [
  INTEGER,
  VARCHAR,
  VARCHAR,
  VARCHAR,
  VARCHAR,
  VARCHAR,
  VARCHAR,
  INTEGER,
  VARCHAR,
];
const RAW = `CREATE TEMP TABLE raw(
  n INTEGER, key VARCHAR, url VARCHAR, host VARCHAR, title VARCHAR, text VARCHAR, licence VARCHAR, titled INTEGER, words VARCHAR)`;

/**
 * `documents` in the order of their addresses, the first of those that share one; `occurrences` of words at positions, those in titles
 * below zero, so that no phrase reaches from title to text; `terms` with the number of their occurrences.
 */
const TABLES: readonly string[] = [
  `CREATE TEMP TABLE kept AS
    SELECT n, (row_number() OVER (ORDER BY key) - 1)::INTEGER AS id
    FROM (SELECT n, key FROM raw QUALIFY row_number() OVER (PARTITION BY key ORDER BY n) = 1)`,
  `CREATE TABLE documents AS
    SELECT id, key, url, host, title, text, licence,
      (CASE words WHEN '' THEN 0 ELSE length(words) - length(replace(words, ' ', '')) + 1 END)::INTEGER AS words
    FROM raw JOIN kept USING (n) ORDER BY id`,
  `CREATE TEMP TABLE spread AS
    SELECT id AS document, unnest(string_split(words, ' ')) AS term,
      generate_subscripts(string_split(words, ' '), 1)::INTEGER - titled AS place
    FROM raw JOIN kept USING (n) WHERE words <> ''`,
  "CREATE TABLE counts AS SELECT (SELECT count(*) FROM raw) AS read, (SELECT count(*) FROM kept) AS documents",
  "DROP TABLE raw",
  `CREATE TABLE terms AS
    SELECT (row_number() OVER (ORDER BY term))::INTEGER AS id, term, occurrences
    FROM (SELECT term, count(*)::INTEGER AS occurrences FROM spread GROUP BY term) ORDER BY term`,
  `CREATE TABLE occurrences AS
    SELECT id AS term, document, (CASE WHEN place <= 0 THEN place - 1 ELSE place END)::INTEGER AS place
    FROM spread JOIN terms USING (term) ORDER BY id, document, place`,
];

/**
 * Writes the full-text index of documents to a new file. Memory is bounded whatever their number: about 1 GB.
 * @throws TaskmillError (source) of the documents; DuckDB's plain errors for a disk that is full or fails
 */
export async function buildIndex(
  path: string,
  documents: AsyncIterable<Document>,
  signal: AbortSignal,
): Promise<void> {
  const database = await openDatabase(path, { threads: THREADS, memoryLimit: MEMORY });
  try {
    await database.run(RAW);
    await append(database, documents);
    for (const statement of TABLES) {
      signal.throwIfAborted();
      await database.run(statement);
    }
    // Last, so that a file without it is known to be unfinished.
    await database.run("CREATE TABLE finished AS SELECT $1::INTEGER AS version", [INDEX_VERSION]);
    await database.run("CHECKPOINT");
  } finally {
    database.close();
  }
}

async function append(database: Database, documents: AsyncIterable<Document>): Promise<void> {
  const appender = await database.connection.createAppender("raw");
  const columns: DuckDBValue[][] = TYPES.map(() => []);
  let n = 0;
  let characters = 0;
  for await (const document of documents) {
    const row = rowOf(n++, document);
    for (const [i, value] of row.entries()) columns[i]!.push(value);
    characters += document.text.length;
    if (columns[0]!.length < CHUNK && characters < FULL) continue;
    emit(appender, columns);
    characters = 0;
  }
  if (columns[0]!.length > 0) emit(appender, columns);
  appender.closeSync();
}

function rowOf(n: number, { url, title, text, licence = "" }: Document): DuckDBValue[] {
  const titled = wordsOf(title);
  const words = [...titled, ...wordsOf(text)].join(" ");
  return [n, addressKey(url), url, hostOf(url), title, text, licence, titled.length, words].map((value) =>
    typeof value === "string" ? storable(value) : value,
  );
}

/** Half characters have no UTF-8. */
function storable(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\ufffd");
}

function emit(appender: DuckDBAppender, columns: DuckDBValue[][]): void {
  const chunk = DuckDBDataChunk.create(TYPES, columns[0]!.length);
  chunk.setColumns(columns);
  appender.appendDataChunk(chunk);
  for (const column of columns) column.length = 0;
}
