import type { Random } from "../../pipeline/base/random.js";
import type { Condition } from "../../sources/card.js";
import type { Catalog, Table } from "../../sources/table.js";
import { formatUnit } from "../../verifiers/units.js";
import { Bits } from "../program/bits.js";
import { catalogFor } from "../program/derived.js";
import { pathOf, peersOf } from "../program/path.js";
import type { Select } from "../program/program.js";
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
 * would win were a condition overlooked, the same for a second entity, the peers among which a path goes on, and some that fail for
 * any reason, all in random order, nobody marked. Columns are those that the program reads and those of the same unit that could be
 * taken for them; in place of a derived column, those that it is computed from.
 */
export function openBook(row: WordedRow, catalog: Catalog, extent: Extent, random: Random): OpenBook {
  const scene = catalogFor(row, catalog);
  const needed = neededRows(row, scene);
  const most = Math.max(...needed.map((rows) => rows.size));
  if (most > extent.max_rows) return { needs: most };
  const sections = sectionsOf(row, catalog);
  const [own] = needed;
  const { rows: all } = sections[0]!.table;
  const shownMost = Math.min(all, extent.max_rows, own!.size + extent.decoys);
  while (own!.size < shownMost) own!.add(random.int(all));
  const parts: string[] = [];
  let shown: number[] = [];
  for (const [i, section] of sections.entries()) {
    const reached = i === 0 ? [] : shown.flatMap((r) => sections[i - 1]!.next!.from(r) ?? []);
    const rows = new Set([...needed[i]!, ...reached]);
    if (section.columns.length === 0 && section.next === undefined) break;
    shown = random.shuffle([...rows].sort((a, b) => a - b));
    parts.push(sectionText(section, shown, row.formula.output.quantity));
  }
  return { text: parts.join("\n\n"), rows: own!.size };
}

/** A table of the book: the program's own, or one that a link leads to. */
interface Section {
  readonly table: Table;
  /** Columns that the program reads here. */
  readonly columns: readonly string[];
  /** The link that leads on from here. */
  readonly next: Next | undefined;
}

interface Next {
  readonly column: string;
  readonly to: Table;
  /** Row over there for a row here; undefined where the link is empty or leads to no entity. */
  from(row: number): number | undefined;
}

function sectionsOf({ program }: WordedRow, catalog: Catalog): Section[] {
  const { where, select, other, follow = [], compute, derive = {} } = program;
  const read = (...places: readonly string[]) =>
    Object.values(compute.inputs).flatMap((i) => (places.includes(i.of) ? [i.column] : []));
  const sections: Section[] = [];
  let table = catalog.tables.get(program.table)!;
  let columns = [
    ...[...where, ...(other?.where ?? [])].map((c) => c.column),
    ...(select === undefined ? [] : [select.column]),
    ...(other === undefined ? [] : [other.select.column]),
    ...read("selected", "other", "candidates"),
  ].flatMap((id) => (Object.hasOwn(derive, id) ? Object.values(derive[id]!.inputs) : [id]));
  for (const step of follow) {
    if (typeof step !== "string") {
      columns.push(step.peers, step.select.column);
      continue;
    }
    const next = nextOf(table, step, catalog);
    sections.push({ table, columns, next });
    table = next.to;
    columns = [];
  }
  sections.push({ table, columns: [...columns, ...read("followed")], next: undefined });
  return sections;
}

function nextOf(here: Table, link: string, catalog: Catalog): Next {
  const path = pathOf({ table: here.id, follow: [link] }, catalog)!;
  return { column: here.card.links[link]!.column, to: path.tables[0]!, from: (row) => path.end(row) };
}

/** For each section, the rows that its part of the task cannot do without. */
function neededRows({ program }: WordedRow, scene: Catalog): Set<number>[] {
  const { where, select, other, follow = [] } = program;
  const table = scene.tables.get(program.table)!;
  const own = new Set<number>();
  const tempting = choose(table, where, select, own);
  if (other !== undefined) choose(table, other.where, other.select, own);
  const sections = [own];
  let here = table;
  let at = tempting;
  for (const step of follow) {
    if (typeof step === "string") {
      const next = nextOf(here, step, scene);
      at = at.flatMap((row) => next.from(row) ?? []);
      here = next.to;
      sections.push(new Set());
      continue;
    }
    for (const row of at) {
      const shared = peersOf(here, step.peers, row);
      if (shared !== undefined)
        indexOf(here)
          .candidates([shared])
          .possible.each((r) => sections.at(-1)!.add(r));
    }
    const among = pathOf({ table: here.id, follow: [step] }, scene)!;
    at = at.flatMap((row) => among.walk(row));
  }
  return sections;
}

/** Adds the possible candidates, and who would win without all and without each of the conditions; gives who would win. */
function choose(
  table: Table,
  where: readonly Condition[],
  select: Select | undefined,
  needed: Set<number>,
): number[] {
  const index = indexOf(table);
  const { definite, possible } = index.candidates(where);
  possible.each((r) => needed.add(r));
  if (select === undefined) return [];
  const order = index.order(select.column);
  const sets = [definite, ...where.map((_, i) => index.candidates(where, i).definite), Bits.full(table.rows)];
  const winners = sets.map((rows) => nth(order, select, rows)).filter((r) => r >= 0);
  for (const r of winners) needed.add(r);
  return [...new Set(winners)];
}

function sectionText(
  { table, columns: read, next }: Section,
  rows: readonly number[],
  quantity: string,
): string {
  const columns = withConfusable(table, read, quantity).filter((id) => id !== next?.column);
  const head = [table.card.entity.singular, ...columns.map((id) => heading(table, id))];
  if (next !== undefined) head.push(next.to.card.entity.singular);
  const lines = rows.map((r) => {
    const cells = [table.names[r]!, ...columns.map((id) => cellText(table.columns.get(id)!, r))];
    const to = next?.from(r);
    if (next !== undefined) cells.push(to === undefined ? "unknown" : next.to.names[to]!);
    return cells;
  });
  return `${titled(table)}\n${grid([head, ...lines])}`;
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
