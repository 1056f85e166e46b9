import { JsonScanner } from "../../adapters/json-scan.js";
import { JsonError, parseRawJson, type RawJson, RawNumber } from "../../adapters/raw-json.js";
import { type FormatOf, snapshotFormat } from "../../format.js";
import { textLines } from "../../lines.js";
import { sourceError } from "../../problems.js";
import type { Snapshot } from "../../snapshot.js";
import { decodedText } from "../../text.js";
import { guessEncoding, headText, linesOf } from "./bytes.js";
import { arraysOf } from "./json-arrays.js";
import type { Layout } from "./layout.js";

/** A record may have so many fields, nested ones counted by path. */
const MAX_FIELDS = 2000;
const MAX_DEPTH = 6;

/** JSON by its first character: an array of records, a document that holds one, or an object a line. */
export async function guessJson(snapshot: Snapshot): Promise<Layout> {
  const { encoding, why } = await guessEncoding(snapshot);
  const head = await headText(snapshot, encoding);
  const said = [`encoding: ${encoding} (${why})`];
  const utf8 = encoding === "utf-8" ? {} : { encoding };
  const [first = "", second = ""] = linesOf(head.text).filter((line) => line.trim() !== "");
  const arrays = arraysOf(head.text);
  const records = arrays.find((a) => a.holds === "objects") ?? arrays.find((a) => a.holds === "arrays");
  // A single line is an object of its own only where it holds no array of records.
  const byLine =
    first.trim().startsWith("{") && parses(first) && (second === "" ? records === undefined : parses(second));
  if (byLine) {
    said.push("format: NDJSON (each line is an object of its own)");
    return jsonFields(
      snapshot,
      snapshotFormat.parse({ format: "ndjson", ...utf8 }) as FormatOf<"ndjson">,
      said,
    );
  }
  if (records === undefined) {
    sourceError("no_records", `${snapshot.name} is JSON, but no array of records was found at its start`, {
      hint: "say where it stands: --read '{ format: json, path: where.the.records.are }'",
    });
  }
  const path = records.path.join(".");
  const place = path === "" ? "the document is the array" : `\`${path}\``;
  said.push(`format: JSON; the records: ${place}, the first array of ${records.holds}`);
  const names = records.holds === "arrays" ? arrays.find((a) => a.holds === "texts") : undefined;
  if (names !== undefined) said.push(`the names of their fields: \`${names.path.join(".")}\``);
  const fields = names === undefined ? {} : { fields: names.path.join(".") };
  const read = snapshotFormat.parse({ format: "json", path, ...fields, ...utf8 });
  return jsonFields(snapshot, read as FormatOf<"json">, said);
}

function parses(line: string): boolean {
  try {
    return parseRawJson(line) instanceof Map;
  } catch (error) {
    if (error instanceof JsonError) return false;
    throw error;
  }
}

/** Every field of every record, in the order in which they first come, in one pass. */
export async function jsonFields(
  snapshot: Snapshot,
  read: FormatOf<"json"> | FormatOf<"ndjson">,
  said: readonly string[],
): Promise<Layout> {
  const fields = new Set<string>();
  if (read.format === "json" && read.fields !== undefined) {
    for (const name of await nameList(snapshot, read, read.fields)) fields.add(name);
    return { read, fields: [...fields].map((name) => ({ name })), said };
  }
  for await (const texts of recordTexts(snapshot, read)) {
    for (const text of texts) collect(parsed(text, snapshot), "", 0, fields);
    if (fields.size > MAX_FIELDS) {
      const hint = "is `path` the right array? Keys that are data (a map by name) are no fields";
      sourceError("too_many_fields", `${snapshot.name} has more than ${MAX_FIELDS} different fields`, {
        hint,
      });
    }
  }
  return { read, fields: [...fields].map((name) => ({ name })), said };
}

async function* recordTexts(
  snapshot: Snapshot,
  read: FormatOf<"json"> | FormatOf<"ndjson">,
): AsyncGenerator<readonly string[]> {
  if (read.format === "ndjson") {
    for await (const lines of textLines(snapshot, read.encoding)) {
      yield lines.map((l) => l.text).filter((t) => t.trim() !== "");
    }
    return;
  }
  const scanner = new JsonScanner(steps(read.path));
  try {
    for await (const text of decodedText(snapshot, read.encoding))
      yield scanner.feed(text).map((s) => s.text);
  } catch (error) {
    if (error instanceof JsonError) badJson(snapshot, error);
    throw error;
  }
}

async function nameList(snapshot: Snapshot, read: FormatOf<"json">, path: string): Promise<string[]> {
  const scanner = new JsonScanner(steps(path), true);
  for await (const text of decodedText(snapshot, read.encoding)) {
    const [slice] = scanner.feed(text);
    if (slice === undefined) continue;
    const value = parsed(slice.text, snapshot);
    return Array.isArray(value) ? value.filter((v) => typeof v === "string") : [];
  }
  return [];
}

function steps(path: string): string[] {
  return path === "" ? [] : path.split(".");
}

function parsed(text: string, snapshot: Snapshot): RawJson {
  try {
    return parseRawJson(text);
  } catch (error) {
    if (error instanceof JsonError) badJson(snapshot, error);
    throw error;
  }
}

function badJson(snapshot: Snapshot, error: JsonError): never {
  sourceError("bad_json", `${snapshot.name} is not JSON: ${error.message}`, {
    location: { file: snapshot.path },
  });
}

/** Paths to what a cell can hold; short arrays (coordinates) by index, others not at all. */
function collect(value: RawJson, path: string, depth: number, fields: Set<string>): void {
  if (value instanceof Map && depth < MAX_DEPTH) {
    for (const [name, inner] of value)
      collect(inner, path === "" ? name : `${path}.${name}`, depth + 1, fields);
  } else if (Array.isArray(value) && value.length <= 4 && value.every((v) => v instanceof RawNumber)) {
    for (const i of value.keys()) fields.add(`${path}.${i}`);
  } else if (path !== "" && !Array.isArray(value) && !(value instanceof Map)) {
    fields.add(path);
  }
}
