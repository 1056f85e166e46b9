import type { Batch, Outcome, Row, RowStage, SetStage, SourceStage, StageContext } from "../stages/stage.js";
import { sha256 } from "./base/canonical.js";
import {
  checkInput,
  checkOutcome,
  checkOutput,
  checkRejection,
  countsOf,
  stageFailure,
  tally,
  total,
} from "./checks.js";
import type { Counts } from "./events.js";
import { type Executor, stopIfAborted } from "./executor.js";
import type { Instance } from "./instance.js";
import type { RunStore } from "./store.js";
import { rowOf, write } from "./written.js";

/** What one call of a stage made, checked and ready to be kept. */
export interface Work {
  readonly rows: readonly Row[];
  /** Per row out: canonical JSON, or the position of the input row that it is. */
  readonly lines: readonly string[];
  readonly rejections: readonly string[];
  readonly counts: Counts;
  readonly more: boolean;
}

export interface WorkOptions {
  readonly store: RunStore;
  readonly executor: Executor;
  readonly concurrency: number;
  /** Key of everything but the row itself, for row caches. */
  readonly rowKey: string;
  readonly onRows: (done: number) => void;
}

type Of<S> = Instance & { stage: S };

const REPORT_EVERY = 100;

/** Calls a stage and checks all that it gives. @throws TaskmillError (internal) naming stage and row. */
export async function workOn(
  instance: Instance,
  rows: readonly Row[],
  block: number | null,
  context: StageContext<unknown>,
  options: WorkOptions,
): Promise<Work> {
  switch (instance.stage.mode) {
    case "source":
      return workOnSource(instance as Of<SourceStage>, block ?? 0, context);
    case "set":
      return workOnSet(instance as Of<SetStage>, rows, context);
    case "row":
      return workOnRows(instance as Of<RowStage>, rows, context, options);
  }
}

async function workOnSource(
  instance: Of<SourceStage>,
  block: number,
  context: StageContext<unknown>,
): Promise<Work> {
  const batch = await attempt(instance, context, () => instance.stage.run(block, context));
  const checked = batch.out.map((row) => checkOutput(instance, row));
  return {
    rows: checked.map((c) => c.row),
    lines: checked.map((c) => c.line),
    ...endOf(instance, [], batch),
    more: batch.more === true,
  };
}

async function workOnSet(
  instance: Of<SetStage>,
  rows: readonly Row[],
  context: StageContext<unknown>,
): Promise<Work> {
  checkInput(instance, rows);
  const batch = await attempt(instance, context, () => instance.stage.run(rows, context));
  const positions = new Map(rows.map((row, i) => [row, i]));
  const checked = batch.out.map((row) => pass(instance, row, positions.get(row)));
  return {
    rows: checked.map((c) => c.row),
    lines: checked.map((c) => c.line),
    ...endOf(instance, rows, batch),
    more: false,
  };
}

async function attempt<T>(
  instance: Instance,
  context: StageContext<unknown>,
  call: () => T | Promise<T>,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    stopIfAborted(context.signal);
    stageFailure(instance, error);
  }
}

function endOf(
  instance: Instance,
  rows: readonly Row[],
  batch: Batch<Row>,
): Pick<Work, "counts" | "rejections"> {
  return {
    counts: countsOf(instance, rows, batch),
    rejections: batch.rejected.map((item) => checkRejection(instance, item)),
  };
}

/** A row that a stage hands on as it is needs no second text. */
function pass(
  instance: Of<RowStage | SetStage>,
  row: Row,
  position: number | undefined,
): { row: Row; line: string } {
  return position === undefined ? checkOutput(instance, row) : { row, line: String(position) };
}

async function workOnRows(
  instance: Of<RowStage>,
  rows: readonly Row[],
  context: StageContext<unknown>,
  options: WorkOptions,
): Promise<Work> {
  checkInput(instance, rows);
  const settled: Settled[] = new Array(rows.length);
  const cache = instance.stage.costly === true ? await RowCache.open(rows, options) : undefined;
  const open: number[] = [];
  for (let i = 0; i < rows.length; i++) {
    const line = cache?.find(i);
    if (line === undefined) open.push(i);
    else settled[i] = settledOf(line, rows[i]!, i);
  }
  let done = rows.length - open.length;
  const onOutcome = async (k: number, outcome: Outcome<Row>): Promise<void> => {
    const i = open[k]!;
    settled[i] = settle(instance, rows[i]!, i, outcome);
    await cache?.keep(i, settled[i]);
    done++;
    if (done % REPORT_EVERY === 0 || done === rows.length) options.onRows(done);
  };
  const { concurrency } = options;
  try {
    await options.executor.run(
      instance.stage,
      open.map((i) => rows[i]!),
      context,
      { concurrency, onOutcome },
    );
  } catch (error) {
    stageFailure(instance, error);
  }
  return gather(rows.length, settled);
}

/** What became of one row, written down. */
type Settled = { row: Row; line: string } | { reason: string; rejection: string };

function settle(instance: Of<RowStage>, row: Row, position: number, outcome: Outcome<Row>): Settled {
  checkOutcome(instance, row, outcome);
  if ("out" in outcome) return pass(instance, outcome.out, outcome.out === row ? position : undefined);
  const { reason, evidence } = outcome.reject;
  return { reason, rejection: checkRejection(instance, { ref: row.id, reason, evidence }) };
}

/** The other way round, from a line of the row cache. */
function settledOf(line: string, row: Row, position: number): Settled {
  const tag = line[0];
  const text = line.slice(1);
  if (tag === "=") return { row, line: String(position) };
  if (tag === "+") return { row: rowOf(text), line: text };
  return { reason: (JSON.parse(text) as { reason: string }).reason, rejection: text };
}

function gather(rows: number, settled: readonly Settled[]): Work {
  const out = settled.filter((s) => "row" in s);
  const rejected = settled.filter((s) => "rejection" in s);
  const counts = { in: rows, created: 0, out: out.length, rejected: tally(rejected.map((s) => s.reason)) };
  if (rows !== out.length + total(counts.rejected)) throw new Error("an executor lost a row");
  return {
    rows: out.map((s) => s.row),
    lines: out.map((s) => s.line),
    rejections: rejected.map((s) => s.rejection),
    counts,
    more: false,
  };
}

/** Outcomes of a costly stage by row, so that a changed upstream only re-runs the rows that are new. */
class RowCache {
  private constructor(
    private readonly hashes: readonly string[],
    private readonly found: ReadonlyMap<string, string>,
    private readonly options: WorkOptions,
  ) {}

  static async open(rows: readonly Row[], options: WorkOptions): Promise<RowCache> {
    const hashes = rows.map((row) => sha256(write(row).line));
    return new RowCache(hashes, await options.store.cachedRows(options.rowKey, hashes), options);
  }

  find(i: number): string | undefined {
    return this.found.get(this.hashes[i]!);
  }

  keep(i: number, settled: Settled): Promise<void> {
    const line =
      "rejection" in settled
        ? `-${settled.rejection}`
        : settled.line.startsWith("{")
          ? `+${settled.line}`
          : "=";
    return this.options.store.saveRow(this.options.rowKey, this.hashes[i]!, line);
  }
}
