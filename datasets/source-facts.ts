/** What a pool needs to know of a source table. */
export interface SourceFacts {
  readonly id: string;
  readonly domain: string;
  readonly licence: string;
  readonly snapshot_sha256: string;
  /** The column here that each link goes by, and the table over there. */
  readonly links: Readonly<Record<string, { readonly column: string; readonly to: string }>>;
}
