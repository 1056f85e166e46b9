import type { IngestReport } from "../../sources/table.js";
import type { RejectedItem } from "../../stages/stage.js";
import type { Json } from "../base/canonical.js";
import { stream } from "../base/random.js";
import type { Facts } from "../facts.js";
import type { Observer } from "./rejections.js";
import { Reservoir } from "./reservoir.js";

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
  readonly samples: readonly Sample[];
}

interface Sample {
  readonly ref: string | number;
  readonly evidence: Json;
}

const SAMPLES = 3;

/** Samples of every reason of every stage, each with a stream of its own, so that no reason's samples depend on another's. */
export class FunnelSamples implements Observer {
  readonly #drawn = new Map<string, Map<string, Reservoir<Sample>>>();

  constructor(private readonly seed: string) {}

  add({ id }: { readonly id: string }, { reason, ref, evidence }: RejectedItem): void {
    const reasons = this.#drawn.get(id) ?? new Map<string, Reservoir<Sample>>();
    this.#drawn.set(id, reasons);
    const drawn = reasons.get(reason) ?? new Reservoir(SAMPLES, stream(this.seed, "report", id, reason));
    reasons.set(reason, drawn);
    drawn.add({ ref, evidence });
  }

  of(id: string, reason: string): readonly Sample[] {
    return this.#drawn.get(id)?.get(reason)?.kept ?? [];
  }
}

/** What each stage did to its rows, with sampled rejections. */
export function funnelOf({ manifest, reasons, ingest }: Facts, samples: FunnelSamples): FunnelStage[] {
  const loaded = ingestSamples(ingest);
  return manifest.stages.map(({ id, stage, in: given, created, out, rejected }) => ({
    id,
    stage,
    in: given,
    created,
    out,
    rejected: Object.entries(rejected)
      .filter(([, rows]) => rows > 0)
      .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
      .map(([reason, rows]) => ({
        reason,
        meaning: reasons.get(id)?.[reason] ?? "",
        rows,
        samples: stage === "ingest" ? (loaded.get(reason) ?? []) : samples.of(id, reason),
      })),
  }));
}

function ingestSamples(reports: readonly IngestReport[]): Map<string, Sample[]> {
  const samples = new Map<string, Sample[]>();
  for (const { source, samples: all } of reports) {
    for (const { reason, record, ...evidence } of all) {
      const kept = samples.get(reason) ?? [];
      if (kept.length < SAMPLES)
        samples.set(reason, [...kept, { ref: `${source} record ${record}`, evidence }]);
    }
  }
  return samples;
}
