import type { Catalog } from "../../sources/table.js";
import type { Formula } from "../formulas/formula.js";
import type { ProgramRow } from "../task.js";
import { hopOf } from "./hop.js";
import { type Program, taskId } from "./program.js";

/** Makes the row of a program: the formula's definition and the hashes of the tables it reads travel with it. */
export function programRowOf(
  program: Program,
  formula: Formula,
  catalog: Catalog,
  origin: ProgramRow["origin"],
): ProgramRow {
  const { anchors: _, ...definition } = formula;
  const table = catalog.tables.get(program.table)!;
  const hop = hopOf(program, catalog);
  const read = hop === undefined ? [table] : [table, hop.to];
  const snapshots = Object.fromEntries(read.map((t) => [t.id, t.hash]));
  return { id: taskId(program, definition, snapshots), program, formula: definition, snapshots, origin };
}
