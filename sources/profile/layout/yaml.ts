import { isMap, isScalar, isSeq, LineCounter, type Node, type YAMLMap } from "yaml";
import { failYaml, yamlDocument } from "../../adapters/yaml-document.js";
import { YamlFault, YamlTree } from "../../adapters/yaml-tree.js";
import { type FormatOf, snapshotFormat } from "../../format.js";
import { sourceError } from "../../problems.js";
import type { Snapshot } from "../../snapshot.js";
import { decodedText, wholeText } from "../../text.js";
import { type Layout, listsSaid } from "./layout.js";

interface Found {
  readonly fields: Set<string>;
  readonly lists: Set<string>;
}

/** As the adapter's. */
const MAX_SIZE = 16 * 2 ** 20;
const MAX_DEPTH = 6;

/** A list of maps, or a map of maps, nearest to the top of the document; undefined for a text that is no such YAML. */
export async function yamlLayout(snapshot: Snapshot, given?: FormatOf<"yaml">): Promise<Layout | undefined> {
  const text = await wholeText(decodedText(snapshot, given?.encoding), snapshot.name, MAX_SIZE);
  const lines = new LineCounter();
  try {
    const tree = new YamlTree(yamlDocument(text, lines));
    const path =
      given === undefined ? pathOf(tree, tree.root, []) : given.path.split(".").filter((s) => s !== "");
    if (path === undefined) return tree.hasAliases ? noRecords(snapshot) : undefined;
    const read = snapshotFormat.parse({ format: "yaml", path: path.join(".") });
    const root = tree.at(tree.root, path) ?? null;
    const fields = new Set<string>(isMap(root) ? ["#key"] : []);
    const lists = new Set<string>();
    for (const record of recordsOf(tree, root)) collect(tree, record, "", 0, { fields, lists });
    const place = path.length === 0 ? "the document" : `\`${path.join(".")}\``;
    const kind = isMap(root) ? "map of maps (its keys are the field `#key`)" : "list of maps";
    return {
      read: given ?? read,
      fields: [...fields].map((name) => ({ name })),
      said: [`format: YAML; the records: ${place}, a ${kind}`, ...listsSaid(lists)],
    };
  } catch (error) {
    if (!(error instanceof YamlFault)) throw error;
    // What does not parse may be another format; what is nested without end, or given as YAML, is none.
    if (error.code === "bad_yaml" && given === undefined) return undefined;
    return failYaml(snapshot, lines, error);
  }
}

function noRecords({ name }: Snapshot): never {
  sourceError("no_records", `${name} is YAML, but no list or map of records was found in it`, {
    hint: "say where it stands: --read '{ format: yaml, path: where.the.records.are }'",
  });
}

function recordsOf(tree: YamlTree, node: Node | null): YAMLMap[] {
  const values = isSeq(node)
    ? (node.items as Node[])
    : isMap(node)
      ? tree.entries(node).map(([, v]) => v)
      : [];
  return values.map((v) => tree.resolved(v)).filter((v) => isMap(v));
}

function pathOf(tree: YamlTree, node: Node | null, path: readonly string[]): readonly string[] | undefined {
  const here = tree.resolved(node);
  const records = recordsOf(tree, here);
  const size = isSeq(here) ? here.items.length : isMap(here) ? tree.entries(here).length : 0;
  if (records.length > 1 && records.length === size) return path;
  if (!isMap(here) || path.length >= MAX_DEPTH) return undefined;
  for (const [name, value] of tree.entries(here)) {
    const found = pathOf(tree, value, [...path, name]);
    if (found !== undefined) return found;
  }
  return undefined;
}

function collect(tree: YamlTree, map: YAMLMap, prefix: string, depth: number, found: Found): void {
  for (const [name, value] of tree.entries(map)) {
    const here = tree.resolved(value);
    const path = prefix === "" ? name : `${prefix}.${name}`;
    if (isMap(here) && depth < MAX_DEPTH) collect(tree, here, path, depth + 1, found);
    else if (here === null || isScalar(here)) found.fields.add(path);
    else found.lists.add(path);
  }
}
