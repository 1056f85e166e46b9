/** What no file says by itself, as far as a user has said it. */
export interface Told {
  readonly id: string;
  readonly entity?: string;
  readonly plural?: string;
  readonly scope?: string;
  readonly domain?: string;
  readonly publisher?: string;
  readonly hosts: readonly string[];
  readonly licence?: string;
  readonly citation?: string;
  readonly asOf?: string;
  readonly key?: string;
  readonly name?: string;
  /** Who says that the table holds all entities: declares the whole table complete. */
  readonly complete?: string;
}

/** Stands in a draft where the user has said nothing; `sources check` objects to it. */
export const PLACEHOLDER = { host: "example.org", text: "TO BE FILLED IN" } as const;
