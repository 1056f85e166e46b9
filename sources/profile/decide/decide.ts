import type { ColumnProfile } from "../column.js";
import type { FileProfile } from "../profile.js";
import type { Hint } from "./commas.js";
import { companionsOf } from "./companions.js";
import { check, type Decision, type Note, note } from "./decision.js";
import { type Keys, keysOf, type ToldNames } from "./keys.js";
import { kindOf } from "./kind.js";
import { numeric } from "./numeric.js";
import type { KnownQuantity } from "./quantity.js";
import type { Task } from "./task.js";
import { flagOf, namingNotes, nominal, textual } from "./worded.js";
import { callingOf } from "./words.js";

/** What is made of a profile: a decision for each column, in the order of the file, and what names the records. */
export interface Decisions {
  readonly columns: readonly Decision[];
  readonly keys: Keys;
}

export function decide(
  profile: FileProfile,
  known: readonly KnownQuantity[],
  told: ToldNames = {},
): Decisions {
  const keys = keysOf(profile.columns, told);
  const companions = companionsOf(profile.columns);
  const called = callingOf(profile.layout.fields);
  const places = ["latitude", "longitude"].every((word) =>
    called.some(({ noun }) => noun.toLowerCase().includes(word)),
  );
  const hint = hintOf(profile);
  const countries = isOfCountries(profile, keys, told.entity);
  const columns = profile.columns.map((column, i) => {
    const field = profile.layout.fields[i]!;
    const decision = decideColumn({
      column,
      field,
      called: called[i]!,
      keys,
      companions,
      known,
      places,
      hint,
      countries,
    });
    return { ...decision, notes: [...decision.notes, ...nounNotes(decision)] };
  });
  return { columns, keys };
}

/** "Opened" and "discovered by" name nothing that could be largest, or earliest. */
function nounNotes({ noun, may, type }: Decision): Note[] {
  if (may.length === 0 || type === "flag" || !PARTICIPLE.test(noun)) return [];
  const text = `"${noun}" is no noun: a question says "with the largest NOUN" ("opened" is the "year of opening")`;
  return [check("noun_participle", text)];
}

const PARTICIPLE =
  /^(?:\p{L}{3,}(?<!e)ed|built|known|born|made|found|given|seen|begun|written|sunk|lost)(?: (?:by|in|on|at|from|to|of|for|since)(?: .*)?)?$/iu;

function isOfCountries({ file }: FileProfile, { key, name }: Keys, entity: string | undefined): boolean {
  return [file, key, name, entity].some(
    (text) => text !== undefined && /countr(?:y|ies)|nations?/i.test(text),
  );
}

/** Decimal commas in a column say something of the marks in others; semicolons between fields a little. */
function hintOf({ columns, layout: { read } }: FileProfile): Hint {
  const commas = (c: FileProfile["columns"][number]): number =>
    (c.forms.decimal_comma ?? 0) + (c.forms.dot_grouped ?? 0);
  const sure = columns.some((c) => commas(c) > 0 && commas(c) * 2 >= c.dots[0] && kindOf(c) === "number");
  if (sure) return "commas";
  return "delimiter" in read && read.delimiter === ";" ? "semicolons" : undefined;
}

function decideColumn(task: Task): Decision {
  const { column, field, called, keys, companions } = task;
  const kind = kindOf(column);
  const base = { field: field.name, ...called, trim: column.padded > 0 };
  const notes: Note[] =
    column.padded === 0 ? [] : [note("padded", `${column.padded} cells have spaces around them`)];
  if (companions.fields.has(field.name)) return textual({ ...base, role: "companion", notes }, column);
  if (kind === "empty")
    return textual({ ...base, role: "empty", notes: [note("empty", "no record has a value")] }, column);
  if (field.name === keys.key || field.name === keys.name) {
    const role = field.name === keys.key ? "key" : "name";
    return textual({ ...base, role, notes: [...notes, ...namingNotes(column)] }, column);
  }
  if (kind === "flag") return flagOf(base, column, notes);
  if (kind === "number" && !isReference(column, field.name)) return numeric(task, base, notes);
  return nominal(base, column, notes, kind === "number");
}

/** Whole numbers under a name such as airport_ref or kepid lead somewhere, and measure nothing. */
function isReference(column: ColumnProfile, name: string): boolean {
  return (
    column.whole === column.numbers &&
    /(?:^|[_\s])(?:id|ref|code|zip|postcode|fk)$|[a-z]Id$|^[a-z]{2,6}id$/.test(name)
  );
}
