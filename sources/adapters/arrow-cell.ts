import {
  BinaryView,
  type Data,
  DataType,
  DateUnit,
  type Field,
  Precision,
  type Timestamp,
  TimeUnit,
  Vector,
} from "apache-arrow";
import { sourceError } from "../problems.js";
import { ArrowFault } from "./arrow-fault.js";
import { dateText, decimalText, doubleText, floatText, timeText } from "./value-text.js";

/** Reads one field of a row of a batch, given all columns of the batch. */
export type ArrowCell = (columns: readonly Data[], row: number) => string | null;

/** Reads a value of one column; null is unknown. */
type Reader = (data: Data, row: number) => string | null;

/**
 * A reader for the column of a name, or for what stands at a path inside one: `position.lat`, `coordinates.0`. Undefined where there
 * is none.
 * @throws TaskmillError (source) for two columns of that name, and for a type that is no single value.
 */
export function arrowCell(fields: readonly Field[], name: string, file: string): ArrowCell | undefined {
  const whole = fields.findIndex((f) => f.name === name);
  if (whole >= 0) return at(whole, reader(unique(fields, whole, file).type, [], name, file));
  const [first, ...path] = name.split(".");
  const top = fields.findIndex((f) => f.name === first);
  if (top < 0) return undefined;
  const inside = reader(unique(fields, top, file).type, path, name, file);
  return inside && at(top, inside);
}

function at(index: number, read: Reader | undefined): ArrowCell | undefined {
  return read && ((columns, row) => read(columns[index]!, row));
}

function unique(fields: readonly Field[], index: number, file: string): Field {
  const field = fields[index]!;
  const again = fields.findIndex((f, i) => i > index && f.name === field.name);
  if (again >= 0) {
    sourceError(
      "duplicate_header",
      `${file} has two columns named \`${field.name}\`, number ${index + 1} and ${again + 1}`,
    );
  }
  return field;
}

function reader(type: DataType, path: readonly string[], name: string, file: string): Reader | undefined {
  const [step, ...rest] = path;
  const read = step === undefined ? valueReader(type) : inner(type, step, rest, name, file);
  if (read === undefined && step === undefined) unreadable(type, name, file);
  return read && ((data, row) => (isKnown(data, row) ? read(data, row) : null));
}

function isKnown(data: Data, row: number): boolean {
  if (DataType.isNull(data.type)) return false;
  if (data.nullCount > 0 && data.nullBitmap.length * 8 <= row)
    throw new ArrowFault("a list of nulls is too short");
  return data.getValid(row);
}

function unreadable(type: DataType, name: string, file: string): never {
  const nested = type.children?.length > 0;
  sourceError("nested_field", `the column \`${name}\` of ${file} is of type ${type}, which is not read`, {
    hint: nested
      ? `name what is inside it: \`${name}.${DataType.isStruct(type) ? type.children[0]!.name : "0"}\``
      : "text, numbers, booleans, decimals, dates, times and timestamps are",
  });
}

/** One step down: a struct's member by name, a list's element by its number. */
function inner(
  type: DataType,
  step: string,
  rest: readonly string[],
  name: string,
  file: string,
): Reader | undefined {
  if (DataType.isDictionary(type)) return dictionary(reader(type.dictionary, [step, ...rest], name, file));
  if (DataType.isStruct(type)) {
    const index = type.children.findIndex((f) => f.name === step);
    const read = index < 0 ? undefined : reader(unique(type.children, index, file).type, rest, name, file);
    return read && ((data, row) => read(child(data, index), row));
  }
  if (!/^\d{1,9}$/.test(step)) return undefined;
  const position = Number(step);
  if (DataType.isFixedSizeList(type)) {
    const read = reader(type.valueType, rest, name, file);
    const size = type.listSize;
    return read && ((data, row) => (position < size ? read(child(data, 0), row * size + position) : null));
  }
  if (!DataType.isList(type) && !DataType.isLargeList(type)) return undefined;
  const read = reader(type.valueType, rest, name, file);
  return (
    read &&
    ((data, row) => {
      const [start, end] = range(data, row);
      return start + position < end ? read(child(data, 0), start + position) : null;
    })
  );
}

/** How many rows a column's buffers have room for; a column of nothing has no buffers. */
export function roomOf(data: Data): number {
  const { type } = data;
  if (DataType.isNull(type) || DataType.isUnion(type)) return Number.POSITIVE_INFINITY;
  if (DataType.isBool(type)) return data.values.length * 8;
  if (DataType.isUtf8View(type) || DataType.isBinaryView(type)) return data.values.length / 16;
  if (DataType.isFixedSizeList(type)) return roomOf(child(data, 0)) / Math.max(1, type.listSize);
  if (DataType.isStruct(type)) return Math.min(...data.children.map(roomOf));
  return data.valueOffsets === undefined ? data.values.length / data.stride : data.valueOffsets.length - 1;
}

function child(data: Data, index: number): Data {
  return data.children[index] ?? missing();
}

/** Where the bytes or elements of a row lie. */
function range(data: Data, row: number): [start: number, end: number] {
  const start = Number(number(data.valueOffsets, row));
  const end = Number(number(data.valueOffsets, row + 1));
  if (start < 0 || end < start) throw new ArrowFault("offsets are out of order");
  return [start, end];
}

function number(values: ArrayLike<number | bigint>, at: number): number | bigint {
  return values[at] ?? missing();
}

function missing(): never {
  throw new ArrowFault("a column is shorter than its batch");
}

function valueReader(type: DataType): Reader | undefined {
  if (DataType.isNull(type)) return () => null;
  if (DataType.isDictionary(type)) {
    const value = valueReader(type.dictionary);
    return value && dictionary((data, row) => (isKnown(data, row) ? value(data, row) : null));
  }
  if (DataType.isUtf8(type) || DataType.isLargeUtf8(type)) return (data, row) => decoded(slice(data, row));
  if (DataType.isUtf8View(type)) return (data, row) => decoded(viewed(data, row));
  if (DataType.isBool(type)) return (data, row) => String(bit(data, row));
  if (DataType.isInt(type)) return (data, row) => String(number(data.values, row));
  if (DataType.isFloat(type)) {
    if (type.precision === Precision.HALF) return undefined;
    const text = type.precision === Precision.SINGLE ? floatText : doubleText;
    return (data, row) => text(Number(number(data.values, row)));
  }
  if (DataType.isDecimal(type))
    return (data, row) => decimalText(words(data, row, type.bitWidth / 32), type.scale);
  return momentReader(type);
}

/** The codes of a dictionary column, each standing for a value. Dictionaries may have grown in pieces. */
function dictionary(value: Reader | undefined): Reader | undefined {
  return (
    value &&
    ((data, row) => {
      let code = Number(number(data.values, row));
      for (const piece of data.dictionary?.data ?? []) {
        if (code >= 0 && code < piece.length) return value(piece, code);
        code -= piece.length;
      }
      throw new ArrowFault("a code is not in its dictionary");
    })
  );
}

function momentReader(type: DataType): Reader | undefined {
  if (DataType.isDate(type)) {
    const perDay = type.unit === DateUnit.DAY ? 1n : 86_400_000n;
    return (data, row) => dateText(floor(BigInt(number(data.values, row)), perDay));
  }
  if (DataType.isTime(type))
    return (data, row) => timeText(BigInt(number(data.values, row)), places(type.unit));
  if (!DataType.isTimestamp(type)) return undefined;
  const digits = places(type.unit);
  const perDay = 86_400n * 10n ** BigInt(digits);
  const zone = (type as Timestamp).timezone ? "+00" : "";
  return (data, row) => {
    const value = BigInt(number(data.values, row));
    const days = floor(value, perDay);
    return `${dateText(days)} ${timeText(value - days * perDay, digits)}${zone}`;
  };
}

/** Decimal places of a second. */
function places(unit: TimeUnit): number {
  return {
    [TimeUnit.SECOND]: 0,
    [TimeUnit.MILLISECOND]: 3,
    [TimeUnit.MICROSECOND]: 6,
    [TimeUnit.NANOSECOND]: 9,
  }[unit];
}

function floor(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  return value % by < 0n ? quotient - 1n : quotient;
}

/** A two's complement number from 32-bit words, the lowest first. */
function words(data: Data, row: number, count: number): bigint {
  let value = 0n;
  for (let i = count - 1; i >= 0; i--) value = (value << 32n) | BigInt(number(data.values, row * count + i));
  return BigInt.asIntN(count * 32, value);
}

function bit(data: Data, row: number): boolean {
  const at = data.offset + row;
  return ((Number(number(data.values, at >> 3)) >> (at & 7)) & 1) === 1;
}

function slice(data: Data, row: number): Uint8Array {
  const [start, end] = range(data, row);
  const bytes = data.values as Uint8Array;
  if (end > bytes.length) missing();
  return bytes.subarray(start, end);
}

/** Text in views differs from bytes in views by its name alone; the library decodes it without complaint. */
function viewed(data: Data, row: number): Uint8Array {
  return new Vector([data.clone(new BinaryView())]).get(row) ?? missing();
}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decoded(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes);
  } catch {
    throw new ArrowFault("a text is not UTF-8");
  }
}
