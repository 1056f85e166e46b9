import type { Random } from "../../pipeline/base/random.js";
import type { Catalog, Table } from "../../sources/table.js";
import { formatUnit } from "../../verifiers/units.js";
import { Bits } from "../program/bits.js";
import { hopOf } from "../program/hop.js";
import { nth } from "../program/selection.js";
import { indexOf } from "../program/table-index.js";
import type { WordedRow } from "../task.js";
import { columnWords } from "../words/columns.js";
import { cellText } from "./cells.js";

/** How much of a table a solver is shown. */
export interface Extent {
  /** Most rows of one table. */
  readonly max_rows: number;
  /** How many rows that break a condition stand among the candidates, where there are so many. */
  readonly decoys: number;
}

/** The rows that a task's solver has to choose among, as text; or how many would have to be shown. */
export type OpenBook = { readonly text: string; readonly rows: number } | { readonly needs: number };

/**
 * The part of the tables that a task can be solved from: every candidate (also those whose values leave it open), the rows that
 * would win were a condition overlooked, and some that fail for any reason, all in random order, the winner unmarked. Columns are those
 * that the program reads and those of the same unit that could be taken for them.
 */
export function openBook(row: WordedRow, catalog: Catalog, extent: Extent, random: Random): OpenBook {
  const table = catalog.tables.get(row.program.table)!;
  const { possible } = indexOf(table).candidates(row.program.where);
  const least = possible.count();
  if (least > extent.max_rows) return { needs: least };
  const chosen = neededRows(row, table, possible);
  if (chosen.size > extent.max_rows) return { needs: chosen.size };
  const most = Math.min(table.rows, extent.max_rows, chosen.size + extent.decoys);
  while (chosen.size < most) chosen.add(random.int(table.rows));
  const shown = random.shuffle([...chosen].sort((a, b) => a - b));
  const parts = [tableText(row, table, shown, catalog)];
  const beyond = followedTable(row, shown, catalog, random);
  if (beyond !== undefined) parts.push(beyond);
  return { text: parts.join("\n\n"), rows: shown.length };
}

/** Possible candidates, and who would win without all and without each of the conditions. */
function neededRows({ program }: WordedRow, table: Table, possible: Bits): Set<number> {
  const index = indexOf(table);
  const { where, select } = program;
  const order = index.order(select.column);
  const needed = new Set<number>();
  possible.each((r) => needed.add(r));
  const tempting = where.map((_, i) => nth(order, select, index.candidates(where, i).definite));
  tempting.push(nth(order, select, Bits.full(table.rows)));
  for (const r of tempting) if (r >= 0) needed.add(r);
  return needed;
}

function tableText(row: WordedRow, table: Table, rows: readonly number[], catalog: Catalog): string {
  const { program, formula } = row;
  const read = [
    ...program.where.map((c) => c.column),
    program.select.column,
    ...Object.values(program.compute.inputs).flatMap((i) => (i.of === "selected" ? [i.column] : [])),
  ];
  const link = program.follow === undefined ? undefined : table.card.links[program.follow]!;
  const hop = hopOf(program, catalog);
  const linked = new Set(link === undefined ? [] : [link.column]);
  const columns = withConfusable(table, read, formula.output.quantity).filter((id) => !linked.has(id));
  const head = [table.card.entity.singular, ...columns.map((id) => heading(table, id))];
  if (hop !== undefined) head.push(hop.to.card.entity.singular);
  const lines = rows.map((r) => {
    const cells = [table.names[r]!, ...columns.map((id) => cellText(table.columns.get(id)!, r))];
    const to = hop?.from(r);
    if (hop !== undefined) cells.push(to === undefined ? "unknown" : hop.to.names[to]!);
    return cells;
  });
  return `${titled(table)}\n${grid([head, ...lines])}`;
}

/** What the links of the rows shown lead to. */
function followedTable(
  { program, formula }: WordedRow,
  rows: readonly number[],
  catalog: Catalog,
  random: Random,
): string | undefined {
  const hop = hopOf(program, catalog);
  if (hop === undefined) return undefined;
  const read = Object.values(program.compute.inputs).flatMap((i) => (i.of === "followed" ? [i.column] : []));
  if (read.length === 0) return undefined;
  const reached = new Set(rows.flatMap((r) => hop.from(r) ?? []));
  const columns = withConfusable(hop.to, read, formula.output.quantity);
  const head = [hop.to.card.entity.singular, ...columns.map((id) => heading(hop.to, id))];
  const lines = random
    .shuffle([...reached].sort((a, b) => a - b))
    .map((r) => [hop.to.names[r]!, ...columns.map((id) => cellText(hop.to.columns.get(id)!, r))]);
  return `${titled(hop.to)}\n${grid([head, ...lines])}`;
}

/** How many columns are shown beside those that the program reads. */
const CONFUSABLE = 3;

/**
 * The columns, each once, and some others of the same unit: a wording that does not tell them apart shows. Not one that holds the quantity
 * asked for, which would leave nothing to compute.
 */
function withConfusable(table: Table, read: readonly string[], quantity: string): string[] {
  const used = [...new Set(read)];
  const units = new Set(used.flatMap((id) => unitOf(table, id) ?? []));
  const others = [...table.columns.keys()].filter((id) => {
    const unit = unitOf(table, id);
    const gives = table.columns.get(id)!.card.quantity === quantity;
    return !used.includes(id) && !gives && unit !== undefined && units.has(unit);
  });
  const shown = new Set([...used, ...others.slice(0, CONFUSABLE)]);
  return [...table.columns.keys()].filter((id) => shown.has(id));
}

/** The unit of a column of measured values; pure numbers are not taken for each other. */
function unitOf(table: Table, id: string): string | undefined {
  const { unit, phrase } = table.columns.get(id)!.card;
  return unit === "1" || phrase === undefined ? undefined : unit;
}

function heading(table: Table, id: string): string {
  const { noun, definition } = columnWords(table.card, id);
  const unit = table.columns.get(id)!.card.unit;
  const meant =
    definition === undefined || noun.includes(definition) ? "" : ` (${definition.replace(/\.$/, "")})`;
  return `${noun}${meant}${unit === undefined || unit === "1" ? "" : ` [${formatUnit(unit)}]`}`;
}

function titled({ card }: Table): string {
  const { plural, scope } = card.entity;
  return `Table of ${plural}${scope === "" ? "" : ` ${scope}`}, values as of ${card.as_of}:`;
}

/** Lines of cells; what is in a cell cannot end it. */
function grid(lines: readonly (readonly string[])[]): string {
  return lines.map((cells) => cells.map(clean).join(" | ")).join("\n");
}

function clean(cell: string): string {
  return cell
    .replace(/[\s\p{Cc}|]+/gu, " ")
    .trim()
    .slice(0, 200);
}
