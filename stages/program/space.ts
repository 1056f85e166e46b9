import { z } from "zod";
import { condition, identifier } from "../../sources/card.js";
import { completeClasses } from "../../sources/catalog.js";
import type { Catalog, Column, Table } from "../../sources/table.js";
import type { Formula } from "../formulas/formula.js";
import { type AskStep, type Asks, asksOf, deriveOf, formulasNamed } from "./asks.js";
import type { ChooseLimits } from "./choose.js";
import { type Clause, clauseOf } from "./clause.js";
import { type ConditionMaker, conditionMaker } from "./condition-maker.js";
import { catalogFor } from "./derived.js";
import { Positions } from "./positions.js";
import type { Program } from "./program.js";
import { derivedOf } from "./row.js";
import { Scene } from "./scene.js";
import { SceneChoice } from "./scene-choice.js";
import { indexOf } from "./table-index.js";

const percent = z.number().int().min(0).max(100);

/** A declared space of programs over one table. Everything not given is taken from the card and the built-in formulas. */
export const spaceSchema = z
  .strictObject({
    id: identifier,
    table: identifier,
    /** Formula ids, generic ones too; default: every formula whose inputs the table (or a followed one) has. */
    formulas: z.array(identifier).min(1).optional(),
    /** Columns to select by; default: all that may select. */
    select: z.array(identifier).min(1).optional(),
    /** Columns for conditions; default: all that may filter. */
    filter: z.array(identifier).min(1).optional(),
    /** Conditions of every program, at this threshold or a narrower one; default: those of one of the card's complete classes. */
    within: z.array(condition).optional(),
    /** Formula ids whose results are columns to select by and for conditions, computed for every row. */
    derive: z.array(identifier).default([]),
    orders: z
      .array(z.enum(["max", "min"]))
      .min(1)
      .default(["max", "min"]),
    ranks: z.array(z.number().int().min(1).max(20)).min(1).default([1, 1, 1, 2, 3]),
    /** How many conditions are drawn beside those of the complete class, each number as often as it is listed. */
    conditions: z.array(z.number().int().min(0).max(4)).min(1).default([0, 1, 1, 2, 2, 3]),
    /** How many of every hundred scenes go on to another entity, along links or to a peer, where a formula allows it. */
    hops: percent.default(30),
    /** How many of every hundred scenes compare two entities of the table. */
    compare: percent.default(15),
    /** How many of every hundred scenes take a figure of all candidates. */
    aggregates: percent.default(10),
    /** Share of the candidates that this space gets, relative to the others. */
    weight: z.number().int().positive().max(1000).default(1),
  })
  .describe("A space of programs: columns × conditions × formulas × forms × ranks");
export type Space = z.infer<typeof spaceSchema>;

/** A space made ready: everything that candidates are drawn from and judged with. */
export interface OpenSpace {
  readonly space: Space;
  /** With the space's derived columns. */
  readonly catalog: Catalog;
  readonly table: Table;
  readonly derive: NonNullable<Program["derive"]>;
  readonly asks: Asks;
  readonly select: readonly string[];
  readonly conditions: readonly ConditionMaker[];
  /** Conditions that programs start from; one list is drawn for each. */
  readonly classes: readonly (readonly Clause[])[];
  /** Most candidates that a figure may be taken of. */
  readonly maxMembers: number;
  /** Whether candidates may stand near a threshold, if they lose. */
  readonly mayBeNear: boolean;
  /** The present conjunction, and the selections under it. */
  readonly scene: Scene;
  readonly choice: SceneChoice;
  /** Those of a second entity. */
  second(): Pick<OpenSpace, "scene" | "choice">;
  /** Columns by which a peer may be chosen where a path leads. */
  peerSelects(path: readonly AskStep[]): readonly string[];
}

/** Prepares a space against the loaded tables. */
export function openSpace(
  space: Space,
  bare: Catalog,
  formulas: ReadonlyMap<string, Formula>,
  { max_members, near_threshold }: ChooseLimits,
): OpenSpace {
  const derive = deriveOf(space.derive, bare.tables.get(space.table)!, formulas);
  const catalog = extended(space.table, derive, bare, formulas);
  const table = catalog.tables.get(space.table)!;
  const index = indexOf(table);
  const select = space.select?.filter((id) => table.columns.has(id)) ?? columnsThatMay("select", table);
  const filter = space.filter?.filter((id) => table.columns.has(id)) ?? columnsThatMay("filter", table);
  const classes = space.within === undefined ? completeClasses(table).map((c) => c.where) : [space.within];
  const positions = new Positions(index, select);
  const present = () => {
    const scene = new Scene(index);
    return { scene, choice: new SceneChoice(scene, positions, Math.max(...space.ranks)) };
  };
  let second: ReturnType<typeof present> | undefined;
  return {
    space,
    catalog,
    table,
    derive,
    asks: asksOf(table, catalog, formulasNamed(space.formulas, formulas)),
    select,
    conditions: filter.flatMap((id) => conditionMaker(table, id) ?? []),
    classes: classes.map((where) => where.map((c) => clauseOf(c, index))),
    maxMembers: max_members,
    mayBeNear: near_threshold === "must_lose",
    ...present(),
    second: () => {
      second ??= present();
      return second;
    },
    peerSelects: (path) => columnsThatMay("select", endOf(path, table, catalog)),
  };
}

function extended(
  table: string,
  derive: NonNullable<Program["derive"]>,
  catalog: Catalog,
  formulas: ReadonlyMap<string, Formula>,
): Catalog {
  if (Object.keys(derive).length === 0) return catalog;
  return catalogFor({ program: { table, derive }, derived: derivedOf({ derive }, formulas) }, catalog);
}

function columnsThatMay(role: "filter" | "select", table: Table): string[] {
  const isOrdered = ({ type }: Column) => type === "number" || type === "integer";
  return [...table.columns.values()]
    .filter((c) => c.card.may.includes(role) && (role === "filter" || isOrdered(c)))
    .map((c) => c.id);
}

function endOf(path: readonly AskStep[], from: Table, catalog: Catalog): Table {
  return path.reduce(
    (table, step) => (typeof step === "string" ? catalog.tables.get(table.card.links[step]!.to)! : table),
    from,
  );
}
