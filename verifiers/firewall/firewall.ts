/** What solvers must not reach: the sources that the answers were computed from, and copies of them. Pure. */

/** One rule of the block list, as it is exported for trainers. */
export interface BlockRule {
  /** A registrable or full host name (its subdomains are meant too), in ASCII; or an address prefix such as `github.com/owner/repo`. */
  readonly block: string;
  /** Why: `publisher of planets`, `mirror of planets`, `archive`, `config`. */
  readonly why: string;
}

export interface Firewall {
  readonly rules: readonly BlockRule[];
  /** SHA-256 over rules, exceptions and the hashes of the tables that fingerprints are made from. */
  readonly hash: string;
  /** The rule that keeps an address back, or undefined. Total: what is no address is blocked as such. */
  blocks(url: string): string | undefined;
  /**
   * Whether a text reproduces a construction table, as a rule's name with counts: `copy of planets: 23 of 40 rows`; else undefined.
   * @param url where the text is from: what an exception names is no copy, by declaration
   */
  copies(text: string, url?: string): string | undefined;
}
