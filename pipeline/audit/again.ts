import { z } from "zod";
import { rowStage, type Stages } from "./bench.js";
import { type Dataset, type Entry, entriesOf } from "./dataset.js";
import type { AuditFinding } from "./finding.js";

const power = z.array(z.object({ role: z.string(), right: z.number(), asked: z.number() }));
const judged = z.looseObject({
  gates: z.array(z.looseObject({ gate: z.string(), status: z.string() })).optional(),
  probe: z.looseObject({ power: power.optional() }).optional(),
});

/** What a gate's stage makes of a row once more. */
interface Again {
  /** A status, a reason to reject, or why it could not be done. */
  readonly verdict: string;
  /** Famous facts that each role knew, as text. */
  readonly power: string;
}

/** Takes a gate's decisions again: by its own stage, from the recorded calls. */
export function decider(
  dataset: Dataset,
  stages: Stages,
): (entry: Entry & { readonly question: NonNullable<Entry["question"]> }) => Promise<Again> {
  const bound = new Map<string, ReturnType<typeof rowStage>>();
  return async ({ instance, gate, question }) => {
    if (!bound.has(instance)) {
      const { stage = "", params } = dataset.manifest.stages.find(({ id }) => id === instance) ?? {};
      bound.set(instance, rowStage(stage, params, dataset, stages, { instance, asking: true }));
    }
    const outcome = await bound.get(instance)?.(question.row);
    if (outcome === undefined)
      return { verdict: "not to be decided, as no such stage is at hand", power: "" };
    if ("fault" in outcome) return { verdict: `not to be decided: ${outcome.fault}`, power: "" };
    const left = judged.safeParse("out" in outcome ? outcome.out : outcome.reject.evidence).data;
    const status = left?.gates?.find((g) => g.gate === gate)?.status ?? "not_run";
    return {
      verdict: "out" in outcome ? status : outcome.reject.reason,
      power: left?.probe === undefined ? "" : powerText(left.probe.power),
    };
  };
}

/** What the ledger says that a gate decided. */
export function said({ status, reason }: Entry): string {
  return status === "rejected" ? reason : status;
}

/**
 * Takes the decisions of probes and solves again, the famous facts included: that the calls were asked as the config says, with its prompts
 * and sampling and with no answer beside the question, is seen by no look at replies alone.
 */
export async function checkDecisions(dataset: Dataset, stages: Stages): Promise<AuditFinding[]> {
  const findings: AuditFinding[] = [];
  const decide = decider(dataset, stages);
  for (const entry of ["closed_book", "solve"].flatMap((gate) => entriesOf(dataset, gate))) {
    const { id, instance, evidence, question } = entry;
    if (question === undefined) continue;
    const again = await decide({ ...entry, question });
    const say = (code: string, message: string) => findings.push({ code, where: id, message });
    if (again.verdict !== said(entry))
      say(
        "decided_otherwise",
        `${instance}, run again on the recorded calls, says ${again.verdict}; the ledger says ${said(entry)}`,
      );
    if (evidence.probe === undefined || again.power === "") continue;
    const known = powerText(evidence.probe.power);
    if (known !== again.power)
      say(
        "power_otherwise",
        `it says that famous facts were known: ${known}; the recorded calls say ${again.power}`,
      );
  }
  return findings;
}

function powerText(of: z.infer<typeof power> = []): string {
  return of.map(({ role, right, asked }) => `${role} ${right} of ${asked}`).join(", ") || "none asked";
}
