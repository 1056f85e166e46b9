import type { ColumnProfile } from "../column.js";

/** Columns that say something of another one, by their names. */
export interface Companions {
  /** Field with the uncertainty of a column, and the fields of lower ones that cards have no place for. */
  readonly errors: ReadonlyMap<string, readonly string[]>;
  /** Field that says whether the value is a limit. */
  readonly limits: ReadonlyMap<string, string>;
  readonly units: ReadonlyMap<string, string>;
  readonly kinds: ReadonlyMap<string, string>;
  /** All of these fields. */
  readonly fields: ReadonlySet<string>;
}

const ERROR_AFTER =
  /^[_\s-]*(?:err(?:or)?(?:[_\s]?(?:1|2|max|min|plus|minus|upper|lower|p|m))?|unc(?:ertainty)?|sigma|stderr|se|sd|std|u|e)$/i;
const ERROR_BEFORE = /^(?:err(?:or)?|unc|sigma|e|d|u)[_\s]$/i;
const LOWER = /(?:2|min|minus|lower|m)$/i;
const LIMIT_AFTER = /^[_\s-]*(?:lim(?:it)?(?:[_\s]?flag)?|l)$/i;
const UNIT_AFTER = /^[_\s-]*units?$/i;
const KIND_AFTER = /^[_\s-]*type$/i;

/** Finds them among the columns of a file; only numbers have companions. */
export function companionsOf(columns: readonly ColumnProfile[]): Companions {
  const errors = new Map<string, string[]>();
  const limits = new Map<string, string>();
  const units = new Map<string, string>();
  const kinds = new Map<string, string>();
  const numeric = (c: ColumnProfile): boolean => c.numbers > 0 && c.numbers >= c.texts;
  for (const base of columns) {
    if (!numeric(base)) continue;
    for (const other of columns) {
      if (other === base) continue;
      const after = other.field.startsWith(base.field) ? other.field.slice(base.field.length) : undefined;
      const before = other.field.endsWith(base.field) ? other.field.slice(0, -base.field.length) : undefined;
      const isError =
        (after !== undefined && ERROR_AFTER.test(after)) ||
        (before !== undefined && ERROR_BEFORE.test(before));
      if (isError && (numeric(other) || isEmpty(other)))
        errors.set(base.field, [...(errors.get(base.field) ?? []), other.field]);
      else if (after !== undefined && LIMIT_AFTER.test(after) && (other.distinct ?? 99) <= 4)
        limits.set(base.field, other.field);
      else if (after !== undefined && UNIT_AFTER.test(after) && !numeric(other))
        units.set(base.field, other.field);
      else if (after !== undefined && KIND_AFTER.test(after) && !numeric(other))
        kinds.set(base.field, other.field);
    }
  }
  const empty = new Set(columns.filter(isEmpty).map((c) => c.field));
  const all = new Set([...[...errors.values()].flat(), ...limits.values(), ...units.values()]);
  for (const [base, list] of errors)
    errors.set(
      base,
      list.filter((field) => !empty.has(field)),
    );
  for (const list of errors.values()) list.sort((a, b) => Number(LOWER.test(a)) - Number(LOWER.test(b)));
  return { errors, limits, units, kinds, fields: all };
}

function isEmpty(column: ColumnProfile): boolean {
  return column.numbers + column.texts === 0;
}
