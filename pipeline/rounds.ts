import { setImmediate } from "node:timers/promises";
import type { Catalog } from "../sources/table.js";
import type { Environment } from "../stages/environment.js";
import type { Models } from "../stages/model.js";
import type { Recordings } from "../stages/recordings.js";
import type { Row, StageContext } from "../stages/stage.js";
import { hashOf, sha256 } from "./base/canonical.js";
import { TaskmillError } from "./base/errors.js";
import { stream } from "./base/random.js";
import { addCounts, tally } from "./checks.js";
import type { Counts, Listener } from "./events.js";
import { type Executor, stopIfAborted } from "./executor.js";
import { filesOf, type Instance, rolesOf } from "./instance.js";
import { linesIn, Result } from "./result.js";
import type { RunStore, StoredResult } from "./store.js";
import { type Work, workOn } from "./work.js";

export interface Target {
  /** Stop at so many accepted rows. */
  readonly accepted: number;
  /** Give up after so many candidates; looked at between blocks. */
  readonly candidates?: number;
}

export interface GraphOptions {
  readonly store: RunStore;
  readonly executor: Executor;
  /** Rows of a row stage at work at the same time. */
  readonly concurrency: number;
  readonly seed: string;
  readonly catalog: Catalog;
  /** What else every result depends on, such as the version of the program. */
  readonly salt: string;
  readonly outDir: string;
  readonly signal: AbortSignal;
  readonly onEvent: Listener;
  readonly target?: Target;
  /** At most so many accepted rows, for a run without target. */
  readonly limit?: number;
  readonly models: ModelAccess;
  readonly environment: Environment;
  /** Whether the files that these rows of `emit` describe are at hand; makes them stand in `outDir` if so. */
  readonly reuse: (rows: readonly Row[]) => Promise<boolean>;
}

/** Models for stage instances. */
export interface ModelAccess {
  forInstance(id: string): Models;
  readonly recordings: Recordings;
  /** How many rows of a stage with these roles should be at work, so that their endpoints are never idle. 0: all roles are off. */
  rowsAtOnce(roles: readonly string[]): number;
  /** Tells listeners how the calls of an instance stand. */
  flush(instance: string): void;
}

/** What an instance did in this run, over all its blocks or in its last round. */
export interface Done {
  readonly id: string;
  readonly kind: string;
  readonly version: number;
  readonly counts: Counts;
  /** Ids in the run store, for rejections. */
  readonly results: readonly number[];
}

export interface GraphRun {
  /** In the order of the graph; the cut to the target, if it cut anything, before `emit`. */
  readonly done: readonly Done[];
  readonly accepted: number;
  readonly target: Target | undefined;
  readonly candidates: number;
  readonly blocks: number;
  /** The run went no further because gates that ask models turned nearly everything away. */
  readonly hopeless: boolean;
  /** Calls of stages that were worked on, and that came from the run store. */
  readonly worked: number;
  readonly cached: number;
  /** Key of all that determines the accepted rows. */
  readonly key: string;
  /** The accepted rows, in order: what `emit` was given. */
  rows(): Promise<readonly Row[]>;
  /** What `emit` gave: one row per pool file. */
  pools(): Promise<readonly Row[]>;
  /** All rows that an instance let through, those included that later ones turned away. */
  passed(instance: string): Promise<readonly Row[]>;
}

/** The instance that cuts the accepted rows to the target; no config can name one like it. */
export const CUT = "(target)";
/** Also of `balance`: a row that was turned away for no other reason than that enough had come before it. */
const CUT_REASON = "over_target";
/** However few rows come through the gates, at most so many times as many as are missing are tried next. */
const LEAST_YIELD = 0.05;
/** Gates that let fewer than that through of so many rows are set up wrongly, or the model is; asking on would burn money. */
const ENOUGH_TRIED = 100;

/**
 * Runs a graph in rounds. Round k calls block k of every source that has more and passes it through the row stages; set
 * stages, and what follows them, see all rows so far in the order (block, place of the instance in the graph, index), so that a
 * later round only appends. (Block comes first: with the instance first a second source's rows would change places, and
 * lose to other duplicates, whenever the first source went on.) The last round is the first one looked at in which the target
 * is met, no source has more, or the budget is spent.
 */
export async function runGraph(instances: readonly Instance[], options: GraphOptions): Promise<GraphRun> {
  return new Rounds(instances, options).run();
}

class Rounds {
  /** Results by instance: one per block, or the one of the latest round. */
  readonly #results = new Map<string, Result[]>();
  readonly #byId: ReadonlyMap<string, Instance>;
  /** Instances that work on one block at a time, on all rows so far, and that write the dataset. */
  readonly #blockwise: Instance[] = [];
  readonly #whole: Instance[] = [];
  readonly #emitters: Instance[] = [];
  /** Sources that may have more. */
  #active: Set<string>;
  readonly #tables: Readonly<Record<string, string>>;
  readonly #target: Target | undefined;
  /** What set stages take for the target: more than it, where gates behind them turn rows away. */
  #window: number | undefined;
  /** Gates that cost money turn nearly everything away. */
  #hopeless = false;
  #worked = 0;
  #cached = 0;

  constructor(
    instances: readonly Instance[],
    private readonly options: GraphOptions,
  ) {
    this.#byId = new Map(instances.map((i) => [i.id, i]));
    for (const instance of instances) {
      if (instance.stage.gives === "tables") continue;
      this.#placeOf(instance).push(instance);
      this.#results.set(instance.id, []);
    }
    this.#active = new Set(this.#blockwise.filter((i) => i.stage.mode === "source").map((i) => i.id));
    this.#tables = Object.fromEntries([...options.catalog.tables.values()].map((t) => [t.id, t.hash]));
    this.#target = lowered(options.target, options.limit);
    this.#window = this.#target?.accepted;
  }

  #placeOf(instance: Instance): Instance[] {
    if (instance.stage.gives === "pools") return this.#emitters;
    if (instance.stage.mode === "source") return this.#blockwise;
    const afterSet = this.#upstream(instance).some((up) => this.#whole.includes(up));
    return instance.stage.mode === "set" || afterSet ? this.#whole : this.#blockwise;
  }

  /** Instances whose rows feed this one. */
  #upstream(instance: Instance): Instance[] {
    return instance.from.map((id) => this.#byId.get(id)!).filter((up) => up.stage.gives !== "tables");
  }

  async run(): Promise<GraphRun> {
    let accepted: number | undefined;
    let block = 0;
    for (let needed = this.#target?.accepted ?? Number.POSITIVE_INFINITY; this.#goesOn(accepted); block++) {
      await this.#runBlock(block);
      accepted = undefined;
      const waiting = this.#waiting();
      if (waiting >= needed) {
        accepted = await this.#runRound();
        needed = waiting + Math.max(this.#target!.accepted - accepted, Math.ceil(waiting / 10));
      }
      this.options.onEvent({
        type: "round",
        block,
        candidates: this.#candidates(),
        budget: this.#target?.candidates ?? null,
        accepted: accepted ?? null,
        target: this.#target?.accepted ?? null,
      });
    }
    accepted ??= await this.#runRound();
    await this.#keepLastRound();
    return this.#end(block);
  }

  /** How many rows came to the first stage that asks models about all rows; 0 while they are too few to judge it by. */
  #tried(): number {
    const first = this.#whole.find((i) => this.#asks(i));
    const tried = first === undefined ? 0 : addCounts(this.#counts(first)).in;
    return tried < ENOUGH_TRIED ? 0 : tried;
  }

  #goesOn(accepted: number | undefined): boolean {
    if (this.#active.size === 0 || this.#hopeless) return false;
    if (this.#target === undefined) return true;
    const { accepted: wanted, candidates: budget } = this.#target;
    return (accepted ?? 0) < wanted && this.#candidates() < (budget ?? Number.POSITIVE_INFINITY);
  }

  #candidates(): number {
    const sources = this.#blockwise.filter((i) => i.stage.mode === "source");
    return sources.reduce((sum, source) => sum + addCounts(this.#counts(source)).created, 0);
  }

  #counts(instance: Instance): Counts[] {
    return this.#results.get(instance.id)!.map((r) => r.counts);
  }

  /** Rows that have come through all row stages: no more than these can be accepted, as set stages rarely add any. */
  #waiting(): number {
    const last = this.#blockwise.filter(
      (i) => this.#feeds(i, [...this.#whole, ...this.#emitters]) || this.#isLeaf(i),
    );
    return last.reduce((sum, i) => sum + addCounts(this.#counts(i)).out, 0);
  }

  #feeds(instance: Instance, others: readonly Instance[]): boolean {
    return others.some((other) => other.from.includes(instance.id));
  }

  #isLeaf(instance: Instance): boolean {
    return !this.#feeds(instance, [...this.#byId.values()]);
  }

  async #runBlock(block: number): Promise<void> {
    const here = new Map<string, Result>();
    for (const instance of this.#blockwise) {
      const isSource = instance.stage.mode === "source";
      if (isSource && !this.#active.has(instance.id)) continue;
      const inputs = this.#upstream(instance).flatMap((up) => here.get(up.id) ?? []);
      if (!isSource && inputs.length === 0) continue;
      const result = await this.#resultOf(instance, inputs, block);
      if (result.work !== undefined) await this.#keep(instance, result);
      here.set(instance.id, result);
      this.#results.get(instance.id)!.push(result);
      if (isSource && !result.more) this.#active.delete(instance.id);
    }
    for (const instance of this.#blockwise) {
      if (!this.#feeds(instance, [...this.#whole, ...this.#emitters])) here.get(instance.id)?.release();
    }
  }

  /**
   * Runs the stages that see all rows so far. Where gates behind a set stage turn rows away, the set stage is asked for as many more
   * as are missing, and not for all it has: what stands behind it may cost money. @returns how many rows reach the end.
   */
  async #runRound(): Promise<number> {
    const wanted = this.#target?.accepted ?? 0;
    this.#window = this.#target?.accepted;
    for (;;) {
      for (const instance of this.#whole) {
        const inputs = this.#inputsOf(instance);
        this.#results.set(instance.id, [await this.#resultOf(instance, inputs, null)]);
      }
      const accepted = this.#accepted().reduce((sum, r) => sum + r.counts.out, 0);
      const held = this.#whole.some((i) =>
        this.#counts(i).some((counts) => (counts.rejected[CUT_REASON] ?? 0) > 0),
      );
      this.#hopeless = accepted < LEAST_YIELD * this.#tried();
      if (this.#window === undefined || accepted >= wanted || !held || this.#hopeless) return accepted;
      this.#window += Math.ceil((wanted - accepted) / Math.max(accepted / this.#window, LEAST_YIELD));
    }
  }

  /** Everything so far that feeds an instance: block by block, and within a block in the order of its `from`. */
  #inputsOf(instance: Instance): Result[] {
    return interleave(this.#upstream(instance).map((up) => this.#results.get(up.id)!));
  }

  /** What `emit` is given; without one, what the graph's last instances give. */
  #accepted(): Result[] {
    const emitter = this.#emitters[0];
    if (emitter !== undefined) return this.#inputsOf(emitter);
    const leaves = [...this.#blockwise, ...this.#whole].filter((i) => this.#isLeaf(i));
    return interleave(leaves.map((i) => this.#results.get(i.id)!));
  }

  /** Of rounds that were not the last one only counts are kept where rows would have to be written again for each round. */
  async #keepLastRound(): Promise<void> {
    for (const instance of this.#whole) {
      const result = this.#results.get(instance.id)![0]!;
      if (result.stored?.hasRows !== true) {
        result.work ??= await this.#work(instance, result.inputs, null);
        await this.#keep(instance, result);
      }
    }
  }

  async #resultOf(instance: Instance, inputs: readonly Result[], block: number | null): Promise<Result> {
    const { store, onEvent } = this.options;
    const key = this.#keyOf(instance, inputs, block);
    if (this.#asks(instance)) return this.#resultOfModels(instance, inputs, block, key);
    const stored = store.find(key);
    if (stored !== undefined) {
      this.#cached++;
      onEvent({ type: "stage_end", ...names(instance), block, cached: true, counts: stored.counts });
      return this.#fromStore(instance, inputs, stored, block);
    }
    const result = resultOfWork(key, inputs, await this.#work(instance, inputs, block));
    if (block === null) await this.#keepIfLight(instance, result);
    return result;
  }

  #asks(instance: Instance): boolean {
    return this.options.models.rowsAtOnce(rolesOf(instance)) > 0;
  }

  /**
   * Recorded calls are the cache of a stage that asks models: it is run each time, and what depends on it is found again by what it
   * gave. So a call that was asked anew, or pruned, or comes from another cassette, is never hidden by an older result.
   */
  async #resultOfModels(
    instance: Instance,
    inputs: readonly Result[],
    block: number | null,
    key: string,
  ): Promise<Result> {
    const work = await this.#work(instance, inputs, block);
    const given = sha256([...work.lines, "", ...work.rejections].join("\n"));
    const result = resultOfWork(hashOf({ key, given }), inputs, work);
    const stored = this.options.store.find(result.key);
    if (stored === undefined) {
      if (block === null) await this.#keepIfLight(instance, result);
      return result;
    }
    this.#worked--;
    this.#cached++;
    result.stored = stored;
    if (stored.hasRows) result.work = undefined;
    return result;
  }

  /** A result's key: all that it depends on. Set stages alone know the target; sources and row stages must not. */
  #keyOf(instance: Instance, inputs: readonly Result[], block: number | null): string {
    const { seed, salt } = this.options;
    return hashOf({
      ...this.#identity(instance),
      seed,
      salt,
      tables: this.#tables,
      inputs: inputs.map((r) => r.key),
      block,
      target: instance.stage.mode === "set" ? (this.#window ?? null) : null,
    });
  }

  #identity(instance: Instance): object {
    const { kind, version } = instance.stage;
    const models = this.options.models.forInstance(instance.id);
    return {
      instance: instance.id,
      kind,
      version,
      params: instance.params,
      files: Object.fromEntries([...filesOf(instance)].map(([name, { sha256 }]) => [name, sha256])),
      ...(instance.stage.acts === true ? { environment: this.options.environment.identity } : {}),
      models: Object.fromEntries(rolesOf(instance).map((role) => [role, models.identity(role) ?? null])),
    };
  }

  #fromStore(
    instance: Instance,
    inputs: readonly Result[],
    stored: StoredResult,
    block: number | null,
  ): Result {
    const load = async (): Promise<readonly Row[]> => {
      if (stored.hasRows) return linesIn(this.options.store.rows(stored.id), inputs);
      return (await this.#work(instance, inputs, block)).rows;
    };
    const result = new Result(stored.key, inputs, stored.counts, stored.more, load);
    result.stored = stored;
    return result;
  }

  async #work(instance: Instance, inputs: readonly Result[], block: number | null): Promise<Work> {
    const { onEvent, store, executor, concurrency, signal, seed, salt } = this.options;
    stopIfAborted(signal);
    await setImmediate();
    const rows = (await Promise.all(inputs.map((r) => r.rows()))).flat();
    onEvent({ type: "stage_start", ...names(instance), block, rows: rows.length });
    const rowKey = hashOf({ ...this.#identity(instance), seed, salt, tables: this.#tables });
    const work = await workOn(instance, rows, block, this.#contextOf(instance), {
      store,
      executor,
      concurrency: Math.max(concurrency, this.options.models.rowsAtOnce(rolesOf(instance))),
      rowKey,
      onRows: (done) => onEvent({ type: "rows", instance: instance.id, done, total: rows.length }),
    });
    stopIfAborted(signal);
    this.options.models.flush(instance.id);
    this.#worked++;
    onEvent({ type: "stage_end", ...names(instance), block, cached: false, counts: work.counts });
    return work;
  }

  #contextOf(instance: Instance): StageContext<unknown> {
    const { seed, catalog, store, signal, outDir, models, environment } = this.options;
    return {
      params: instance.params,
      instance: instance.id,
      random: (...names) => stream(seed, instance.id, ...names),
      catalog,
      database: store.database,
      signal,
      outDir,
      target: instance.stage.mode === "set" ? this.#window : undefined,
      seed,
      models: models.forInstance(instance.id),
      environment,
      recordings: models.recordings,
      files: filesOf(instance),
    };
  }

  /** Puts a result into the store, with its rows. */
  async #keep(instance: Instance, result: Result): Promise<void> {
    const { lines, rejections } = result.work!;
    const { key, counts, more } = result;
    const id = instance.id;
    result.stored = await this.options.store.save({
      key,
      instance: id,
      counts,
      more,
      rows: lines,
      rejections,
    });
    result.work = undefined;
  }

  /** A filter's result is a list of positions and costs nothing to keep in every round; others keep their counts. */
  async #keepIfLight(instance: Instance, result: Result): Promise<void> {
    const light = result.work!.lines.every((line) => !line.startsWith("{"));
    if (light) return this.#keep(instance, result);
    const { key, counts, more } = result;
    const id = instance.id;
    result.stored = await this.options.store.save({
      key,
      instance: id,
      counts,
      more,
      rows: null,
      rejections: [],
    });
  }

  async #end(blocks: number): Promise<GraphRun> {
    const done = [...this.#blockwise, ...this.#whole].map((i) => this.#doneOf(i));
    const inputs = this.#accepted();
    const offered = inputs.reduce((sum, r) => sum + r.counts.out, 0);
    const limit = this.#target?.accepted ?? this.options.limit ?? Number.POSITIVE_INFINITY;
    const rows = async () => (await Promise.all(inputs.map((r) => r.rows()))).flat().slice(0, limit);
    if (offered > limit) done.push(await this.#cut(inputs, limit));
    const accepted = new Result(
      hashOf({ inputs: inputs.map((r) => r.key), limit: Math.min(limit, offered) }),
      [],
      { in: offered, created: 0, out: Math.min(limit, offered), rejected: {} },
      false,
      rows,
    );
    const pools: Result[] = [];
    for (const emitter of this.#emitters) {
      pools.push(await this.#emit(emitter, accepted));
      done.push({ ...this.#doneOf(emitter), counts: pools.at(-1)!.counts });
    }
    const unsafe = await this.#refused(pools);
    return {
      done: this.#inOrder(done),
      accepted: accepted.counts.out - unsafe.size,
      target: this.#target,
      candidates: this.#candidates(),
      blocks,
      hopeless: this.#hopeless,
      worked: this.#worked,
      cached: this.#cached,
      key: accepted.key,
      rows: async () => (await accepted.rows()).filter(({ id }) => !unsafe.has(id)),
      pools: async () => (await Promise.all(pools.map((r) => r.rows()))).flat(),
      passed: async (id) => (await Promise.all((this.#results.get(id) ?? []).map((r) => r.rows()))).flat(),
    };
  }

  /** Ids of the rows that an emitter turned away at the last moment: they are in no pool, and so not accepted. */
  async #refused(pools: readonly Result[]): Promise<ReadonlySet<string>> {
    const refs = new Set<string>();
    for (const { counts, work, stored } of pools) {
      if (Object.keys(counts.rejected).length === 0) continue;
      const lines = work?.rejections ?? this.options.store.rejections(stored!.id);
      for await (const line of lines) refs.add(String((JSON.parse(line) as { ref: string }).ref));
    }
    return refs;
  }

  #doneOf(instance: Instance): Done {
    const results = this.#results.get(instance.id)!;
    const { kind, version } = instance.stage;
    const stored = results.flatMap((r) => (r.stored === undefined ? [] : [r.stored.id]));
    return {
      id: instance.id,
      kind,
      version,
      counts: addCounts(results.map((r) => r.counts)),
      results: stored,
    };
  }

  #inOrder(done: readonly Done[]): Done[] {
    const emitters = this.#emitters.map((i) => i.id);
    const order = [...this.#byId.keys()].filter((id) => !emitters.includes(id));
    return [...order, CUT, ...emitters].flatMap((id) => done.filter((d) => d.id === id));
  }

  /** Rows beyond the target are rejected like any others: counted, with their ids. */
  async #cut(inputs: readonly Result[], limit: number): Promise<Done> {
    const { store } = this.options;
    const key = hashOf({ cut: limit, inputs: inputs.map((r) => r.key) });
    const stored = store.find(key) ?? (await this.#saveCut(key, inputs, limit));
    return { id: CUT, kind: CUT, version: 1, counts: stored.counts, results: [stored.id] };
  }

  async #saveCut(key: string, inputs: readonly Result[], limit: number): Promise<StoredResult> {
    const rows = (await Promise.all(inputs.map((r) => r.rows()))).flat();
    const late = rows.slice(limit);
    const counts = { in: rows.length, created: 0, out: limit, rejected: { [CUT_REASON]: late.length } };
    const rejections = late.map((row) =>
      JSON.stringify({ evidence: { limit }, reason: CUT_REASON, ref: row.id }),
    );
    return this.options.store.save({ key, instance: CUT, counts, more: false, rows: null, rejections });
  }

  /** `emit` writes files, so its result is good only for as long as they are at hand. */
  async #emit(emitter: Instance, accepted: Result): Promise<Result> {
    const { store, onEvent, reuse } = this.options;
    const key = this.#keyOf(emitter, [accepted], null);
    const stored = store.find(key);
    if (stored?.hasRows) {
      const result = this.#fromStore(emitter, [accepted], stored, null);
      if (await reuse(await result.rows())) {
        this.#cached++;
        onEvent({ type: "stage_end", ...names(emitter), block: null, cached: true, counts: stored.counts });
        return result;
      }
    }
    refuseDoubles(await accepted.rows());
    const result = resultOfWork(key, [accepted], await this.#work(emitter, [accepted], null));
    await this.#keep(emitter, result);
    return result;
  }
}

function resultOfWork(key: string, inputs: readonly Result[], work: Work): Result {
  const result = new Result(key, inputs, work.counts, work.more, async () => work.rows);
  result.work = work;
  void result.rows();
  return result;
}

function names(instance: Instance): { instance: string; stage: string } {
  return { instance: instance.id, stage: instance.stage.kind };
}

function lowered(target: Target | undefined, limit: number | undefined): Target | undefined {
  if (target === undefined || limit === undefined) return target;
  return { ...target, accepted: Math.min(target.accepted, limit) };
}

/** First of each list, second of each list, ... */
function interleave(lists: readonly (readonly Result[])[]): Result[] {
  const length = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length }, (_, i) => lists.flatMap((list) => list[i] ?? [])).flat();
}

function refuseDoubles(rows: readonly Row[]): void {
  const doubled = Object.entries(tally(rows.map((row) => row.id))).filter(([, n]) => n > 1);
  if (doubled.length === 0) return;
  throw new TaskmillError("config", [
    {
      code: "doubled_task",
      message: `${doubled.length} tasks would be in the dataset more than once, the first of them ${doubled[0]![0]}`,
      hint: "put a `dedup` stage before `emit`",
    },
  ]);
}

/** What was turned away most, over all instances: for the message of a run that missed its target. */
export function largestReasons(
  done: readonly Done[],
  n: number,
): { instance: string; reason: string; rows: number }[] {
  return done
    .flatMap((d) =>
      Object.entries(d.counts.rejected).map(([reason, rows]) => ({ instance: d.id, reason, rows })),
    )
    .sort((a, b) => b.rows - a.rows)
    .slice(0, n)
    .filter((r) => r.rows > 0);
}
