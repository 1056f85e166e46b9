import { fail } from "../pipeline/base/errors.js";
import { type Fields, fieldsOf, type Kind, type Pool } from "./schema/index.js";

/** Where in a row we are: column, fields and places in lists. */
type Path = readonly (string | number)[];

/**
 * Refuses a row that the pool's schema has no place for: writers would turn it into something else without a word.
 * @returns about how many bytes the row takes.
 * @throws TaskmillError (internal) naming pool, row and column, and what would be right.
 */
export function checkRow(pool: Pool, row: Readonly<Record<string, unknown>>, position: number): number {
  return structSize(fieldsOf(pool), row, [], (path, wrong, right) => {
    const id = typeof row.task_id === "string" ? ` (${row.task_id})` : "";
    const where = path.map((p) => (typeof p === "number" ? `[${p}]` : `.${p}`)).join("");
    fail(
      "internal",
      "row_does_not_fit",
      `pool ${pool.name}, row ${position}${id}, column ${where.slice(1)}: ${wrong}`,
      right,
    );
  });
}

type Refuse = (path: Path, wrong: string, right: string) => never;

function structSize(fields: Fields, value: object, path: Path, refuse: Refuse): number {
  for (const name of Object.keys(value)) {
    if (!Object.hasOwn(fields, name))
      refuse([...path, name], "the schema has no such field", `known are ${Object.keys(fields).join(", ")}`);
  }
  let size = 0;
  for (const [name, kind] of Object.entries(fields)) {
    size += sizeOf(kind, (value as Record<string, unknown>)[name], [...path, name], refuse);
  }
  return size;
}

function sizeOf(kind: Kind, value: unknown, path: Path, refuse: Refuse): number {
  if (value === null || value === undefined) {
    if (kind.nullable && value === null) return 1;
    refuse(
      path,
      `${value === null ? "null" : "nothing"} where a value is required`,
      `give ${NAMES[kind.shape.type]}`,
    );
  }
  switch (kind.shape.type) {
    case "text":
    case "json":
      return textSize(value, path, refuse);
    case "float64":
      if (typeof value === "number" && Number.isFinite(value)) return 8;
      break;
    case "int64":
      if (Number.isSafeInteger(value)) return 8;
      break;
    case "bool":
      if (typeof value === "boolean") return 1;
      break;
    case "list":
      if (Array.isArray(value)) return listSize(kind.shape.item, value, path, refuse);
      break;
    case "struct":
      if (typeof value === "object" && !Array.isArray(value))
        return structSize(kind.shape.fields, value, path, refuse);
      break;
  }
  return refuse(path, `${show(value)} is not ${NAMES[kind.shape.type]}`, `give ${NAMES[kind.shape.type]}`);
}

function listSize(item: Kind, values: readonly unknown[], path: Path, refuse: Refuse): number {
  return values.reduce<number>((size, value, i) => size + sizeOf(item, value, [...path, i], refuse), 4);
}

function textSize(value: unknown, path: Path, refuse: Refuse): number {
  if (typeof value !== "string") refuse(path, `${show(value)} is not a text`, "give a text");
  // A lone surrogate has no UTF-8 form: an encoder would put U+FFFD in its place.
  if (/\p{Surrogate}/u.test(value)) refuse(path, "half a surrogate pair", "give well-formed Unicode");
  return value.length + 4;
}

const NAMES = {
  text: "a text",
  json: "JSON text",
  float64: "a finite number",
  int64: "an integer within 2^53",
  bool: "true or false",
  list: "a list",
  struct: "an object with the schema's fields",
} as const;

function show(value: unknown): string {
  const shown = typeof value === "object" ? (Array.isArray(value) ? "a list" : "an object") : String(value);
  return shown.length > 40 ? `${shown.slice(0, 40)}...` : shown;
}
