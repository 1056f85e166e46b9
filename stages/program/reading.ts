import { z } from "zod";
import type { Problem } from "../../pipeline/base/errors.js";
import type { Card } from "../../sources/card.js";
import type { Catalog, Table } from "../../sources/table.js";
import type { Formula } from "../formulas/formula.js";
import { isGeneric } from "../formulas/generic.js";
import { builtinFormulas } from "../formulas/index.js";
import type { ProgramRow } from "../task.js";
import { deriveOf } from "./asks.js";
import { checkProgram } from "./check.js";
import type { Meaning } from "./compare-run.js";
import { derivedCard } from "./derived.js";
import { formulaOf } from "./formula-of.js";
import { type Derive, programSchema, STATISTICS } from "./program.js";
import { conditionRead, type ReadCondition, readCondition } from "./reading-conditions.js";
import { derivedOf } from "./row.js";

/**
 * The form that a reader fills in: a program without unions and open records, as endpoints that take a JSON schema want it.
 * All of it is untrusted.
 */
const readSelect = { column: z.string(), order: z.enum(["max", "min"]), rank: z.number() };

export const readingSchema = z.strictObject({
  table: z.string(),
  where: z.array(readCondition),
  /** An empty column where nobody is chosen and all candidates are taken together. */
  select: z.strictObject(readSelect),
  /** Steps to other entities: a link, or a column that peers share and how one of them is chosen; what is not used is empty. */
  follow: z.array(z.strictObject({ link: z.string(), peers: z.string(), ...readSelect })),
  /** A second entity of the table; an empty column for none. */
  other: z.strictObject({ where: z.array(readCondition), ...readSelect }),
  formula: z.string(),
  inputs: z.array(
    z.strictObject({
      name: z.string(),
      of: z.enum(["selected", "followed", "other", "candidates"]),
      column: z.string(),
      take: z.enum(["none", ...STATISTICS]),
    }),
  ),
  unit: z.string(),
  /** 0 for an exact integer. */
  digits: z.number(),
});
export type Reading = z.infer<typeof readingSchema>;

export interface ReadProgram extends Meaning {
  readonly formula: Formula;
  /** Figures asked for as read: 0 where the question asks for none. */
  readonly digits: number;
}

/** What a reading is read against. */
export interface Known {
  readonly catalog: Catalog;
  readonly formulas: ReadonlyMap<string, Formula>;
  /** Derived columns of the row's own program, which may be bound otherwise than by rule. */
  readonly derive: Derive | undefined;
}

/** The built-in formulas and the row's own, which a config may have brought. Generic ones are made for the column that is read. */
export function formulasKnownTo({
  formula,
  derived = {},
}: Pick<ProgramRow, "formula" | "derived">): ReadonlyMap<string, Formula> {
  const known = new Map(builtinFormulas);
  for (const own of [formula, ...Object.values(derived)])
    if (!isGeneric(own.id)) known.set(own.id, { ...own, anchors: [] });
  return known;
}

/** The program that a reading says, or why it says none. Numbers come out in their columns' units. */
export function programRead(reading: Reading, known: Known): ReadProgram | { problems: Problem[] } {
  const { catalog, formulas } = known;
  const table = catalog.tables.get(reading.table);
  if (table === undefined) return { problems: [unknown("table", reading.table)] };
  const derive = derivedIn(reading, derivable(table, formulas, known.derive));
  const derived = derivedOf({ derive }, formulas);
  const cards = new Map([...catalog.tables].map(([id, t]) => [id, t.card]));
  cards.set(table.id, derivedCard(table.card, derive, derived ?? {}));
  const missing = unknownNames(reading, cards);
  if (missing.length > 0) return { problems: missing };
  const problems: Problem[] = [];
  const parsed = programSchema.safeParse(written(reading, cards.get(table.id)!, derive, formulas, problems));
  if (!parsed.success) {
    const issues = parsed.error.issues.map((i) => ({
      code: "no_program",
      message: `${i.path.join(".")}: ${i.message}`,
    }));
    return { problems: [...problems, ...issues] };
  }
  const program = parsed.data;
  if (problems.length === 0)
    problems.push(...checkProgram(program, new Map([...cards, [table.id, table.card]]), formulas));
  if (problems.length > 0) return { problems };
  const formula = formulaOf(program, formulas, cards)!;
  return { program, formula, derived, digits: reading.digits };
}

/** The reading in the form of a program, not yet checked. */
function written(
  reading: Reading,
  card: Card,
  derive: Derive | undefined,
  formulas: ReadonlyMap<string, Formula>,
  problems: Problem[],
): object {
  const { other, follow } = reading;
  const conditions = (where: readonly ReadCondition[], path: string[]) =>
    where.flatMap((c, i) => conditionRead(c, card.columns[c.column]!, [...path, i], problems));
  const select = ({ column, order, rank }: Reading["select"]) => ({ column, order, rank });
  const formula = formulas.get(reading.formula);
  return {
    table: reading.table,
    ...(derive === undefined ? {} : { derive }),
    where: conditions(reading.where, ["where"]),
    ...(reading.select.column === "" ? {} : { select: select(reading.select) }),
    ...(follow.length === 0
      ? {}
      : { follow: follow.map((s) => (s.peers === "" ? s.link : { peers: s.peers, select: select(s) })) }),
    ...(other.column === ""
      ? {}
      : { other: { where: conditions(other.where, ["other", "where"]), select: select(other) } }),
    compute: {
      formula: reading.formula,
      inputs: Object.fromEntries(
        reading.inputs.map(({ name, take, ...ref }) => [name, take === "none" ? ref : { ...ref, take }]),
      ),
      unit: reading.unit.trim() === "" ? "1" : reading.unit.trim(),
      // How many figures an exact integer has nobody asks.
      digits:
        reading.digits === 0 || formula?.exact === true
          ? (formula?.digits ?? GENERIC_DIGITS)
          : reading.digits,
    },
  };
}

const GENERIC_DIGITS = 3;

/** Columns that a table does not have but formulas give, by the formula's id: by rule, and as the row's own program binds them. */
export function derivable(
  table: Table,
  formulas: ReadonlyMap<string, Formula>,
  own: Derive | undefined,
): Derive {
  const byRule = deriveOf([...formulas.keys()], table, formulas);
  const fits = Object.entries(own ?? {}).filter(
    ([id, d]) => !table.columns.has(id) && Object.values(d.inputs).every((c) => table.columns.has(c)),
  );
  return { ...byRule, ...Object.fromEntries(fits) };
}

/** The derived columns that a reading names. */
function derivedIn({ where, select, other, follow }: Reading, known: Derive): Derive | undefined {
  const named = new Set([...where, select, ...other.where, other, ...follow].map((c) => c.column));
  const used = Object.entries(known).filter(([id]) => named.has(id));
  return used.length === 0 ? undefined : Object.fromEntries(used);
}

/** Names are looked up in plain objects later on: only own members count, so `constructor` is no column. */
function unknownNames(reading: Reading, cards: ReadonlyMap<string, Card>): Problem[] {
  const { where, select, other, follow, inputs } = reading;
  const card = cards.get(reading.table)!;
  const has = (column: string, at: Card | undefined) => at !== undefined && Object.hasOwn(at.columns, column);
  const chosen = [select.column, other.column].filter((c) => c !== "");
  const named = [...where, ...(other.column === "" ? [] : other.where)].map((c) => c.column);
  const columns = [...named, ...chosen].filter((c) => !has(c, card));
  let here: Card | undefined = card;
  for (const step of follow) {
    if (step.peers !== "") {
      columns.push(...[step.peers, step.column].filter((c) => !has(c, here)));
      continue;
    }
    if (here === undefined || !Object.hasOwn(here.links, step.link)) return [unknown("link", step.link)];
    here = cards.get(here.links[step.link]!.to);
  }
  const read = inputs.filter((i) => !has(i.column, i.of === "followed" ? here : card)).map((i) => i.column);
  return [...columns, ...read].map((c) => unknown("column", c));
}

function unknown(what: string, name: string): Problem {
  return { code: `unknown_${what}`, message: `there is no ${what} \`${name.slice(0, 80)}\`` };
}
