import type { Document } from "../../sources/corpus/corpus.js";
import type { Catalog } from "../../sources/table.js";
import type { Row } from "../../stages/stage.js";
import type { Firewall } from "../../verifiers/firewall/firewall.js";
import { type Evidence, EvidenceSearch, type Reading, readCorpus } from "./evidence.js";
import { type Need, NeedReader, type Needs, tableTaskOf } from "./needs.js";
import { superlativeOf } from "./wanted.js";

/** Whether tasks can be solved from a corpus, without a model. */

/** What a task needs and no document states. */
export interface Missing {
  readonly for: Need["for"];
  readonly entity: string;
  readonly column: string;
}

export interface TaskSolvability {
  readonly id: string;
  readonly table: string;
  readonly formula: string;
  readonly candidates: number;
  /** `whole`: all is stated somewhere. `computable`: anyone can compute it, by the cards. `unfit`: the row does not fit its tables. */
  readonly state: "whole" | "partial" | "computable" | "unfit";
  /** Cells that a solver needs, and how many of them stand somewhere. */
  readonly needed: number;
  readonly found: number;
  /** A stated superlative that makes the candidates' values unnecessary. */
  readonly settled: Evidence | null;
  readonly missing: readonly Missing[];
  /** Documents that the evidence stands in, in order. */
  readonly documents: readonly string[];
}

/** How many different cells of a column are needed by some task, and how many of them stand somewhere. */
export interface ColumnCount {
  readonly table: string;
  readonly column: string;
  readonly needed: number;
  readonly found: number;
}

export interface Solvability extends Reading {
  readonly tasks: readonly TaskSolvability[];
  readonly totals: Readonly<Record<TaskSolvability["state"], number>>;
  /** Rows that are no table tasks: problems hold all that they need. */
  readonly others: number;
  readonly columns: readonly ColumnCount[];
}

interface Open {
  readonly needs: Needs;
  readonly settled: () => Evidence | undefined;
  readonly choosing: readonly Wish[];
  readonly computing: readonly Wish[];
}

interface Wish {
  readonly need: Need;
  readonly evidence: () => Evidence | undefined;
}

/** Judges all tasks by one pass over the documents. */
export async function judgeSolvability(
  rows: AsyncIterable<Row>,
  catalog: Catalog,
  documents: AsyncIterable<Document>,
  firewall: Firewall,
  signal?: AbortSignal,
): Promise<Solvability> {
  const search = new EvidenceSearch(catalog);
  const reader = new NeedReader(catalog);
  const open: (Open | TaskSolvability)[] = [];
  let others = 0;
  for await (const row of rows) {
    const task = tableTaskOf(row);
    if (task === undefined) others++;
    else {
      const needs = reader.of(task);
      const { id, program } = task;
      const facts = { id, table: program.table, formula: program.compute.formula };
      if (needs === undefined) open.push({ ...NOTHING, ...facts, state: "unfit" });
      else if (computable(needs, catalog))
        open.push({ ...NOTHING, ...facts, candidates: needs.candidates.length, state: "computable" });
      else open.push(wish(needs, search, catalog));
    }
  }
  const reading = await readCorpus(documents, firewall, search, signal);
  const tasks = open.map((o) => ("state" in o ? o : judged(o, catalog)));
  const totals = { whole: 0, partial: 0, computable: 0, unfit: 0 };
  for (const { state } of tasks) totals[state]++;
  return { ...reading, tasks, totals, others, columns: columnCounts(open) };
}

const NOTHING = { candidates: 0, needed: 0, found: 0, settled: null, missing: [], documents: [] } as const;

/** Every table that the task reads says that anyone can compute it. */
function computable({ task, choosing, computing }: Needs, { tables }: Catalog): boolean {
  const read = new Set([task.program.table, ...[...choosing, ...computing].map((n) => n.table)]);
  return [...read].every((id) => tables.get(id)!.card.reach?.by === "computable");
}

function wish(needs: Needs, search: EvidenceSearch, catalog: Catalog): Open {
  const { task, selected } = needs;
  const { table, where, select } = task.program;
  const superlative = superlativeOf(catalog.tables.get(table)!, where, select);
  const wishOf = (need: Need): Wish => ({ need, evidence: search.want(need.table, need.row, need.column) });
  return {
    needs,
    settled:
      superlative === undefined ? () => undefined : search.wantSuperlative(table, selected, superlative),
    choosing: needs.choosing.map(wishOf),
    computing: needs.computing.map(wishOf),
  };
}

function judged({ needs, settled, choosing, computing }: Open, catalog: Catalog): TaskSolvability {
  const { id, program } = needs.task;
  const all = [...choosing, ...computing];
  const superlative = settled();
  const needed = superlative === undefined ? all : computing;
  const missing = needed.filter((w) => w.evidence() === undefined).map(({ need }) => need);
  const documents = needed.flatMap((w) => w.evidence()?.url ?? []);
  if (superlative !== undefined) documents.push(superlative.url);
  return {
    id,
    table: program.table,
    formula: program.compute.formula,
    candidates: needs.candidates.length,
    state: missing.length === 0 ? "whole" : "partial",
    needed: needed.length,
    found: needed.length - missing.length,
    settled: superlative ?? null,
    missing: missing.map((n) => ({
      for: n.for,
      entity: catalog.tables.get(n.table)!.names[n.row]!,
      column: n.table === program.table ? n.column : `${n.table}.${n.column}`,
    })),
    documents: [...new Set(documents)].sort(),
  };
}

function columnCounts(open: readonly (Open | TaskSolvability)[]): ColumnCount[] {
  const columns = new Map<string, { table: string; column: string; rows: Map<number, boolean> }>();
  for (const o of open) {
    if ("state" in o) continue;
    for (const { need, evidence } of [...o.choosing, ...o.computing]) {
      const key = `${need.table}.${need.column}`;
      const count = columns.get(key) ?? { table: need.table, column: need.column, rows: new Map() };
      columns.set(key, count);
      count.rows.set(need.row, evidence() !== undefined);
    }
  }
  return [...columns.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { table, column, rows }]) => {
      return { table, column, needed: rows.size, found: [...rows.values()].filter(Boolean).length };
    });
}
