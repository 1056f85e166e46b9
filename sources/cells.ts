import { convert } from "../verifiers/units.js";
import type { ColumnCard } from "./card.js";
import { numberReader, PLAIN, type ReadNumber } from "./numbers.js";
import type { IngestReason } from "./table.js";

/** A cell that did not become a value. */
export interface CellProblem {
  readonly reason: Extract<IngestReason, "unreadable_value" | "implausible_value" | "excluded_value">;
  readonly text: string;
  readonly detail: string;
}

/** A cell of a loaded table: unknown is null; `u` is null where it is not known. */
export interface Cell {
  readonly value: number | string | boolean | null;
  readonly u: number | null;
  readonly limit: -1 | 0 | 1;
  readonly problem?: CellProblem;
}

/** Reads one column's cell from a record's raw fields; `key` is the record's key, for declared exclusions. */
export type CellReader = (fields: readonly (string | null)[], key: string | null) => Cell;

const UNKNOWN: Cell = { value: null, u: null, limit: 0 };

/** Every raw field that a column reads, its companions included. */
export function fieldsOfColumn(column: ColumnCard): string[] {
  const own = typeof column.from === "string" ? [column.from] : column.from.join;
  const u = column.uncertainty !== undefined && "from" in column.uncertainty ? [column.uncertainty.from] : [];
  const limit = column.limit === undefined ? [] : [column.limit.from];
  const unit = column.unit_from === undefined ? [] : [column.unit_from.from];
  return [...own, ...u, ...limit, ...unit];
}

/** Compiles a column's card; `positionOf` says where a field stands in a record. */
export function cellReader(column: ColumnCard, positionOf: (field: string) => number): CellReader {
  const raw = rawReader(column, positionOf);
  const read = valueReader(column, positionOf);
  const excluded = new Map(column.exclude.map((e) => [e.key, e.reason]));
  const nulls = new Set(column.nulls);
  return (fields, key) => {
    const whole = raw(fields);
    if (whole === null || nulls.has(whole)) return UNKNOWN;
    const text = column.trim ? whole.trim() : whole;
    if (nulls.has(text)) return UNKNOWN;
    const why = key === null ? undefined : excluded.get(key);
    if (why !== undefined) return { ...UNKNOWN, problem: { reason: "excluded_value", text, detail: why } };
    return read(text, fields);
  };
}

function rawReader(
  column: ColumnCard,
  positionOf: (field: string) => number,
): (f: readonly (string | null)[]) => string | null {
  if (typeof column.from === "string") {
    const at = positionOf(column.from);
    return (fields) => fields[at]!;
  }
  const places = column.from.join.map(positionOf);
  const glue = column.from.with;
  return (fields) => {
    const parts = places.map((p) => fields[p]!).filter((p) => p !== null);
    return parts.length === 0 ? null : parts.filter((p) => p !== "").join(glue);
  };
}

type ValueReader = (text: string, fields: readonly (string | null)[]) => Cell;

function valueReader(column: ColumnCard, positionOf: (field: string) => number): ValueReader {
  if (column.type === "text") return (text) => ({ value: text, u: null, limit: 0 });
  if (column.type === "flag") return flagReader(column);
  return numberCell(column, positionOf);
}

function flagReader(column: ColumnCard): ValueReader {
  const yes = new Set(column.flag?.true ?? []);
  const no = new Set(column.flag?.false ?? []);
  return (text) => {
    if (yes.has(text)) return { value: true, u: null, limit: 0 };
    if (no.has(text)) return { value: false, u: null, limit: 0 };
    return unreadable(text, "none of the texts that the card gives for true and false");
  };
}

function numberCell(column: ColumnCard, positionOf: (field: string) => number): ValueReader {
  const parse = numberReader(column.number);
  const unitOf = unitReader(column, positionOf);
  const uncertaintyOf = uncertaintyReader(column, positionOf);
  const limitOf = limitReader(column, positionOf);
  const [low, high] = column.range ?? [null, null];
  return (text, fields) => {
    const read = parse(text);
    if ("unreadable" in read) return unreadable(text, read.unreadable);
    if (column.type === "integer" && !read.integer) return unreadable(text, "not a whole number below 2^53");
    const unit = unitOf(fields);
    if ("unreadable" in unit) return unreadable(text, unit.unreadable);
    const value = unit.value(read.value);
    if ((low !== null && value < low) || (high !== null && value > high)) {
      const detail =
        `outside the plausible range ${low ?? "-∞"} to ${high ?? "∞"} ${column.unit ?? ""}`.trimEnd();
      return { ...UNKNOWN, problem: { reason: "implausible_value", text, detail } };
    }
    const u = uncertaintyOf(read, value, unit.step, fields);
    if (typeof u === "string") return unreadable(text, u);
    return { value, u, limit: limitOf(fields) };
  };
}

function unreadable(text: string, detail: string): Cell {
  return { ...UNKNOWN, problem: { reason: "unreadable_value", text, detail } };
}

/** Carries a value, and a difference of values, into the column's unit. */
interface Carry {
  readonly value: (v: number) => number;
  readonly step: (d: number) => number;
}

const SAME: Carry = { value: (v) => v, step: (d) => d };

function unitReader(
  column: ColumnCard,
  positionOf: (field: string) => number,
): (fields: readonly (string | null)[]) => Carry | { unreadable: string } {
  if (column.unit_from === undefined) return () => SAME;
  const at = positionOf(column.unit_from.from);
  const to = column.unit!;
  const carries = new Map(
    Object.entries(column.unit_from.units).map(([text, from]) => [text, carry(from, to)]),
  );
  return (fields) => {
    const text = fields[at]!;
    if (text === null || text === "") return { unreadable: "its unit is missing" };
    return carries.get(text) ?? { unreadable: `its unit "${text}" is not among the card's \`units\`` };
  };
}

function carry(from: string, to: string): Carry {
  if (from === to) return SAME;
  const zero = convert(0, from, to);
  if (zero === 0) return { value: (v) => convert(v, from, to), step: (d) => convert(d, from, to) };
  const slope = convert(1, from, to) - zero;
  return { value: (v) => convert(v, from, to), step: (d) => d * slope };
}

type UncertaintyReader = (
  read: ReadNumber,
  value: number,
  step: (d: number) => number,
  fields: readonly (string | null)[],
) => number | null | string;

/** Standard uncertainty in the column's unit, never below half the written step; null if nobody declares one. */
function uncertaintyReader(column: ColumnCard, positionOf: (field: string) => number): UncertaintyReader {
  const declared = column.uncertainty;
  if (column.scale === "exact" || (declared !== undefined && "exact" in declared)) return () => 0;
  const floor = (u: number, half: number): number => Math.max(u, half);
  if (declared !== undefined && "from" in declared) {
    const at = positionOf(declared.from);
    const parse = numberReader({ ...(column.number ?? PLAIN), factor: declared.factor });
    return (read, _value, step, fields) => {
      const text = column.trim ? (fields[at]?.trim() ?? null) : fields[at]!;
      if (text === null || text === "" || column.nulls.includes(text)) return null;
      const u = parse(text);
      if ("unreadable" in u) return `its uncertainty "${text}" is ${u.unreadable}`;
      return floor(Math.abs(step(u.value)), step(read.halfStep));
    };
  }
  return (read, value, step) => {
    const half = step(read.halfStep);
    if (read.writtenU !== null) return floor(step(read.writtenU), half);
    if (declared === undefined) return null;
    if ("rounding" in declared) return half;
    return Math.max((declared.relative ?? 0) * Math.abs(value), declared.absolute ?? 0, half);
  };
}

function limitReader(
  column: ColumnCard,
  positionOf: (field: string) => number,
): (f: readonly (string | null)[]) => -1 | 0 | 1 {
  const { limit } = column;
  if (limit === undefined) return () => 0;
  const at = positionOf(limit.from);
  return (fields) => {
    const text = fields[at];
    if (text === null || text === undefined) return 0;
    if (limit.upper.includes(text)) return -1;
    return limit.lower.includes(text) ? 1 : 0;
  };
}
