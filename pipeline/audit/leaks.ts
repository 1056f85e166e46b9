import { z } from "zod";
import { wilson } from "../../verifiers/intervals.js";
import { rowStage, type Stages } from "./bench.js";
import { type Dataset, turnedAway } from "./dataset.js";
import type { AuditFinding } from "./finding.js";
import { notRun, rows, type Shortcut, tested } from "./shortcut.js";

const LEAKS = ["name_leaked", "value_leaked"] as const;
const SOURCE = ["source_named"] as const;

const TEST = {
  leaks:
    "each question searched for the entity's names and for every value on the way to the answer, in any unit and rendering",
  source_named: "each question searched for the source's names, its publisher and its hosts",
} as const;
const REACH = {
  leaks:
    "Names are those of the card with its aliases, values those of the task's chain with 3 digits or more. A paraphrase that tells an entity without its name is not seen.",
  source_named: "Names and hosts are those that the cards list.",
} as const;

const lintEvidence = z.object({ findings: z.array(z.object({ code: z.string(), what: z.string() })) });

/** Lints every question again; what is no leak but should not have passed is a finding. */
export async function leaksOf(
  dataset: Dataset,
  stages: Stages,
): Promise<{ leaks: Shortcut; sourceNamed: Shortcut; findings: AuditFinding[] }> {
  const lint = rowStage("lint", {}, dataset, stages);
  if (lint === undefined) {
    const why = "no stage `lint` is at hand";
    return {
      leaks: notRun("leaks", TEST.leaks, why),
      sourceNamed: notRun("source_named", TEST.source_named, why),
      findings: [],
    };
  }
  const findings: AuditFinding[] = [];
  const open = { leaks: new Set<string>(), source_named: new Set<string>() };
  const tasks = dataset.tasks.filter(({ task }) => task !== undefined);
  for (const { id, row } of tasks) {
    const outcome = await lint(row);
    if ("out" in outcome) continue;
    if ("fault" in outcome) {
      findings.push({
        code: "cannot_lint",
        where: id,
        message: `the lint cannot work on it: ${outcome.fault}`,
      });
      continue;
    }
    for (const { code, what } of lintEvidence.parse(outcome.reject.evidence).findings) {
      if ((LEAKS as readonly string[]).includes(code)) open.leaks.add(id);
      else if ((SOURCE as readonly string[]).includes(code)) open.source_named.add(id);
      findings.push({ code, where: id, message: what });
    }
  }
  const shortcut = (id: "leaks" | "source_named", reasons: readonly string[]): Shortcut =>
    tested(id, dataset.tasks.length, {
      test: TEST[id],
      tested: tasks.length,
      untested: "problems state what they ask in their own words",
      open: open[id].size,
      result:
        open[id].size === 0
          ? `none in ${rows(tasks.length, "question")}`
          : `in ${rows(open[id].size, "question")}`,
      rate: wilson(open[id].size, tasks.length),
      removed: turnedAway(dataset, ["lint"], reasons),
      reach: REACH[id],
    });
  return { leaks: shortcut("leaks", LEAKS), sourceNamed: shortcut("source_named", SOURCE), findings };
}
