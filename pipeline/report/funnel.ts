import type { IngestReport } from "../../sources/table.js";
import type { Json } from "../base/canonical.js";
import { stream } from "../base/random.js";
import type { Facts } from "../facts.js";

export interface FunnelStage {
  readonly id: string;
  readonly stage: string;
  readonly in: number;
  readonly created: number;
  readonly out: number;
  /** The largest first. */
  readonly rejected: readonly FunnelReason[];
}

export interface FunnelReason {
  readonly reason: string;
  /** What the reason means, for people. */
  readonly meaning: string;
  readonly rows: number;
  /** Drawn by seed from what the stage kept. */
  readonly samples: readonly { readonly ref: string | number; readonly evidence: Json }[];
}

const SAMPLES = 3;

/** What each stage did to its rows, with sampled rejections. */
export async function funnelOf(facts: Facts): Promise<FunnelStage[]> {
  const funnel: FunnelStage[] = [];
  for (const { id, stage, in: given, created, out, rejected } of facts.manifest.stages) {
    const samples = stage === "ingest" ? ingestSamples(facts.ingest) : await sampled(facts, id);
    const meanings = facts.reasons.get(id) ?? {};
    const reasons = Object.entries(rejected)
      .filter(([, rows]) => rows > 0)
      .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
      .map(([reason, rows]) => ({
        reason,
        meaning: meanings[reason] ?? "",
        rows,
        samples: samples.get(reason) ?? [],
      }));
    funnel.push({ id, stage, in: given, created, out, rejected: reasons });
  }
  return funnel;
}

type Samples = Map<string, { ref: string | number; evidence: Json }[]>;

/** Reservoir sampling with a stream of its own per reason, so that no reason's samples depend on another's. */
async function sampled(facts: Facts, id: string): Promise<Samples> {
  const samples: Samples = new Map();
  const seen = new Map<string, { count: number; random: ReturnType<typeof stream> }>();
  for await (const { reason, ref, evidence } of facts.rejections(id)) {
    const state = seen.get(reason) ?? { count: 0, random: stream(facts.manifest.seed, "report", id, reason) };
    seen.set(reason, state);
    const kept = samples.get(reason) ?? [];
    samples.set(reason, kept);
    const at = state.count < SAMPLES ? state.count : state.random.int(state.count + 1);
    if (at < SAMPLES) kept[at] = { ref, evidence };
    state.count++;
  }
  return samples;
}

function ingestSamples(reports: readonly IngestReport[]): Samples {
  const samples: Samples = new Map();
  for (const { source, samples: all } of reports) {
    for (const { reason, record, ...evidence } of all) {
      const kept = samples.get(reason) ?? [];
      if (kept.length < SAMPLES)
        samples.set(reason, [...kept, { ref: `${source} record ${record}`, evidence }]);
    }
  }
  return samples;
}
