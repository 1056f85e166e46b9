import { z } from "zod";
import { canonicalJson } from "../../pipeline/base/canonical.js";
import type { Fingerprint } from "./fingerprint.js";
import { Buckets, buckets, jaccard } from "./minhash.js";
import { sameSpecifics } from "./specifics.js";

/** What of a table task says what it asks of whom, and from which candidates; problems have none of it. */
const tableTask = z.looseObject({
  program: z.looseObject({
    table: z.string(),
    select: z.unknown().optional(),
    other: z.unknown().optional(),
    compute: z.looseObject({ formula: z.string(), inputs: z.unknown() }),
  }),
  filter: z.looseObject({ candidates: z.number() }),
  selection: z
    .looseObject({
      entity: z.looseObject({ key: z.string() }),
      followed: z.looseObject({ key: z.string() }).optional(),
      other: z.looseObject({ entity: z.looseObject({ key: z.string() }) }).optional(),
      ranking: z.array(z.looseObject({ key: z.string() })),
    })
    .optional(),
  aggregate: z.looseObject({ members: z.array(z.looseObject({ key: z.string() })) }).optional(),
});

export interface NearDuplicate {
  readonly reason: "near_duplicate" | "near_duplicate_program";
  /** Id of the row that came before. */
  readonly first: string;
  readonly jaccard: number;
}

interface Kept {
  readonly id: string;
  readonly print: Fingerprint;
  readonly path: string | undefined;
}

/** Rows looked at exactly for one row, at most. */
const MOST_CANDIDATES = 200;

/**
 * Rows that came before, for finding what is nearly the same. By program: the same is asked of the same entity, chosen in the same
 * order from the same candidates, though the conditions that lead to them are others. By wording: hardly a word differs, and no
 * number or name; for table tasks the same must be asked of the same entity, since one word ("largest") may be all the difference.
 */
export class NearDuplicates {
  private readonly kept: Kept[] = [];
  private readonly buckets = new Buckets();
  private readonly programs = new Map<string, string>();

  /** @param least the Jaccard index of runs of 3 words from which two wordings are nearly the same */
  constructor(private readonly least: number) {}

  of(row: { readonly id: string }, print: Fingerprint): NearDuplicate | undefined {
    const { path, choice } = keysOf(row);
    const first = choice === undefined ? undefined : this.programs.get(choice);
    if (first !== undefined)
      return { reason: "near_duplicate_program", first, jaccard: this.likeness(first, print) };
    for (const i of this.buckets.find(buckets(print.short), MOST_CANDIDATES)) {
      const other = this.kept[i]!;
      if (other.path !== path) continue;
      const index = jaccard(print.short, other.print.short);
      const same = sameSpecifics(print.specifics, other.print.specifics, 0.1);
      if (index >= this.least && same && sameSpecifics(other.print.specifics, print.specifics, 0.1)) {
        return { reason: "near_duplicate", first: other.id, jaccard: index };
      }
    }
    return undefined;
  }

  add(row: { readonly id: string }, print: Fingerprint): void {
    const { path, choice } = keysOf(row);
    this.buckets.add(buckets(print.short), this.kept.length);
    this.kept.push({ id: row.id, print, path });
    if (choice !== undefined && !this.programs.has(choice)) this.programs.set(choice, row.id);
  }

  private likeness(id: string, print: Fingerprint): number {
    const other = this.kept.find((k) => k.id === id);
    return other === undefined ? 0 : jaccard(print.short, other.print.short);
  }
}

function keysOf(row: unknown): { path?: string; choice?: string } {
  const task = tableTask.safeParse(row);
  if (!task.success) return {};
  const { program, filter, selection, aggregate } = task.data;
  const members = aggregate?.members.map((m) => m.key) ?? null;
  const { formula, inputs } = program.compute;
  const path = canonicalJson([
    program.table,
    selection?.entity.key ?? null,
    selection?.followed?.key ?? null,
    selection?.other?.entity.key ?? null,
    members,
    formula,
    inputs,
  ]);
  const ranking = selection?.ranking.map((r) => r.key) ?? null;
  const way = [program.select ?? null, program.other ?? null];
  return { path, choice: canonicalJson([path, way, filter.candidates, ranking]) };
}
