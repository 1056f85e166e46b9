import { ArrowFault } from "./arrow-fault.js";

/**
 * Looks through the descriptions of Arrow messages (flatbuffers tables, as in the Arrow project's Message.fbs, Schema.fbs and File.fbs)
 * for lists that claim more elements than their message has room for. The library would go through all of them.
 */

/** Places of a table's fields, in the order of the schema files. */
const MESSAGE = { kind: 1, header: 2, body: 3, notes: 4 };
const SCHEMA = { fields: 1, notes: 2 };
const FIELD = { children: 5, notes: 6 };
const BATCH = { nodes: 1, buffers: 2, variadic: 4 };
const DICTIONARY = { data: 1 };
const FOOTER = { schema: 1, dictionaries: 2, batches: 3, notes: 4 };
/** Values of a message's `kind`. */
const KINDS = { schema: 1, dictionary: 2, batch: 3 };
const MAX_DEPTH = 64;

/** A message that a footer lists. */
interface Block {
  readonly kind: Kind;
  readonly offset: number;
  /** Bytes of its description, prefix included. */
  readonly metadata: number;
}

type Kind = keyof typeof KINDS;

/** What a message says of itself. */
export interface MessageNote {
  readonly kind: Kind;
  /** Bytes of its body. */
  readonly body: number;
}

/** @throws ArrowFault */
export function checkMessage(bytes: Uint8Array): MessageNote {
  const tables = new Tables(bytes);
  const message = tables.root();
  const header = tables.table(message, MESSAGE.header);
  const kindAt = tables.field(message, MESSAGE.kind);
  const kind = kindAt === undefined ? 0 : tables.view.getUint8(kindAt);
  tables.list(message, MESSAGE.notes, 4);
  if (header === undefined) throw new ArrowFault("a message has no header");
  const bodyAt = tables.field(message, MESSAGE.body);
  const body = bodyAt === undefined ? 0 : Number(tables.view.getBigInt64(bodyAt, true));
  if (kind === KINDS.batch) checkBatch(tables, header);
  else if (kind === KINDS.dictionary) checkDictionary(tables, header);
  else if (kind === KINDS.schema) checkSchema(tables, header);
  return { kind: kindOf(kind), body };
}

function kindOf(code: number): Kind {
  const kind = (Object.keys(KINDS) as Kind[]).find((k) => KINDS[k] === code);
  if (kind === undefined) throw new ArrowFault(`a message is of the unknown kind ${code}`);
  return kind;
}

/** Gives the messages that the footer lists. @throws ArrowFault */
export function checkFooter(bytes: Uint8Array): Block[] {
  const tables = new Tables(bytes);
  const footer = tables.root();
  tables.list(footer, FOOTER.notes, 4);
  const schema = tables.table(footer, FOOTER.schema);
  if (schema === undefined) throw new ArrowFault("it has no schema");
  checkSchema(tables, schema);
  const parts: [Kind, number][] = [
    ["dictionary", FOOTER.dictionaries],
    ["batch", FOOTER.batches],
  ];
  return parts.flatMap(([kind, part]) =>
    tables.list(footer, part, 24).map((at) => ({
      kind,
      offset: Number(tables.view.getBigInt64(at, true)),
      metadata: tables.view.getInt32(at + 8, true),
    })),
  );
}

function checkSchema(tables: Tables, schema: number): void {
  tables.list(schema, SCHEMA.notes, 4);
  for (const at of tables.list(schema, SCHEMA.fields, 4)) checkField(tables, tables.follow(at), 0);
}

function checkField(tables: Tables, field: number, depth: number): void {
  if (depth > MAX_DEPTH) throw new ArrowFault(`columns are nested deeper than ${MAX_DEPTH}`);
  tables.list(field, FIELD.notes, 4);
  for (const at of tables.list(field, FIELD.children, 4)) checkField(tables, tables.follow(at), depth + 1);
}

function checkDictionary(tables: Tables, dictionary: number): void {
  const batch = tables.table(dictionary, DICTIONARY.data);
  if (batch === undefined) throw new ArrowFault("a dictionary has no values");
  checkBatch(tables, batch);
}

function checkBatch(tables: Tables, batch: number): void {
  tables.list(batch, BATCH.nodes, 16);
  tables.list(batch, BATCH.buffers, 16);
  tables.list(batch, BATCH.variadic, 8);
}

/** Just enough of flatbuffers to follow tables and lists; reading beyond the bytes is a RangeError. */
class Tables {
  readonly view: DataView;
  /** Elements that all lists together may still have: each takes some bytes of its own, unless lists share them. */
  private left: number;

  constructor(bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.left = bytes.length;
  }

  root(): number {
    return this.follow(0);
  }

  /** Where the reference at a place leads. */
  follow(at: number): number {
    return at + this.view.getUint32(at, true);
  }

  /** Place of a table's field, or undefined where it is left out. */
  field(table: number, index: number): number | undefined {
    const places = table - this.view.getInt32(table, true);
    const slot = 4 + 2 * index;
    if (slot >= this.view.getUint16(places, true)) return undefined;
    const offset = this.view.getUint16(places + slot, true);
    return offset === 0 ? undefined : table + offset;
  }

  table(table: number, index: number): number | undefined {
    const at = this.field(table, index);
    return at === undefined ? undefined : this.follow(at);
  }

  /** Places of a list's elements of `size` bytes. */
  list(table: number, index: number, size: number): number[] {
    const at = this.table(table, index);
    if (at === undefined) return [];
    const length = this.view.getUint32(at, true);
    this.left -= length;
    if (at + 4 + length * size > this.view.byteLength || this.left < 0) {
      throw new ArrowFault(`a list claims ${length} elements, more than there is room for`);
    }
    return Array.from({ length }, (_, i) => at + 4 + i * size);
  }
}
