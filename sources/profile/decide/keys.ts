import type { ColumnProfile } from "../column.js";
import { unitInName, unitOf } from "../unit-text.js";
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

const NAME =
  /(?:^|[_\s.])(?:name|names|title|label|designation|full_name|fullname|name\.(?:common|short|en|english))$|^planet$|^species$/i;
const ID =
  /(?:^|[_\s.@])(?:id|key|code|ident|identifier|symbol|number|no|iata|icao|cas|gec|iso|tailnum|hagrid|kepid|name)$|^@id$|ID$/;

/** What a user has said of names. */
export interface ToldNames {
  readonly key?: string | undefined;
  readonly name?: string | undefined;
  /** What one record is. */
  readonly entity?: string | undefined;
}

/** The key is a column of distinct texts that no record lacks: one that names entities before one that numbers them. */
export function keysOf(columns: readonly ColumnProfile[], told: ToldNames = {}): Keys {
  const usable = columns.filter((c) => isNaming(c));
  const name = columns.find((c) => c.field === told.name) ?? bestName(usable);
  const given = columns.find((c) => c.field === told.key);
  if (given !== undefined) return keyAsTold(given, name);
  const complete = usable.filter((c) => c.absent + c.empty === 0);
  const unique = complete.filter((c) => c.unique);
  const nearly = nearlyKey(columns, complete);
  const key = best(unique, name?.field);
  // A first column of names that nearly does before any later one that only happens to be unique.
  if (key !== undefined && (nearly === undefined || looksLikeKey(key) || isBefore(columns, key, nearly)))
    return uniqueKey(key, name, unique, complete, nearly);
  if (nearly !== undefined) {
    const said = [noKey(nearly), ...repeatsSaid(nearly)];
    return { key: nearly.field, name: (name ?? nearly).field, doubtful: "repeats", said };
  }
  const said = [
    "key: none (no column of distinct texts that every record has): records go by their number, and are not public",
  ];
  return { key: undefined, name: name?.field, doubtful: "none", said };
}

function uniqueKey(
  key: ColumnProfile,
  name: ColumnProfile | undefined,
  unique: readonly ColumnProfile[],
  complete: readonly ColumnProfile[],
  nearly: ColumnProfile | undefined,
): Keys {
  const said = [`key: \`${key.field}\` (${key.records} records, all different)`];
  for (const other of unique) if (other !== key) said.push(`\`${other.field}\` is unique too`);
  for (const c of complete) if (!c.unique && (looksLikeKey(c) || c === nearly)) said.push(noKey(c));
  return { key: key.field, name: (name ?? key).field, doubtful: "unique", said };
}

/** A user's key holds, whatever it does: what it does is said. */
function keyAsTold(given: ColumnProfile, name: ColumnProfile | undefined): Keys {
  const said = [`key: \`${given.field}\`, as you say`];
  const lacking = given.absent + given.empty;
  if (lacking > 0) said.push(`CHECK: ${lacking} records have no \`${given.field}\``);
  if (!given.unique) said.push(noKey(given), ...repeatsSaid(given));
  const doubtful = given.unique ? "unique" : "repeats";
  return { key: given.field, name: (name ?? given).field, doubtful, said };
}

function repeatsSaid({ field }: ColumnProfile): string[] {
  return [
    `key: \`${field}\` all the same`,
    `CHECK: records that share one are left out (\`on_duplicate_key: reject_row\`); a joined key tells them apart: a column with \`from: { join: [${field}, ANOTHER FIELD], with: " / " }\` as \`key\``,
  ];
}

/** The first column of texts, or one that is called like a key, where at least nine of ten texts are different. */
function nearlyKey(
  columns: readonly ColumnProfile[],
  complete: readonly ColumnProfile[],
): ColumnProfile | undefined {
  const first = columns.find((c) => kindOf(c) === "text" && !isMeasureLike(c));
  const nearly = (c: ColumnProfile): boolean => !c.unique && (c.distinct ?? 0) >= c.records * 0.9;
  return complete.find((c) => nearly(c) && (c === first || looksLikeKey(c)));
}

function isBefore(columns: readonly ColumnProfile[], a: ColumnProfile, b: ColumnProfile): boolean {
  return columns.indexOf(a) < columns.indexOf(b);
}

function noKey({ field, repeats, distinct, records }: ColumnProfile): string {
  const listed = repeats.map((r) => `${r.text} (rows ${r.records.join(", ")})`).join("; ");
  const seen = listed === "" ? "" : `; repeated: ${listed}`;
  return `\`${field}\` looks like a key and is none: ${distinct ?? "many"} of ${records} distinct${seen}`;
}

/** Texts, or whole numbers that may be one; measurements and years are not. */
function isNaming(column: ColumnProfile): boolean {
  const kind = kindOf(column);
  if (kind === "text") return column.longest <= 200 && !isMeasureLike(column);
  return kind === "number" && column.whole === column.numbers && column.texts === 0 && ID.test(column.field);
}

const DATE =
  /^(?:\d{4}[-/.]\d{1,2}(?:[-/.]\d{1,2}.*)?|\d{1,2}[-/. ]+(?:\d{1,2}|\p{L}{3,9})[-/., ]+\d{2,4}|\p{L}{3,9}\.? (?:\d{1,2}, )?\d{4})$/u;
const FIGURE = /^[~<>≈±$€£+\-\u2212]*\s*\d[\d.,\s\u2012-\u2015-]*(.*)$/u;

/** Texts that measure or date, and name nothing: "1,410 m (4,626 ft)", "12 May 1981". */
export function isMeasureLike(column: ColumnProfile): boolean {
  if (kindOf(column) !== "text") return false;
  if (unitInName(column.field) !== undefined) return true;
  if (looksLikeKey(column) || column.leadingZeros > 0 || column.frequent.length === 0) return false;
  return column.frequent.filter((f) => isFigure(f.text.trim())).length * 2 > column.frequent.length;
}

function isFigure(text: string): boolean {
  const bare = text.replace(/\s*[([][^)\]]*[)\]]/g, "").trim();
  if (DATE.test(bare)) return true;
  const behind = FIGURE.exec(bare)?.[1]?.trim();
  return behind !== undefined && (behind === "" || unitOf(behind) !== undefined);
}

const looksLikeKey = (column: ColumnProfile): boolean => ID.test(column.field) || NAME.test(column.field);

/** A name that most records lack names nothing: they would all go by their key. */
function bestName(columns: readonly ColumnProfile[]): ColumnProfile | undefined {
  const most = (c: ColumnProfile): boolean => (c.absent + c.empty) * 2 < c.records;
  const named = columns.filter((c) => NAME.test(c.field) && kindOf(c) === "text" && most(c));
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
