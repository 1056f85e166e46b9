import { z } from "zod";
import { rowStage, type Stages } from "./bench.js";
import { type Dataset, type Entry, entriesOf } from "./dataset.js";
import type { AuditFinding } from "./finding.js";

const power = z.array(z.object({ role: z.string(), right: z.number(), asked: z.number() }));
const withPower = z.object({ probe: z.object({ power: power.optional() }) });

/** Rows that are tried, as one row's own samples may be missing where the facts are not. */
const TRIED = 5;

/**
 * Asks the famous facts again, of the recorded calls: whether a model has the power that evidence says it has is seen by no row's samples.
 * One row of each probe is enough, as the facts are asked once a run.
 */
export async function checkPower(dataset: Dataset, stages: Stages): Promise<AuditFinding[]> {
  const findings: AuditFinding[] = [];
  const entries = entriesOf(dataset, "closed_book").filter((e) => e.evidence.probe?.power !== undefined);
  for (const instance of new Set(entries.map((e) => e.instance))) {
    const of = entries.filter((e) => e.instance === instance);
    const found = await powerAgain(instance, of.slice(0, TRIED), dataset, stages);
    for (const { id, evidence } of of) {
      const said = textOf(evidence.probe!.power!);
      if (said === found) continue;
      const message = `it says that famous facts were known: ${said}; the recorded calls say ${found}`;
      findings.push({ code: "power_otherwise", where: id, message });
    }
  }
  return findings;
}

async function powerAgain(
  instance: string,
  entries: readonly Entry[],
  dataset: Dataset,
  stages: Stages,
): Promise<string> {
  const params = dataset.manifest.stages.find(({ id }) => id === instance)?.params;
  const probe = rowStage("probe", params, dataset, stages, { instance, asking: true });
  if (probe === undefined) return "nothing, as there is no stage `probe`";
  for (const { question } of entries) {
    if (question === undefined) continue;
    const outcome = await probe(question.row);
    if ("fault" in outcome) continue;
    const parsed = withPower.safeParse("out" in outcome ? outcome.out : outcome.reject.evidence);
    return textOf(parsed.data?.probe.power ?? []);
  }
  return "nothing, as some are missing";
}

function textOf(of: z.infer<typeof power>): string {
  return of.map(({ role, right, asked }) => `${role} ${right} of ${asked}`).join(", ") || "none asked";
}
