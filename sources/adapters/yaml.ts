import { isMap, isSeq, LineCounter, type Node } from "yaml";
import type { FormatOf } from "../format.js";
import { decodedText, wholeText } from "../text.js";
import { type Adapter, type RawRecord, unknownFields } from "./adapter.js";
import { failYaml, yamlDocument } from "./yaml-document.js";
import { YamlFault, YamlTree } from "./yaml-tree.js";

/** In characters. The library keeps a hundred bytes and more for each, and takes seconds for a million of them. */
const MAX_SIZE = 8 * 2 ** 20;
/** The key of a record in a map of records, as a field. */
const KEY_FIELD = "#key";

/**
 * A list of maps, or a map of maps by their keys. Every scalar is the text that is written: `1E2`, `007`, `0x10`, `yes` and `~` have
 * no other meaning here. Fields are dotted paths, as in JSON.
 */
export const yaml: Adapter<FormatOf<"yaml">> = {
  format: "yaml",
  async *read({ snapshot, options, wanted }) {
    const written = await wholeText(decodedText(snapshot, options.encoding), snapshot.name, MAX_SIZE);
    // The library takes a CR alone for a character of the line.
    const text = written.replace(/\r(?!\n)/g, "\n");
    const lines = new LineCounter();
    try {
      const reader = new YamlReader(new YamlTree(yamlDocument(text, lines)), wanted, lines);
      const path = options.path === "" ? [] : options.path.split(".");
      yield { records: reader.records(path), turnedAway: [] };
      reader.finish(snapshot.name);
    } catch (error) {
      if (error instanceof YamlFault) failYaml(snapshot, lines, error);
      throw error;
    }
  },
};

class YamlReader {
  private readonly paths: readonly string[][];
  private readonly seen: boolean[];
  private readonly names = new Set<string>();

  constructor(
    private readonly tree: YamlTree,
    private readonly wanted: readonly string[],
    private readonly lines: LineCounter,
  ) {
    this.paths = wanted.map((field) => field.split("."));
    this.seen = wanted.map((field) => field === KEY_FIELD);
  }

  records(path: readonly string[]): RawRecord[] {
    const root = this.tree.at(this.tree.root, path);
    if (isSeq(root)) return root.items.map((item, i) => this.record(item as Node | null, i, null));
    if (isMap(root)) return this.tree.entries(root).map(([key, value], i) => this.record(value, i, key));
    const place = path.length === 0 ? "the document" : `\`${path.join(".")}\``;
    const hint = "set `path` to where the records stand, e.g. `data.stars`";
    throw new YamlFault(
      "no_records",
      `${place} is neither a list nor a map of records`,
      hint,
      root?.range?.[0],
    );
  }

  finish(file: string): void {
    const missing = this.wanted.filter((_, i) => !this.seen[i]);
    if (missing.length > 0) unknownFields(missing, [...this.names], file);
  }

  private record(node: Node | null, i: number, key: string | null): RawRecord {
    const value = this.tree.resolved(node);
    const at = node?.range?.[0];
    if (!isMap(value)) {
      const which = key === null ? `item ${i + 1}` : `\`${key}\``;
      throw new YamlFault(
        "bad_record",
        `${which} is not a map`,
        "each record is a map of fields; set `path` to where they stand",
        at,
      );
    }
    if (this.names.size < 100) for (const [name] of this.tree.entries(value)) this.names.add(name);
    const fields = this.wanted.map((field, f) => {
      if (field === KEY_FIELD) return key;
      const own = this.tree.member(value, field);
      const found = own === undefined ? this.tree.at(value, this.paths[f]!) : own;
      if (found !== undefined) this.seen[f] = true;
      return this.tree.cell(found ?? null);
    });
    return { record: i + 1, ...(at === undefined ? {} : { line: this.lines.linePos(at).line }), fields };
  }
}
