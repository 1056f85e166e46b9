import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SourceFacts } from "../../datasets/source-facts.js";
import { stream } from "../../pipeline/base/random.js";
import type { SplitRow } from "../../stages/task.js";
import { wordQuestion } from "../../stages/words/grammar.js";
import { cards } from "../stages/words/cards.js";
import { draw } from "../stages/words/programs.js";
import { catalog, rowOf } from "../stages/words/rows.js";

export { cards, catalog };

const SPLITS = ["train", "train", "validation", "test"] as const;

/** Finished rows of many shapes over the test cards, with made-up figures. */
export function splitRows(count: number): SplitRow[] {
  return Array.from({ length: count }, (_, seed) => {
    const row = rowOf(draw(seed), seed);
    const { question, style } = wordQuestion(row, cards, stream("rows", seed));
    const gates = [{ gate: "twice_computed", status: "passed" as const, why: "both agree" }];
    gates.push({ gate: "lint", status: "passed", why: "nothing is given away" });
    const id = seed.toString(16).padStart(16, "0");
    const snapshots = Object.fromEntries(Object.keys(row.snapshots).map((t) => [t, "0".repeat(64)]));
    const wording = { by: "grammar/1", style };
    return { ...row, id, snapshots, question, wording, gates, split: SPLITS[seed % 4]!, group: `g${seed}` };
  });
}

export const sources: ReadonlyMap<string, SourceFacts> = new Map(
  [...catalog.tables.values()].map(({ id, card }) => [
    id,
    {
      id,
      domain: card.domain,
      licence: card.licence.id,
      snapshot_sha256: card.snapshot.sha256,
      links: card.links,
    },
  ]),
);

/** A folder that is gone when `work` ends. */
export async function inFolder<T>(work: (dir: string) => Promise<T>): Promise<T> {
  const dir = mkdtempSync(join(tmpdir(), "taskmill-pools-"));
  try {
    return await work(dir);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

export async function gather<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const row of rows) all.push(row);
  return all;
}
