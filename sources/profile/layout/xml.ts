import { SaxesParser } from "saxes";
import type { XmlNode } from "../../adapters/xml-path.js";
import { type FormatOf, snapshotFormat } from "../../format.js";
import { sourceError } from "../../problems.js";
import type { Snapshot } from "../../snapshot.js";
import { decodedText } from "../../text.js";
import { guessEncoding } from "./bytes.js";
import type { Layout } from "./layout.js";

/** Fields are looked for in so many records. */
const LOOKED_AT = 3000;
const MAX_DEPTH = 4;
const MAX_VALUES = 200;
/** With more the records are lists, and their items the records that are meant. */
const MANY_FIELDS = 300;

/** The element that repeats nearest to the root is the record; its fields are what its elements and attributes hold. */
export async function guessXml(snapshot: Snapshot): Promise<Layout> {
  const { encoding, why: encodingWhy } = await guessEncoding(snapshot);
  const utf8 = encoding === "utf-8" ? {} : { encoding };
  const counts = new Map<string, number>();
  let depth = 0;
  await parse(
    snapshot,
    { format: "xml", record: "-", ...utf8 },
    {
      open: (name) => {
        depth++;
        const key = `${String(depth).padStart(3, "0")} ${name}`;
        if (counts.size < 10_000 || counts.has(key)) counts.set(key, (counts.get(key) ?? 0) + 1);
      },
      close: () => depth--,
    },
  );
  const repeated = [...counts]
    .filter(([, n]) => n > 1)
    .sort(([a, m], [b, n]) => (a.slice(0, 3) === b.slice(0, 3) ? n - m : a < b ? -1 : 1));
  const [best] = repeated;
  if (best === undefined) {
    sourceError("no_records", `no element of ${snapshot.name} comes more than once`, {
      hint: "say which is the record: --read '{ format: xml, record: NAME }'",
    });
  }
  const nested = repeated.find(([key]) => key.slice(0, 3) > best[0].slice(0, 3));
  const layoutFor = ([key, count]: readonly [string, number], why: string): Promise<Layout> => {
    const record = key.slice(4);
    const said = [
      `encoding: ${encoding} (${encodingWhy})`,
      `format: XML; the records: the ${count} elements \`${record}\`, ${why}`,
    ];
    return xmlFields(
      snapshot,
      snapshotFormat.parse({ format: "xml", record, ...utf8 }) as FormatOf<"xml">,
      said,
    );
  };
  const layout = await layoutFor(best, "the first that repeat");
  if (nested === undefined || layout.fields.length <= MANY_FIELDS) return layout;
  return layoutFor(nested, `as \`${best[0].slice(4)}\` has ${layout.fields.length} different fields`);
}

/** The fields of the first records. */
export async function xmlFields(
  snapshot: Snapshot,
  read: FormatOf<"xml">,
  said: readonly string[],
): Promise<Layout> {
  const records: XmlNode[] = [];
  const open: XmlNode[] = [];
  await parse(snapshot, read, {
    open: (name, attributes) => {
      if (
        records.length >= LOOKED_AT ||
        (open.length === 0 && name.replace(/^.*:/, "") !== read.record && name !== read.record)
      )
        return;
      const node: XmlNode = { name, attributes: new Map(Object.entries(attributes)), children: [], text: "" };
      open.at(-1)?.children.push(node);
      open.push(node);
    },
    text: (text) => {
      const node = open.at(-1);
      if (node !== undefined && node.text.length < 1000) node.text += text;
    },
    close: () => {
      const node = open.pop();
      if (node !== undefined && open.length === 0) records.push(node);
    },
  });
  const paths: string[] = [];
  const left: string[] = [];
  walk(
    records.map((r) => [r]),
    "",
    0,
    paths,
    left,
  );
  const more =
    left.length === 0 ? [] : [`left out, as they repeat in a record: ${left.slice(0, 10).join(", ")}`];
  return { read, fields: paths.map((name) => ({ name })), said: [...said, ...more] };
}

/** @param groups for each record the nodes at `prefix`, at most one. */
function walk(
  groups: readonly (readonly XmlNode[])[],
  prefix: string,
  depth: number,
  paths: string[],
  left: string[],
): void {
  const nodes = groups.flat();
  for (const name of namesOf(nodes.map((n) => [...n.attributes.keys()]))) paths.push(`${prefix}@${name}`);
  if (prefix !== "" && nodes.some((n) => n.text.trim() !== "")) paths.push(prefix);
  if (depth >= MAX_DEPTH) return;
  for (const name of namesOf(nodes.map((n) => n.children.map((c) => c.name)))) {
    const below = groups.map((group) => group.flatMap((n) => n.children.filter((c) => c.name === name)));
    const path = prefix === "" ? name : `${prefix}/${name}`;
    if (below.every((list) => list.length <= 1)) {
      walk(below, path, depth + 1, paths, left);
      continue;
    }
    const by = tellingAttribute(below);
    if (by === undefined) left.push(path);
    else
      for (const value of namesOf(below.map((list) => list.map((n) => n.attributes.get(by)!))).slice(
        0,
        MAX_VALUES,
      )) {
        const one = below.map((list) => list.filter((n) => n.attributes.get(by) === value));
        walk(one, `${path}[${by}=${value}]`, depth + 1, paths, left);
      }
  }
}

/** Distinct texts in the order in which they come. */
function namesOf(lists: readonly (readonly string[])[]): string[] {
  return [...new Set(lists.flat())];
}

/** An attribute that all siblings have, each with another value. */
function tellingAttribute(groups: readonly (readonly XmlNode[])[]): string | undefined {
  const names = namesOf(groups.flat().map((n) => [...n.attributes.keys()]));
  return names.find((name) =>
    groups.every((list) => {
      const values = list.map((n) => n.attributes.get(name));
      return values.every((v, i) => v !== undefined && !/[\]"]/.test(v) && values.indexOf(v) === i);
    }),
  );
}

interface Handlers {
  open(name: string, attributes: Record<string, string>): void;
  text?(text: string): void;
  close(): void;
}

async function parse(snapshot: Snapshot, read: FormatOf<"xml">, handlers: Handlers): Promise<void> {
  const parser = new SaxesParser({ xmlns: false, position: true });
  parser.on("error", (error) => {
    sourceError(
      "bad_xml",
      `${snapshot.name}, line ${parser.line}: ${error.message.replace(/^\d+:\d+: /, "")}`,
      {
        location: { file: snapshot.path, line: parser.line },
      },
    );
  });
  parser.on("opentag", (tag) => handlers.open(tag.name, tag.attributes as Record<string, string>));
  parser.on("text", (text) => handlers.text?.(text));
  parser.on("cdata", (text) => handlers.text?.(text));
  parser.on("closetag", () => handlers.close());
  for await (const text of decodedText(snapshot, read.encoding)) parser.write(text);
  parser.close();
}
