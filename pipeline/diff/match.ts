import { jsonIn } from "../../datasets/json-text.js";
import { fail } from "../base/errors.js";
import { comparedColumns, TASK_POOLS, type TaskPool } from "./aspects.js";
import { type Bench, columnsOf, streamed } from "./bench.js";
import { type Formulas, formulasIn } from "./formulas.js";
import { aliasesIn, type Names, namer, type Texts } from "./names.js";
import { fileIn, type Side } from "./side.js";

/**
 * Finds which row of one dataset is which of the other, in tables of the comparison's database:
 *
 * - `<pool>_<side>`: id, n (its place, from 0) and h0, h1, ...: a hash of each compared column;
 * - `<pool>_pairs`: a, b (ids), n (from 0, in the order of a), matched (`id`, or `program` for rows that have other ids);
 * - `<pool>_only_<side>`: id, n, alias (the id that the row would have in the other dataset, or null), key (of its program).
 */

/** Record numbers move when a line is put in above; what a row rests on is told by key, and its record by the provenance. */
const WITHOUT_RECORDS: ReadonlySet<string> = new Set(["hidden_selection", "hidden_inputs"]);
const NEEDED: Readonly<Record<TaskPool, readonly string[]>> = {
  tasks: [
    "task_id",
    "split",
    "question",
    "snapshots",
    "origin",
    "formula",
    "hidden_program",
    "hidden_formula",
    "hidden_rest",
  ],
  problems: ["task_id", "split", "question", "snapshots", "origin", "source"],
};

/** What names a row of a pool, by the name that it gets here. */
const NAMES: Readonly<Record<TaskPool, Readonly<Record<string, string>>>> = {
  tasks: {
    hidden_program: "hidden_program",
    hidden_formula: "hidden_formula",
    snapshots: "snapshots",
    derived: "hidden_rest->'$.derived'",
  },
  problems: { source: "source", question: "question" },
};

export interface Matched {
  /** Columns that files have and no pool of this version: they are not compared. */
  readonly strange: readonly string[];
  readonly formulas: Formulas;
}

export async function matchRows(bench: Bench): Promise<Matched> {
  const strange = new Set<string>();
  const pools = Object.keys(TASK_POOLS) as TaskPool[];
  for (const pool of pools)
    for (const side of [bench.a, bench.b])
      for (const column of await fingerprints(bench, side, pool)) strange.add(`${pool}.${column}`);
  const formulas = await formulasIn(bench);
  for (const pool of pools) {
    await pairsById(bench, pool);
    await pairsByText(bench, pool);
    await pairsByProgram(bench, pool, formulas);
  }
  return { strange: [...strange].sort(), formulas };
}

async function fingerprints(bench: Bench, side: Side, pool: TaskPool): Promise<string[]> {
  const { database } = bench;
  const compared = comparedColumns(TASK_POOLS[pool]);
  const table = `${pool}_${side.name}`;
  const file = side.files.get(pool);
  if (file === undefined) {
    const columns = compared.map((_, i) => `h${i} UBIGINT`);
    await database.run(`CREATE TABLE ${table} (id VARCHAR, n BIGINT, ${columns.join(", ")})`);
    return [];
  }
  const { columns, strange } = await columnsOf(bench, side, pool, ["task_id", ...compared], NEEDED[pool]);
  await checkTexts(
    bench,
    side,
    pool,
    columns.filter((column) => JSON_TEXTS[pool].includes(column)),
  );
  const hashes = compared.map(
    (column, i) => `${columns.includes(column) ? hashed(column) : "0::UBIGINT"} AS h${i}`,
  );
  await database.run(
    `CREATE TABLE ${table} AS SELECT task_id AS id, file_row_number AS n, ${hashes.join(", ")}
     FROM read_parquet($1, file_row_number = true)`,
    [file],
  );
  const [twice] = await database.rows(
    `SELECT id FROM ${table} GROUP BY id HAVING count(*) > 1 OR id IS NULL LIMIT 1`,
  );
  if (twice !== undefined)
    fail(
      "verification",
      "pool_damaged",
      `${side.dir} has the task ${String(twice[0])} twice`,
      "`pipeline verify` says more",
    );
  return strange;
}

/** Columns whose JSON text is looked into. */
const JSON_TEXTS: Readonly<Record<TaskPool, readonly string[]>> = {
  tasks: [
    "wording",
    "hidden_program",
    "hidden_formula",
    "hidden_filter",
    "hidden_selection",
    "hidden_inputs",
    "hidden_rest",
  ],
  problems: ["hidden_answer", "hidden_rest"],
};

/** A text that is no JSON would end the comparison somewhere further on. */
async function checkTexts(
  { database }: Bench,
  side: Side,
  pool: TaskPool,
  columns: readonly string[],
): Promise<void> {
  if (columns.length === 0) return;
  const sql = `SELECT task_id, ${columns.join(", ")} FROM read_parquet($1)`;
  let n = 0;
  for await (const [id, ...texts] of streamed(database, sql, [side.files.get(pool)!])) {
    const where = `${fileIn(side.dir, pool)}, row ${++n} (${String(id)})`;
    for (const [i, column] of columns.entries()) jsonIn(String(texts[i]), column, where);
  }
}

function hashed(column: string): string {
  if (!WITHOUT_RECORDS.has(column)) return `hash("${column}")`;
  return `hash(regexp_replace("${column}", '"record":[0-9]+', '', 'g'))`;
}

async function pairsById({ database }: Bench, pool: TaskPool): Promise<void> {
  await database.run(
    `CREATE TABLE ${pool}_pairs AS SELECT a.id AS a, a.id AS b, a.n AS n, 'id' AS matched FROM ${pool}_a a JOIN ${pool}_b b USING (id)`,
  );
}

/** Columns that say what is asked, whatever data it is asked of. */
const ASKED: Readonly<Record<TaskPool, readonly string[]>> = {
  tasks: ["hidden_program"],
  problems: ["source", "question"],
};

/** Most rows that share no id have programs of the very same text, which takes no reading. */
async function pairsByText({ database }: Bench, pool: TaskPool): Promise<void> {
  const compared = comparedColumns(TASK_POOLS[pool]);
  const hashes = ASKED[pool].map((column) => `h${compared.indexOf(column)}`).join(", ");
  const once = (side: "a" | "b") =>
    `SELECT ${hashes}, min(id) AS id, min(n) AS n FROM ${pool}_${side}
     WHERE id NOT IN (SELECT ${side} FROM ${pool}_pairs) GROUP BY ${hashes} HAVING count(*) = 1`;
  await database.run(
    `INSERT INTO ${pool}_pairs SELECT a.id, b.id, a.n, 'program' FROM (${once("a")}) a JOIN (${once("b")}) b USING (${hashes})`,
  );
}

interface Left extends Names {
  readonly id: string;
  readonly n: bigint;
}

/** What is left is the same task when its canonical program is the same: each row is taken once, in order. */
async function pairsByProgram(bench: Bench, pool: TaskPool, formulas: Formulas): Promise<void> {
  const left = {
    a: await leftOver(bench, bench.a, pool, formulas),
    b: await leftOver(bench, bench.b, pool, formulas),
  };
  const waiting = new Map<string, Left[]>();
  for (const row of left.b) waiting.set(row.key, [...(waiting.get(row.key) ?? []), row]);
  const taken = new Set<string>();
  const only: Left[] = [];
  const pairs: [Left, Left][] = [];
  for (const row of left.a) {
    const other = waiting.get(row.key)?.shift();
    if (other === undefined) only.push(row);
    else {
      pairs.push([row, other]);
      taken.add(other.id);
    }
  }
  await append(bench, `${pool}_pairs`, pairs, (to, [a, b]) => {
    to.appendVarchar(a.id);
    to.appendVarchar(b.id);
    to.appendBigInt(a.n);
    to.appendVarchar("program");
  });
  await keepOnly(bench, `${pool}_only_a`, only);
  await keepOnly(
    bench,
    `${pool}_only_b`,
    left.b.filter((row) => !taken.has(row.id)),
  );
}

async function keepOnly(bench: Bench, table: string, rows: readonly Left[]): Promise<void> {
  await bench.database.run(`CREATE TABLE ${table} (id VARCHAR, n BIGINT, alias VARCHAR, key VARCHAR)`);
  await append(bench, table, rows, (to, { id, n, alias, key }) => {
    to.appendVarchar(id);
    to.appendBigInt(n);
    if (alias === null) to.appendNull();
    else to.appendVarchar(alias);
    to.appendVarchar(key);
  });
}

type Appender = Awaited<ReturnType<Bench["database"]["connection"]["createAppender"]>>;

async function append<T>(
  { database }: Bench,
  table: string,
  rows: readonly T[],
  write: (to: Appender, row: T) => void,
) {
  const appender = await database.connection.createAppender(table);
  for (const row of rows) {
    write(appender, row);
    appender.endRow();
  }
  appender.closeSync();
}

async function leftOver(bench: Bench, side: Side, pool: TaskPool, formulas: Formulas): Promise<Left[]> {
  const file = side.files.get(pool);
  if (file === undefined) return [];
  const name = namer(pool, aliasesIn(bench, side, formulas));
  const names = Object.entries(NAMES[pool])
    .map(([name, column]) => `${name}: ${column}`)
    .join(", ");
  const rows = streamed(
    bench.database,
    `SELECT task_id, file_row_number, to_json({${names}})::VARCHAR FROM read_parquet($1, file_row_number = true)
     WHERE task_id NOT IN (SELECT ${side.name} FROM ${pool}_pairs) ORDER BY file_row_number`,
    [file],
  );
  const left: Left[] = [];
  for await (const [id, n, json] of rows) {
    const text = String(id);
    left.push({
      id: text,
      n: n as bigint,
      ...nameOr(side, text, () => name(text, JSON.parse(String(json)) as Texts)),
    });
  }
  return left;
}

function nameOr(side: Side, id: string, name: () => Names): Names {
  try {
    return name();
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
    return fail(
      "verification",
      "pool_damaged",
      `the task ${id} of ${side.dir} has no program that can be read`,
    );
  }
}
