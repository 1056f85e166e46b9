import { canonicalJson, compareText } from "../../pipeline/base/canonical.js";
import type { Card, ColumnCard } from "../../sources/card.js";
import type { Catalog, Table } from "../../sources/table.js";
import type { Formula } from "../formulas/formula.js";
import { isGeneric } from "../formulas/generic.js";
import { builtinFormulas } from "../formulas/index.js";
import type { Computable } from "../formulas/numeric.js";
import { derivedCard } from "../program/derived.js";
import type { Derive } from "../program/program.js";
import { derivable, formulasKnownTo } from "../program/reading.js";
import type { ProgramRow } from "../task.js";

/**
 * The sources as a reader of questions sees them: tables, columns, links and formulas with their phrases, and the words that nominal
 * columns hold. No entity and no figure. The same text for every row of a run, unless a row's formula is the config's own.
 */
export function publicSchema(
  catalog: Catalog,
  row: Pick<ProgramRow, "program" | "formula" | "derived">,
): string {
  const formulas = readable(catalog, row);
  const { table, derive } = row.program;
  const key = canonicalJson([formulas.map((f) => f.id), derive === undefined ? null : [table, derive]]);
  let texts = known.get(catalog);
  if (texts === undefined) {
    texts = new Map();
    known.set(catalog, texts);
  }
  let text = texts.get(key);
  if (text === undefined) {
    const own = formulasKnownTo(row);
    const tables = [...catalog.tables.values()].map((t) =>
      tableText(t, derivable(t, own, t.id === table ? derive : undefined), own),
    );
    text = ["Tables", ...tables, "Formulas", ...formulas.map(formulaText), ...GENERIC_TEXTS].join("\n");
    texts.set(key, text);
  }
  return text;
}

const known = new WeakMap<Catalog, Map<string, string>>();

/** Formulas that may be asked of any column fit for them. */
const GENERIC_TEXTS = [
  "- formula ratio: how many times as large one entity's value is as another's; inputs: first, second (the same column of two entities, first over second); a pure number",
  "- formula difference: how far two entities' values lie apart; inputs: first, second (the same column of two entities)",
  "- formula total, mean or median: of a column over all candidates; inputs: values (of candidates, take: total, mean or median)",
  "- formula share: what part of the candidates' total is the entity's own; inputs: part (of the entity), whole (of candidates, take: total); a pure number or percent",
  "- formula times_mean: an entity's value over the mean of the candidates; inputs: value (of the entity), mean (of candidates, take: mean); a pure number",
];

function tableText(table: Table, derive: Derive, formulas: ReadonlyMap<string, Formula>): string {
  const { id, card } = table;
  const { singular, plural, scope } = card.entity;
  const columns = Object.entries(card.columns).filter(([, c]) => c.may.length > 0 || c.phrase !== undefined);
  const made = Object.keys(derive).map((name) =>
    derivedText(name, derivedCard(card, derive, formulasBy(derive, formulas))),
  );
  const links = Object.entries(card.links).map(
    ([name, link]) =>
      `  link ${name}: leads to ${link.to}, ${link.phrase.replaceAll("{it}", `the ${singular}`)}`,
  );
  const head = `- table ${id}: one row for each ${singular} (${plural}${scope === "" ? "" : ` ${scope}`})`;
  return [head, ...columns.map(([name, c]) => columnText(name, c, table, card)), ...made, ...links].join(
    "\n",
  );
}

const formulasBy = (derive: Derive, formulas: ReadonlyMap<string, Formula>) =>
  Object.fromEntries(Object.entries(derive).map(([id, d]) => [id, formulas.get(d.formula)!]));

/** A column that is computed: for conditions and choices only. */
function derivedText(name: string, { columns }: Card): string {
  const { unit = "1", phrase } = columns[name]!;
  const definition = phrase?.definition === undefined ? "" : `, ${phrase.definition}`;
  return `  ${name}: computed, ${unit === "1" ? "pure number" : `number in ${unit}`}; ${phrase!.noun}${definition}`;
}

function columnText(name: string, column: ColumnCard, table: Table, card: Card): string {
  const { phrase } = column;
  const noun = phrase?.noun ?? name.replaceAll("_", " ");
  const said = [
    ...(phrase?.definition === undefined ? [] : [phrase.definition]),
    ...(["max", "min"] as const).flatMap((o) =>
      phrase?.[o] === undefined ? [] : [`${o}: ${phrase[o].join(", ")}`],
    ),
  ];
  const more = said.length === 0 ? "" : `; ${said.join("; ")}`;
  return `  ${name}: ${kindText(name, column, table, card)}; ${noun}${more}`;
}

function kindText(name: string, { type, unit = "1", phrase }: ColumnCard, table: Table, card: Card): string {
  switch (type) {
    case "number":
      return unit === "1" ? "pure number" : `number in ${unit}`;
    case "integer":
      return unit === "1" ? "whole number" : `whole number in ${unit}`;
    case "flag":
      return `yes/no${phrase?.true === undefined ? "" : `, yes: ${phrase.true.join(" / ")}`}${
        phrase?.false === undefined ? "" : `, no: ${phrase.false.join(" / ")}`
      }`;
    case "text":
      return `text${vocabulary(name, table, card)}`;
  }
}

/** A column with more different texts than this holds names or notes, no classes. */
const CLASSES = 60;

/** Values with their phrases; what names the entities is no vocabulary. */
function vocabulary(name: string, table: Table, card: Card): string {
  const phrases = card.columns[name]!.phrase?.values;
  const say = (value: string) => {
    const own = phrases?.[value];
    return own === undefined ? JSON.stringify(value) : `${JSON.stringify(value)} (${own.join(" / ")})`;
  };
  const column = table.columns.get(name);
  if (name === card.key || name === card.name || column?.type !== "text") return "";
  const values = new Set([...Object.keys(phrases ?? {}), ...column.values.filter((v) => v !== null)]);
  if (values.size > CLASSES) return "";
  return `, one of ${[...values].sort(compareText).map(say).join(", ")}`;
}

/** Formulas that could be asked of these tables: each input has a column of its quantity somewhere. */
function readable(catalog: Catalog, { formula: own }: Pick<ProgramRow, "formula">): Computable[] {
  const cards = [...catalog.tables.values()].map((t) => t.card);
  const quantities = new Set(cards.flatMap((c) => Object.values(c.columns).flatMap((k) => k.quantity ?? [])));
  const fits = (f: Computable) =>
    Object.values(f.inputs).every((i) => i.quantity.some((q) => quantities.has(q)));
  const others = [...builtinFormulas.values()].filter((f) => f.id !== own.id && fits(f));
  return [...others, ...(isGeneric(own.id) ? [] : [own])].sort((a, b) => compareText(a.id, b.id));
}

function formulaText({ id, noun, definition = "", inputs, exact }: Computable): string {
  const named = definition.replace(/\{([a-z][a-z0-9_-]*)\}/g, (slot, name: string) =>
    Object.hasOwn(inputs, name) ? inputs[name]!.noun : slot,
  );
  const list = Object.entries(inputs).map(
    ([name, i]) => `${name} (${i.noun}, ${i.unit === "1" ? "pure number" : `as ${i.unit}`})`,
  );
  const what = named === "" ? noun : `${noun}, ${named}`;
  return `- formula ${id}: ${what}; inputs: ${list.join(", ")}${exact ? "; exact integer" : ""}`;
}
