import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sha256 } from "../../pipeline/base/canonical.js";
import { stream } from "../../pipeline/base/random.js";
import { NO_ENVIRONMENT } from "../../pipeline/environment/none.js";
import { NO_MODELS } from "../../pipeline/models/none.js";
import { findCards } from "../../sources/cards.js";
import { loadCatalog } from "../../sources/catalog.js";
import { type Database, openDatabase } from "../../sources/duckdb.js";
import { loadSource } from "../../sources/load.js";
import type { Catalog } from "../../sources/table.js";
import { balance } from "../../stages/balance.js";
import { compute } from "../../stages/compute.js";
import { dedup } from "../../stages/dedup.js";
import { enumerate } from "../../stages/enumerate.js";
import { filter } from "../../stages/filter.js";
import { lint } from "../../stages/lint.js";
import { canonicalProgram, type Program } from "../../stages/program/program.js";
import { select } from "../../stages/select.js";
import { split } from "../../stages/split.js";
import type { Row, RowStage, SetStage, SourceStage, Stage, StageContext } from "../../stages/stage.js";
import { verbalize } from "../../stages/verbalize.js";

const folder = mkdtempSync(join(tmpdir(), "taskmill-line-"));
const opened: Database[] = [];
afterAll(() => {
  for (const database of opened) database.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Planets and moons, their records in the order of the snapshot or shuffled. */
async function loaded(seed: number | undefined): Promise<{ catalog: Catalog; database: Database }> {
  const found = await findCards(["planets", "moons"], folder);
  const database = await openDatabase(":memory:", { folders: [folder], threads: 1 });
  opened.push(database);
  for (const { card, snapshot } of found) {
    const [header, ...records] = readFileSync(snapshot, "utf8").trimEnd().split("\n");
    const lines = seed === undefined ? records : stream(seed, card.id).shuffle(records);
    const text = `${[header, ...lines].join("\n")}\n`;
    const path = join(folder, `${card.id}-${seed}`);
    writeFileSync(path, text);
    await loadSource({ ...card, snapshot: { ...card.snapshot, sha256: sha256(text) } }, path, database);
  }
  return { catalog: await loadCatalog(database), database };
}

/** What one stage made of its rows. */
interface Passed {
  readonly kind: string;
  readonly given: number;
  readonly created: number;
  readonly rejected: number;
  readonly out: readonly Row[];
}

const SPACES = [
  { id: "planets", table: "planets", within: [] },
  { id: "moons", table: "moons", weight: 3 },
];
const LINE: readonly [Stage, object][] = [
  [enumerate, { spaces: SPACES, candidates: 1500 }],
  [filter, { min_candidates: 3 }],
  [select, {}],
  [compute, { max_tolerance: 0.04 }],
  [verbalize, {}],
  [lint, {}],
  [dedup, {}],
  [balance, { formula: 0.2, entity: 0.1 }],
  [split, {}],
];

/** Runs the stages one after another, as a run would. */
async function runLine({ catalog, database }: { catalog: Catalog; database: Database }): Promise<Passed[]> {
  const passed: Passed[] = [];
  let rows: readonly Row[] = [];
  for (const [stage, given] of LINE) {
    const context: StageContext<unknown> = {
      params: stage.params.parse(given),
      instance: stage.kind,
      random: (...names) => stream("7", stage.kind, ...names),
      catalog,
      database,
      signal: new AbortController().signal,
      outDir: folder,
      target: undefined,
      seed: "7",
      models: NO_MODELS.forInstance(stage.kind),
      environment: NO_ENVIRONMENT,
      recordings: NO_MODELS.recordings,
      files: new Map(),
    };
    const result = await runStage(stage, rows, context);
    passed.push({ kind: stage.kind, given: rows.length, ...result });
    rows = result.out;
  }
  return passed;
}

async function runStage(
  stage: Stage,
  rows: readonly Row[],
  context: StageContext<unknown>,
): Promise<Omit<Passed, "kind" | "given">> {
  if (stage.mode === "row") {
    const outcomes = await Promise.all(rows.map((row) => (stage as RowStage).run(row, context)));
    const out = outcomes.flatMap((o) => ("out" in o ? [o.out] : []));
    for (const o of outcomes) if ("reject" in o) expect(stage.reasons).toHaveProperty(o.reject.reason);
    return { created: 0, rejected: outcomes.length - out.length, out };
  }
  if (stage.mode === "set") {
    const { out, rejected } = await (stage as SetStage).run(rows, context);
    const ids = [...out.map((r) => r.id), ...rejected.map((r) => String(r.ref))];
    expect(ids.sort()).toEqual(rows.map((r) => r.id).sort());
    for (const { reason } of rejected) expect(stage.reasons).toHaveProperty(reason);
    return { created: 0, rejected: rejected.length, out };
  }
  const { out, created = 0, rejectedCounts = {} } = await (stage as SourceStage).run(0, context);
  for (const reason of Object.keys(rejectedCounts)) expect(stage.reasons).toHaveProperty(reason);
  return { created, rejected: Object.values(rejectedCounts).reduce((a, b) => a + b, 0), out };
}

/** What a row says of the world: ids, hashes and record numbers name the file, and wording is drawn by the id. */
function facts(row: Row): unknown {
  const { id: _, snapshots: _hashes, program, ...rest } = row;
  const text = JSON.stringify(rest, (key, value) => (key === "record" ? undefined : value));
  return { program: canonicalProgram(program as Program), rest: JSON.parse(text) };
}

describe("the stages from enumerate to split", () => {
  let line: Passed[];
  beforeAll(async () => {
    line = await runLine(await loaded(undefined));
  });

  it("lose no row and double none, each by itself", () => {
    for (const { kind, given, created, rejected, out } of line) {
      expect({ kind, sum: out.length + rejected }).toEqual({ kind, sum: given + created });
      expect(new Set(out.map((r) => r.id)).size).toBe(out.length);
    }
    expect(line.at(-1)!.out.length).toBeGreaterThan(20);
    expect(line.find((p) => p.kind === "lint")!.rejected).toBe(0);
  });

  it("give the same tasks whatever the order of the records", async () => {
    const computed = line.find((p) => p.kind === "compute")!.out.map(facts);
    const shuffled = (await runLine(await loaded(3))).find((p) => p.kind === "compute")!.out;
    expect(shuffled.map(facts)).toEqual(computed);
    expect(shuffled.map((r) => r.id)).not.toEqual(
      line.find((p) => p.kind === "compute")!.out.map((r) => r.id),
    );
  });
});
