import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stream } from "../../../pipeline/base/random.js";
import { findCards } from "../../../sources/cards.js";
import { loadCatalog } from "../../../sources/catalog.js";
import { openDatabase } from "../../../sources/duckdb.js";
import { loadSource } from "../../../sources/load.js";
import type { Catalog } from "../../../sources/table.js";
import { compute } from "../../../stages/compute.js";
import { enumerate } from "../../../stages/enumerate.js";
import { filter } from "../../../stages/filter.js";
import type { Models } from "../../../stages/model.js";
import { select } from "../../../stages/select.js";
import type { Row, RowStage, SourceStage, StageContext } from "../../../stages/stage.js";
import type { WordedRow } from "../../../stages/task.js";
import { verbalize } from "../../../stages/verbalize.js";

/** Real tasks over the bundled planets and moons, as they come to the gates. */
export interface Line {
  readonly catalog: Catalog;
  readonly rows: readonly WordedRow[];
}

const SPACES = [
  { id: "planets", table: "planets", within: [] },
  { id: "moons", table: "moons", weight: 3 },
];

export async function line(candidates = 600): Promise<Line> {
  const folder = mkdtempSync(join(tmpdir(), "taskmill-screen-"));
  const database = await openDatabase(":memory:", { folders: [folder], threads: 1 });
  try {
    for (const { card, snapshot } of await findCards(["planets", "moons"], folder))
      await loadSource(card, snapshot, database);
    const catalog = await loadCatalog(database);
    const context = <P>(params: P, kind: string): StageContext<P> =>
      ({ ...contextOf(params, { catalog }, kind), database }) as StageContext<P>;
    const source = enumerate as SourceStage;
    const params = source.params.parse({ spaces: SPACES, candidates });
    let rows: readonly Row[] = (await source.run(0, context(params, "enumerate"))).out;
    for (const stage of [filter, select, compute, verbalize] as RowStage[]) {
      const run = context(stage.params.parse({}), stage.kind);
      const outcomes = await Promise.all(rows.map((row) => stage.run(row, run)));
      rows = outcomes.flatMap((o) => ("out" in o ? [o.out] : []));
    }
    return { catalog, rows: rows as readonly WordedRow[] };
  } finally {
    database.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A stage's context without what gates do not use. */
export function contextOf<P>(
  params: P,
  parts: { catalog: Catalog; models?: Models },
  instance = "gate",
): StageContext<P> {
  return {
    params,
    instance,
    random: (...names: readonly (string | number)[]) => stream("7", instance, ...names),
    signal: new AbortController().signal,
    seed: "7",
    target: undefined,
    outDir: "",
    files: new Map(),
    ...parts,
  } as unknown as StageContext<P>;
}
