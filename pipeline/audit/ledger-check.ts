import { LEDGER } from "../finish.js";
import type { Dataset, Entry } from "./dataset.js";
import type { AuditFinding } from "./finding.js";

/**
 * Whether tasks and ledger say the same of gates, and the funnel too: a row that entered some other way has no decision there, or another
 * one, and a row that was turned away may have been struck out.
 */
export function checkLedger(
  { tasks, entries, manifest }: Dataset,
  gateOf: (kind: string) => string | undefined,
): AuditFinding[] {
  const findings: AuditFinding[] = [];
  const say = (code: string, where: string, message: string) => findings.push({ code, where, message });
  const byTask = new Map<string, Map<string, Entry>>();
  for (const entry of entries) {
    const of = byTask.get(entry.id) ?? new Map<string, Entry>();
    of.set(entry.gate, entry);
    byTask.set(entry.id, of);
  }
  const decided = new Set(manifest.stages.flatMap(({ stage }) => gateOf(stage) ?? []));
  for (const { id, gates } of tasks) {
    const of = byTask.get(id);
    for (const { gate, status } of gates) {
      if (!decided.has(gate)) continue;
      const said = of?.get(gate);
      if (said === undefined)
        say("not_in_ledger", id, `its gate ${gate} is ${status}, but the ledger has no decision on it`);
      else if (said.status !== status || !said.accepted) {
        const ended = said.accepted ? said.status : `${said.status}, not accepted`;
        say("ledger_differs", id, `its gate ${gate} is ${status}, the ledger says ${ended}`);
      }
    }
    for (const [gate, { status }] of of ?? []) {
      if (!gates.some((g) => g.gate === gate))
        say("gate_missing", id, `the ledger says ${status} of ${gate}, the row does not`);
    }
  }
  const ids = new Set(tasks.map(({ id }) => id));
  for (const id of new Set(entries.filter((e) => e.accepted && !ids.has(e.id)).map((e) => e.id)))
    say("row_missing", id, "the ledger says that it is in the dataset, but it is not");
  if (tasks.length > manifest.accepted)
    say("rows_added", LEDGER, `${tasks.length} tasks are there, the manifest says ${manifest.accepted}`);
  return [...findings, ...struckOut(entries, manifest, gateOf)];
}

/** Decisions that the funnel counts and the ledger lacks. */
function struckOut(
  entries: readonly Entry[],
  { stages }: Dataset["manifest"],
  gateOf: (kind: string) => string | undefined,
): AuditFinding[] {
  const findings: AuditFinding[] = [];
  for (const { id, stage, rejected } of stages) {
    if (gateOf(stage) === undefined) continue;
    for (const [reason, count] of Object.entries(rejected)) {
      const there = entries.filter((e) => e.instance === id && e.reason === reason).length;
      if (there >= count) continue;
      const message = `${id} turned away ${count} rows as ${reason}, the ledger has ${there} of them`;
      findings.push({ code: "ledger_incomplete", where: LEDGER, message });
    }
  }
  return findings;
}
