import { compareText } from "../../pipeline/base/canonical.js";
import type { ColumnCard } from "../../sources/card.js";
import { completeClasses } from "../../sources/catalog.js";
import type { Catalog, Column, Table } from "../../sources/table.js";
import type { Formula } from "../formulas/formula.js";
import { GENERIC, type GenericId, genericFormula, isGeneric } from "../formulas/generic.js";
import { compileNumeric } from "../formulas/numeric.js";
import { incompleteness } from "./completeness.js";
import { sourcesOf } from "./derived.js";
import type { InputRef, Program, Statistic } from "./program.js";
import { indexOf } from "./table-index.js";

/** A step of a path before it is drawn whom a `peers` step chooses. */
export type AskStep = string | { readonly peers: string };

/** What may be asked of the entities that a program chooses: a formula with columns for its inputs. */
export interface Ask {
  /** Tells the asks of a space apart. */
  readonly number: number;
  readonly formula: Formula;
  readonly inputs: Readonly<Record<string, InputRef>>;
  readonly path: readonly AskStep[];
  /** Whether it reads an entity that the program selects; figures of all candidates alone need none. */
  readonly selects: boolean;
  /** Whether it reads figures of all candidates. */
  readonly members: boolean;
  /** Whether it reads a second entity. */
  readonly other: boolean;
  /** Columns of the program's table whose value a condition must not give away: that of a link or of peers, those compared. */
  readonly reserved: ReadonlySet<string>;
}

/** Asks by the form of program that they make, in groups: of a group each ask is as likely, and each group is. */
export interface Asks {
  readonly plain: readonly (readonly Ask[])[];
  readonly hop: readonly (readonly Ask[])[];
  readonly compare: readonly (readonly Ask[])[];
  readonly aggregate: readonly (readonly Ask[])[];
}
export type AskForm = keyof Asks;

/** All that the formulas can be asked of a table: of one entity, at the end of each path, of two entities and of all candidates. */
export function asksOf(table: Table, catalog: Catalog, formulas: readonly (Formula | GenericId)[]): Asks {
  const own = formulas.filter((f) => typeof f !== "string");
  const generic = formulas.filter((f) => typeof f === "string");
  let number = 0;
  const grouped = (groups: Iterable<readonly Bound[]>): Ask[][] =>
    [...groups].filter((g) => g.length > 0).map((g) => g.map((bound) => askOf(number++, bound, table)));
  const figures = generic.filter((id) => id !== "ratio" && id !== "difference");
  const pairs = generic.filter((id) => id === "ratio" || id === "difference");
  return {
    plain: grouped(own.map((f) => plainOf(f, table))),
    hop: grouped(pathsOf(table, catalog).map((path) => own.flatMap((f) => hopOf(f, table, path)))),
    compare: grouped([...pairs.map((id) => genericOf(id, table)), ...own.map((f) => twoOf(f, table))]),
    aggregate: grouped(figures.map((id) => genericOf(id, table))),
  };
}

/** Formulas by id, generic ones too; without ids, all there are. */
export function formulasNamed(
  ids: readonly string[] | undefined,
  formulas: ReadonlyMap<string, Formula>,
): (Formula | GenericId)[] {
  return (ids ?? [...formulas.keys(), ...GENERIC]).map((id) => (isGeneric(id) ? id : formulas.get(id)!));
}

interface Bound {
  readonly formula: Formula;
  readonly inputs: Readonly<Record<string, InputRef>>;
  readonly path?: readonly AskStep[];
  /** Of the first step. */
  readonly reserved?: string;
}

function askOf(number: number, { formula, inputs, path = [], reserved }: Bound, table: Table): Ask {
  const refs = Object.values(inputs);
  const other = refs.some((i) => i.of === "other");
  const members = refs.some((i) => i.take !== undefined);
  // To select by what is compared, or to say it in a condition, would give half of the answer away; of a place it gives one coordinate.
  const compared = (other && refs.length <= 2) || members ? refs.map((i) => i.column) : [];
  const quantities = new Set(compared.map((id) => table.columns.get(id)!.card.quantity ?? id));
  const speaksOf = (id: string) => quantities.has(table.columns.get(id)!.card.quantity ?? id);
  const alike = [...table.columns.values()].filter((c) => [c.id, ...sourcesOf(c)].some(speaksOf));
  return {
    number,
    formula,
    inputs,
    path,
    selects: refs.some((i) => i.of !== "candidates"),
    members,
    other,
    reserved: new Set([...alike.map((c) => c.id), ...(reserved === undefined ? [] : [reserved])]),
  };
}

const isMixed = (formula: Formula): boolean => Object.values(formula.inputs).some((i) => i.of === "followed");

function plainOf(formula: Formula, table: Table): Bound[] {
  const inputs = isMixed(formula) ? undefined : bind(formula, () => ["selected", table]);
  return inputs === undefined ? [] : [{ formula, inputs }];
}

/** A formula between two of a kind, such as a distance: it reads the same quantities of both. */
function twoOf(formula: Formula, table: Table): Bound[] {
  const inputs = isBetweenTwo(formula)
    ? bind(formula, (of) => [of === "followed" ? "other" : "selected", table])
    : undefined;
  return inputs === undefined ? [] : [{ formula, inputs }];
}

/**
 * Whether a formula reads the same quantities of both and does not care which is which: a distance, but not the ratio of a moon's mass
 * to its planet's. Tried at two points, as no formula says it of itself.
 */
function isBetweenTwo(formula: Formula): boolean {
  const inputsOf = (of: "selected" | "followed") =>
    Object.entries(formula.inputs)
      .filter(([, spec]) => spec.of === of)
      .sort(([, a], [, b]) => compareText(a.quantity.join(), b.quantity.join()));
  const here = inputsOf("selected");
  const there = inputsOf("followed");
  if (there.length === 0 || here.length !== there.length) return false;
  if (!here.every(([, spec], i) => spec.quantity.join() === there[i]![1].quantity.join())) return false;
  const units = Object.fromEntries([...here, ...there].map(([name, spec]) => [name, spec.unit]));
  const value = compileNumeric(formula, units, formula.output.unit);
  const at = (part: number, inputs: typeof here) =>
    inputs.map(([, spec], i) => inside(spec.valid, part + 0.05 * i));
  return [
    [0.3, 0.6],
    [0.15, 0.72],
  ].every(([a, b]) => {
    const one = value([...at(a!, here), ...at(b!, there)]);
    const two = value([...at(b!, here), ...at(a!, there)]);
    return Math.abs(one - two) <= 1e-9 * Math.abs(one);
  });
}

/** A value at some part of a range. */
function inside([low, high]: readonly [number | null, number | null] = [null, null], part: number): number {
  const from = low ?? (high === null ? 1 : high - 1);
  return from + part * ((high ?? from + 1) - from);
}

interface Path {
  readonly steps: readonly AskStep[];
  readonly to: Table;
  readonly column: string;
}

function hopOf(formula: Formula, table: Table, { steps, to, column }: Path): Bound[] {
  const mixed = isMixed(formula);
  // Among peers both are of one kind, and a moon's sister is not its planet; nor is that the planet of its sister.
  if (mixed && (to === table || steps.length > 1) && !isBetweenTwo(formula)) return [];
  const inputs = bind(formula, (of) =>
    !mixed || of === "followed" ? ["followed", to] : ["selected", table],
  );
  return inputs === undefined ? [] : [{ formula, inputs, path: steps, reserved: column }];
}

/** No question is asked to go further than this. */
const MAX_STEPS = 2;

/** Paths of links and peers from a table, of at most two steps, of which one may be to a peer. */
function pathsOf(table: Table, catalog: Catalog): Path[] {
  const found: Path[] = [];
  let ends: Path[] = [{ steps: [], to: table, column: "" }];
  for (let length = 1; length <= MAX_STEPS; length++) {
    ends = ends.flatMap(({ steps, to, column }) =>
      stepsFrom(to, catalog)
        .filter(({ step }) => typeof step === "string" || !steps.some((s) => typeof s !== "string"))
        // The country of a peer in the same country is the country of the first one.
        .filter((next) => typeof next.step !== "string" || !sharesColumn(steps.at(-1), next.column))
        // Not back to where it came from: the country of a country's capital.
        .filter((next) => typeof next.step !== "string" || steps.length === 0 || next.to !== table)
        .map((next) => ({
          steps: [...steps, next.step],
          to: next.to,
          column: steps.length === 0 ? next.column : column,
        })),
    );
    found.push(...ends);
  }
  return found;
}

const sharesColumn = (step: AskStep | undefined, column: string): boolean =>
  typeof step === "object" && step.peers === column;

function stepsFrom(table: Table, catalog: Catalog): { step: AskStep; to: Table; column: string }[] {
  const links = Object.entries(table.card.links).flatMap(([step, { to, column }]) => {
    const there = catalog.tables.get(to);
    return there === undefined ? [] : [{ step, to: there, column }];
  });
  const chosen = [...table.columns.values()].some((c) => c.card.may.includes("select"));
  const peers = (chosen ? peerColumns(table) : []).map((column) => ({
    step: { peers: column },
    to: table,
    column,
  }));
  return [...links, ...peers];
}

/** Fewest entities that share a text for them to be peers, and fewest such texts for a column to be one of peers. */
const MIN_PEERS = 3;
const MIN_GROUPS = 3;

/**
 * Columns of texts that several entities share: those of links, and those that may filter, if the table holds all who share one.
 */
function peerColumns(table: Table): string[] {
  const linked = new Set(Object.values(table.card.links).map((l) => l.column));
  return [...table.columns.values()]
    .filter((c) => c.type === "text" && (linked.has(c.id) || c.card.may.includes("filter")))
    .map((c) => c.id)
    .filter((id) => {
      const where = [{ column: id, op: "eq" as const, value: "" }];
      if (incompleteness(table, completeClasses(table), { where }) !== undefined) return false;
      const sizes = [...indexOf(table).grouped(id).groups.values()].map(([low, high]) => high - low);
      return sizes.filter((size) => size >= MIN_PEERS).length >= MIN_GROUPS;
    });
}

/** A generic formula asked of each column that it fits. */
function genericOf(id: GenericId, table: Table): Bound[] {
  return [...table.columns.values()].flatMap(({ id: column, card }) => {
    if (!card.may.includes("compute")) return [];
    const formula = genericFormula(id, column, card, table.card.entity);
    return formula === undefined ? [] : [{ formula, inputs: genericInputs(id, column) }];
  });
}

function genericInputs(id: GenericId, column: string): Record<string, InputRef> {
  const of = (place: InputRef["of"], take?: Statistic): InputRef =>
    take === undefined ? { of: place, column } : { of: place, column, take };
  switch (id) {
    case "ratio":
    case "difference":
      return { first: of("selected"), second: of("other") };
    case "share":
      return { part: of("selected"), whole: of("candidates", "total") };
    case "times_mean":
      return { value: of("selected"), mean: of("candidates", "mean") };
    default:
      return { values: of("candidates", id) };
  }
}

/** Columns for a formula's inputs, where the tables have them. */
function bind(
  formula: Formula,
  place: (of: "selected" | "followed") => [InputRef["of"], Table],
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
  const fits = (card: ColumnCard, quantity: string) =>
    card.quantity === quantity && card.may.includes("compute");
  for (const quantity of quantities) {
    for (const column of table.columns.values()) if (fits(column.card, quantity)) return column;
  }
  return undefined;
}

/** The derived columns of a space: each formula with the first columns that fit. */
export function deriveOf(
  ids: readonly string[],
  table: Table,
  formulas: ReadonlyMap<string, Formula>,
): NonNullable<Program["derive"]> {
  const bound = ids.flatMap((id) => {
    const inputs = table.columns.has(id) ? undefined : plainOf(formulas.get(id)!, table)[0]?.inputs;
    if (inputs === undefined) return [];
    const columns = Object.entries(inputs).map(([name, { column }]) => [name, column] as const);
    return [[id, { formula: id, inputs: Object.fromEntries(columns) }] as const];
  });
  return Object.fromEntries(bound);
}
