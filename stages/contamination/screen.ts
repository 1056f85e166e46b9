import type { BenchmarkText } from "./benchmark.js";
import type { Phrases } from "./boilerplate.js";
import { Fingerprint, LONG } from "./fingerprint.js";
import { jaccard } from "./minhash.js";
import type { Pool } from "./pool.js";
import { sameSpecifics, sharesSpecifics } from "./specifics.js";
import { spanText } from "./words.js";

/** When two texts count as the same. */
export interface Limits {
  readonly containment: number;
  readonly jaccard: number;
  readonly missing_words: number;
  readonly shared_specifics: number;
  /** A run of 13 words in so many different texts of the files is boilerplate of theirs. */
  readonly common_in_files: number;
}

export type MatchReason = "exact_match" | "shared_ngram" | "contained" | "similar";

/** A text of a file beside a row. */
export interface Match {
  readonly file: string;
  readonly record: number;
  readonly jaccard: number;
  /** Share of the row's runs (of 13 words; of 3 for brief rows) that the text holds. */
  readonly containment: number;
  readonly text: string;
  /** What makes it a match; undefined for the closest text that is none. */
  readonly reason?: MatchReason;
  readonly overlap?: { readonly ours: string; readonly theirs: string; readonly words: number };
}

const SHOWN = 600;
/** From this Jaccard index on, texts are found whatever else is in the pool. */
export const CLOSE = 0.3;

/**
 * Looks at the texts of the files one by one, twice: `count` finds which runs are common among them, `look` the matches. Both
 * depend on the files and on each row alone (and the rows before it), so that later rows change nothing for earlier ones.
 */
export class Screen {
  /** Of each row the first match, else the closest text so far. */
  readonly matches = new Map<number, Match>();
  private readonly often = new Map<number, number>();
  private readonly counted = new Set<number>();

  constructor(
    private readonly pool: Pool,
    private readonly phrases: Phrases,
    private readonly limits: Limits,
  ) {}

  /**
   * First pass. Copies of one text count once.
   * @returns whether the second pass must look at this text
   */
  count({ text }: BenchmarkText): boolean {
    const theirs = new Fingerprint(text, this.phrases);
    const runs = new Set(theirs.long.filter((run) => this.pool.withRun(run).length > 0));
    if (runs.size > 0 && !this.counted.has(theirs.whole!)) {
      this.counted.add(theirs.whole!);
      for (const run of runs) this.often.set(run, (this.often.get(run) ?? 0) + 1);
    }
    return this.pool.mayMatch(theirs, CLOSE);
  }

  /** Second pass. */
  look(file: string, { record, text }: BenchmarkText): void {
    const theirs = new Fingerprint(text, this.phrases);
    for (const i of this.pool.sameAs(theirs))
      this.keep(i, this.match(i, theirs, file, record, "exact_match"));
    const shared = this.sharedRuns(theirs);
    for (const [i, at] of shared) {
      const ours = this.pool.rows[i]!.specifics;
      const same = sharesSpecifics(ours, theirs.specifics, this.limits.shared_specifics);
      this.keep(i, this.match(i, theirs, file, record, same ? "shared_ngram" : undefined, at));
    }
    for (const i of this.pool.alike(theirs, CLOSE)) {
      if (!shared.has(i)) this.keep(i, this.match(i, theirs, file, record, this.likeness(i, theirs)));
    }
    for (const i of this.pool.briefIn(theirs)) {
      if (this.likeness(i, theirs) !== undefined)
        this.keep(i, this.match(i, theirs, file, record, "contained"));
    }
  }

  /** Rows that share a run of 13 words, with where it first stands in their text. */
  private sharedRuns(theirs: Fingerprint): Map<number, number> {
    const found = new Map<number, number>();
    theirs.long.forEach((run, at) => {
      if ((this.often.get(run) ?? 0) >= this.limits.common_in_files) return;
      for (const i of this.pool.withRun(run)) if (!found.has(i)) found.set(i, at);
    });
    return found;
  }

  private likeness(i: number, theirs: Fingerprint): MatchReason | undefined {
    const ours = this.pool.rows[i]!;
    // In a brief question each word that carries meaning counts.
    const missing = ours.brief ? 0 : this.limits.missing_words;
    if (!sameSpecifics(ours.specifics, theirs.specifics, missing)) return undefined;
    if (ours.brief)
      return contained(ours.short, theirs.short) >= this.limits.containment ? "contained" : undefined;
    return jaccard(ours.short, theirs.short) >= this.limits.jaccard ? "similar" : undefined;
  }

  private match(
    i: number,
    theirs: Fingerprint,
    file: string,
    record: number,
    reason?: MatchReason,
    at?: number,
  ): Match {
    const ours = this.pool.rows[i]!;
    const containment = ours.brief
      ? contained(ours.short, theirs.short)
      : contained(longRuns(ours), longRuns(theirs));
    const overlap = at === undefined ? undefined : overlapAt(ours, theirs, at);
    return {
      file,
      record,
      jaccard: round(jaccard(ours.short, theirs.short)),
      containment: round(containment),
      text: theirs.words.text.slice(0, SHOWN),
      ...(reason === undefined ? {} : { reason }),
      ...(overlap === undefined ? {} : { overlap }),
    };
  }

  /** The first match stays; of texts that are none, the closest. */
  private keep(i: number, match: Match): void {
    const old = this.matches.get(i);
    if (old?.reason !== undefined) return;
    // Which texts below these are looked at at all depends on the rest of the pool.
    if (match.reason === undefined && match.jaccard < CLOSE) return;
    if (old === undefined || match.reason !== undefined || match.jaccard > old.jaccard)
      this.matches.set(i, match);
  }
}

function longRuns({ long }: Fingerprint): ReadonlySet<number> {
  return new Set(long);
}

function contained(ours: ReadonlySet<number>, theirs: ReadonlySet<number>): number {
  if (ours.size === 0) return 0;
  let both = 0;
  for (const run of ours) if (theirs.has(run)) both++;
  return both / ours.size;
}

/** The whole stretch of equal words around a shared run, as both texts write it. */
function overlapAt(ours: Fingerprint, theirs: Fingerprint, at: number): Match["overlap"] {
  const [a, b] = [ours.spelled, theirs.spelled];
  let from = ours.long.indexOf(theirs.long[at]!);
  if (from < 0) return undefined;
  let start = at;
  while (from > 0 && start > 0 && a[from - 1] === b[start - 1]) {
    from--;
    start--;
  }
  let length = LONG;
  while (from + length < a.length && start + length < b.length && a[from + length] === b[start + length])
    length++;
  return {
    ours: spanText(ours.words, from, from + length - 1, SHOWN),
    theirs: spanText(theirs.words, start, start + length - 1, SHOWN),
    words: length,
  };
}

const round = (share: number): number => Math.round(share * 1e4) / 1e4;
