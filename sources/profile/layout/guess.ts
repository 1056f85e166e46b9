import type { SnapshotFormat } from "../../format.js";
import { refuseKnownKinds } from "../../magic.js";
import { sourceError } from "../../problems.js";
import type { Snapshot } from "../../snapshot.js";
import { checkBinary, refuseControls } from "../../text.js";
import { arrowLayout } from "./arrow.js";
import { guessEncoding, headBytes } from "./bytes.js";
import { csvFields, guessCsv } from "./csv.js";
import { guessFixed } from "./fixed.js";
import { guessJson, jsonFields } from "./json.js";
import { type Layout, MAX_FIELDS, tooManyFields } from "./layout.js";
import { guessParquet } from "./parquet.js";
import { sqliteLayout } from "./sqlite.js";
import { guessStanzas, stanzaFields } from "./stanzas.js";
import { guessXml, xmlFields } from "./xml.js";
import { yamlLayout } from "./yaml.js";

/**
 * How a file is to be read, by its bytes and never by its name, and what its fields are. With `given` the guessing is left out.
 * @throws TaskmillError (source) where nothing fits, with what to say instead.
 */
export async function layoutOf(snapshot: Snapshot, given?: SnapshotFormat): Promise<Layout> {
  const layout = await (given === undefined ? guess(snapshot) : fieldsOf(snapshot, given));
  if (layout.fields.length > MAX_FIELDS) tooManyFields(snapshot);
  return layout;
}

async function guess(snapshot: Snapshot): Promise<Layout> {
  const head = Buffer.from(await headBytes(snapshot, 4096));
  const starts = (mark: string): boolean => head.subarray(0, mark.length).equals(Buffer.from(mark, "latin1"));
  if (starts("PAR1")) return guessParquet(snapshot);
  refuseKnownKinds(head, snapshot.name);
  if (starts("SQLite format 3\0")) return sqliteLayout(snapshot);
  if (starts("ARROW1") || starts("\xff\xff\xff\xff")) return arrowLayout(snapshot);
  const text = head
    .toString("utf8")
    .replace(/^\uFEFF/, "")
    .trimStart();
  if (/^<(?:!doctype\s+)?html\b/i.test(text)) refuseHtml(snapshot);
  if (text.startsWith("<?xml") || /^<[A-Za-z_!]/.test(text)) return guessXml(snapshot);
  if (/^\{\s*["}]|^\[\s*[[{"\d]/.test(text)) return guessJson(snapshot);
  if (/^---\s|^- |^[\w"'-]+:(?:\s*$|\s)/m.test(text)) {
    // Anchors and aliases are YAML's alone.
    const yaml = ALIASED.test(text) ? await yamlLayout(snapshot) : undefined;
    const found = yaml ?? (await guessStanzas(snapshot)) ?? (await yamlLayout(snapshot));
    if (found !== undefined) return found;
  }
  const { encoding } = await guessEncoding(snapshot);
  checkBinary(head, encoding, snapshot.name);
  refuseControls(head, encoding, snapshot.name);
  const found = (await guessCsv(snapshot)) ?? (await guessFixed(snapshot));
  return found ?? unknownLayout(snapshot);
}

const ALIASED = /(?:[:,[-]\s+|\[)&[\w-]+\s[\s\S]*(?:[:,[-]\s*)\*[\w-]+/;

function refuseHtml({ name }: Snapshot): never {
  sourceError("binary_data", `${name} is a web page (HTML), and no table that could be read`, {
    hint: "save the table that it shows as CSV, or ask the publisher for the data",
  });
}

function unknownLayout(snapshot: Snapshot): never {
  sourceError("unknown_format", `${snapshot.name} is in no format that could be guessed`, {
    hint: "say how it is read: --read '{ format: csv, delimiter: \";\" }'; the formats stand in docs/cards.md",
    location: { file: snapshot.path },
  });
}

async function fieldsOf(snapshot: Snapshot, read: SnapshotFormat): Promise<Layout> {
  const said = ["read as you say"];
  switch (read.format) {
    case "csv":
      return csvFields(snapshot, read);
    case "json":
    case "ndjson":
      return jsonFields(snapshot, read, said);
    case "xml":
      return xmlFields(snapshot, read, said);
    case "parquet":
      return guessParquet(snapshot);
    case "arrow":
      return arrowLayout(snapshot);
    case "sqlite":
      return sqliteLayout(snapshot, read);
    case "stanzas":
      return stanzaFields(snapshot, read, said);
    case "yaml":
      return (await yamlLayout(snapshot, read)) ?? unknownLayout(snapshot);
    case "fixed":
      if (read.columns === undefined) break;
      return { read, fields: read.columns.map(({ name }) => ({ name })), said };
    case "plugin":
      break;
  }
  return sourceError(
    "unknown_fields",
    `the fields of a file that is read by ${read.format} cannot be listed`,
    {
      hint: "name the columns in --read, or write the card by hand: docs/cards.md",
    },
  );
}
