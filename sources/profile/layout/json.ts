import { elements, fieldNames, type RecordReader, readRecord } from "../../adapters/json.js";
import type { Slice } from "../../adapters/json-scan.js";
import { type RawJson, RawNumber } from "../../adapters/raw-json.js";
import { type FormatOf, snapshotFormat } from "../../format.js";
import { textLines } from "../../lines.js";
import { sourceError } from "../../problems.js";
import type { Snapshot } from "../../snapshot.js";
import { guessEncoding, headText, linesOf } from "./bytes.js";
import { arraysOf } from "./json-arrays.js";
import { type Layout, listsSaid, MAX_FIELDS, tooManyFields } from "./layout.js";

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
  const byLine = isObject(first) && (second === "" ? records === undefined : isObject(second));
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

/** By its ends: what is wrong inside of it is for its line to say. */
function isObject(line: string): boolean {
  return /^\s*\{.*\}\s*$/s.test(line);
}

/** Every field of every record, in the order in which they first come, in one pass. */
export async function jsonFields(
  snapshot: Snapshot,
  read: FormatOf<"json"> | FormatOf<"ndjson">,
  said: readonly string[],
): Promise<Layout> {
  const fields = new Set<string>();
  const lists = new Set<string>();
  if (read.format === "json" && read.fields !== undefined) {
    for (const name of await fieldNames(snapshot, read.fields, read.encoding)) fields.add(name);
    return { read, fields: [...fields].map((name) => ({ name })), said };
  }
  const take: RecordReader = {
    read(value) {
      collect(value, "", 0, { fields, lists });
      return [];
    },
    finish() {},
  };
  let record = 0;
  for await (const slices of slicesOf(snapshot, read)) {
    for (const slice of slices) readRecord(slice, ++record, take, snapshot);
    if (fields.size > MAX_FIELDS) tooManyFields(snapshot);
  }
  return { read, fields: [...fields].map((name) => ({ name })), said: [...said, ...listsSaid(lists)] };
}

async function* slicesOf(
  snapshot: Snapshot,
  read: FormatOf<"json"> | FormatOf<"ndjson">,
): AsyncGenerator<readonly Slice[]> {
  if (read.format === "json") yield* elements(snapshot, read.path, read.encoding);
  else
    for await (const lines of textLines(snapshot, read.encoding))
      yield lines.filter(({ text }) => text.trim() !== "");
}

/** Paths to what a cell can hold; short arrays (coordinates) by index, others not at all: they are told of. */
function collect(
  value: RawJson,
  path: string,
  depth: number,
  found: { readonly fields: Set<string>; readonly lists: Set<string> },
): void {
  if (value instanceof Map && depth < MAX_DEPTH) {
    for (const [name, inner] of value)
      collect(inner, path === "" ? name : `${path}.${name}`, depth + 1, found);
  } else if (Array.isArray(value) && value.length <= 4 && value.every((v) => v instanceof RawNumber)) {
    for (const i of value.keys()) found.fields.add(`${path}.${i}`);
  } else if (path !== "" && !Array.isArray(value) && !(value instanceof Map)) {
    found.fields.add(path);
  } else if (path !== "") {
    found.lists.add(path);
  }
}
