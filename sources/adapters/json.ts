import type { Encoding, FormatOf } from "../format.js";
import { sourceError } from "../problems.js";
import type { Snapshot } from "../snapshot.js";
import { decodedText } from "../text.js";
import { type Adapter, type RawBatch, type RawRecord, unknownFields } from "./adapter.js";
import { columnPositions } from "./csv-layout.js";
import { JsonScanner, type Slice } from "./json-scan.js";
import { atPath, cellText, JsonError, parseRawJson, type RawJson } from "./raw-json.js";

/** A document with an array of objects, or of arrays beside a list of field names. */
export const json: Adapter<FormatOf<"json">> = {
  format: "json",
  async *read({ snapshot, options, wanted }) {
    const fields =
      options.fields === undefined ? undefined : await fieldNames(snapshot, options.fields, options.encoding);
    const take =
      fields === undefined ? new PathReader(wanted) : new PositionReader(fields, wanted, snapshot.name);
    let record = 0;
    for await (const slices of elements(snapshot, options.path, options.encoding)) {
      const records = slices.map((slice) => readRecord(slice, ++record, take, snapshot));
      yield { records, turnedAway: [] } satisfies RawBatch;
    }
    take.finish(record, snapshot.name);
  },
};

/** Turns a parsed record into its wanted fields. */
export interface RecordReader {
  read(value: RawJson, where: string): (string | null)[];
  /** Called at the end. @throws TaskmillError for fields that no record had. */
  finish(records: number, file: string): void;
}

/** Parses the text of one record; a fault in it is the snapshot's. */
export function readRecord(slice: Slice, record: number, take: RecordReader, snapshot: Snapshot): RawRecord {
  const where = `${snapshot.name}, record ${record} (line ${slice.line})`;
  const value = parsed(slice, where, snapshot);
  return { record, line: slice.line, fields: take.read(value, where) };
}

function parsed({ text, line }: Slice, where: string, snapshot: Snapshot): RawJson {
  try {
    return parseRawJson(text);
  } catch (error) {
    if (error instanceof JsonError) badJson(where, error.message, snapshot, line);
    throw error;
  }
}

/** Records that are objects: fields are dotted paths, `geometry.coordinates.0`. A name with dots in it wins over a path. */
export class PathReader implements RecordReader {
  private readonly paths: string[][];
  private readonly seen: boolean[];
  private readonly names = new Set<string>();

  constructor(private readonly wanted: readonly string[]) {
    this.paths = wanted.map((field) => field.split("."));
    this.seen = wanted.map(() => false);
  }

  read(value: RawJson, where: string): (string | null)[] {
    if (!(value instanceof Map)) {
      sourceError("bad_record", `${where} is not an object`, {
        hint: "give `fields` where the records are arrays",
      });
    }
    if (this.names.size < 100) for (const name of value.keys()) this.names.add(name);
    return this.wanted.map((field, i) => {
      const found = value.has(field) ? value.get(field) : atPath(value, this.paths[i]!);
      if (found !== undefined) this.seen[i] = true;
      return cellText(found);
    });
  }

  finish(records: number, file: string): void {
    const missing = this.wanted.filter((_, i) => !this.seen[i]);
    if (records > 0 && missing.length > 0) unknownFields(missing, [...this.names], file);
  }
}

/** Records that are arrays, in the order of a list of names. */
class PositionReader implements RecordReader {
  private readonly positions: number[];

  constructor(
    private readonly fields: readonly string[],
    wanted: readonly string[],
    file: string,
  ) {
    this.positions = columnPositions(fields, wanted, file);
  }

  read(value: RawJson, where: string): (string | null)[] {
    if (!Array.isArray(value)) sourceError("bad_record", `${where} is not an array`);
    if (value.length !== this.fields.length) {
      sourceError("ragged_row", `${where} has ${value.length} values for ${this.fields.length} fields`);
    }
    return this.positions.map((p) => cellText(value[p]));
  }

  finish(): void {}
}

function steps(path: string): string[] {
  return path === "" ? [] : path.split(".");
}

/** The elements of the array at a dotted path. @throws TaskmillError (source) where there is none. */
export async function* elements(
  snapshot: Snapshot,
  path: string,
  encoding?: Encoding,
): AsyncGenerator<Slice[]> {
  const scanner = new JsonScanner(steps(path));
  yield* scan(scanner, snapshot, encoding);
  if (!scanner.found) {
    const place = path === "" ? "the document" : `\`${path}\``;
    sourceError("no_records", `${place} in ${snapshot.name} is not an array of records`, {
      hint: "set `path` to where the array of records stands, e.g. `features`",
    });
  }
}

/** The list of names at a dotted path. @throws TaskmillError (source) where there is none. */
export async function fieldNames(snapshot: Snapshot, path: string, encoding?: Encoding): Promise<string[]> {
  const scanner = new JsonScanner(steps(path), true);
  let slice: Slice | undefined;
  for await (const slices of scan(scanner, snapshot, encoding)) {
    slice ??= slices[0];
    if (slice !== undefined) break;
  }
  const value = slice === undefined ? undefined : parsed(slice, snapshot.name, snapshot);
  if (!Array.isArray(value) || !value.every((v) => typeof v === "string")) {
    sourceError("no_fields", `\`${path}\` in ${snapshot.name} is not a list of field names`);
  }
  return value as string[];
}

async function* scan(scanner: JsonScanner, snapshot: Snapshot, encoding?: Encoding): AsyncGenerator<Slice[]> {
  try {
    for await (const text of decodedText(snapshot, encoding)) yield scanner.feed(text);
    scanner.end();
  } catch (error) {
    if (error instanceof JsonError) badJson(snapshot.name, error.message, snapshot, scanner.lineReached);
    throw error;
  }
}

function badJson(where: string, message: string, snapshot: Snapshot, line: number): never {
  sourceError("bad_json", `${where} is not JSON: ${message} near line ${line}`, {
    location: { file: snapshot.path, line },
  });
}
