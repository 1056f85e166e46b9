import type { Condition } from "../../sources/card.js";
import { type PhysicalTable, physicalNames } from "../../sources/catalog.js";
import type { Bindable, Database } from "../../sources/duckdb.js";
import type { Catalog, Table } from "../../sources/table.js";
import type { Computable } from "../formulas/numeric.js";
import { compileSql, literal } from "../formulas/sql.js";
import { type DerivedFormulas, validIn } from "./derived.js";
import type { InputRef, Program, Select, Statistic } from "./program.js";

/** Whom a program chooses, by key, and from how many: null where there is none. Numbers of candidates take conditions at face value. */
export interface Choices {
  readonly selected: string | null;
  readonly candidates: number;
  /** Where each step of `follow` leads. */
  readonly steps: readonly (string | null)[];
  /** How many rows each step among peers chose from, in order. */
  readonly peers: readonly number[];
  readonly other: string | null;
  /** How many rows the second entity was chosen from. */
  readonly others: number | null;
}

/** What DuckDB makes of a program. */
export interface SqlAnswer {
  readonly choices: Choices;
  /** In the program's unit; NaN when an input is missing. */
  readonly value: number;
}

/** A program with the definitions that its names stand for. */
export interface Definitions {
  readonly program: Program;
  readonly formula: Computable;
  readonly derived?: DerivedFormulas | undefined;
}

/**
 * Evaluates a whole program as one DuckDB query over the loaded tables: derived columns, conditions, extrema, steps, figures of all
 * candidates and the formula. Shares no code with the TypeScript evaluator beyond the program itself. Names in the SQL are generated,
 * values are bound.
 * @param catalog with the program's derived columns (`catalogFor`)
 */
export async function answerByDuckDB(
  database: Database,
  catalog: Catalog,
  definitions: Definitions,
): Promise<SqlAnswer> {
  const tables = new Map<string, PhysicalTable>();
  for (const id of tablesOf(definitions.program, catalog))
    tables.set(id, await namesOf(database, catalog, id));
  return new Query(definitions, catalog, tables).answer(database);
}

function tablesOf({ table, follow = [] }: Program, catalog: Catalog): Set<string> {
  const ids = new Set([table]);
  let here = table;
  for (const step of follow) {
    if (typeof step === "string") here = catalog.tables.get(here)!.card.links[step]!.to;
    ids.add(here);
  }
  return ids;
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

/** One program as SQL: a chain of named parts, each over the ones before. */
class Query {
  private readonly values: Bindable[] = [];
  private readonly parts: string[] = [];
  private readonly figures: string[] = [];
  /** The program's own table, derived columns included. */
  private readonly base: PhysicalTable;

  constructor(
    private readonly definitions: Definitions,
    private readonly catalog: Catalog,
    private readonly tables: ReadonlyMap<string, PhysicalTable>,
  ) {
    this.base = this.derived();
  }

  async answer(database: Database): Promise<SqlAnswer> {
    const { where, select, other, compute, follow = [] } = this.definitions.program;
    this.part("candidates", `SELECT * FROM base WHERE ${this.conditions(where)}`);
    if (select !== undefined) this.choose("selected", "candidates", select, this.base);
    const followed = this.walk();
    if (other !== undefined) {
      this.part("others", `SELECT * FROM base WHERE ${this.conditions(other.where)}`);
      this.choose("other", "others", other.select, this.base);
    }
    const operands = Object.entries(compute.inputs).map(([name, ref]) => [name, this.operand(ref, followed)]);
    const value = compileSql(this.definitions.formula, Object.fromEntries(operands), compute.unit);
    const entities = [
      ...(select === undefined ? [] : ["selected"]),
      ...follow.map((_, i) => `step${i}`),
      ...(other === undefined ? [] : ["other"]),
    ];
    const amongPeers = follow.flatMap((step, i) => (typeof step === "string" ? [] : [`peers${i}`]));
    const sets = ["candidates", ...amongPeers, ...(other === undefined ? [] : ["others"])];
    const columns = [
      ...entities.map((part) => `${part}.key`),
      ...sets.map((part) => `(SELECT count(*) FROM ${part})`),
      value,
    ];
    const from = ["(SELECT 1) one", ...[...entities, ...this.figures].map((p) => `LEFT JOIN ${p} ON TRUE`)];
    const sql = `WITH ${this.parts.join(",\n")} SELECT ${columns.join(", ")} FROM ${from.join(" ")}`;
    const [row] = await database.rows(sql, this.values);
    const found = new Map([...entities, ...sets, "value"].map((name, i) => [name, row![i] ?? null]));
    const key = (part: string) => (found.get(part) ?? null) as string | null;
    const choices = {
      selected: key("selected"),
      candidates: Number(found.get("candidates")),
      steps: follow.map((_, i) => key(`step${i}`)),
      peers: amongPeers.map((part) => Number(found.get(part))),
      other: key("other"),
      others: other === undefined ? null : Number(found.get("others")),
    };
    return { choices, value: Number(found.get("value") ?? Number.NaN) };
  }

  private part(name: string, sql: string): void {
    this.parts.push(`${name} AS (${sql})`);
  }

  private readonly bind = (value: Bindable): string => {
    this.values.push(value);
    return `$${this.values.length}`;
  };

  private conditions(where: readonly Condition[]): string {
    return where.map((c) => conditionSql(c, this.base, this.bind)).join(" AND ") || "TRUE";
  }

  /** The table with its derived columns, as the part `base`. A bound, or a value outside the formula's validity, gives no value. */
  private derived(): PhysicalTable {
    const { program, derived = {} } = this.definitions;
    const own = this.tables.get(program.table)!;
    const columns = new Map(own.columns);
    const { card } = this.catalog.tables.get(program.table)!;
    const computed = Object.entries(program.derive ?? {}).map(([id, { inputs }], i) => {
      const formula = derived[id]!;
      const bound = Object.entries(inputs).map(([name, column]) => {
        const { value, limit } = own.columns.get(column)!;
        const unit = card.columns[column]!.unit!;
        const [low, high] = validIn(formula, name, unit);
        const inside = [
          `${limit} = 0`,
          ...(Number.isFinite(low) ? [`${value} >= ${literal(low)}`] : []),
          ...(Number.isFinite(high) ? [`${value} <= ${literal(high)}`] : []),
        ];
        return { name, sql: value, unit, inside };
      });
      const operands = Object.fromEntries(bound.map(({ name, sql, unit }) => [name, { sql, unit }]));
      const answer = compileSql(formula, operands, formula.output.unit);
      columns.set(id, { type: "number", value: `d${i}`, u: undefined, limit: `m${i}` });
      return `CASE WHEN ${bound.flatMap((b) => b.inside).join(" AND ")} THEN ${answer} END AS d${i}, 0 AS m${i}`;
    });
    this.part("base", `SELECT ${["*", ...computed].join(", ")} FROM ${own.table}`);
    return { ...own, columns };
  }

  /** The row at the wanted rank of a part. */
  private choose(name: string, among: string, { column, order, rank }: Select, table: PhysicalTable): void {
    const { value, limit } = table.columns.get(column)!;
    this.part(
      name,
      `SELECT * FROM ${among} WHERE ${value} IS NOT NULL AND ${limit} = 0
       ORDER BY ${value} ${order === "max" ? "DESC" : "ASC"}, key LIMIT 1 OFFSET ${this.bind(rank - 1)}`,
    );
  }

  /** The last step's part, its table and the names of its columns. */
  private walk(): { part: string; table: Table; names: PhysicalTable } | undefined {
    const { table: start, follow } = this.definitions.program;
    if (follow === undefined) return undefined;
    let here = { part: "selected", table: this.catalog.tables.get(start)!, names: this.base };
    follow.forEach((step, i) => {
      const part = `step${i}`;
      const { table, names } = here;
      // The program's own table is read with its derived columns wherever it is come to again.
      const sqlOf = (id: string) => (id === start ? "base" : this.tables.get(id)!.table);
      const namesOf = (id: string) => (id === start ? this.base : this.tables.get(id)!);
      if (typeof step === "string") {
        const { column, to } = table.card.links[step]!;
        const link = names.columns.get(column)!.value;
        this.part(part, `SELECT t.* FROM ${sqlOf(to)} t JOIN ${here.part} p ON t.key = p.${link}`);
        here = { part, table: this.catalog.tables.get(to)!, names: namesOf(to) };
      } else {
        const shared = names.columns.get(step.peers)!.value;
        this.part(
          `peers${i}`,
          `SELECT t.* FROM ${sqlOf(table.id)} t JOIN ${here.part} p ON t.${shared} = p.${shared}`,
        );
        this.choose(part, `peers${i}`, step.select, names);
        here = { part, table, names };
      }
    });
    return here;
  }

  /** One figure of all candidates, as a part of one row. Not in place: TRY takes no subquery. */
  private figure(value: string, limit: string, take: Statistic): string {
    const figures: Readonly<Record<Statistic, string>> = {
      total: `fsum(${value} ORDER BY key)`,
      mean: `fsum(${value} ORDER BY key) / count(${value})`,
      median: `median(${value})`,
    };
    const name = `figure${this.figures.length}`;
    this.figures.push(name);
    this.part(name, `SELECT ${figures[take]} AS figure FROM candidates WHERE ${limit} = 0`);
    return name;
  }

  private operand(
    { of, column, take }: InputRef,
    followed: { part: string; table: Table; names: PhysicalTable } | undefined,
  ): { sql: string; unit: string } {
    const table =
      of === "followed" ? followed!.table : this.catalog.tables.get(this.definitions.program.table)!;
    const unit = table.card.columns[column]!.unit!;
    const { value, limit } = (of === "followed" ? followed!.names : this.base).columns.get(column)!;
    if (take !== undefined) return { sql: `${this.figure(value, limit!, take)}.figure`, unit };
    const part = of === "followed" ? followed!.part : of;
    return { sql: `${part}.${value}`, unit };
  }
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
