import { z } from "zod";

/**
 * Looks into zod schemas, for messages only: which keys a schema knows at a place, and what it would take there, in
 * words. Types are erased at this level, so each function narrows by the class of the schema.
 */
export type Schema = z.core.$ZodType;

/** The schema under optional, nullable, default and the like. */
export function unwrap(schema: Schema): Schema {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodNonOptional ||
    schema instanceof z.ZodCatch ||
    schema instanceof z.ZodReadonly
  ) {
    return unwrap(schema.unwrap());
  }
  if (schema instanceof z.ZodLazy) return unwrap(schema.unwrap());
  if (schema instanceof z.ZodPipe)
    return unwrap(schema.in instanceof z.ZodTransform ? schema.out : schema.in);
  return schema;
}

/** The schemas that a value could be meant for: a union's branches, those that contradict the value left out. */
export function branches(schema: Schema, value: unknown): Schema[] {
  const bare = unwrap(schema);
  if (!(bare instanceof z.ZodUnion)) return [bare];
  const all = bare.options.map(unwrap);
  const fitting = all.filter((option) => !contradicts(option, value));
  return (fitting.length > 0 ? fitting : all).flatMap((option) => branches(option, value));
}

/** True where a required literal member of an object differs from the value's. */
function contradicts(schema: Schema, value: unknown): boolean {
  if (!(schema instanceof z.ZodObject) || !isMapping(value)) return false;
  return Object.entries(schema.shape).some(([key, member]) => {
    const known = literals(member);
    return known !== undefined && !known.includes(value[key]);
  });
}

/** The values of a literal or enum schema. */
export function literals(schema: Schema): unknown[] | undefined {
  const bare = unwrap(schema);
  if (bare instanceof z.ZodLiteral) return [...bare.values];
  if (bare instanceof z.ZodEnum) return bare.options;
  return undefined;
}

/** Schemas at a path, following the value through unions. */
export function schemasAt(root: Schema, path: readonly PropertyKey[], value: unknown): Schema[] {
  let here: Schema[] = [unwrap(root)];
  let at = value;
  for (const step of path) {
    here = here.flatMap((schema) => branches(schema, at)).flatMap((schema) => member(schema, step));
    at = isMapping(at) || Array.isArray(at) ? (at as Record<PropertyKey, unknown>)[step] : undefined;
  }
  return here;
}

function member(schema: Schema, step: PropertyKey): Schema[] {
  if (schema instanceof z.ZodObject) {
    const found = (schema.shape as Record<PropertyKey, Schema | undefined>)[step] ?? schema.def.catchall;
    return found === undefined ? [] : [unwrap(found)];
  }
  if (schema instanceof z.ZodRecord) return [unwrap(schema.valueType)];
  if (schema instanceof z.ZodArray) return [unwrap(schema.element)];
  if (schema instanceof z.ZodTuple) {
    const item = schema.def.items[Number(step)] ?? schema.def.rest;
    return item ? [unwrap(item)] : [];
  }
  if (schema instanceof z.ZodIntersection) {
    return [schema.def.left, schema.def.right].flatMap((side) => member(unwrap(side), step));
  }
  return [];
}

/** Keys that a schema knows at a place. */
export function knownKeys(root: Schema, path: readonly PropertyKey[], value: unknown): string[] {
  let at = value;
  for (const step of path) at = (at as Record<PropertyKey, unknown> | undefined)?.[step];
  const keys = schemasAt(root, path, value)
    .flatMap((schema) => branches(schema, at))
    .flatMap((schema) => (schema instanceof z.ZodObject ? Object.keys(schema.shape) : []));
  return [...new Set(keys)];
}

/** What a schema takes, in words: "a whole number", "lt, le, gt or ge". */
export function describe(schema: Schema): string {
  const inner = unwrap(schema);
  const known = literals(inner);
  if (known !== undefined) return listOf(known.map(bare), "or");
  if (inner instanceof z.ZodString) return "a text";
  if (inner instanceof z.ZodNumber) return inner.format === "safeint" ? "a whole number" : "a number";
  if (inner instanceof z.ZodBoolean) return "true or false";
  if (inner instanceof z.ZodNull) return "null";
  if (inner instanceof z.ZodArray) return "a list";
  if (inner instanceof z.ZodTuple) return `a list of ${inner.def.items.length}`;
  if (inner instanceof z.ZodRecord) return "a mapping";
  if (inner instanceof z.ZodObject) return describeObject(inner);
  if (inner instanceof z.ZodUnion) return describeUnion(inner.options);
  return "another kind of value";
}

function describeObject(schema: z.ZodObject): string {
  const keys = Object.keys(schema.shape);
  const required = keys.filter((key) => !(schema.shape[key] as z.ZodType).safeParse(undefined).success);
  const shown = required.length > 0 ? required : keys;
  if (shown.length === 0 || shown.length > 5) return "a mapping";
  return `a mapping with ${listOf(
    shown.map((key) => `\`${key}\``),
    required.length > 0 ? "and" : "or",
  )}`;
}

function describeUnion(options: readonly Schema[]): string {
  const parts = [...new Set(options.map(describe))];
  const mappings = parts.filter((part) => part.startsWith("a mapping"));
  if (mappings.length <= 3) return listOf(parts, "or");
  return listOf([...parts.filter((part) => !mappings.includes(part)), "a mapping"], "or");
}

/** A value in words: `the text "abc"`, `the number 3`, `a list`, `nothing`. */
export function found(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  if (typeof value === "string") return `the text ${show(value)}`;
  if (typeof value === "number") return `the number ${value}`;
  if (typeof value === "boolean") return String(value);
  return Array.isArray(value) ? "a list" : "a mapping";
}

/** A value as the file would write it, cut short. */
export function show(value: unknown): string {
  if (typeof value !== "string") return String(value);
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}..."` : text;
}

/** A choice as it would be written: quotes only where they are needed. */
export function bare(value: unknown): string {
  return typeof value === "string" && /^[A-Za-z][\w.-]*$/.test(value) ? value : show(value);
}

/** "a", "a or b", "a, b or c". */
export function listOf(parts: readonly string[], word: "and" | "or"): string {
  if (parts.length < 2) return parts.join("");
  return `${parts.slice(0, -1).join(", ")} ${word} ${parts.at(-1)}`;
}

export function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
