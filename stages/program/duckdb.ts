import type { Condition } from "../../sources/card.js";
import { type PhysicalTable, physicalNames } from "../../sources/catalog.js";
import type { Bindable, Database } from "../../sources/duckdb.js";
import type { Catalog } from "../../sources/table.js";
import type { Formula } from "../formulas/formula.js";
import { compileSql } from "../formulas/sql.js";
import type { Program } from "./program.js";

/** What DuckDB makes of a program. */
export interface SqlAnswer {
  /** Key of the selected entity; undefined when there is none. */
  readonly key: string | undefined;
  readonly candidates: number;
  /** In the program's unit; NaN when an input is missing. */
  readonly value: number;
}

/**
 * Evaluates a whole program as one DuckDB query over the loaded tables: conditions, extremum, hop and formula. Shares no
 * code with the TypeScript evaluator beyond the program itself. Names in the SQL are generated, values are bound.
 */
export async function answerByDuckDB(
  database: Database,
  catalog: Catalog,
  program: Program,
  formula: Formula | Omit<Formula, "anchors">,
): Promise<SqlAnswer> {
  const query = await queryOf(database, catalog, program, formula);
  const [row] = await database.rows(query.sql, query.values);
  if (row === undefined) return { key: undefined, candidates: 0, value: Number.NaN };
  const [key, candidates, value] = row;
  return {
    key: String(key),
    candidates: Number(candidates),
    value: value === null ? Number.NaN : Number(value),
  };
}

const layouts = new WeakMap<Catalog, Map<string, Promise<PhysicalTable>>>();

/** Names of a loaded table, asked for once per catalog. */
function namesOf(database: Database, catalog: Catalog, table: string): Promise<PhysicalTable> {
  let known = layouts.get(catalog);
  if (known === undefined) {
    known = new Map();
    layouts.set(catalog, known);
  }
  let names = known.get(table);
  if (names === undefined) {
    names = physicalNames(database, table);
    known.set(table, names);
  }
  return names;
}

interface Query {
  readonly sql: string;
  readonly values: Bindable[];
}

async function queryOf(
  database: Database,
  catalog: Catalog,
  program: Program,
  formula: Formula | Omit<Formula, "anchors">,
): Promise<Query> {
  const table = catalog.tables.get(program.table)!;
  const base = await namesOf(database, catalog, program.table);
  const values: Bindable[] = [];
  const bind = (value: Bindable): string => {
    values.push(value);
    return `$${values.length}`;
  };
  const where = program.where.map((c) => conditionSql(c, base, bind)).join(" AND ") || "TRUE";
  const { value: sort, limit } = base.columns.get(program.select.column)!;
  const direction = program.select.order === "max" ? "DESC" : "ASC";
  const link = program.follow === undefined ? undefined : table.card.links[program.follow]!;
  const followed = link === undefined ? undefined : await namesOf(database, catalog, link.to);
  const operands = Object.fromEntries(
    Object.entries(program.compute.inputs).map(([name, ref]) => {
      const from = ref.of === "followed" ? followed! : base;
      const alias = ref.of === "followed" ? "f" : "s";
      const card = ref.of === "followed" ? catalog.tables.get(link!.to)!.card : table.card;
      return [
        name,
        { sql: `${alias}.${from.columns.get(ref.column)!.value}`, unit: card.columns[ref.column]!.unit! },
      ];
    }),
  );
  const answer = compileSql(formula, operands, program.compute.unit);
  const join =
    link === undefined
      ? ""
      : `LEFT JOIN ${followed!.table} f ON f.${followed!.key} = s.${base.columns.get(link.column)!.value}`;
  const sql = `
    WITH candidates AS (SELECT * FROM ${base.table} WHERE ${where})
    SELECT s.${base.key}, (SELECT count(*) FROM candidates), ${answer}
    FROM candidates s ${join}
    WHERE s.${sort} IS NOT NULL AND s.${limit} = 0
    ORDER BY s.${sort} ${direction}, s.${base.key}
    LIMIT 1 OFFSET ${bind(program.select.rank - 1)}`;
  return { sql, values };
}

/** A condition as SQL. A bound (limit ≠ 0) counts only where it decides. */
function conditionSql(condition: Condition, base: PhysicalTable, bind: (value: Bindable) => string): string {
  const { value, limit } = base.columns.get(condition.column)!;
  switch (condition.op) {
    case "lt":
    case "le": {
      const sign = condition.op === "lt" ? "<" : "<=";
      const plain = `(${limit} = 0 AND ${value} ${sign} ${bind(condition.value)})`;
      return `(${plain} OR (${limit} = -1 AND ${value} <= ${bind(condition.value)}))`;
    }
    case "gt":
    case "ge": {
      const sign = condition.op === "gt" ? ">" : ">=";
      const plain = `(${limit} = 0 AND ${value} ${sign} ${bind(condition.value)})`;
      return `(${plain} OR (${limit} = 1 AND ${value} >= ${bind(condition.value)}))`;
    }
    case "between":
      return `(${limit} = 0 AND ${value} BETWEEN ${bind(condition.low)} AND ${bind(condition.high)})`;
    case "eq":
      return equals(value, [condition.value], base.columns.get(condition.column)!.type, bind);
    case "in":
      return equals(value, condition.values, base.columns.get(condition.column)!.type, bind);
    case "starts_with":
      return `(${condition.values.map((v) => `starts_with(lower(${value}), lower(${bind(v)}))`).join(" OR ")})`;
    case "is":
      return `(${value} = ${bind(condition.value)})`;
    case "known":
      return limit === undefined ? `(${value} IS NOT NULL)` : `(${value} IS NOT NULL AND ${limit} = 0)`;
  }
}

function equals(
  value: string,
  wanted: readonly (string | number)[],
  type: string,
  bind: (value: Bindable) => string,
): string {
  const list = wanted.map((w) => bind(type === "text" ? String(w) : Number(w)));
  return `(${value} IN (${list.join(", ")}))`;
}
