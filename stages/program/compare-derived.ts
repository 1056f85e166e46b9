import { canonicalJson, sha256 } from "../../pipeline/base/canonical.js";
import type { Catalog } from "../../sources/table.js";
import type { Meaning } from "./compare-run.js";
import { catalogFor, type DerivedFormulas } from "./derived.js";
import type { Derive, Select } from "./program.js";

/**
 * Programs over one table whose derived columns may bear one name and mean two things: each column is named by what it is computed
 * from, and the catalog has them all. So a density from another radius is another column, and the same one the same.
 */
export function withAllDerived(
  meanings: readonly Meaning[],
  catalog: Catalog,
): { readonly meanings: readonly Meaning[]; readonly catalog: Catalog } {
  const derive: Derive = {};
  const derived: Record<string, DerivedFormulas[string]> = {};
  const renamed = meanings.map((meaning) => {
    const names = new Map<string, string>();
    for (const [id, by] of Object.entries(meaning.program.derive ?? {})) {
      const formula = meaning.derived![id]!;
      const name = `${id}~${sha256(canonicalJson([formula.expression, formula.output.unit, by.inputs])).slice(0, 16)}`;
      names.set(id, name);
      derive[name] = by;
      derived[name] = formula;
    }
    return names.size === 0 ? meaning : { ...meaning, program: named(meaning.program, names) };
  });
  if (Object.keys(derive).length === 0) return { meanings, catalog };
  const { table } = meanings[0]!.program;
  return { meanings: renamed, catalog: catalogFor({ program: { table, derive }, derived }, catalog) };
}

/** A program with its derived columns under other names. They stand in conditions and choices alone. */
function named(program: Meaning["program"], names: ReadonlyMap<string, string>): Meaning["program"] {
  const column = <T extends { column: string }>(of: T): T => ({
    ...of,
    column: names.get(of.column) ?? of.column,
  });
  const select = (s: Select): Select => column(s);
  const { other, follow } = program;
  return {
    ...program,
    where: program.where.map(column),
    ...(program.select === undefined ? {} : { select: select(program.select) }),
    ...(other === undefined
      ? {}
      : { other: { where: other.where.map(column), select: select(other.select) } }),
    ...(follow === undefined
      ? {}
      : {
          follow: follow.map((step) =>
            typeof step === "string" ? step : { ...step, select: select(step.select) },
          ),
        }),
  };
}
