import type { Card, Condition } from "../../sources/card.js";
import type { Catalog, Table } from "../../sources/table.js";
import type { InputRef, Peers, Program, Step } from "./program.js";
import { nth } from "./selection.js";
import { indexOf } from "./table-index.js";

/** The steps of a program over loaded tables. */
export interface Path {
  /** The table that each step leads to. */
  readonly tables: readonly Table[];
  /** Whether a step chooses among peers. */
  readonly amongPeers: boolean;
  /**
   * The row that each step leads to, as far as the path goes: shorter where it leads nowhere.
   * @param row of the program's table, or where `step` begins
   * @param step the first one to make, from 0
   */
  walk(row: number, step?: number): number[];
  /** The row at the end of the path; undefined where it leads nowhere. */
  end(row: number, step?: number): number | undefined;
}

/** The path of a program, undefined when it makes no step. */
export function pathOf(
  { table, follow }: Pick<Program, "table" | "follow">,
  catalog: Catalog,
): Path | undefined {
  if (follow === undefined) return undefined;
  const tables: Table[] = [];
  const steps: ((row: number) => number | undefined)[] = [];
  let here = catalog.tables.get(table)!;
  for (const step of follow) {
    if (typeof step === "string") {
      const from = here;
      const there = catalog.tables.get(from.card.links[step]!.to)!;
      steps.push((row) => linkedRow(from, step, there, row));
      here = there;
    } else steps.push(amongPeers(step, here));
    tables.push(here);
  }
  const walk = (row: number, from = 0): number[] => {
    const rows: number[] = [];
    for (const step of steps.slice(from)) {
      const next = step(rows.at(-1) ?? row);
      if (next === undefined) break;
      rows.push(next);
    }
    return rows;
  };
  return {
    tables,
    amongPeers: follow.some((step) => typeof step !== "string"),
    walk,
    end(row, from = 0) {
      const rows = walk(row, from);
      return rows.length < steps.length - from ? undefined : (rows.at(-1) ?? row);
    },
  };
}

/** The row of the table `there` that a link leads to from a row here; undefined where it leads nowhere. */
export function linkedRow(here: Table, link: string, there: Table, row: number): number | undefined {
  const column = here.columns.get(here.card.links[link]!.column)!;
  const key = column.type === "text" ? column.values[row] : undefined;
  return key === null || key === undefined ? undefined : there.rowOf(key);
}

/** By plain values; whether the choice is safe is for the selection's checks to say. */
function amongPeers({ peers, select }: Peers, here: Table): (row: number) => number | undefined {
  const known = new Map<string, number>();
  return (row) => {
    const where = peersOf(here, peers, row);
    if (where === undefined) return undefined;
    const { value } = where;
    let best = known.get(value);
    if (best === undefined) {
      const index = indexOf(here);
      best = nth(index.order(select.column), select, index.candidates([where]).definite);
      known.set(value, best);
    }
    return best < 0 ? undefined : best;
  };
}

/** The condition that a row's peers meet: the same text in a column; undefined where it has none. */
export function peersOf(
  table: Table,
  column: string,
  row: number,
): (Extract<Condition, { op: "eq" }> & { value: string }) | undefined {
  const cells = table.columns.get(column)!;
  const value = cells.type === "text" ? cells.values[row]! : null;
  return value === null ? undefined : { column, op: "eq", value };
}

/** The card that each step leads to, as far as cards say; `undefined` from the first step on that leads nowhere. */
export function cardsAlong(
  { table, follow = [] }: { readonly table: string; readonly follow?: readonly Step[] | undefined },
  cards: ReadonlyMap<string, Card>,
): (Card | undefined)[] {
  let here = cards.get(table);
  return follow.map((step) => {
    if (typeof step === "string") {
      const link = here !== undefined && Object.hasOwn(here.links, step) ? here.links[step] : undefined;
      here = link === undefined ? undefined : cards.get(link.to);
    }
    return here;
  });
}

/** The card that an input is read from. */
export function cardOf(
  program: Pick<Program, "table" | "follow">,
  of: InputRef["of"],
  cards: ReadonlyMap<string, Card>,
): Card | undefined {
  return of === "followed" ? cardsAlong(program, cards).at(-1) : cards.get(program.table);
}

/** The table that an input is read from. */
export function tableOf(
  program: Pick<Program, "table" | "follow">,
  of: InputRef["of"],
  catalog: Catalog,
): Table | undefined {
  return of === "followed" ? pathOf(program, catalog)?.tables.at(-1) : catalog.tables.get(program.table);
}
