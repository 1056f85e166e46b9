import { type Alias, type Document, isAlias, isMap, isScalar, isSeq, type Node, type YAMLMap } from "yaml";

/** What is wrong with a YAML document; `at` is the 0-based offset. */
export class YamlFault extends Error {
  override readonly name = "YamlFault";
  constructor(
    readonly code: string,
    message: string,
    readonly hint?: string,
    readonly at?: number,
  ) {
    super(message);
  }
}

export const MAX_DEPTH = 100;
/** Characters that all cells together may take: aliases let a small file stand for any amount of text. */
const MAX_EXPANDED = 32 * 2 ** 20;

type Members = ReadonlyMap<string, Node | null>;

/** A parsed document in which aliases stand for what they name, members are found by name, and no more is unfolded than fits. */
export class YamlTree {
  readonly root: Node | null;
  private readonly targets = new Map<Alias, Node>();
  private readonly members = new Map<YAMLMap, Members>();
  /** The JSON of what aliases name. */
  private readonly aliased = new Map<Node, string>();
  private expanded = 0;

  constructor(document: Document) {
    this.root = document.contents as Node | null;
    this.survey(this.root, new Map(), 0);
  }

  /** Whether the text says anywhere that it is YAML: nothing else has anchors, and aliases that name them. */
  get hasAliases(): boolean {
    return this.targets.size > 0;
  }

  /** What an alias names, or the node itself. */
  resolved(node: Node | null): Node | null {
    return isAlias(node) ? this.targets.get(node)! : node;
  }

  /** The members of a map in their order. */
  entries(map: YAMLMap): [string, Node | null][] {
    return [...this.membersOf(map)];
  }

  /** A member of a map; undefined where there is none. */
  member(map: YAMLMap, name: string): Node | null | undefined {
    const found = this.membersOf(map).get(name);
    return found === undefined ? undefined : this.resolved(found);
  }

  /** What stands at a path of member names and list indexes. */
  at(node: Node | null, path: readonly string[]): Node | null | undefined {
    let here: Node | null | undefined = this.resolved(node);
    for (const step of path) {
      if (isMap(here)) here = this.member(here, step);
      else if (isSeq(here) && /^\d{1,9}$/.test(step))
        here = this.resolved((here.items[Number(step)] ?? null) as Node | null);
      else return undefined;
      if (here === undefined) return undefined;
    }
    return here;
  }

  /** A node as a cell's text: a scalar as written, nothing as null, lists and maps as JSON of such texts. */
  cell(node: Node | null): string | null {
    if (node === null || isScalar(node)) return this.scalar(node);
    return this.json(node, 0);
  }

  private scalar(node: Node | null): string | null {
    if (!isScalar(node)) return null;
    const text = typeof node.value === "string" ? node.value : "";
    this.grow(text.length, node);
    // Nothing at all after the colon, not even quotes.
    return text === "" && node.type === "PLAIN" ? null : text;
  }

  private json(node: Node | null, depth: number): string {
    const here = this.resolved(node);
    if (here === node || here === null) return this.ownJson(here, depth);
    // Written out once for all aliases, so that a chain of them takes no longer than its text.
    const known = this.aliased.get(here);
    const text = known ?? this.ownJson(here, depth);
    if (known === undefined) this.aliased.set(here, text);
    else this.grow(text.length, here);
    return text;
  }

  private ownJson(node: Node | null, depth: number): string {
    this.grow(2, node);
    if (depth > MAX_DEPTH) fault("nested deeper than one cell may be", node);
    if (isSeq(node))
      return `[${node.items.map((item) => this.json(item as Node | null, depth + 1)).join(",")}]`;
    if (isMap(node)) {
      const parts = this.entries(node).map(
        ([name, value]) => `${JSON.stringify(name)}:${this.json(value, depth + 1)}`,
      );
      return `{${parts.join(",")}}`;
    }
    return JSON.stringify(this.scalar(node));
  }

  private grow(by: number, node: Node | null): void {
    this.expanded += by;
    if (this.expanded > MAX_EXPANDED) {
      fault(`its aliases stand for more than ${MAX_EXPANDED} characters`, node, "bad_alias");
    }
  }

  /** Made once a map, and only of maps that are looked into. */
  private membersOf(map: YAMLMap): Members {
    let members = this.members.get(map);
    if (members === undefined) {
      members = new Map(map.items.map(({ key, value }) => [keyText(key), (value ?? null) as Node | null]));
      this.members.set(map, members);
    }
    return members;
  }

  /** One pass in the order of the text: an alias names the last anchor of its name before it, keys must differ. */
  private survey(node: Node | null, anchors: Map<string, Node>, depth: number): void {
    if (node === null) return;
    if (depth > MAX_DEPTH) tooDeep(node.range?.[0]);
    if (isAlias(node)) {
      const target = anchors.get(node.source);
      if (target === undefined)
        fault(`the alias *${node.source} names no anchor before it`, node, "bad_alias");
      this.targets.set(node, target);
      return;
    }
    if ("anchor" in node && typeof node.anchor === "string") anchors.set(node.anchor, node);
    if (isSeq(node)) for (const item of node.items) this.survey(item as Node | null, anchors, depth + 1);
    if (isMap(node)) this.surveyMap(node, anchors, depth);
  }

  private surveyMap(map: YAMLMap, anchors: Map<string, Node>, depth: number): void {
    const names = new Set<string>();
    for (const { key, value } of map.items) {
      const name = keyText(key);
      const at = isScalar(key) ? key : map;
      if (names.has(name)) fault(`a second key \`${name}\` in one map`, at, "duplicate_header");
      if (name === "<<") fault("merge keys (`<<`) are not read: write the members out", at);
      names.add(name);
      if (isScalar(key)) this.survey(key, anchors, depth + 1);
      this.survey((value ?? null) as Node | null, anchors, depth + 1);
    }
  }
}

export function tooDeep(at: number | undefined): never {
  throw new YamlFault("too_deep", `nested deeper than ${MAX_DEPTH} levels`, undefined, at);
}

function keyText(key: unknown): string {
  return isScalar(key) ? String(key.value ?? "") : String(key ?? "");
}

function fault(message: string, node: Node | null, code = "bad_yaml"): never {
  throw new YamlFault(code, message, undefined, node?.range?.[0]);
}
