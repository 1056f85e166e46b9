import { SaxesParser } from "saxes";
import type { FormatOf } from "../format.js";
import { sourceError } from "../problems.js";
import type { Snapshot } from "../snapshot.js";
import { decodedText } from "../text.js";
import { type Adapter, type RawRecord, unknownFields } from "./adapter.js";
import { parseXmlPath, selectXml, type XmlNode, type XmlPath } from "./xml-path.js";

type XmlFormat = FormatOf<"xml">;

const MAX_DEPTH = 200;
const MAX_RECORD = 16 * 2 ** 20;

/** Elements of one name are the records. External entities and document types are never followed. */
export const xml: Adapter<XmlFormat> = {
  format: "xml",
  async *read({ snapshot, options, wanted }) {
    const reader = new XmlReader(snapshot, options, wanted);
    for await (const text of decodedText(snapshot, options.encoding)) {
      yield { records: reader.feed(text), turnedAway: [] };
    }
    yield { records: reader.end(), turnedAway: [] };
  },
};

class XmlReader {
  private readonly parser = new SaxesParser({ xmlns: false, position: true });
  private readonly paths: readonly XmlPath[];
  private readonly seen: boolean[];
  /** Open elements of the record being read, the record first; empty between records. */
  private readonly open: XmlNode[] = [];
  private depth = 0;
  private size = 0;
  private count = 0;
  private startLine = 1;
  private done: RawRecord[] = [];

  constructor(
    private readonly snapshot: Snapshot,
    private readonly options: XmlFormat,
    private readonly wanted: readonly string[],
  ) {
    this.paths = wanted.map(parseXmlPath);
    this.seen = wanted.map(() => false);
    this.parser.on("error", (error) => this.fail(error.message.replace(/^\d+:\d+: /, "")));
    this.parser.on("opentag", (tag) => this.openTag(tag.name, tag.attributes as Record<string, string>));
    this.parser.on("text", (text) => this.text(text));
    this.parser.on("cdata", (text) => this.text(text));
    this.parser.on("closetag", () => this.closeTag());
  }

  feed(text: string): RawRecord[] {
    this.parser.write(text);
    return this.take();
  }

  end(): RawRecord[] {
    this.parser.close();
    const { record } = this.options;
    if (this.count === 0) {
      sourceError("no_records", `${this.snapshot.name} has no element \`${record}\``, {
        hint: "set `record` to the name of the element that is one record",
      });
    }
    const missing = this.wanted.filter((_, i) => !this.seen[i]);
    if (missing.length > 0) unknownFields(missing, [], this.snapshot.name);
    return this.take();
  }

  private take(): RawRecord[] {
    return this.done.splice(0);
  }

  private openTag(name: string, attributes: Record<string, string>): void {
    if (++this.depth > MAX_DEPTH) this.fail(`elements nested deeper than ${MAX_DEPTH}`);
    const isRecord = name === this.options.record || name.replace(/^.*:/, "") === this.options.record;
    if (this.open.length === 0 && !isRecord) return;
    const node: XmlNode = { name, attributes: new Map(Object.entries(attributes)), children: [], text: "" };
    if (this.open.length === 0) {
      this.startLine = this.parser.line;
      this.size = 0;
    }
    this.open.at(-1)?.children.push(node);
    this.open.push(node);
    this.grow(name.length + 50);
  }

  private text(text: string): void {
    const node = this.open.at(-1);
    if (node === undefined) return;
    node.text += text;
    this.grow(text.length);
  }

  private grow(by: number): void {
    this.size += by;
    if (this.size > MAX_RECORD) this.fail(`one record is larger than ${MAX_RECORD} characters`);
  }

  private closeTag(): void {
    this.depth--;
    const node = this.open.pop();
    if (node === undefined || this.open.length > 0) return;
    this.count++;
    this.done.push({
      record: this.count,
      line: this.startLine,
      fields: this.paths.map((p, i) => this.field(node, p, i)),
    });
  }

  private field(node: XmlNode, path: XmlPath, i: number): string | null {
    const found = selectXml(node, path);
    if (found.length === 0) return null;
    this.seen[i] = true;
    if (found.length > 1 && found.some((text) => text !== found[0])) {
      this.fail(`record ${this.count} has ${found.length} different values for \`${this.wanted[i]}\``);
    }
    return found[0]!;
  }

  private fail(message: string): never {
    const { line } = this.parser;
    sourceError("bad_xml", `${this.snapshot.name}, line ${line}: ${message}`, {
      location: { file: this.snapshot.path, line },
    });
  }
}
