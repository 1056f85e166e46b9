import { randomBytes } from "node:crypto";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { hashOf } from "../../pipeline/base/canonical.js";
import { TaskmillError } from "../../pipeline/base/errors.js";
import { lives } from "../../pipeline/base/process.js";
import { sourceError } from "../problems.js";
import { addressKey } from "./address.js";
import { buildIndex, INDEX_VERSION } from "./build.js";
import type { Corpus, Document, Hit } from "./corpus.js";
import { documentsOf } from "./documents.js";
import { type CorpusFile, type CorpusPath, corpusFiles, filesHash } from "./files.js";
import { IndexFile } from "./index-file.js";
import { parseQuery } from "./query.js";
import { rank } from "./rank.js";
import { snippetOf } from "./snippet.js";

export interface CorpusOptions {
  /** Folder for indexes; made if it is not there. What is in it can be deleted at any time and is built again. */
  readonly cache: string;
  readonly signal: AbortSignal;
}

/**
 * Opens sets of documents as one corpus. Its index is built at the first time and kept in the cache under the hash of the files, so that
 * changed files have a new one; several processes may build or use the same one at once.
 * @throws TaskmillError (source) for files that are missing or hold something else than documents, and for a disk that is full
 */
export async function openCorpus(sets: readonly CorpusPath[], options: CorpusOptions): Promise<Corpus> {
  const files = await corpusFiles(sets);
  const hash = hashOf({ index: INDEX_VERSION, files: await filesHash(files, options.signal) });
  const store = new IndexStore(files, join(options.cache, `${hash}.duckdb`), options);
  return new IndexedCorpus(hash, await store.open(), store);
}

class IndexedCorpus implements Corpus {
  #index: IndexFile;
  /** Open as long as the corpus is: other queries may be at it. */
  readonly #damaged: IndexFile[] = [];
  #again: Promise<void> | undefined;

  constructor(
    readonly hash: string,
    index: IndexFile,
    private readonly store: IndexStore,
  ) {
    this.#index = index;
  }

  get documents(): number {
    return this.#index.lengths.length;
  }

  get repeated(): number {
    return this.#index.read - this.documents;
  }

  search(query: string, { results, skip }: { results: number; skip: number }): Promise<readonly Hit[]> {
    return this.#use(async (index) => {
      const { best, weights } = await rank(index, parseQuery(query), skip + results);
      const shown = best.slice(skip);
      const documents = await index.documents(shown.map(({ document }) => document));
      return documents.map(({ url, title, text, licence }, i): Hit => {
        const own = licence === undefined ? {} : { licence };
        return { url, title, snippet: snippetOf(text, weights), score: shown[i]!.score, ...own };
      });
    });
  }

  get(url: string): Promise<Document | undefined> {
    return this.#use((index) => index.at(addressKey(url)));
  }

  all(): AsyncIterable<Document> {
    return this.#index.all();
  }

  async close(): Promise<void> {
    // Whoever it failed has been told.
    await this.#again?.catch(() => {});
    for (const index of [this.#index, ...this.#damaged]) index.close();
  }

  /** An index that turns out to be damaged is built once more; a second time is an error. */
  async #use<T>(work: (index: IndexFile) => Promise<T>): Promise<T> {
    try {
      return await work(this.#index);
    } catch (error) {
      if (error instanceof TaskmillError) throw error;
      this.#again ??= this.store.replace().then((fresh) => {
        this.#damaged.push(this.#index);
        this.#index = fresh;
      });
      await this.#again;
      return work(this.#index);
    }
  }
}

/** The index file of a corpus: opened if it is there and whole, else built. */
class IndexStore {
  constructor(
    private readonly files: readonly CorpusFile[],
    private readonly path: string,
    private readonly options: CorpusOptions,
  ) {}

  async open(): Promise<IndexFile> {
    return (await IndexFile.open(this.path).catch(() => undefined)) ?? this.replace();
  }

  /** Built under a name of its own and put into place whole: whoever comes second at the same time replaces like by like. */
  async replace(): Promise<IndexFile> {
    const { cache, signal } = this.options;
    const building = `${this.path}.${process.pid}-${randomBytes(4).toString("hex")}.building`;
    try {
      await mkdir(cache, { recursive: true });
      await sweep(cache);
      await buildIndex(building, documentsOf(this.files, signal), signal);
      await rename(building, this.path);
      return await IndexFile.open(this.path);
    } catch (cause) {
      signal.throwIfAborted();
      if (cause instanceof TaskmillError) throw cause;
      const why = cause instanceof Error ? cause.message.split("\n")[0]! : String(cause);
      return sourceError("no_index", `the index of the corpus cannot be written or read: ${why}`, {
        hint: "it needs a folder that may be written to, and about three times the documents' size on disk while it is built",
        location: { file: this.path },
        cause,
      });
    } finally {
      // Best effort: where nothing could be written there is nothing to remove.
      for (const end of ["", ".wal", ".tmp"]) {
        await rm(building + end, { recursive: true, force: true }).catch(() => {});
      }
    }
  }
}

/** Removes what builders left that were killed. */
async function sweep(cache: string): Promise<void> {
  for (const name of await readdir(cache)) {
    const builder = /\.duckdb\.(\d{1,10})-[0-9a-f]{8}\.building(?:\.wal|\.tmp)?$/.exec(name)?.[1];
    if (builder !== undefined && !lives(Number(builder)))
      await rm(join(cache, name), { recursive: true, force: true });
  }
}
