import { canonicalJson, compareText, type Json } from "../base/canonical.js";
import { isGeneric } from "../builtin-formulas.js";
import type { Bench } from "./bench.js";
import { type Setting, told } from "./made.js";
import type { Side } from "./side.js";

/** As much of a program as says which formula it asks of what. */
export interface Asking {
  readonly table?: string;
  /** A string in the first form of programs. */
  readonly follow?: string | readonly Json[];
  readonly derive?: Readonly<
    Record<string, { readonly formula: string; readonly inputs: Readonly<Record<string, string>> }>
  >;
  readonly compute?: {
    readonly formula?: string;
    readonly inputs?: Readonly<Record<string, { readonly of?: string; readonly column: string }>>;
  };
}

/** A formula as a task carries it: canonical JSON. */
export interface Carried {
  readonly definition: string;
  readonly program: Asking;
}

/**
 * The formulas that two datasets' tasks carry. Most are defined once and named by id. Generic ones are made for the column that they are asked
 * of, and so have many definitions under one id, as any other may have: those are named by what they are asked of too, and only the same are
 * compared.
 */
export class Formulas {
  readonly #asked = new Set<string>();
  /** By name; null where even that name has several definitions. */
  readonly #of: Readonly<Record<Side["name"], ReadonlyMap<string, string | null>>>;

  constructor(carried: Readonly<Record<Side["name"], readonly Carried[]>>) {
    for (const side of [carried.a, carried.b])
      for (const [id, definition] of defined(side, idOf))
        if (definition === null || isGeneric(id)) this.#asked.add(id);
    const name = (program: Asking) => this.nameOf(program);
    this.#of = { a: defined(carried.a, name), b: defined(carried.b, name) };
  }

  /** By what a program's formula is told from others: `bulk_density`, `mean of planets.mass`. */
  nameOf(program: Asking): string {
    const id = idOf(program);
    return this.#asked.has(id) ? `${id} of ${columnsOf(program)}` : id;
  }

  /** A dataset's definition of what a program asks; undefined where no task there asks it, or not by one definition. */
  of({ name }: Side, program: Asking): string | undefined {
    return this.#of[name].get(this.nameOf(program)) ?? undefined;
  }

  /** How the definitions differ that both have. */
  settings(): Setting[] {
    const { a, b } = this.#of;
    return [...a]
      .sort(([x], [y]) => compareText(x, y))
      .flatMap(([name, left]) => {
        const right = b.get(name) ?? null;
        return left === null || right === null ? [] : formulaSettings(name, left, right);
      });
  }
}

export function formulaSettings(name: string, a: string, b: string): Setting[] {
  return told("formula", name, JSON.parse(a), JSON.parse(b));
}

/** Definitions by name; null for a name that has several. */
function defined(
  carried: readonly Carried[],
  nameOf: (program: Asking) => string,
): Map<string, string | null> {
  const found = new Map<string, string | null>();
  for (const { definition, program } of carried) {
    const name = nameOf(program);
    const before = found.get(name);
    found.set(name, before === undefined || before === definition ? definition : null);
  }
  return found;
}

function idOf({ compute }: Asking): string {
  return String(compute?.formula ?? "");
}

/** Each column once, whichever entity it is of: `planets.mass`, or `moons > planet.mass` behind a link. */
function columnsOf({ table, follow, derive, compute }: Asking): string {
  const path = typeof follow === "string" ? [follow] : (follow ?? []);
  const steps = path.map((step) => (typeof step === "string" ? step : canonicalJson(step)));
  const columns = Object.values(compute?.inputs ?? {}).map(({ of, column }) => {
    const from = of === "followed" ? [table, ...steps].join(" > ") : table;
    const made = derive !== undefined && Object.hasOwn(derive, column) ? derive[column] : undefined;
    const by = made === undefined ? "" : ` = ${made.formula}(${Object.values(made.inputs).join(", ")})`;
    return `${from}.${column}${by}`;
  });
  return [...new Set(columns)].sort(compareText).join(", ");
}

/** The formulas of both datasets: a row for each that is asked of other columns. */
export async function formulasIn(bench: Bench): Promise<Formulas> {
  return new Formulas({ a: await carriedIn(bench, bench.a), b: await carriedIn(bench, bench.b) });
}

const ASKING = ["table", "follow", "derive", "compute.formula", "compute.inputs"];

async function carriedIn({ database }: Bench, { files }: Side): Promise<Carried[]> {
  const file = files.get("tasks");
  if (file === undefined) return [];
  const parts = ASKING.map((path, i) => `hidden_program->'$.${path}' AS p${i}`).join(", ");
  const rows = await database.rows(
    `SELECT DISTINCT hidden_formula, ${parts} FROM read_parquet($1) WHERE formula IS NOT NULL`,
    [file],
  );
  return rows.map(([definition, ...texts]) => {
    const [table, follow, derive, formula, inputs] = texts.map((text) =>
      text === null ? undefined : JSON.parse(String(text)),
    );
    return {
      definition: String(definition),
      program: { table, follow, derive, compute: { formula, inputs } },
    };
  });
}
