import type { Facts } from "../../../pipeline/facts.js";
import type { Draft } from "../../../pipeline/manifest.js";
import type { RejectedItem, Row } from "../../../stages/stage.js";
import type { SplitRow } from "../../../stages/task.js";
import { cards } from "../../datasets/rows.js";

/** What a run finds, made up: rows of the tests' cards, and a funnel around them. */

export const HOSTILE = `Uranus</text><script>alert("1")</script><img src=x onerror='alert(2)'>\u202e`;

export const stage = (
  id: string,
  given: number,
  out: number,
  rejected: Record<string, number> = {},
  params = {},
) => ({
  id,
  stage: id,
  version: 1,
  params,
  from: [],
  in: given,
  created: 0,
  out,
  rejected,
});

/** Facts as a run has them, over made-up rows; every card is under the same licence. */
export function factsOf(rows: readonly SplitRow[]): Facts {
  const used = [...cards.values()].map((c) => ({ ...c, licence: { id: "CC0-1.0", share_alike: false } }));
  const manifest: Draft = {
    manifest: 1,
    taskmill: "0.1.0",
    name: "demo",
    seed: "5",
    config: { sha256: "0".repeat(64), resolved: {} },
    target: { accepted: 100, candidates: null, limit: null },
    reached: false,
    candidates: 5000,
    blocks: 2,
    accepted: rows.length,
    sources: used.map(({ id }) => ({
      id,
      card: { file: `sources/${id}/card.yaml`, sha256: "0".repeat(64) },
      snapshot: { file: `sources/${id}/x.csv`, sha256: "0".repeat(64) },
      table: "0".repeat(64),
      rows: 4,
      records: 5,
      loaded: 4,
      rejected: { not_kept: 1 },
      cells: { mass: { implausible_value: 2 } },
    })),
    stages: [
      stage("select", rows.length + 30, rows.length, { margin: 20, tie: 10 }),
      stage(
        "balance",
        rows.length,
        rows.length,
        {},
        { formula: 0.2, entity: 0.02, table: 1, tiny_tables: [] },
      ),
      stage(
        "emit",
        rows.length,
        rows.length,
        {},
        { admit_unscreened: ["contamination", "closed_book", "round_trip", "solve", "admission"] },
      ),
    ],
    gates: {},
    splits: {},
    pools: [
      { pool: "tasks", file: "pools/tasks.parquet", sha256: "0".repeat(64), bytes: 1234, rows: rows.length },
      { pool: "rl", file: "pools/rl.parquet", sha256: "0".repeat(64), bytes: 1234, rows: rows.length },
    ],
  };
  return {
    manifest,
    cards: new Map(used.map((card) => [card.id, card])),
    ingest: [],
    reasons: new Map([["select", { margin: "the runner-up is too close", tie: "two are equal" }]]),
    async *rejections(id): AsyncIterable<RejectedItem> {
      if (id !== "select") return;
      for (let i = 0; i < 20; i++)
        yield { ref: `m${i}`, reason: "margin", evidence: { entity: HOSTILE, gap: i, required: 20 } };
      for (let i = 0; i < 10; i++) yield { ref: `t${i}`, reason: "tie", evidence: { gap: 0 } };
    },
    rows: async () => rows as unknown as readonly Row[],
    gates: [],
    passed: async () => [],
  };
}

/** A rollout's evidence, made up; its texts are hostile. */
export function rolloutOf(by: string, sample: number, more: object): object {
  return {
    by,
    role: HOSTILE,
    model: HOSTILE,
    sample,
    turns: [
      {
        call: "c",
        tools: [{ id: "1", name: HOSTILE, call: "o", ok: true }],
        segment: 0,
        input: 100,
        output: null,
      },
    ],
    stop: "answered",
    valid: true,
    answer: "1",
    outcome: "right",
    reason: "equal",
    reward: { score: 1, acc: 1, progress: 1, answered: 1, steps: [] },
    firewall: { asked: 1, blocked: 0, served: [] },
    faults: [],
    drift: null,
    unselected: "",
    ...more,
  };
}
