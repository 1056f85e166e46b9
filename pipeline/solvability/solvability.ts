import type { Document } from "../../sources/corpus/corpus.js";
import type { Catalog } from "../../sources/table.js";
import type { Row } from "../../stages/stage.js";
import type { Firewall } from "../../verifiers/firewall/firewall.js";
import { type Evidence, EvidenceSearch, type Reading, readCorpus } from "./evidence.js";
import { type Need, NeedReader, type Needs, type TableTask, tableTaskOf } from "./needs.js";
import { superlativeOf, type WantedSuperlative } from "./wanted.js";

/** Whether tasks can be solved from a corpus, without a model. */

/** What a task needs and no document states. */
export interface Missing {
  readonly for: Need["for"];
  readonly entity: string;
  readonly table: string;
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

/** Share of the table tasks that are solvable: their evidence is whole, or anyone can compute it. 1 where there is none. */
export function solvableShare({ tasks, totals }: Pick<Solvability, "tasks" | "totals">): number {
  return tasks.length === 0 ? 1 : (totals.whole + totals.computable) / tasks.length;
}

/** Judges all tasks by one pass over the documents. Memory holds the tasks, the cells that they need and one document. */
export async function judgeSolvability(
  rows: AsyncIterable<Row>,
  catalog: Catalog,
  documents: AsyncIterable<Document>,
  firewall: Firewall,
  signal?: AbortSignal,
): Promise<Solvability> {
  const judge = new Judge(catalog);
  const tasks: TableTask[] = [];
  let others = 0;
  for await (const row of rows) {
    const task = tableTaskOf(row);
    if (task === undefined) others++;
    else tasks.push(task);
  }
  for (const task of tasks) judge.ask(task);
  const reading = await readCorpus(documents, firewall, judge.search, signal);
  const judged = tasks.map((task) => judge.judged(task));
  const totals = { whole: 0, partial: 0, computable: 0, unfit: 0 };
  for (const { state } of judged) totals[state]++;
  return { ...reading, tasks: judged, totals, others, columns: judge.columns() };
}

const NOTHING = { candidates: 0, needed: 0, found: 0, settled: null, missing: [], documents: [] } as const;

class Judge {
  readonly search: EvidenceSearch;
  private readonly reader: NeedReader;
  private readonly counts = new Map<string, { table: string; column: string; rows: Map<number, boolean> }>();

  constructor(private readonly catalog: Catalog) {
    this.search = new EvidenceSearch(catalog);
    this.reader = new NeedReader(catalog);
  }

  /** Has everything that a task needs looked for. */
  ask(task: TableTask): void {
    const needs = this.reader.of(task);
    if (needs === undefined || this.computable(task, needs)) return;
    for (const need of [...needs.choosing, ...needs.computing]) this.search.want(need);
    const superlative = this.superlativeOf(task);
    if (superlative !== undefined)
      this.search.wantSuperlative(task.program.table, needs.selected!, superlative);
  }

  /** What came of it, once all is read. */
  judged(task: TableTask): TaskSolvability {
    const { id, program } = task;
    const facts = { id, table: program.table, formula: program.compute.formula };
    const needs = this.reader.of(task);
    if (needs === undefined) return { ...NOTHING, ...facts, state: "unfit" };
    const candidates = needs.candidates.length;
    if (this.computable(task, needs)) return { ...NOTHING, ...facts, candidates, state: "computable" };
    for (const need of [...needs.choosing, ...needs.computing]) this.count(need);
    const superlative = this.superlativeOf(task);
    const settled = superlative && this.search.superlative(program.table, needs.selected!, superlative);
    const needed = settled === undefined ? [...needs.choosing, ...needs.computing] : needs.computing;
    const missing = needed.filter((need) => this.search.evidence(need) === undefined);
    const urls = needed.flatMap((need) => this.search.evidence(need)?.url ?? []);
    return {
      ...facts,
      candidates,
      state: missing.length === 0 ? "whole" : "partial",
      needed: needed.length,
      found: needed.length - missing.length,
      settled: settled ?? null,
      missing: missing.map((need) => this.missing(need)),
      documents: [...new Set(settled === undefined ? urls : [...urls, settled.url])].sort(),
    };
  }

  /** Every table that the task reads says that anyone can compute it. */
  private computable({ program }: TableTask, { computing }: Needs): boolean {
    const read = new Set([program.table, ...computing.map((need) => need.table)]);
    return [...read].every((id) => this.catalog.tables.get(id)!.card.reach?.by === "computable");
  }

  /** One sentence can settle one choice among a table's own columns, and no other. */
  private superlativeOf({ program }: TableTask): WantedSuperlative | undefined {
    const { select, derive, other, follow = [] } = program;
    if (select === undefined || derive !== undefined || other !== undefined) return undefined;
    if (follow.some((step) => typeof step !== "string")) return undefined;
    return superlativeOf(this.catalog.tables.get(program.table)!, program.where, select);
  }

  private missing(need: Need): Missing {
    return {
      for: need.for,
      entity: this.catalog.tables.get(need.table)!.names[need.row]!,
      table: need.table,
      column: need.column,
    };
  }

  private count(need: Need): void {
    const { table, row, column } = need;
    const key = `${table}.${column}`;
    const count = this.counts.get(key) ?? { table, column, rows: new Map() };
    this.counts.set(key, count);
    count.rows.set(row, this.search.evidence(need) !== undefined);
  }

  columns(): ColumnCount[] {
    return [...this.counts.entries()]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, { table, column, rows }]) => {
        return { table, column, needed: rows.size, found: [...rows.values()].filter(Boolean).length };
      });
  }
}
