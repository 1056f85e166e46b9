import { columnPositions, csvHeader } from "./adapters/csv-layout.js";
import type { Card, ColumnCard } from "./card.js";
import type { Bindable } from "./duckdb.js";
import type { Load, PhysicalColumn, PhysicalTable } from "./layout.js";
import { RECORD_FIELD } from "./records.js";
import type { Snapshot } from "./snapshot.js";

/**
 * The short way in: a plain CSV file goes through DuckDB's own reader and its values through SQL. It takes all or
 * nothing: at the first thing that is not plain (a quote out of place, an odd number, an implausible value) it gives up
 * and leaves the file to the record readers, which know how to say what is wrong. What it does load, they would have
 * loaded just so; `test/sources/fast-csv.test.ts` holds the two against each other.
 */
export async function loadPlainCsv({
  card,
  snapshot,
  database,
  layout,
}: Load): Promise<{ records: number } | undefined> {
  if (!isPlain(card, snapshot)) return undefined;
  const header = await csvHeader(snapshot, card.snapshot.read as CsvFormat);
  if (header === undefined || header.length < 2) return undefined;
  // DuckDB takes the first line end that it sees for that of all lines, be it inside of quotes.
  if (header.some((name) => /[\r\n]/.test(name))) return undefined;
  const query = queryOf(card, snapshot, header, layout);
  try {
    await database.run(query.sql, query.values);
  } catch {
    return undefined;
  }
  // Physical order is the order of the file, which makes this far cheaper than a window function over the reader.
  await database.run(`UPDATE ${layout.table} SET record = rowid + 1`);
  const [row] = await database.rows(`SELECT count(*) FROM ${layout.table}`);
  return { records: Number(row![0]) };
}

type CsvFormat = Extract<Card["snapshot"]["read"], { format: "csv" }>;

function isPlain(card: Card, snapshot: Snapshot): boolean {
  const { read } = card.snapshot;
  if (read.format !== "csv" || snapshot.compression !== "none" || card.rows.length > 0) return false;
  const quoted = read.quote === null || (read.quote === '"' && (read.escape === null || read.escape === '"'));
  const delimited = /^[\t -~]$/.test(read.delimiter) && read.delimiter !== '"';
  const bare =
    read.skip === 0 && read.skip_after_header === 0 && read.comment === null && read.transposed !== true;
  if (!quoted || !delimited || !bare || !read.header || read.encoding !== "utf-8") return false;
  return Object.values(card.columns).every(isSimple);
}

function isSimple(column: ColumnCard): boolean {
  if (typeof column.from !== "string" || column.from === RECORD_FIELD) return false;
  if (
    column.trim ||
    column.exclude.length > 0 ||
    column.unit_from !== undefined ||
    column.limit !== undefined
  )
    return false;
  if (column.uncertainty !== undefined && "from" in column.uncertainty) return false;
  const { number } = column;
  if (number === undefined) return true;
  if (
    !number.forms.includes("plain") ||
    number.decimal !== "." ||
    number.prefix.length + number.suffix.length > 0
  )
    return false;
  return powerOfTen(number.factor) !== undefined;
}

/** The exponent of 1, 10, 0.001, 1e24; undefined for other factors. */
function powerOfTen(factor: number): number | undefined {
  const exponent = Math.round(Math.log10(factor));
  return Number(`1e${exponent}`) === factor && Math.abs(exponent) <= 40 ? exponent : undefined;
}

/** A query over the file. It ends in an error for a record without key, and for quotes inside a text: DuckDB lets them stand in unquoted fields. */
interface Query {
  readonly sql: string;
  readonly values: Bindable[];
}

function queryOf(card: Card, snapshot: Snapshot, header: readonly string[], layout: PhysicalTable): Query {
  const columns = Object.entries(card.columns);
  const from = columnPositions(
    header,
    columns.map(([, c]) => c.from as string),
    snapshot.name,
  );
  const values: Bindable[] = [];
  const bind = (value: string): string => {
    values.push(value);
    return `$${values.length}`;
  };
  const source = reader(card.snapshot.read as CsvFormat, header.length, bind(snapshot.path));
  const quote = (card.snapshot.read as CsvFormat).quote;
  const used = columns.map(([, column], i) => ({ column, field: `f${from[i]}` }));
  const keyField = used[columns.findIndex(([id]) => id === card.key)]!.field;
  const texts = header
    .map((_, i) => `f${i}`)
    .filter((f) => used.every((u) => u.field !== f || u.column.type === "text"));
  const odd = [
    isNull(keyField, card.columns[card.key]!, bind),
    ...(quote === null ? [] : texts.map((f) => `contains(${f}, '"')`)),
  ];
  const outputs = used.flatMap(({ column, field }, i) =>
    columnSql(column, field, layout.columns.get(columns[i]![0])!, bind),
  );
  const key = `CASE WHEN ${odd.join(" OR ")} THEN error(${keyField}) ELSE ${keyField} END AS ${layout.key}`;
  const list = [key, `CAST(0 AS INTEGER) AS ${layout.record}`, ...outputs].join(",\n  ");
  return { sql: `CREATE OR REPLACE TABLE ${layout.table} AS SELECT\n  ${list}\nFROM ${source}`, values };
}

function reader(read: CsvFormat, width: number, path: string): string {
  const fields = Array.from({ length: width }, (_, i) => `f${i}`);
  const quote = read.quote === null ? "''" : `'"'`;
  const options = [
    "auto_detect=false",
    "header=true",
    `delim='${read.delimiter === "'" ? "''" : read.delimiter}'`,
    `quote=${quote}`,
    `escape=${quote}`,
    `columns={${fields.map((f) => `${f}: 'VARCHAR'`).join(", ")}}`,
    `force_not_null=[${fields.map((f) => `'${f}'`).join(", ")}]`,
    "strict_mode=true",
    "null_padding=false",
    "ignore_errors=false",
  ];
  return `read_csv(${path}, ${options.join(", ")})`;
}

type Bind = (value: string) => string;

/** A number travels as text: whole ones would be bound as 64-bit integers, which 1e30 is not. */
function bindNumber(value: number, bind: Bind): string {
  return `CAST(${bind(String(value))} AS DOUBLE)`;
}

function isNull(field: string, column: ColumnCard, bind: Bind): string {
  return column.nulls.length === 0 ? "false" : `${field} IN (${column.nulls.map(bind).join(", ")})`;
}

function textSql(field: string, column: ColumnCard, bind: Bind): string {
  return `CASE WHEN ${isNull(field, column, bind)} THEN NULL ELSE ${field} END`;
}

function columnSql(column: ColumnCard, field: string, names: PhysicalColumn, bind: Bind): string[] {
  if (column.type === "text") return [`${textSql(field, column, bind)} AS ${names.value}`];
  if (column.type === "flag") return [`${flagSql(field, column, bind)} AS ${names.value}`];
  const value = numberSql(field, column, bind);
  const u = uncertaintySql(field, column, bind);
  return [`${value} AS ${names.value}`, `${u} AS ${names.u}`, `CAST(0 AS TINYINT) AS ${names.limit}`];
}

function flagSql(field: string, column: ColumnCard, bind: Bind): string {
  const [yes, no] = [column.flag!.true.map(bind).join(", "), column.flag!.false.map(bind).join(", ")];
  const cases = [
    `WHEN ${isNull(field, column, bind)} THEN NULL`,
    `WHEN ${field} IN (${yes}) THEN true`,
    `WHEN ${field} IN (${no}) THEN false`,
  ];
  return `CASE ${cases.join(" ")} ELSE CAST(error(${field}) AS BOOLEAN) END`;
}

/** Digits that any double holds room for, and exponents far from its ends: the rest is left to the record readers. */
const DIGITS = "([0-9]{1,18}(\\.[0-9]{1,18})?|\\.[0-9]{1,18})";
const WHOLE = "-?[0-9]{1,15}";

function patternOf(column: ColumnCard): string {
  if (column.type === "integer") return `'${WHOLE}'`;
  const scaled = (powerOfTen(column.number?.factor ?? 1) ?? 0) !== 0;
  return `'-?${DIGITS}${scaled ? "" : "([eE][-+]?[0-9]{1,2})?"}'`;
}

function numberSql(field: string, column: ColumnCard, bind: Bind): string {
  const power = powerOfTen(column.number?.factor ?? 1)!;
  const text = power === 0 ? field : `(${field} || 'e${power}')`;
  const value = `CAST(${text} AS DOUBLE)`;
  const [low, high] = column.range ?? [null, null];
  const bounds = [
    low === null ? undefined : `${value} < ${bindNumber(low, bind)}`,
    high === null ? undefined : `${value} > ${bindNumber(high, bind)}`,
  ];
  const outside = bounds.filter((b) => b !== undefined).join(" OR ");
  return `CASE WHEN ${isNull(field, column, bind)} THEN NULL
    WHEN NOT regexp_full_match(${field}, ${patternOf(column)}) THEN CAST(error(${field}) AS DOUBLE)
    ${outside === "" ? "" : `WHEN ${outside} THEN CAST(error(${field}) AS DOUBLE)`}
    WHEN ${value} = 0 THEN 0.0::DOUBLE ELSE ${value} END`;
}

function uncertaintySql(field: string, column: ColumnCard, bind: Bind): string {
  const declared = column.uncertainty;
  const exact = column.scale === "exact" || (declared !== undefined && "exact" in declared);
  if (declared === undefined && !exact) return "CAST(NULL AS DOUBLE)";
  const u = exact ? "0.0::DOUBLE" : spreadSql(field, column, bind);
  return `CASE WHEN ${isNull(field, column, bind)} THEN NULL ELSE ${u} END`;
}

function spreadSql(field: string, column: ColumnCard, bind: Bind): string {
  const declared = column.uncertainty!;
  const power = powerOfTen(column.number?.factor ?? 1)!;
  const half = halfStepSql(field, power, column.type === "integer");
  if (!("relative" in declared || "absolute" in declared)) return half;
  const { relative = 0, absolute = 0 } = declared;
  const text = power === 0 ? field : `(${field} || 'e${power}')`;
  return `greatest(${bindNumber(relative, bind)} * abs(CAST(${text} AS DOUBLE)), ${bindNumber(absolute, bind)}, ${half})`;
}

/** Half a unit in the last written place, as the nearest double to 5·10^n. */
function halfStepSql(field: string, power: number, whole: boolean): string {
  const literal = (places: number): string => `5e${power - places - 1}::DOUBLE`;
  if (whole) return literal(0);
  const places = `(length(${field}) - strpos(${field}, '.'))`;
  const cases = Array.from({ length: 19 }, (_, d) => `WHEN ${d} THEN ${literal(d)}`).join(" ");
  const plain = `CASE WHEN strpos(${field}, '.') = 0 THEN ${literal(0)} ELSE CASE ${places} ${cases} END END`;
  if (power !== 0) return plain;
  const at = `strpos(lower(${field}), 'e')`;
  const mantissa = `substr(${field}, 1, ${at} - 1)`;
  const digits = `CASE WHEN strpos(${mantissa}, '.') = 0 THEN 0 ELSE length(${mantissa}) - strpos(${mantissa}, '.') END`;
  const exponent = `CAST(substr(${field}, ${at} + 1) AS INTEGER)`;
  return `CASE WHEN ${at} = 0 THEN ${plain} ELSE CAST('5e' || (${exponent} - (${digits}) - 1) AS DOUBLE) END`;
}
