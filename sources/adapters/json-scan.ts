import { JsonError } from "./raw-json.js";

/** An element cut out of a document, still text. */
export interface Slice {
  readonly text: string;
  /** 1-based line on which it begins. */
  readonly line: number;
}

const MAX_SLICE = 64 * 2 ** 20;
const MAX_DEPTH = 1000;

interface Level {
  readonly kind: "object" | "array";
  /** Member name or index of the value being read. */
  key: string;
  index: number;
  /** Of an object, its members so far. */
  readonly names: Set<string>;
  /** What may come next. */
  next: "key" | "key_or_end" | "colon" | "value" | "value_or_end" | "comma_or_end";
}

/**
 * Cuts the elements of the array at `path` out of a JSON document that arrives in pieces, in memory bounded by one
 * element. The frame around the elements is checked; an element itself is only balanced, its parser checks the rest.
 * With `whole`, the value at `path` is cut out in one piece instead.
 */
export class JsonScanner {
  private readonly levels: Level[] = [];
  private state: "frame" | "string" | "scalar" | "slice" | "done" = "frame";
  private token = "";
  private escaped = false;
  private isKey = false;
  private line = 1;
  /** The last character of the piece before. */
  private last = "";
  private offset = 0;
  /** While slicing: nesting inside the slice, and whether inside a string. */
  private depth = 0;
  private inString = false;
  private sliceLine = 1;
  private readonly parts: string[] = [];
  private partsLength = 0;
  /** Whether the array (or value) at `path` was met. */
  found = false;

  constructor(
    private readonly path: readonly string[],
    private readonly whole = false,
  ) {}

  /** Takes the next piece, gives the elements that it completes. @throws JsonError */
  feed(chunk: string): Slice[] {
    const out: Slice[] = [];
    let from = 0;
    for (let i = 0; i < chunk.length; i++) {
      const c = chunk[i]!;
      // CR LF is one line end, CR alone is one too.
      if (c === "\r" || (c === "\n" && (i > 0 ? chunk[i - 1] : this.last) !== "\r")) this.line++;
      if (this.state === "slice") {
        const end = this.stepSlice(c);
        if (end === "inside") continue;
        if (end === "before") {
          this.keep(chunk.slice(from, i));
          out.push(this.cut());
          this.stepFrame(c);
        } else {
          this.keep(chunk.slice(from, i + 1));
          out.push(this.cut());
        }
        continue;
      }
      this.step(c);
      if (this.startsSlice()) from = i;
    }
    if (this.state === "slice") this.keep(chunk.slice(from));
    this.offset += chunk.length;
    this.last = chunk.at(-1) ?? this.last;
    return out;
  }

  /** Says that the document is over. @throws JsonError if it is not. */
  end(): void {
    if (this.state === "scalar") this.endScalar();
    if (this.state !== "done") throw new JsonError("the document ends too early", this.offset);
  }

  /** The line reached, for messages. */
  get lineReached(): number {
    return this.line;
  }

  private keep(text: string): void {
    this.parts.push(text);
    this.partsLength += text.length;
    if (this.partsLength > MAX_SLICE)
      throw new JsonError(`one record is larger than ${MAX_SLICE} characters`, this.offset);
  }

  private cut(): Slice {
    const text = this.parts.join("");
    this.parts.length = 0;
    this.partsLength = 0;
    this.state = "frame";
    this.afterValue();
    return { text, line: this.sliceLine };
  }

  private stepSlice(c: string): "inside" | "before" | "after" {
    if (this.inString) {
      if (this.escaped) this.escaped = false;
      else if (c === "\\") this.escaped = true;
      else if (c === '"') {
        this.inString = false;
        if (this.depth === 0) return "after";
      }
      return "inside";
    }
    if (c === '"') this.inString = true;
    else if (c === "{" || c === "[") this.depth++;
    else if (c === "}" || c === "]") {
      if (this.depth === 0) return "before";
      if (--this.depth === 0) return "after";
    } else if (c === "," && this.depth === 0) return "before";
    return "inside";
  }

  private step(c: string): void {
    if (this.state === "string") this.stepString(c);
    else if (this.state === "scalar" && !/[\s,\]}]/.test(c)) this.token += c;
    else {
      if (this.state === "scalar") this.endScalar();
      this.stepFrame(c);
    }
  }

  private stepString(c: string): void {
    if (this.isKey) this.token += c;
    if (this.escaped) this.escaped = false;
    else if (c === "\\") this.escaped = true;
    else if (c === '"') {
      this.state = "frame";
      if (this.isKey) this.endKey();
      else this.afterValue();
    }
  }

  private endKey(): void {
    const top = this.levels.at(-1)!;
    try {
      top.key = JSON.parse(this.token) as string;
    } catch {
      this.fail("a member's name is damaged");
    }
    if (top.names.has(top.key)) this.fail(`two members are named ${JSON.stringify(top.key)}`);
    top.names.add(top.key);
    top.next = "colon";
  }

  private endScalar(): void {
    if (!/^(true|false|null|-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?)$/.test(this.token))
      this.fail("a value is missing");
    this.state = "frame";
    this.afterValue();
  }

  private stepFrame(c: string): void {
    if (c === " " || c === "\n" || c === "\r" || c === "\t") return;
    if (this.state === "done") this.fail("more text after the document");
    const top = this.levels.at(-1);
    const next = top?.next ?? "value";
    if (top !== undefined && (c === "}" || c === "]")) this.close(top, c);
    else if (c === "," && next === "comma_or_end") this.comma(top!);
    else if (c === ":" && next === "colon") top!.next = "value";
    else if (c === '"' && (next === "key" || next === "key_or_end")) this.openString(true);
    else if (next === "value" || next === "value_or_end") this.openValue(c, top);
    else this.fail(`unexpected ${JSON.stringify(c)}`);
  }

  private comma(top: Level): void {
    top.index++;
    top.next = top.kind === "object" ? "key" : "value";
  }

  private close(top: Level, c: string): void {
    const fits = c === "}" ? top.kind === "object" : top.kind === "array";
    const may = top.next === "comma_or_end" || top.next === "key_or_end" || top.next === "value_or_end";
    if (!fits || !may) this.fail(`unexpected ${JSON.stringify(c)}`);
    this.levels.pop();
    this.afterValue();
  }

  private openString(isKey: boolean): void {
    this.state = "string";
    this.isKey = isKey;
    this.token = isKey ? '"' : "";
  }

  private openValue(c: string, top: Level | undefined): void {
    if (top?.kind === "array") top.key = String(top.index);
    const target = this.isTarget();
    if (target || this.isElement()) {
      this.beginSlice(c);
      return;
    }
    if (c === "{" || c === "[") {
      if (this.levels.length >= MAX_DEPTH) this.fail(`nested deeper than ${MAX_DEPTH}`);
      if (c === "[" && !this.whole && this.atTargetArray()) this.found = true;
      const kind = c === "{" ? "object" : "array";
      const next = c === "{" ? "key_or_end" : "value_or_end";
      this.levels.push({ kind, key: "", index: 0, names: new Set(), next });
    } else if (c === '"') this.openString(false);
    else {
      this.state = "scalar";
      this.token = c;
    }
  }

  private beginSlice(c: string): void {
    this.found = true;
    this.state = "slice";
    this.sliceLine = this.line;
    this.inString = c === '"';
    this.escaped = false;
    this.depth = c === "{" || c === "[" ? 1 : 0;
    this.fresh = true;
  }

  private fresh = false;

  private startsSlice(): boolean {
    const fresh = this.fresh;
    this.fresh = false;
    return fresh;
  }

  /** With `whole`: the value about to be read stands at `path`. */
  private isTarget(): boolean {
    return this.whole && this.levels.length === this.path.length && this.matches(this.path.length);
  }

  private atTargetArray(): boolean {
    return this.levels.length === this.path.length && this.matches(this.path.length);
  }

  private isElement(): boolean {
    const depth = this.path.length + 1;
    if (this.whole || this.levels.length !== depth || this.levels.at(-1)!.kind !== "array") return false;
    return this.matches(this.path.length);
  }

  private matches(count: number): boolean {
    return this.path.slice(0, count).every((step, i) => this.levels[i]!.key === step);
  }

  private afterValue(): void {
    const top = this.levels.at(-1);
    if (top === undefined) this.state = "done";
    else top.next = "comma_or_end";
  }

  private fail(message: string): never {
    throw new JsonError(message, this.offset);
  }
}
