import type { Registry } from "../registry.js";
import { type Search, whyAbsent } from "./absent.js";
import { TASK_POOLS, type TaskPool } from "./aspects.js";
import { type Bench, otherOf, withBench } from "./bench.js";
import { changesOf } from "./changed.js";
import { changedRows, onlyRows } from "./details.js";
import type { DatasetFacts, Difference, RowDifference } from "./difference.js";
import { fatesIn } from "./fates.js";
import { Known } from "./known.js";
import { matchRows } from "./match.js";
import { countMembers } from "./members.js";
import type { Side } from "./side.js";
import { Tally } from "./tally.js";
import { openTrial, type Trial } from "./trial.js";

export interface DiffOptions {
  readonly registry: Registry;
  readonly signal?: AbortSignal;
  /** Rows without a recorded cause that are put through the other run's stages; default {@link TRIALS}. */
  readonly trials?: number;
  /** Takes each row that differs: lost ones in the first dataset's order, gained ones in the second's, changed ones in the first's. */
  readonly onRow?: (row: RowDifference) => void;
}

/** A trial costs some 20 ms. */
export const TRIALS = 300;

/**
 * Compares two datasets row by row, and looks up why they differ. Rows are matched by task id, then by program, so that a changed snapshot shows
 * as changed rows. Nothing is written into either directory; memory is bounded but for a few hundred bytes a row.
 * @throws TaskmillError (usage, verification, source) when one is no dataset, or is not as its run wrote it
 */
export async function diff(a: string, b: string, options: DiffOptions): Promise<Difference> {
  return withBench(a, b, async (bench) => {
    const { strange, formulas } = await matchRows(bench);
    await countMembers(bench);
    const known = new Known(bench, formulas, options.registry.adapters);
    const tally = new Tally(options.onRow ?? (() => {}));
    try {
      const limits = strange.map(
        (column) => `column ${column} is not known to this version and was not compared`,
      );
      limits.push(...(await absent(bench, bench.a, known, tally, options)));
      limits.push(...(await absent(bench, bench.b, known, tally, options)));
      for (const pool of POOLS)
        for await (const row of changedRows(bench, pool)) {
          options.signal?.throwIfAborted();
          tally.changed({
            kind: "changed",
            id: row.a,
            id_b: row.b,
            question: String(row.left.question),
            aspects: await changesOf(row, known),
          });
        }
      return await summary(bench, known, tally, limits);
    } finally {
      await known.close();
    }
  });
}

const POOLS = Object.keys(TASK_POOLS) as TaskPool[];

/** The rows that only one side has. @returns what could not be looked up */
async function absent(
  bench: Bench,
  own: Side,
  known: Known,
  tally: Tally,
  options: DiffOptions,
): Promise<string[]> {
  const other = otherOf(bench, own);
  const { registry, trials = TRIALS, signal = new AbortController().signal } = options;
  const fates = await fatesIn(bench, other, await wantedOf(bench, own), registry);
  let opened: Promise<Trial | string> | undefined;
  const trial = () => {
    opened ??= known.sources(other).then((sources) => openTrial(other, sources, registry, signal));
    return opened;
  };
  const search: Search = { known, own, fates, trial, trials };
  for (const pool of POOLS)
    for await (const row of onlyRows(bench, own, pool)) {
      signal.throwIfAborted();
      const causes = await whyAbsent(row, search);
      tally.absent({
        kind: own.name === "a" ? "lost" : "gained",
        id: row.id,
        question: row.question,
        causes,
      });
    }
  const failed = opened === undefined ? undefined : await opened;
  return [
    ...(fates.missing === undefined ? [] : [fates.missing]),
    ...(typeof failed === "string"
      ? [`rows could not be put through the stages of ${other.dir}: ${failed}`]
      : []),
    ...(search.trials <= 0 && trials > 0
      ? [`only the first ${trials} rows without a recorded cause were put through the stages of ${other.dir}`]
      : []),
  ];
}

async function wantedOf({ database }: Bench, { name }: Side): Promise<Parameters<typeof fatesIn>[2]> {
  const aliases = new Map<string, string>();
  const programs = new Map<string, string>();
  for (const pool of POOLS)
    for (const [id, alias, key] of await database.rows(
      `SELECT id, alias, key FROM ${pool}_only_${name} ORDER BY n`,
    )) {
      if (alias !== null) aliases.set(String(alias), String(id));
      // A problem keeps its id: that covers neither file nor formula.
      else if (pool === "problems") aliases.set(String(id), String(id));
      programs.set(String(key), String(id));
    }
  return { aliases, programs };
}

async function summary(
  bench: Bench,
  known: Known,
  tally: Tally,
  limits: readonly string[],
): Promise<Difference> {
  const { a, b } = bench;
  const { counts, aspects } = tally;
  const pairs = await pairsIn(bench);
  const ordered = pairs.ordered;
  return {
    same: ordered && counts.changed + counts.lost + counts.gained === 0,
    a: await factsOf(bench, a),
    b: await factsOf(bench, b),
    rows: { same: pairs.count - counts.changed, ...counts },
    aspects,
    ordered,
    causes: tally.causes(),
    settings: known.settings,
    limits,
  };
}

async function pairsIn({ database }: Bench): Promise<{ count: number; ordered: boolean }> {
  let count = 0;
  let ordered = true;
  for (const pool of POOLS) {
    const [row] = await database.rows(
      `SELECT count(*), coalesce(bool_and(m >= before), true) FROM (
         SELECT b.n AS m, coalesce(lag(b.n) OVER (ORDER BY p.n), -1) AS before FROM ${pool}_pairs p JOIN ${pool}_b b ON b.id = p.b)`,
    );
    count += Number(row![0]);
    ordered &&= row![1] === true;
  }
  return { count, ordered };
}

async function factsOf({ database }: Bench, { name, dir, manifest }: Side): Promise<DatasetFacts> {
  let rows = 0;
  for (const pool of POOLS)
    rows += Number((await database.rows(`SELECT count(*) FROM ${pool}_${name}`))[0]![0]);
  return { dir, name: manifest.name, taskmill: manifest.taskmill, seed: manifest.seed, rows };
}
