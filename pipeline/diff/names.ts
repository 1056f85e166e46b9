import { canonicalJson, type Json } from "../base/canonical.js";
import type { TaskPool } from "./aspects.js";
import { type Bench, otherOf } from "./bench.js";
import type { Asking, Formulas } from "./formulas.js";
import { idOf, type Program, problemKey, programKey, programText } from "./identity.js";
import type { Side } from "./side.js";

/** Columns of a row that name it, as {@link namer} takes them. */
export type Texts = Readonly<Record<string, unknown>>;
/** The name of what a row asks, and the id that it would have in the other dataset; null where that cannot be said. */
export interface Names {
  readonly key: string;
  readonly alias: string | null;
}

/** What a row's id in the other dataset depends on. */
interface Elsewhere {
  readonly tables: ReadonlyMap<string, string>;
  /** The other dataset's definition of what a program asks; undefined where it has none. */
  readonly formula: (program: Asking) => string | undefined;
}

export function aliasesIn(bench: Bench, side: Side, formulas: Formulas): Elsewhere {
  const other = otherOf(bench, side);
  const tables = new Map(other.manifest.sources.map(({ id, table }) => [id, table]));
  return { tables, formula: (program) => formulas.of(other, program) };
}

/** Gives the key of a row's program and the id that it would have in the other dataset. */
export function namer(pool: TaskPool, elsewhere: Elsewhere): (id: string, texts: Texts) => Names {
  if (pool === "problems")
    return (_, { source, question }) => ({ key: problemKey(String(source), String(question)), alias: null });
  return (id, texts) => {
    const program = JSON.parse(String(texts.hidden_program)) as Program & Asking;
    const key = programKey(program);
    const derived = texts.derived === null ? undefined : String(texts.derived);
    // Formulas are stored as canonical JSON already.
    const formula = String(texts.hidden_formula);
    const there = elsewhere.formula(program) ?? formula;
    const listed = texts.snapshots as readonly { readonly table: string; readonly hash: string }[];
    const here = Object.fromEntries(listed.map(({ table, hash }) => [table, hash]));
    const snapshots = Object.fromEntries(
      listed.map(({ table, hash }) => [table, elsewhere.tables.get(table) ?? hash]),
    );
    if (there === formula && listed.every(({ table, hash }) => snapshots[table] === hash))
      return { key, alias: id };
    const text = programText(program);
    // Where ids are made otherwise, nothing can be said of the other dataset's.
    if (idOf(text, withDerived(formula, derived), here) !== id) return { key, alias: null };
    return { key, alias: idOf(text, withDerived(there, derived), snapshots) };
  };
}

function withDerived(formula: string, derived: string | undefined): string {
  return derived === undefined
    ? formula
    : canonicalJson({ formula: JSON.parse(formula) as Json, derived: JSON.parse(derived) as Json });
}
