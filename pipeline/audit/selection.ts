import type { NumberColumn } from "../../sources/table.js";
import { requiredGap } from "../../verifiers/margin.js";
import { type Dataset, turnedAway } from "./dataset.js";
import type { Choice, TableTask } from "./rows.js";
import { notRun, rows, type Shortcut, tested } from "./shortcut.js";

/** How far the selected entities are from their rivals, as multiples of the gap that is needed. */
export interface Margins {
  readonly classes: readonly { readonly class: string; readonly tasks: number }[];
  /** Tasks that select by a column whose published values differ between sources. */
  readonly drift: number;
}

const TEST =
  "each selected entity compared again with the candidates next to it: gap over 5·√(u² + u²) + drift";
const NOTHING = "problems, and figures of all candidates, select nobody";
const EXACT = "exact or alone";
/** Gap and required gap are stored at some digits. */
const SAFE = 1 - 1e-5;
const CLASSES = [
  [SAFE, "below 1"],
  [1.5, "1 to 1.5"],
  [2, "1.5 to 2"],
  [5, "2 to 5"],
  [10, "5 to 10"],
  [100, "10 to 100"],
  [Number.POSITIVE_INFINITY, "100 and more"],
] as const;
/** Why a selection is refused, at `select` and where candidates are looked at before. */
const REFUSED = [
  "margin",
  "tie",
  "near_threshold",
  "unknown_rival",
  "unbounded_rival",
  "uncertain_member",
  "undeclared_uncertainty",
  "incomplete_catalogue",
];

export function selectionOf(dataset: Dataset): { shortcut: Shortcut; margins: Margins | null } {
  const tasks = dataset.tasks.flatMap(({ task }) => (task?.selection === undefined ? [] : [task]));
  if (tasks.length === 0) return { shortcut: notRun("selection", TEST, NOTHING), margins: null };
  const ratios = tasks.map((task) => marginOf(task, dataset));
  const open = ratios.filter((ratio) => ratio < SAFE).length;
  const drift = tasks.filter((task) =>
    choicesOf(task).some((c) => columnOf(c, dataset)?.card.drift !== undefined),
  ).length;
  const names = [...CLASSES.map(([, name]) => name), EXACT];
  const classes = names.map((name) => ({
    class: name,
    tasks: ratios.filter((r) => classOf(r) === name).length,
  }));
  const close = ratios.filter((ratio) => ratio < 2).length;
  const shortcut = tested("selection", dataset.tasks.length, {
    test: TEST,
    tested: tasks.length,
    untested: NOTHING,
    open,
    result: `${open === 0 ? "none" : rows(open)} within the margin, ${close} within twice the margin`,
    rate: null,
    removed: turnedAway(dataset, ["select", "enumerate"], REFUSED),
    reach: `Uncertainties are those that the cards declare; ${rows(drift, "task")} select by a column that drifts between sources, which the margin covers. Removed are candidates.`,
  });
  return { shortcut, margins: { classes, drift } };
}

function classOf(ratio: number): string {
  if (ratio === Number.POSITIVE_INFINITY) return EXACT;
  return CLASSES.find(([below]) => ratio < below)![1];
}

/** A choice of one entity, and by which column it was made. */
interface Made {
  readonly choice: Choice;
  readonly column: string;
}

/** Every choice of a task: the selected entity, those among peers, the second one. */
function choicesOf({ program, selection }: TableTask): Made[] {
  if (selection === undefined || program.select === undefined) return [];
  const { peers = [], other } = selection;
  const steps = (program.follow ?? []).flatMap((step) => (typeof step === "string" ? [] : [step]));
  return [
    { choice: selection, column: program.select.column },
    ...peers.map((choice, i) => ({ choice, column: steps[i]?.select.column ?? "" })),
    ...(other === undefined || program.other === undefined
      ? []
      : [{ choice: other, column: program.other.select.column }]),
  ];
}

/** Undefined for a derived column, which no table holds: then the figures on record are all there is. */
function columnOf({ choice, column: id }: Made, { catalog }: Dataset): NumberColumn | undefined {
  const column = catalog.tables.get(choice.entity.table)?.columns.get(id);
  return column === undefined || column.type === "text" || column.type === "flag" ? undefined : column;
}

/** A multiple of the required gap: the smallest over all choices of a task. */
export function marginOf(task: TableTask, dataset: Dataset): number {
  return Math.min(...choicesOf(task).map((made) => marginOfChoice(made, dataset)));
}

/** Over the tightest rival on record and the ranked candidates in the table. */
function marginOfChoice(made: Made, dataset: Dataset): number {
  const { margin, entity, ranking } = made.choice;
  const stored =
    margin === null || margin.required === 0 ? Number.POSITIVE_INFINITY : margin.gap / margin.required;
  const table = dataset.catalog.tables.get(entity.table);
  const column = columnOf(made, dataset);
  const winner = table?.rowOf(entity.key);
  if (table === undefined || column === undefined || winner === undefined) return stored;
  const { values, u, card } = column;
  const again = ranking.flatMap(({ key }) => {
    const row = table.rowOf(key);
    if (row === undefined || row === winner) return [];
    const gap = Math.abs(values[row]! - values[winner]!);
    if (card.scale === "exact") return [gap > 0 ? Number.POSITIVE_INFINITY : 0];
    const required = requiredGap(values[winner]!, u[winner]!, values[row]!, u[row]!, card.drift);
    if (Number.isNaN(required)) return [0];
    return [required === 0 ? (gap > 0 ? Number.POSITIVE_INFINITY : 0) : gap / required];
  });
  return Math.min(stored, ...again);
}
