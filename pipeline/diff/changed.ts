import { ASPECTS, type Aspect, TOLD } from "./aspects.js";
import type { Cause } from "./cause.js";
import type { ChangedRow, Members } from "./details.js";
import type { Asking } from "./formulas.js";
import { type Change, changesBetween } from "./json.js";
import type { Known } from "./known.js";
import { MADE } from "./members.js";

/** One aspect of a row that differs, with why. */
export interface AspectChange {
  readonly aspect: Aspect;
  /** Columns of the pool that differ; of `pools`, the pools. */
  readonly columns: readonly string[];
  /** Every difference, of answers, wordings, gates, pools and splits. */
  readonly changes: readonly Change[];
  readonly causes: readonly Cause[];
}

/** Stages that make the answer, and those that choose, word or write rows: all others decide gates. */
const COMPUTING = new Set(["filter", "select", "compute"]);
const ELSE = new Set([
  "ingest",
  "recipes",
  "enumerate",
  "problems",
  "verbalize",
  "lint",
  "dedup",
  "balance",
  "split",
  "emit",
]);
const WRITING = new Set(["emit", "curate", "demonstrate", "admit"]);

/** What differs of a row, the most telling aspect first; nothing where it is the same task under another id alone. */
export async function changesOf(row: ChangedRow, known: Known): Promise<AspectChange[]> {
  const found: AspectChange[] = [];
  for (const aspect of ASPECTS) {
    const columns = aspect === "pools" ? poolsOf(row) : (row.columns.get(aspect) ?? []);
    if (columns.length === 0) continue;
    const changes = aspect === "pools" ? membership(row.members) : TOLD.has(aspect) ? told(row, columns) : [];
    found.push({ aspect, columns, changes, causes: await causesOf(aspect, row, found, known) });
  }
  return found;
}

function told({ left, right }: ChangedRow, columns: readonly string[]): Change[] {
  return columns.flatMap((column) => changesBetween(parsed(left[column]), parsed(right[column]), column));
}

/** JSON in a text column is compared part by part. */
function parsed(value: ChangedRow["left"][string]): unknown {
  if (typeof value !== "string" || !/^[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** Pools that hold more or fewer rows of a task. What is in them follows from its other aspects; where those are the same, it is told too. */
function poolsOf({ members, columns }: ChangedRow): string[] {
  const counts = MADE.filter((pool) => members.a[pool] !== members.b[pool]);
  if (counts.length > 0) return counts;
  const elsewhere = [...columns.keys()].some((aspect) => aspect !== "source" && aspect !== "split");
  return members.content && !elsewhere ? MADE.filter((pool) => members.a[pool] > 0) : [];
}

function membership({ a, b }: { readonly a: Members; readonly b: Members }): Change[] {
  return MADE.flatMap((pool) =>
    a[pool] === b[pool] ? [] : [{ path: `${pool} rows`, a: a[pool], b: b[pool] }],
  );
}

async function causesOf(
  aspect: Aspect,
  row: ChangedRow,
  before: readonly AspectChange[],
  known: Known,
): Promise<Cause[]> {
  const causes = await direct(aspect, row, before, known);
  if (causes.length > 0) return causes;
  const last = [...known.source(Object.keys(row.snapshots)), ...known.taskmill()];
  return last.length > 0 ? last : [{ code: "unexplained", text: "nothing in the two manifests says why" }];
}

async function direct(
  aspect: Aspect,
  row: ChangedRow,
  before: readonly AspectChange[],
  known: Known,
): Promise<Cause[]> {
  const of = (kinds: ReadonlySet<string>) =>
    known.stages((_, stage) => stage !== undefined && kinds.has(stage));
  switch (aspect) {
    case "answer":
    case "derivation":
      return [...formulaOf(row, known), ...(await known.cells(row.cells)), ...of(COMPUTING)];
    case "wording":
      return [
        ...of(new Set(["verbalize"])),
        ...redrawn(row),
        ...known.seed(),
        ...known.models(),
        ...(await known.cells(row.cells)),
      ];
    case "gates":
    case "evidence":
      return [...known.stages(decidesGate), ...known.models(), ...known.seed()];
    case "pools":
      return [
        ...(before.some((b) => b.aspect === "gates") ? [gatesChanged] : []),
        ...of(WRITING),
        ...known.models(),
      ];
    case "split":
      return [...of(new Set(["split"])), ...known.seed(), ...(await known.cells(row.cells))];
    case "origin":
      return [...known.seed(), ...known.stages((instance) => instance === originOf(row))];
    case "source":
      return known.source(Object.keys(row.snapshots));
  }
}

/** Problems have none. */
function formulaOf({ left, right }: ChangedRow, known: Known): Cause[] {
  const [program, a, b] = [left.hidden_program, left.hidden_formula, right.hidden_formula];
  if (typeof program !== "string" || typeof a !== "string" || typeof b !== "string") return [];
  return known.formulaOf(JSON.parse(program) as Asking, a, b);
}

const gatesChanged: Cause = { code: "gates_changed", text: "its gates say something else" };

/** The grammar's choices are drawn under a task's id. */
function redrawn({ by }: ChangedRow): Cause[] {
  return by === "id"
    ? []
    : [
        {
          code: "id_changed",
          text: "its style was drawn anew, as its id covers the changed source or formula",
        },
      ];
}

function originOf({ left }: ChangedRow): string {
  return String((left.origin as { readonly stage?: unknown } | null | undefined)?.stage ?? "");
}

function decidesGate(_: string, stage: string | undefined): boolean {
  return stage !== undefined && !COMPUTING.has(stage) && !ELSE.has(stage);
}
