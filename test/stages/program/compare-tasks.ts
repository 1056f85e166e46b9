import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stream } from "../../../pipeline/base/random.js";
import { findCards } from "../../../sources/cards.js";
import { loadCatalog } from "../../../sources/catalog.js";
import { openDatabase } from "../../../sources/duckdb.js";
import { loadSource } from "../../../sources/load.js";
import type { Catalog, Table } from "../../../sources/table.js";
import { enumerate } from "../../../stages/enumerate.js";
import { tableOf } from "../../../stages/program/path.js";
import { tiesOf } from "../../../stages/program/perturb-ties.js";
import type { Program, SelectingProgram } from "../../../stages/program/program.js";
import type { SourceStage, StageContext } from "../../../stages/stage.js";
import type { ProgramRow } from "../../../stages/task.js";
import { sameDimension } from "../../../verifiers/units.js";

/** Programs over bundled tables, each already judged safe by enumeration, and all that a reader may get wrong about them. */

export async function realTasks(
  spaces: readonly string[],
  candidates: number,
): Promise<{ catalog: Catalog; rows: readonly ProgramRow[] }> {
  const folder = mkdtempSync(join(tmpdir(), "taskmill-compare-"));
  const database = await openDatabase(":memory:", { folders: [folder], threads: 1 });
  try {
    for (const { card, snapshot } of await findCards(spaces, folder))
      await loadSource(card, snapshot, database);
    const catalog = await loadCatalog(database);
    const source = enumerate as SourceStage;
    const params = source.params.parse({
      spaces: spaces.map((table) => ({ id: table, table, within: [], compare: 0, aggregates: 0 })),
      candidates,
    });
    const random = (...names: (string | number)[]) => stream("11", ...names);
    const context = {
      params,
      catalog,
      random,
      seed: "11",
      instance: "enumerate",
    } as unknown as StageContext<unknown>;
    const { out } = await source.run(0, context);
    return { catalog, rows: out as unknown as ProgramRow[] };
  } finally {
    database.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

export interface Corruption {
  readonly kind: string;
  readonly program: Program;
}

/** Each way in which one thing of a program may be read wrongly, so that the program is still one and means something else. */
export function corruptions(written: Program, catalog: Catalog): Corruption[] {
  const program = written as SelectingProgram;
  const table = catalog.tables.get(program.table)!;
  return [
    ...program.where.map((_, i) => ({
      kind: "condition dropped",
      program: { ...program, where: program.where.filter((_, k) => k !== i) },
    })),
    ...program.where.flatMap((_, i) => flipped(program, i)),
    ...program.where.flatMap((_, i) => shifted(program, i, table)),
    ...others(table, program.select.column).map((column) => ({
      kind: "other column",
      program: { ...program, select: { ...program.select, column } },
    })),
    {
      kind: "other end",
      program: {
        ...program,
        select: { ...program.select, order: program.select.order === "max" ? "min" : "max" },
      },
    },
    {
      kind: "other rank",
      program: { ...program, select: { ...program.select, rank: program.select.rank + 1 } },
    },
    ...hopless(program, table),
    ...otherInputs(program, catalog),
  ];
}

const FLIPPED = { lt: "gt", le: "ge", gt: "lt", ge: "le" } as const;

function flipped(program: Program, at: number): Corruption[] {
  const c = program.where[at]!;
  if (c.op === "is")
    return [{ kind: "comparison flipped", program: withCondition(program, at, { ...c, value: !c.value }) }];
  if (!(c.op in FLIPPED)) return [];
  const op = FLIPPED[c.op as keyof typeof FLIPPED];
  return [
    {
      kind: "comparison flipped",
      program: withCondition(program, at, { ...c, op } as Program["where"][number]),
    },
  ];
}

function withCondition(program: Program, at: number, condition: Program["where"][number]): Program {
  return { ...program, where: program.where.with(at, condition) };
}

function shifted(program: Program, at: number, table: Table): Corruption[] {
  const c = program.where[at]!;
  const column = table.columns.get(c.column)!;
  const whole = column.type === "integer" || column.card.scale === "count" || column.card.scale === "exact";
  // A whole number is above 3.3 if and only if it is above 3.
  const shift = (n: number) => (whole ? n + Math.max(1, Math.round(Math.abs(n) / 10)) : n * 1.1);
  const kind = "threshold shifted";
  if (c.op === "between" && c.high !== 0)
    return [{ kind, program: withCondition(program, at, { ...c, high: shift(c.high) }) }];
  if (!(c.op in FLIPPED) || !("value" in c) || (c.value === 0 && !whole)) return [];
  return [
    { kind, program: withCondition(program, at, { ...c, value: shift(c.value as number) } as typeof c) },
  ];
}

/** Other number columns that do not say the same. */
function others(table: Table, name: string): string[] {
  const ties = tiesOf(table);
  return [...table.columns.values()]
    .filter((c) => (c.type === "number" || c.type === "integer") && ties.get(c.id)!.to !== ties.get(name)!.to)
    .map((c) => c.id);
}

function hopless(program: Program, table: Table): Corruption[] {
  const { follow, ...rest } = program;
  const refs = Object.entries(program.compute.inputs);
  if (follow === undefined || !refs.some(([, r]) => r.of === "followed")) return [];
  if (!refs.every(([, r]) => table.card.columns[r.column]?.unit !== undefined)) return [];
  const inputs = Object.fromEntries(refs.map(([n, r]) => [n, { ...r, of: "selected" as const }]));
  return [{ kind: "hop dropped", program: { ...rest, compute: { ...program.compute, inputs } } }];
}

function otherInputs(program: Program, catalog: Catalog): Corruption[] {
  return Object.entries(program.compute.inputs).flatMap(([name, ref]) => {
    const table = tableOf(program, ref.of, catalog)!;
    const unit = table.card.columns[ref.column]!.unit!;
    return others(table, ref.column)
      .filter((column) => sameDimension(table.card.columns[column]!.unit!, unit))
      .map((column) => ({
        kind: "other input",
        program: {
          ...program,
          compute: { ...program.compute, inputs: { ...program.compute.inputs, [name]: { ...ref, column } } },
        },
      }));
  });
}
