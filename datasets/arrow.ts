import {
  Bool,
  type DataType,
  Field,
  Float64,
  Int64,
  List,
  makeBuilder,
  RecordBatch,
  Schema,
  Struct,
  Utf8,
  type Vector,
} from "apache-arrow";
import { fieldsOf, type Kind, type Pool } from "./schema/index.js";

/** The Arrow schema that a pool declares: the one truth for Parquet and Arrow IPC. */
export function arrowSchema(pool: Pool): Schema {
  return new Schema(
    Object.entries(pool.columns).map(([name, { kind }]) => new Field(name, arrowType(kind), kind.nullable)),
  );
}

function arrowType({ shape }: Kind): DataType {
  switch (shape.type) {
    case "text":
    case "json":
      return new Utf8();
    case "float64":
      return new Float64();
    case "int64":
      return new Int64();
    case "bool":
      return new Bool();
    case "list":
      return new List(new Field("element", arrowType(shape.item), shape.item.nullable));
    case "struct":
      return new Struct(
        Object.entries(shape.fields).map(([name, kind]) => new Field(name, arrowType(kind), kind.nullable)),
      );
  }
}

/** Puts checked rows into one record batch. */
export function toBatch(pool: Pool, schema: Schema, rows: readonly unknown[]): RecordBatch {
  const type = new Struct(schema.fields);
  const kind: Kind = { shape: { type: "struct", fields: fieldsOf(pool) }, nullable: false };
  const builder = makeBuilder({ type, nullValues: [null, undefined] });
  for (const row of rows) builder.append(forArrow(kind, row) as never);
  return new RecordBatch(schema, builder.finish().toVector().data[0]!);
}

/** Arrow's Int64 takes BigInt; everything else goes in as it is. */
function forArrow({ shape }: Kind, value: unknown): unknown {
  if (value === null) return null;
  if (shape.type === "int64") return BigInt(value as number);
  if (shape.type === "list") return (value as readonly unknown[]).map((item) => forArrow(shape.item, item));
  if (shape.type !== "struct") return value;
  const members = value as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(shape.fields).map(([name, kind]) => [name, forArrow(kind, members[name])]),
  );
}

/** The rows of a batch, as they were given to {@link toBatch}. */
export function* fromBatch(pool: Pool, batch: RecordBatch): Generator<Record<string, unknown>> {
  if (batch.numRows === 0) return;
  const columns = Object.entries(pool.columns).map(([name, { kind }], i) => ({
    name,
    at: reader(kind, batch.getChildAt(i)!),
  }));
  for (let row = 0; row < batch.numRows; row++) {
    yield Object.fromEntries(columns.map(({ name, at }) => [name, at(row)]));
  }
}

/** Gives the value at a place of a vector as plain JavaScript. */
function reader({ shape }: Kind, vector: Vector): (row: number) => unknown {
  const { type } = shape;
  if (type === "int64") return (row) => orNull(vector.get(row), Number);
  if (type === "list") {
    return (row) =>
      orNull(vector.get(row) as Vector | null, (items) => {
        if (items.length === 0) return [];
        const at = reader(shape.item, items);
        return Array.from({ length: items.length }, (_, i) => at(i));
      });
  }
  if (type === "struct") {
    const fields = Object.entries(shape.fields).map(([name, kind], i) => ({
      name,
      at: reader(kind, vector.getChildAt(i)!),
    }));
    return (row) =>
      vector.isValid(row) ? Object.fromEntries(fields.map(({ name, at }) => [name, at(row)])) : null;
  }
  return (row) => vector.get(row) as unknown;
}

function orNull<T, R>(value: T | null, convert: (value: T) => R): R | null {
  return value === null ? null : convert(value);
}

/** Type, names and nullability of a schema as text: equal for equal schemas. Metadata are left out. */
export function schemaText(schema: Schema): string {
  return schema.fields.map(fieldText).join("\n");
}

function fieldText(field: Field): string {
  const children = ((field.type as DataType & { children?: Field[] }).children ?? []).map(fieldText);
  const inside = children.length === 0 ? "" : `<${children.join(",")}>`;
  const type = children.length === 0 ? String(field.type) : field.type.constructor.name;
  return `${field.name}:${type}${inside}${field.nullable ? "?" : ""}`;
}
