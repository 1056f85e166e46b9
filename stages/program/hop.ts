import type { Catalog, Table } from "../../sources/table.js";
import type { Program } from "./program.js";

/** Where a program's `follow` leads. */
export interface Hop {
  readonly to: Table;
  /** Row over there for a row here; undefined where the link is empty or leads to no entity. */
  from(row: number): number | undefined;
}

/** The hop of a program over loaded tables, undefined when it makes none. */
export function hopOf(
  { table, follow }: Pick<Program, "table" | "follow">,
  catalog: Catalog,
): Hop | undefined {
  if (follow === undefined) return undefined;
  const here = catalog.tables.get(table)!;
  const link = here.card.links[follow]!;
  const to = catalog.tables.get(link.to)!;
  const column = here.columns.get(link.column)!;
  return {
    to,
    from(row) {
      const key = column.type === "text" ? column.values[row] : undefined;
      return key === null || key === undefined ? undefined : to.rowOf(key);
    },
  };
}
