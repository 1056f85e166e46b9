import { type LedgerRecord, ledgerTable } from "../datasets/schema/index.js";
import { writeTable } from "../datasets/write.js";
import type { RejectedItem, Row } from "../stages/stage.js";
import { canonicalJson } from "./base/canonical.js";
import type { Facts } from "./facts.js";
import { LEDGER } from "./finish.js";

/** Writes what the gates of a run said of every row that they saw. Without gates there is no ledger. */
export async function writeLedger(dir: string, facts: Facts): Promise<void> {
  if (facts.gates.length > 0) await writeTable(dir, LEDGER, ledgerTable, records(facts));
}

async function* records(facts: Facts): AsyncGenerator<LedgerRecord> {
  const accepted = new Set((await facts.rows()).map((row) => row.id));
  for (const { id, gate } of facts.gates) {
    const rejected = new Map<string, RejectedItem>();
    for await (const item of facts.rejections(id)) rejected.set(String(item.ref), item);
    const passed = new Map((await facts.passed(id)).map((row) => [row.id, row]));
    const from = facts.manifest.stages.find((s) => s.id === id)!.from;
    for (const row of (await Promise.all(from.map((up) => facts.passed(up)))).flat()) {
      const decision = decisionOn(row, gate, passed.get(row.id), rejected.get(row.id), facts, id);
      if (decision !== undefined)
        yield { ...about(row, accepted.has(row.id), facts), instance: id, gate, ...decision };
    }
  }
}

type Decision = Pick<LedgerRecord, "status" | "reason" | "why" | "hidden_evidence">;

function decisionOn(
  row: Row,
  gate: string,
  out: Row | undefined,
  rejected: RejectedItem | undefined,
  facts: Facts,
  instance: string,
): Decision | undefined {
  if (rejected !== undefined) {
    const { reason, evidence } = rejected;
    const why = facts.reasons.get(instance)?.[reason] ?? "";
    return { status: "rejected", reason, why, hidden_evidence: canonicalJson(evidence) };
  }
  if (out === undefined) return undefined;
  const said = (out.gates as readonly { gate: string; status: string; why: string }[]).find(
    (g) => g.gate === gate,
  );
  if (said === undefined) return undefined;
  return { status: said.status, reason: "", why: said.why, hidden_evidence: canonicalJson(added(row, out)) };
}

/** What a gate left on a row, beside its verdict. */
function added(before: Row, after: Row): Record<string, unknown> {
  return Object.fromEntries(Object.entries(after).filter(([name]) => !Object.hasOwn(before, name)));
}

type About = Omit<LedgerRecord, "instance" | "gate" | keyof Decision>;

/** Fields of rows that have been worded; others lack some of them. */
interface Asked extends Row {
  readonly question?: string;
  readonly program?: { readonly table: string; readonly compute: { readonly formula: string } };
  readonly selection?: { readonly entity: { readonly table: string; readonly key: string } };
  readonly problem?: { readonly source: string; readonly domain: string };
}

function about(row: Asked, accepted: boolean, { cards }: Facts): About {
  const { program, selection, problem } = row;
  const table = program?.table ?? problem?.source ?? null;
  return {
    task_id: row.id,
    accepted,
    domain: problem?.domain ?? (table === null ? null : (cards.get(table)?.domain ?? null)),
    table,
    formula: program?.compute.formula ?? null,
    question: row.question ?? "",
    hidden_entity: selection === undefined ? null : `${selection.entity.table}/${selection.entity.key}`,
    hidden_row: accepted ? "null" : canonicalJson(row),
  };
}
