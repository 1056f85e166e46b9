/** Documents that agents may search and read. */

export interface Document {
  /** Where it is from, or `corpus://<corpus>/<id>` for documents without an address. */
  readonly url: string;
  readonly title: string;
  /** Main text, tables as Markdown tables. */
  readonly text: string;
  /** Its own licence, where its set names one. */
  readonly licence?: string;
}

export interface Hit {
  readonly url: string;
  readonly title: string;
  /** The passage that fits best, at most 300 characters. */
  readonly snippet: string;
  /** Higher is better; comparable within one search alone. */
  readonly score: number;
  readonly licence?: string;
}

/** One or more sets of documents on disk with a full-text index. */
export interface Corpus {
  /** SHA-256 over the documents' files and the version of the index: the same answers for the same hash. */
  readonly hash: string;
  readonly documents: number;
  /** Documents that were left out, since another one before them has the same address. */
  readonly repeated: number;
  /** Best first; ties in order of url. `skip` pages on. */
  search(
    query: string,
    options: { readonly results: number; readonly skip: number },
  ): Promise<readonly Hit[]>;
  /** The document at an address (compared after normalising), or undefined. */
  get(url: string): Promise<Document | undefined>;
  /** All documents in order, streamed. */
  all(): AsyncIterable<Document>;
  close(): Promise<void>;
}
