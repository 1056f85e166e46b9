import { type DuckDBPreparedStatement, type DuckDBValue, INTEGER } from "duckdb";
import { type Bindable, type Database, openDatabase } from "../duckdb.js";
import { INDEX_VERSION } from "./build.js";
import type { Document } from "./corpus.js";

/** A word's occurrences, ordered by document and place. */
export interface Occurrences {
  readonly documents: readonly number[];
  /** Below zero in titles. */
  readonly places: readonly number[];
}

export interface Term {
  readonly term: string;
  readonly id: number;
  readonly occurrences: number;
}

/** What DuckDB may hold of an index in memory. */
const MEMORY = "512MB";
const THREADS = 1;

/** An index on disk, open for reading; several processes may have it open. Documents are numbered from 0 in the order of their addresses. */
export class IndexFile {
  #prepared: DuckDBPreparedStatement | undefined;
  #last: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly database: Database,
    /** Words of each document: four bytes for each document are all that is kept in memory. */
    readonly lengths: Int32Array,
    /** Documents that were read, those among them that repeat an address too. */
    readonly read: number,
    /** Words of a document on average. */
    readonly mean: number,
  ) {}

  /** @throws an error of any kind when the file is missing, unfinished, of another version or damaged */
  static async open(path: string): Promise<IndexFile> {
    const database = await openDatabase(path, { readOnly: true, threads: THREADS, memoryLimit: MEMORY });
    try {
      const [row] = await database.rows("SELECT version, read, documents FROM finished, counts");
      const [version, read, documents] = (row ?? []).map(Number);
      if (version !== INDEX_VERSION) throw new Error("an index of another version");
      const lengths = new Int32Array(documents!);
      let id = 0;
      let all = 0;
      for await (const values of columnsOf(database, "SELECT words FROM documents ORDER BY id")) {
        for (const words of values[0]!) all += lengths[id++] = words as number;
      }
      if (id !== documents) throw new Error("an index that is not whole");
      return new IndexFile(database, lengths, read!, all / Math.max(1, id));
    } catch (error) {
      database.close();
      throw error;
    }
  }

  async terms(words: readonly string[]): Promise<Term[]> {
    if (words.length === 0) return [];
    const places = words.map((_, i) => `$${i + 1}`).join(", ");
    const sql = `SELECT term, id, occurrences FROM terms WHERE term IN (${places})`;
    const rows = await this.database.rows(sql, words);
    return rows.map(([term, id, occurrences]) => ({
      term: term as string,
      id: id as number,
      occurrences: occurrences as number,
    }));
  }

  /** The statement is prepared once, since that costs more than to run it; so one runs at a time, as the one thread would have it anyway. */
  occurrences(term: number): Promise<Occurrences> {
    const read = this.#last.then(() => this.#occurrences(term));
    this.#last = read.catch(() => {});
    return read;
  }

  async #occurrences(term: number): Promise<Occurrences> {
    this.#prepared ??= await this.database.connection.prepare(
      "SELECT document, place FROM occurrences WHERE term = $1",
    );
    this.#prepared.bind([term], [INTEGER]);
    const result = await this.#prepared.run();
    const [documents, places] = await result.getColumns();
    return { documents: (documents ?? []) as number[], places: (places ?? []) as number[] };
  }

  /** The documents of a host and its subdomains. */
  async ofHost(host: string): Promise<number[]> {
    const rows = await this.database.rows(
      "SELECT id FROM documents WHERE host = $1 OR suffix(host, $2) ORDER BY id",
      [host, `.${host}`],
    );
    return rows.map(([id]) => id as number);
  }

  /** Documents in the order of their numbers here. In one statement: each costs more than what it reads. */
  async documents(ids: readonly number[]): Promise<Document[]> {
    if (ids.length === 0) return [];
    const places = ids.map((_, i) => `$${i + 1}`).join(", ");
    const sql = `SELECT id, url, title, text, licence FROM documents WHERE id IN (${places})`;
    const rows = await this.database.rows(sql, ids);
    const found = new Map(rows.map(([id, ...values]) => [id as number, documentOf(values)]));
    return ids.map((id) => {
      const document = found.get(id);
      if (document === undefined) throw new Error(`an index without document ${id}`);
      return document;
    });
  }

  at(key: string): Promise<Document | undefined> {
    return this.#one("SELECT url, title, text, licence FROM documents WHERE key = $1", [key]);
  }

  /** All documents in order; on a connection of its own, which other queries leave alone. */
  async *all(): AsyncGenerator<Document> {
    const own = await this.database.fork();
    try {
      const sql = "SELECT url, title, text, licence FROM documents ORDER BY id";
      for await (const [urls, titles, texts, licences] of columnsOf(own, sql)) {
        for (const [i, url] of urls!.entries())
          yield documentOf([url, titles![i]!, texts![i]!, licences![i]!]);
      }
    } finally {
      own.close();
    }
  }

  close(): void {
    this.#prepared?.destroySync();
    this.database.close();
  }

  async #one(sql: string, values: readonly Bindable[]): Promise<Document | undefined> {
    const [row] = await this.database.rows(sql, values);
    return row === undefined ? undefined : documentOf(row);
  }
}

function documentOf([url, title, text, licence]: readonly DuckDBValue[]): Document {
  const document = { url: url as string, title: title as string, text: text as string };
  return licence === "" ? document : { ...document, licence: licence as string };
}

/** A query's columns, some thousand rows at a time. */
async function* columnsOf(database: Database, sql: string): AsyncGenerator<DuckDBValue[][]> {
  const result = await database.connection.stream(sql);
  for (;;) {
    const chunk = await result.fetchChunk();
    if (chunk === null || chunk.rowCount === 0) return;
    yield chunk.getColumns();
  }
}
