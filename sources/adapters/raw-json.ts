/** A JSON value whose numbers keep their written digits: JSON.parse would round `0.330` to 0.33 and long ids to doubles. */
export type RawJson = null | boolean | RawNumber | string | RawJson[] | Map<string, RawJson>;

/** A number as written. */
export class RawNumber {
  constructor(readonly text: string) {}
}

/** Text that is not JSON; `at` is the 0-based offset. */
export class JsonError extends Error {
  override readonly name = "JsonError";
  constructor(
    message: string,
    readonly at: number,
  ) {
    super(message);
  }
}

const MAX_DEPTH = 100;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const SPACE = /[ \t\n\r]*/y;

/**
 * Parses one JSON text (RFC 8259). Stricter than JSON.parse in one thing: an object with two members of one name is an
 * error, since one of them would be lost.
 * @throws JsonError
 */
export function parseRawJson(text: string): RawJson {
  const parser = new RawJsonParser(text);
  return parser.document();
}

class RawJsonParser {
  private at = 0;
  private depth = 0;

  constructor(private readonly text: string) {}

  document(): RawJson {
    const value = this.value();
    this.space();
    if (this.at < this.text.length) this.fail("more text after the value");
    return value;
  }

  private value(): RawJson {
    this.space();
    const c = this.text[this.at];
    switch (c) {
      case "{":
        return this.nested(() => this.object());
      case "[":
        return this.nested(() => this.array());
      case '"':
        return this.string();
      case "t":
        return this.word("true", true);
      case "f":
        return this.word("false", false);
      case "n":
        return this.word("null", null);
      default:
        return this.number();
    }
  }

  private nested<T>(read: () => T): T {
    if (++this.depth > MAX_DEPTH) this.fail(`nested deeper than ${MAX_DEPTH}`);
    const value = read();
    this.depth--;
    return value;
  }

  private object(): Map<string, RawJson> {
    const members = new Map<string, RawJson>();
    this.at++;
    this.space();
    if (this.take("}")) return members;
    for (;;) {
      this.space();
      if (this.text[this.at] !== '"') this.fail("a member's name in quotes is missing");
      const name = this.string();
      this.space();
      if (!this.take(":")) this.fail("a colon is missing");
      if (members.has(name)) this.fail(`two members are named ${JSON.stringify(name)}`);
      members.set(name, this.value());
      this.space();
      if (this.take("}")) return members;
      if (!this.take(",")) this.fail("a comma or } is missing");
    }
  }

  private array(): RawJson[] {
    const items: RawJson[] = [];
    this.at++;
    this.space();
    if (this.take("]")) return items;
    for (;;) {
      items.push(this.value());
      this.space();
      if (this.take("]")) return items;
      if (!this.take(",")) this.fail("a comma or ] is missing");
    }
  }

  private string(): string {
    const start = this.at;
    let end = start;
    do {
      end = this.text.indexOf('"', end + 1);
      if (end < 0) this.fail("a string is not closed");
    } while (isEscaped(this.text, end));
    this.at = end + 1;
    const token = this.text.slice(start, end + 1);
    try {
      return JSON.parse(token) as string;
    } catch {
      this.at = start;
      return this.fail("a string has a control character or a bad escape");
    }
  }

  private number(): RawNumber {
    NUMBER.lastIndex = this.at;
    const m = NUMBER.exec(this.text);
    if (m === null) this.fail(this.at < this.text.length ? "a value is missing" : "the text ends too early");
    this.at += m[0].length;
    return new RawNumber(m[0]);
  }

  private word<T>(word: string, value: T): T {
    if (!this.text.startsWith(word, this.at)) this.fail("a value is missing");
    this.at += word.length;
    return value;
  }

  private take(c: string): boolean {
    if (this.text[this.at] !== c) return false;
    this.at++;
    return true;
  }

  private space(): void {
    const code = this.text.charCodeAt(this.at);
    if (code > 0x20) return;
    SPACE.lastIndex = this.at;
    this.at += SPACE.exec(this.text)![0].length;
  }

  private fail(message: string): never {
    throw new JsonError(message, this.at);
  }
}

/** Whether the quote at `at` is preceded by an odd number of backslashes. */
export function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text[at - 1 - backslashes] === "\\") backslashes++;
  return backslashes % 2 === 1;
}

/** A value as a cell's raw text: texts as they are, numbers as written, null as absent; containers as JSON. */
export function cellText(value: RawJson | undefined): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return String(value);
  if (value instanceof RawNumber) return value.text;
  return jsonText(value);
}

function jsonText(value: RawJson): string {
  if (value instanceof RawNumber) return value.text;
  if (Array.isArray(value)) return `[${value.map(jsonText).join(",")}]`;
  if (value instanceof Map) {
    return `{${[...value].map(([k, v]) => `${JSON.stringify(k)}:${jsonText(v)}`).join(",")}}`;
  }
  return JSON.stringify(value);
}

/** What stands at a path of member names and array indexes; undefined where there is nothing. */
export function atPath(value: RawJson, path: readonly string[]): RawJson | undefined {
  let here: RawJson | undefined = value;
  for (const step of path) {
    if (here instanceof Map) here = here.get(step);
    else if (Array.isArray(here) && /^\d+$/.test(step)) here = here[Number(step)];
    else return undefined;
    if (here === undefined) return undefined;
  }
  return here;
}
