import { isOfPrograms } from "../../datasets/admission.js";
import { poolFile } from "../../datasets/layout.js";
import { problemsPool } from "../../datasets/schema/index.js";
import type { Manifest, ManifestInstance } from "../manifest.js";
import type { Finding } from "./finding.js";

/** The instance's own books: in + created = out + Σ rejected. */
function balanceOf({ created, out, rejected, ...rest }: ManifestInstance): {
  given: number;
  accounted: number;
} {
  const turnedAway = Object.values(rejected).reduce((a, b) => a + b, 0);
  return { given: rest.in + created, accounted: out + turnedAway };
}

/** Adds up the funnel: within each instance, along each edge, and from its end to the pools. */
export function checkFunnel(manifest: Manifest): Finding[] {
  const findings: Finding[] = [];
  const say = (code: string, where: string, message: string) =>
    findings.push({ check: "funnel", code, where, message });
  const byId = new Map(manifest.stages.map((s) => [s.id, s]));
  for (const stage of manifest.stages) {
    const { given, accounted } = balanceOf(stage);
    if (given !== accounted) {
      say(
        "funnel_does_not_add_up",
        stage.id,
        `${given} rows went in or were made, but ${accounted} came out or were rejected`,
      );
    }
    const feeding = stage.from
      .map((id) => byId.get(id))
      .filter((s) => s !== undefined && s.stage !== "ingest");
    if (feeding.length === 0 || stage.created > 0) continue;
    const offered = feeding.reduce((sum, s) => sum + s!.out, 0);
    const cut = byId.get("(target)");
    const due = cut !== undefined && cut.in === offered && stage.in === cut.out ? cut.out : offered;
    if (stage.in !== due)
      say(
        "funnel_edge_differs",
        stage.id,
        `it took ${stage.in} rows, but ${stage.from.join(", ")} gave ${offered}`,
      );
  }
  findings.push(...checkTotals(manifest));
  return findings;
}

/** A user's own problems to which a gate does not apply. */
function problemsPassing({ pools }: Manifest, gate: string): number {
  return isOfPrograms(gate) ? (pools.find((p) => p.file === poolFile(problemsPool))?.rows ?? 0) : 0;
}

function checkTotals(manifest: Manifest): Finding[] {
  const findings: Finding[] = [];
  const say = (code: string, where: string, message: string) =>
    findings.push({ check: "funnel", code, where, message });
  const splits = Object.values(manifest.splits).reduce((a, b) => a + b, 0);
  if (splits !== manifest.accepted)
    say("splits_do_not_add_up", "splits", `they hold ${splits} rows of ${manifest.accepted} accepted`);
  for (const [gate, { passed, failed, not_run }] of Object.entries(manifest.gates)) {
    const due = manifest.accepted - problemsPassing(manifest, gate);
    if (passed + failed + not_run !== due)
      say(
        "gate_does_not_add_up",
        gate,
        `it accounts for ${passed + failed + not_run} rows of ${due} accepted`,
      );
  }
  for (const source of manifest.sources) {
    const rejected = Object.values(source.rejected).reduce((a, b) => a + b, 0);
    if (source.records !== source.loaded + rejected) {
      say(
        "ingest_does_not_add_up",
        source.id,
        `${source.records} records, but ${source.loaded} loaded and ${rejected} rejected`,
      );
    }
  }
  return findings;
}
