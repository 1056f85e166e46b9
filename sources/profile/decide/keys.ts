import type { ColumnProfile } from "../column.js";
import { kindOf } from "./kind.js";

/** What names the records. */
export interface Keys {
  /** Field of the key; undefined where no column is one. */
  readonly key: string | undefined;
  /** Field of the names in prose. */
  readonly name: string | undefined;
  /** How many records cannot be told apart by the key. */
  readonly doubtful: "unique" | "repeats" | "none";
  readonly said: readonly string[];
}

const NAME = /(?:^|[_\s.])(?:name|names|title|label|designation|full_name|fullname)$|^planet$|^species$/i;
const ID =
  /(?:^|[_\s.@])(?:id|key|code|ident|identifier|symbol|number|no|iata|icao|cas|gec|iso|tailnum|hagrid|kepid|name)$|^@id$|ID$/;

/** The key is a column of distinct texts that no record lacks: one that names entities before one that numbers them. */
export function keysOf(columns: readonly ColumnProfile[]): Keys {
  const usable = columns.filter((c) => isNaming(c));
  const complete = usable.filter((c) => c.absent + c.empty === 0);
  const unique = complete.filter((c) => c.unique);
  const name = bestName(usable);
  const key = best(unique, name?.field);
  const said: string[] = [];
  if (key !== undefined) {
    said.push(`key: \`${key.field}\` (${key.records} records, all different)`);
    for (const other of unique) if (other !== key) said.push(`\`${other.field}\` is unique too`);
    for (const c of complete) if (!c.unique && looksLikeKey(c)) said.push(noKey(c));
    return { key: key.field, name: (name ?? key).field, doubtful: "unique", said };
  }
  const nearly = complete.filter((c) => looksLikeKey(c) && (c.distinct ?? 0) >= c.records * 0.9)[0];
  if (nearly !== undefined) {
    said.push(noKey(nearly), `key: \`${nearly.field}\` all the same; records that share one are left out`);
    return { key: nearly.field, name: (name ?? nearly).field, doubtful: "repeats", said };
  }
  said.push(
    "key: none (no column of distinct texts that every record has): records go by their number, and are not public",
  );
  return { key: undefined, name: name?.field, doubtful: "none", said };
}

function noKey({ field, repeated, distinct, records }: ColumnProfile): string {
  const seen = repeated === null ? "" : `: "${repeated.text}" comes again in record ${repeated.record}`;
  return `\`${field}\` looks like a key and is none (${distinct ?? "many"} texts in ${records} records${seen})`;
}

/** Texts, or whole numbers that may be one; measurements and years are not. */
function isNaming(column: ColumnProfile): boolean {
  const kind = kindOf(column);
  if (kind === "text") return column.longest <= 200;
  return kind === "number" && column.whole === column.numbers && column.texts === 0 && ID.test(column.field);
}

const looksLikeKey = (column: ColumnProfile): boolean => ID.test(column.field) || NAME.test(column.field);

function bestName(columns: readonly ColumnProfile[]): ColumnProfile | undefined {
  const named = columns.filter((c) => NAME.test(c.field) && kindOf(c) === "text");
  return named.sort((a, b) => filled(b) - filled(a))[0];
}

const filled = (column: ColumnProfile): number => column.distinct ?? column.records;

function best(unique: readonly ColumnProfile[], name: string | undefined): ColumnProfile | undefined {
  const score = (c: ColumnProfile): number =>
    (c.field === name ? 8 : 0) +
    (ID.test(c.field) ? 4 : 0) +
    (kindOf(c) === "text" ? 2 : 0) +
    (c === unique[0] ? 1 : 0);
  return [...unique].sort((a, b) => score(b) - score(a))[0];
}
