import type { Card } from "./card.js";
import type { Column, Table } from "./table.js";

/** A table as read back, before its entities have names. */
export interface UnnamedTable {
  readonly id: string;
  readonly card: Card;
  readonly hash: string;
  readonly rows: number;
  readonly keys: string[];
  readonly records: Int32Array;
  readonly columns: readonly Column[];
  readonly leftOut: readonly number[] | undefined;
}

/** A column or, with a dot, a column of the table behind a link. */
interface Reference {
  readonly link: string | undefined;
  readonly column: string;
}

/** A template is literal texts with references between them: `{symbol}-{number}`, `{planet.name} {numeral}`. */
export type Template = readonly (string | Reference)[];

/** Reads a template; text without braces is the name of a column. */
export function parseTemplate(text: string): Template {
  if (!text.includes("{")) return [reference(text)];
  return text
    .split(/\{([^{}]*)\}/)
    .map((part, i) => (i % 2 === 0 ? part : reference(part)))
    .filter((part) => part !== "");
}

function reference(text: string): Reference {
  const dot = text.indexOf(".");
  return dot < 0
    ? { link: undefined, column: text }
    : { link: text.slice(0, dot), column: text.slice(dot + 1) };
}

/** Whether braces are left over when the references are taken out: one that never closes, one too many. */
export function hasStrayBrace(text: string): boolean {
  return parseTemplate(text).some((part) => typeof part === "string" && /[{}]/.test(part));
}

/** The references of a template, for checking a card. */
export function referencesOf(text: string): readonly { link: string | undefined; column: string }[] {
  return parseTemplate(text).filter((part) => typeof part !== "string");
}

/** Gives every entity its name and aliases, following links between the tables. */
export function nameTables(bare: ReadonlyMap<string, UnnamedTable>): Map<string, Table> {
  const lookup = new Lookup(bare);
  return new Map([...bare].map(([id, table]) => [id, nameTable(table, lookup)]));
}

function nameTable(table: UnnamedTable, lookup: Lookup): Table {
  const { card, rows } = table;
  const template = parseTemplate(card.name);
  const names = table.keys.map((key, row) => lookup.fill(table, row, template) ?? key);
  const others = card.aliases.map((alias) =>
    typeof alias === "string"
      ? { template: parseTemplate(alias), split: undefined }
      : { template: parseTemplate(alias.column), split: alias.split },
  );
  const aliases = names.map((name, row) => {
    const texts = others.flatMap(({ template, split }) => {
      const text = lookup.fill(table, row, template);
      if (text === undefined) return [];
      return split === undefined ? [text] : text.split(split);
    });
    return [...new Set(texts.map((t) => t.trim()))].filter((t) => t !== "" && t !== name);
  });
  const rowOf = lookup.rowIndex(table.id);
  return {
    id: table.id,
    card,
    hash: table.hash,
    rows,
    keys: table.keys,
    names,
    aliases,
    records: table.records,
    leftOut: table.leftOut,
    columns: new Map(table.columns.map((c) => [c.id, c])),
    rowOf: (key) => rowOf.get(key),
  };
}

/**
 * Rows that are called by their key as their name is not known, in part or whole. A part of another table counts where that was loaded.
 */
export function namelessRows(
  { card, rows, names, keys, columns }: Table,
  linked: ReadonlySet<string>,
): number[] {
  const references = referencesOf(card.name);
  const lacks = (row: number): boolean =>
    references.some(({ link, column }) =>
      link === undefined
        ? cellText(columns.get(column), row) === undefined
        : linked.has(card.links[link]?.to ?? ""),
    );
  return Array.from({ length: rows }, (_, row) => row).filter(
    (row) => names[row] === keys[row] && lacks(row),
  );
}

class Lookup {
  private readonly indexes = new Map<string, ReadonlyMap<string, number>>();
  private readonly columns = new Map<UnnamedTable, ReadonlyMap<string, Column>>();

  constructor(private readonly tables: ReadonlyMap<string, UnnamedTable>) {}

  rowIndex(id: string): ReadonlyMap<string, number> {
    let index = this.indexes.get(id);
    if (index === undefined) {
      index = new Map(this.tables.get(id)!.keys.map((key, row) => [key, row]));
      this.indexes.set(id, index);
    }
    return index;
  }

  /** The template's text for a row, undefined when any part of it is unknown. */
  fill(table: UnnamedTable, row: number, template: Template): string | undefined {
    let text = "";
    for (const part of template) {
      const filled = typeof part === "string" ? part : this.resolve(table, row, part);
      if (filled === undefined) return undefined;
      text += filled;
    }
    text = text.trim();
    return text === "" ? undefined : text;
  }

  private resolve(table: UnnamedTable, row: number, ref: Reference): string | undefined {
    if (ref.link === undefined) return cellText(this.column(table, ref.column), row);
    const link = table.card.links[ref.link];
    const to = link === undefined ? undefined : this.tables.get(link.to);
    if (link === undefined || to === undefined) return undefined;
    const key = cellText(this.column(table, link.column), row);
    const there = key === undefined ? undefined : this.rowIndex(to.id).get(key);
    return there === undefined ? undefined : cellText(this.column(to, ref.column), there);
  }

  private column(table: UnnamedTable, id: string): Column | undefined {
    let columns = this.columns.get(table);
    if (columns === undefined) {
      columns = new Map(table.columns.map((c) => [c.id, c]));
      this.columns.set(table, columns);
    }
    return columns.get(id);
  }
}

function cellText(column: Column | undefined, row: number): string | undefined {
  if (column === undefined) return undefined;
  if (column.type === "text") return column.values[row] ?? undefined;
  if (column.type === "flag")
    return column.values[row] === 2 ? undefined : column.values[row] === 1 ? "yes" : "no";
  const value = column.values[row]!;
  return Number.isNaN(value) ? undefined : String(value);
}
