import { z } from "zod";
import type { Random } from "../../pipeline/base/random.js";
import { type Condition, condition, identifier } from "../../sources/card.js";
import { completeClasses } from "../../sources/catalog.js";
import type { Catalog, Column, FlagColumn, Table, TextColumn } from "../../sources/table.js";
import type { Formula } from "../formulas/formula.js";
import { type InputRef, PROGRAM_VERSION, type Program } from "./program.js";
import { nth } from "./selection.js";
import { indexOf } from "./table-index.js";
import { roundThresholds } from "./thresholds.js";

/** A declared space of programs over one table. Everything not given is taken from the card and the built-in formulas. */
export const spaceSchema = z
  .strictObject({
    id: identifier,
    table: identifier,
    /** Formula ids; default: every formula whose inputs the table (or a followed one) has. */
    formulas: z.array(identifier).min(1).optional(),
    /** Columns to select by; default: all that may select. */
    select: z.array(identifier).min(1).optional(),
    /** Columns for conditions; default: all that may filter. */
    filter: z.array(identifier).min(1).optional(),
    /** Conditions of every program, at this threshold or a narrower one; default: those of one of the card's complete classes. */
    within: z.array(condition).optional(),
    orders: z
      .array(z.enum(["max", "min"]))
      .min(1)
      .default(["max", "min"]),
    ranks: z.array(z.number().int().min(1).max(20)).min(1).default([1, 1, 1, 2, 3]),
    /** How many conditions are drawn beside those of the complete class, each number as often as it is listed. */
    conditions: z.array(z.number().int().min(0).max(4)).min(1).default([0, 1, 1, 2, 2, 3]),
    /** How many of every hundred programs hop to a linked table, where a formula allows it. */
    hops: z.number().int().min(0).max(100).default(30),
    /** Share of the candidates that this space gets, relative to the others. */
    weight: z.number().int().positive().max(1000).default(1),
  })
  .describe("A space of programs: columns × conditions × formulas × hops × ranks");
export type Space = z.infer<typeof spaceSchema>;

/** A formula with columns for its inputs, one hop at most. */
export interface Binding {
  readonly formula: Formula;
  readonly follow: string | undefined;
  readonly inputs: Readonly<Record<string, InputRef>>;
}

/** A space made ready: everything that a candidate is drawn from. */
export interface OpenSpace {
  readonly space: Space;
  readonly table: Table;
  readonly plain: readonly Binding[];
  readonly hopping: readonly Binding[];
  readonly select: readonly string[];
  readonly conditions: readonly ConditionMaker[];
  /** Conditions that programs start from; one list is drawn for each. */
  readonly classes: readonly (readonly Condition[])[];
}

/** No question is asked to hold more conditions than this. */
const MAX_CONDITIONS = 4;
/** How many of a hundred programs narrow a class's own threshold: they ask about a part of what is completely known. */
const TIGHTER = 70;

/** A class's condition, or a narrower one at another round threshold. */
function tighten(condition: Condition, open: OpenSpace, random: Random): Condition {
  if (condition.op !== "lt" && condition.op !== "gt" && condition.op !== "le" && condition.op !== "ge")
    return condition;
  const thresholds = open.conditions.find((c) => c.column === condition.column)?.thresholds ?? [];
  const below = condition.op === "lt" || condition.op === "le";
  const inside = thresholds.filter((t) => (below ? t < condition.value : t > condition.value));
  if (inside.length === 0 || random.int(100) >= TIGHTER) return condition;
  return { column: condition.column, op: below ? "lt" : "gt", value: random.pick(inside) };
}

interface ConditionMaker {
  readonly column: string;
  readonly thresholds: readonly number[];
  /** A condition that does not hold for `row`, or undefined when none is drawn. */
  make(random: Random, row: number): Condition | undefined;
}

/** Prepares a space against the loaded tables. */
export function openSpace(space: Space, catalog: Catalog, formulas: ReadonlyMap<string, Formula>): OpenSpace {
  const table = catalog.tables.get(space.table)!;
  const may = (role: "filter" | "select") =>
    [...table.columns.values()].filter((c) => c.card.may.includes(role)).map((c) => c.id);
  const wanted = space.formulas ?? [...formulas.keys()];
  const bindings = wanted.flatMap((id) => bindingsOf(formulas.get(id)!, table, catalog));
  return {
    space,
    table,
    plain: bindings.filter((b) => b.follow === undefined),
    hopping: bindings.filter((b) => b.follow !== undefined),
    select: space.select ?? may("select"),
    conditions: (space.filter ?? may("filter")).flatMap((id) => conditionMaker(table, id) ?? []),
    classes: space.within === undefined ? completeClasses(table).map((c) => c.where) : [space.within],
  };
}

/**
 * Candidate number `index` of a space: the same for ever under the same seed, whatever else is drawn. Conditions are drawn so
 * that each rules out the entity that would win without it and leaves some; whether all stay necessary is for the checks to say.
 */
export function draw(open: OpenSpace, random: Random): Program | undefined {
  const { space } = open;
  const hopping = open.hopping.length > 0 && (open.plain.length === 0 || random.int(100) < space.hops);
  const bindings = hopping ? open.hopping : open.plain;
  if (bindings.length === 0 || open.select.length === 0) return undefined;
  const binding = random.pick(bindings);
  const select = {
    column: random.pick(open.select),
    order: random.pick(space.orders),
    rank: random.pick(space.ranks),
  };
  const given =
    open.classes.length === 0 ? [] : random.pick(open.classes).map((c) => tighten(c, open, random));
  // A condition on the link itself would name the entity that the hop leads to.
  const link = binding.follow === undefined ? undefined : open.table.card.links[binding.follow]!.column;
  const makers = open.conditions.filter((c) => c.column !== select.column && c.column !== link);
  const where = narrow(open, makers, given, select, random);
  return {
    version: PROGRAM_VERSION,
    table: space.table,
    where,
    select,
    ...(binding.follow === undefined ? {} : { follow: binding.follow }),
    compute: {
      formula: binding.formula.id,
      inputs: binding.inputs,
      unit: binding.formula.output.unit,
      digits: binding.formula.digits,
    },
  };
}

/** Attempts to find a condition before the program does with fewer. */
const ATTEMPTS = 8;

/** Adds the space's number of conditions to those given, as far as they can be found. */
function narrow(
  open: OpenSpace,
  makers: readonly ConditionMaker[],
  given: readonly Condition[],
  select: Program["select"],
  random: Random,
): Condition[] {
  const index = indexOf(open.table);
  const order = index.order(select.column);
  const where = [...given];
  const wanted = Math.min(random.pick(open.space.conditions), MAX_CONDITIONS - given.length);
  let rows = index.holding(where);
  for (let attempt = 0; where.length < given.length + wanted && attempt < ATTEMPTS * wanted; attempt++) {
    const winner = nth(order, select, rows);
    if (winner < 0 || makers.length === 0) break;
    const maker = random.pick(makers);
    const taken = where.some((c) => c.column === maker.column);
    const condition = taken ? undefined : maker.make(random, winner);
    if (condition === undefined) continue;
    const truth = index.truth(condition);
    const left = rows.copy().and(truth.holds);
    if (left.count() < select.rank + 1 || truth.near.copy().and(rows).count() > 0) continue;
    where.push(condition);
    rows = left;
  }
  return where;
}

/** All ways to read a formula from a table: from the entity alone, or across each of the table's links. */
export function bindingsOf(formula: Formula, table: Table, catalog: Catalog): Binding[] {
  const links = Object.entries(table.card.links).filter(([, link]) => catalog.tables.has(link.to));
  const mixed = Object.values(formula.inputs).some((i) => i.of === "followed");
  const plain = mixed ? undefined : bind(formula, () => ["selected", table]);
  const found: Binding[] = plain === undefined ? [] : [{ formula, follow: undefined, inputs: plain }];
  for (const [follow, link] of links) {
    const to = catalog.tables.get(link.to)!;
    const inputs = bind(formula, (of) =>
      !mixed || of === "followed" ? ["followed", to] : ["selected", table],
    );
    if (inputs !== undefined) found.push({ formula, follow, inputs });
  }
  return found;
}

function bind(
  formula: Formula,
  place: (of: "selected" | "followed") => ["selected" | "followed", Table],
): Record<string, InputRef> | undefined {
  const inputs: Record<string, InputRef> = {};
  for (const [name, spec] of Object.entries(formula.inputs)) {
    const [of, table] = place(spec.of);
    const column = columnOf(table, spec.quantity);
    if (column === undefined) return undefined;
    inputs[name] = { of, column: column.id };
  }
  return inputs;
}

function columnOf(table: Table, quantities: readonly string[]): Column | undefined {
  for (const quantity of quantities) {
    for (const column of table.columns.values()) {
      if (column.card.quantity === quantity && column.card.may.includes("compute")) return column;
    }
  }
  return undefined;
}

/** Values of a nominal column that are frequent enough to be a class, and have words. */
const MIN_CLASS_SIZE = 3;
/** An integer column with no more distinct values than this may be asked for one of them. */
const MAX_DISTINCT = 12;

function conditionMaker(table: Table, id: string): ConditionMaker | undefined {
  const column = table.columns.get(id)!;
  if (column.type === "flag") return flagMaker(column);
  if (column.type === "text") return nominalMaker(column);
  const order = indexOf(table).order(id);
  const thresholds = roundThresholds(order);
  if (thresholds.length === 0) return undefined;
  const distinct = new Set(Array.from(order.ascending, (row) => column.values[row]!));
  const whole =
    column.type === "integer" && distinct.size <= MAX_DISTINCT ? [...distinct].sort((a, b) => a - b) : [];
  return {
    column: id,
    thresholds,
    make: (random, row) => numeric(id, thresholds, whole, column.values[row]!, random),
  };
}

function flagMaker({ id, values }: FlagColumn): ConditionMaker {
  return {
    column: id,
    thresholds: [],
    make: (_, row) => (values[row] === 2 ? undefined : { column: id, op: "is", value: values[row] === 0 }),
  };
}

/** A comparison that `value` fails: `eq` another whole number, a range on one side of it, or a threshold between. */
function numeric(
  column: string,
  thresholds: readonly number[],
  whole: readonly number[],
  value: number,
  random: Random,
): Condition | undefined {
  if (Number.isNaN(value)) return undefined;
  if (whole.length > 1 && random.int(3) === 0) {
    const other = random.pick(whole);
    return other === value ? undefined : { column, op: "eq", value: other };
  }
  const threshold = random.pick(thresholds);
  const above = threshold > value || (threshold === value && random.int(2) === 0);
  const beyond = thresholds.filter((t) => (above ? t > threshold : t < threshold));
  if (beyond.length > 0 && random.int(5) === 0) {
    const other = random.pick(beyond);
    const [low, high] = above ? [threshold, other] : [other, threshold];
    return low > value || high < value ? { column, op: "between", low, high } : undefined;
  }
  return { column, op: above ? "gt" : "lt", value: threshold };
}

function nominalMaker({ id, values, card }: TextColumn): ConditionMaker | undefined {
  const worded = Object.keys(card.phrase?.values ?? {});
  const counts = new Map<string, number>();
  for (const value of values) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
  const classes = (worded.length > 0 ? worded : [...counts.keys()].sort()).filter(
    (v) => (counts.get(v) ?? 0) >= MIN_CLASS_SIZE,
  );
  if (classes.length === 0) return undefined;
  return {
    column: id,
    thresholds: [],
    make: (random, row) => {
      const value = random.pick(classes);
      return values[row] === value ? undefined : { column: id, op: "eq", value };
    },
  };
}
