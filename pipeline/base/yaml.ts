// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables as a document writes them
import { constants } from "node:fs";
import { open, readdir } from "node:fs/promises";
import { basename, dirname } from "node:path";
import type { Document as YamlDocument } from "yaml";
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type Scalar,
  type YAMLError,
} from "yaml";
import { interpolate } from "./env.js";
import { type Location, nearest, type Problem, TaskmillError } from "./errors.js";
import { tooDeepAt } from "./nesting.js";

/** A path inside a document: keys and list indexes. */
export type Path = readonly (string | number)[];

/** A user's YAML file, read: plain JSON values, and where each of them stands. */
export interface Document {
  /** As the user gave it, for messages. */
  readonly file: string;
  readonly text: string;
  /** Plain JSON. Read it through `validate` only, which also reports `problems`. */
  readonly value: unknown;
  /** What is wrong with the values themselves (missing variables, doubled keys, numbers that would be rounded). */
  readonly problems: readonly Problem[];
  /** Paths whose text came from an environment variable: a number is meant where one is asked for. */
  readonly substituted: readonly Path[];
  /** Where a path stands; the nearest existing ancestor for what is missing. Collections are shown by their key. */
  locate(path: Path, part?: "value" | "key"): Location;
}

/** Values of `${NAME}` in a document. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Larger files are data, and data comes in through a source. */
export const MAX_BYTES = 8 * 1024 * 1024;
const MAX_DEPTH = 64;
const MAX_FAULTS = 20;
/** Values that aliases may repeat in all; an alias bomb passes any such bound at once. */
const MAX_ALIASED = 10_000;

/**
 * Reads a YAML 1.2 file (core schema, one document, keys are texts). `${VAR}` and `${VAR:-default}` in text values are
 * replaced from `env` (the process's own by default) after parsing, so that a value cannot change the structure.
 * @throws TaskmillError (config) with every syntax error located, or saying why the file cannot be read.
 */
export async function readDocument(
  file: string,
  options: { env?: Environment | "none" } = {},
): Promise<Document> {
  return parseText(file, await readText(file), options);
}

/** {@link readDocument} for a text already at hand; `file` names it in messages. With `env: "none"` a `${` is a plain text. */
export function parseText(
  file: string,
  text: string,
  options: { env?: Environment | "none" } = {},
): Document {
  refuseControlCharacters(file, text);
  const lines = new LineCounter();
  const at = (start: number, end: number): Location => locationOf(file, text, lines, start, end);
  const yaml = compose(file, text, lines);
  const faults: Problem[] = withoutEchoes([...yaml.errors, ...yaml.warnings]).map((e) => {
    const location = at(e.pos[0], e.pos[1]);
    const fault = { code: "yaml_syntax", message: syntaxMessage(e.code, e.message), location };
    const variable = /[[{].*\$\{/.test(location.excerpt ?? "");
    return variable ? { ...fault, hint: 'inside { } and [ ] a variable needs quotes: "${NAME}"' } : fault;
  });
  if (yaml.directives?.yaml.explicit && yaml.directives.yaml.version !== "1.2") {
    faults.push({
      code: "yaml_version",
      message: `YAML ${yaml.directives.yaml.version} reads some values otherwise; write YAML 1.2`,
      location: at(0, text.indexOf("\n")),
    });
  }
  if (faults.length > 0) throw new TaskmillError("config", faults);
  const reader = new Reader(yaml, at, options.env ?? process.env);
  const root = reader.read(yaml.contents, [], 0);
  return {
    file,
    text,
    value: root.value,
    problems: reader.problems,
    substituted: reader.substituted,
    locate: (path, part = "value") => locate(root.place, path, part, at, file),
  };
}

function compose(file: string, text: string, lineCounter: LineCounter): YamlDocument {
  const deep = tooDeepAt(text);
  if (deep !== undefined) {
    throw new TaskmillError("config", [tooDeep({ file, line: text.slice(0, deep).split("\n").length })]);
  }
  return parseDocument(text, {
    version: "1.2",
    prettyErrors: false,
    uniqueKeys: false,
    intAsBigInt: true,
    resolveKnownTags: false,
    logLevel: "error",
    lineCounter,
  });
}

/** One slip upsets all that follows it: faults that only say so are left out. */
function withoutEchoes(faults: readonly YAMLError[]): YAMLError[] {
  const tabs = faults.some((f) => f.code === "TAB_AS_INDENT");
  const echo = (f: YAMLError, i: number): boolean =>
    (i > 0 && f.code === "UNEXPECTED_TOKEN") || (tabs && f.code === "BAD_INDENT");
  return faults.filter((f, i) => !echo(f, i)).slice(0, MAX_FAULTS);
}

function tooDeep(location: Location): Problem {
  return { code: "too_deep", message: `nested more than ${MAX_DEPTH} levels deep`, location };
}

/** The parser's own words, where they are not a user's. */
function syntaxMessage(code: string, message: string): string {
  if (code === "MULTIPLE_DOCS") return "a second document starts here (`---`); one file holds one document";
  if (code === "TAB_AS_INDENT") return "a tab cannot indent YAML; use spaces";
  if (code === "TAG_RESOLVE_FAILED") return `tags are not supported here: ${message}`;
  const open = /^Flow (sequence|map) in block collection .* end with a (.)$/.exec(message);
  if (open !== null) {
    const [what, bracket] = open[1] === "map" ? ["mapping", "{"] : ["list", "["];
    return `a ${what} opened with ${bracket} further up is not closed with ${open[2]} before this line`;
  }
  return message[0]!.toLowerCase() + message.slice(1).replace(/\.$/, "");
}

/** Where a value stands: character offsets of its key and of itself. */
interface Place {
  readonly key?: readonly [number, number];
  readonly range: readonly [number, number];
  readonly collection: boolean;
  readonly children: ReadonlyMap<string | number, Place>;
}

interface Read {
  readonly value: unknown;
  readonly place: Place;
}

type Range = readonly [number, number];

/** Turns YAML nodes into plain JSON values and places, collecting what is wrong on the way. */
class Reader {
  readonly problems: Problem[] = [];
  readonly substituted: Path[] = [];
  private readonly open = new Set<Node>();
  private aliased = 0;
  private inAlias = 0;
  private duplicates = 0;

  constructor(
    private readonly yaml: YamlDocument,
    private readonly at: (start: number, end: number) => Location,
    private readonly env: Environment | "none",
  ) {}

  read(node: Node | null, path: Path, depth: number, key?: Range): Read {
    const range = rangeOf(node) ?? key ?? [0, 0];
    if (depth > MAX_DEPTH) throw new TaskmillError("config", [tooDeep(this.at(...range))]);
    if (this.inAlias > 0 && ++this.aliased > MAX_ALIASED) this.refuseAliases(range);
    if (isAlias(node)) return this.readAlias(node.source, node.resolve(this.yaml), range, path, depth, key);
    if (isMap(node)) return this.readMap(node.items, range, path, depth, key);
    if (isSeq(node)) {
      const items = (node.items as Node[]).map((item, i) => this.read(item, [...path, i], depth + 1));
      const children = new Map(items.map((item, i) => [i, item.place]));
      return { value: items.map((i) => i.value), place: { key, range, collection: true, children } };
    }
    const value = isScalar(node) ? this.readScalar(node, range, path) : null;
    return { value, place: { key, range, collection: false, children: new Map() } };
  }

  private readAlias(
    name: string,
    target: Node | undefined,
    range: Range,
    path: Path,
    depth: number,
    key?: Range,
  ): Read {
    if (target === undefined || this.open.has(target)) {
      throw new TaskmillError("config", [
        {
          code: "bad_alias",
          message: target === undefined ? `nothing is called *${name}` : `*${name} stands inside itself`,
          location: this.at(...range),
        },
      ]);
    }
    this.inAlias++;
    const read = this.read(target, path, depth, key);
    this.inAlias--;
    return { value: read.value, place: { ...read.place, key, range } };
  }

  private readMap(
    pairs: readonly { key: unknown; value: unknown }[],
    range: Range,
    path: Path,
    depth: number,
    mapKey?: Range,
  ): Read {
    const value: Record<string, unknown> = {};
    const children = new Map<string, Place>();
    for (const pair of pairs) {
      const keyRange = rangeOf(pair.key) ?? range;
      const key = this.readKey(pair.key, keyRange);
      if (key === undefined) continue;
      const first = children.get(key);
      if (first !== undefined) this.duplicate(key, keyRange, first);
      if (pair.value !== null) this.open.add(pair.value as Node);
      const child = this.read(pair.value as Node | null, [...path, key], depth + 1, keyRange);
      this.open.delete(pair.value as Node);
      if (first !== undefined) continue;
      value[key] = child.value;
      children.set(key, child.place);
    }
    return { value, place: { key: mapKey, range, collection: true, children } };
  }

  private readKey(key: unknown, range: Range): string | undefined {
    const text = isScalar(key) ? keyText(key) : undefined;
    if (text === undefined) this.problem("bad_key", "a key must be a text", range, "quote it");
    else if (text === "__proto__") this.problem("bad_key", "`__proto__` cannot be a key", range);
    else return text;
    return undefined;
  }

  private duplicate(key: string, range: Range, first: Place): void {
    // Each holds an excerpt of the file: a million of them would fill the memory.
    if (++this.duplicates > MAX_FAULTS) return;
    const line = first.key === undefined ? undefined : this.at(...first.key).line;
    this.problem("duplicate_key", `\`${key}\` is given twice`, range, `the first stands on line ${line}`);
  }

  private readScalar(node: Scalar, range: Range, path: Path): unknown {
    const value = node.value;
    if (typeof value === "bigint") return this.readInteger(value, node, range, path);
    if (typeof value !== "string" || this.env === "none") return value;
    const result = interpolate(value, this.env);
    for (const name of result.missing) {
      this.problem(
        "missing_variable",
        `the environment variable ${name} is not set`,
        range,
        `set it, or give a default: \${${name}:-default}`,
        path,
      );
    }
    for (const bad of result.malformed) {
      this.problem(
        "bad_variable",
        `\`${bad}\` is not a variable`,
        range,
        "write ${NAME} or ${NAME:-default}; $${ stands for a plain ${",
        path,
      );
    }
    if (result.text !== value) this.substituted.push(path);
    return result.text;
  }

  private readInteger(value: bigint, node: Scalar, range: Range, path: Path): number {
    const written = node.source ?? String(value);
    if (/^[-+]?0\d/.test(written)) {
      const hint = `quote a text: "${written}"; write a number without the zeros: ${value}`;
      this.problem("leading_zero", `\`${written}\` would lose its leading zeros`, range, hint, path);
    }
    if (value > BigInt(Number.MAX_SAFE_INTEGER) || value < -BigInt(Number.MAX_SAFE_INTEGER)) {
      const hint = `whole numbers are exact below 2^53; quote a text: "${written}"`;
      this.problem("unsafe_integer", `${written} ${roundedSaid(value)}`, range, hint, path);
    }
    return Number(value);
  }

  private problem(code: string, message: string, range: Range, hint?: string, path?: Path): void {
    this.problems.push({ code, message, hint, path, location: this.at(...range) });
  }

  private refuseAliases(range: Range): never {
    const message = `aliases repeat more than ${MAX_ALIASED} values`;
    throw new TaskmillError("config", [{ code: "alias_bomb", message, location: this.at(...range) }]);
  }
}

function roundedSaid(value: bigint): string {
  const rounded = Number(value);
  return BigInt(rounded) === value
    ? "is beyond the whole numbers that are exact"
    : `would be rounded to ${BigInt(rounded)}`;
}

function keyText(key: Scalar): string | undefined {
  if (typeof key.value === "string") return key.value;
  if (key.value === null) return undefined;
  return key.source ?? String(key.value);
}

function rangeOf(node: unknown): Range | undefined {
  const range = (node as { range?: readonly [number, number, number] | null } | null)?.range;
  return range ? [range[0], range[1]] : undefined;
}

function locate(
  root: Place,
  path: Path,
  part: "value" | "key",
  at: (start: number, end: number) => Location,
  file: string,
): Location {
  let place = root;
  let found = 0;
  for (const step of path) {
    const child = place.children.get(step);
    if (child === undefined) break;
    place = child;
    found++;
  }
  if (found === 0 && place.range[0] === place.range[1]) return { file, line: 1, column: 1 };
  const byKey = place.key !== undefined && (part === "key" || place.collection || found < path.length);
  if (byKey) return at(...place.key!);
  const first = place.collection ? firstChild(place) : undefined;
  return at(...(first?.key ?? first?.range ?? place.range));
}

function firstChild(place: Place): Place | undefined {
  for (const child of place.children.values()) return child;
  return undefined;
}

/** A span of the text, cut to its first line. */
function locationOf(file: string, text: string, lines: LineCounter, start: number, end: number): Location {
  const from = Math.min(Math.max(start, 0), text.length);
  const { line, col } = lines.linePos(from);
  if (line === 0) return { file, line: 1, column: from + 1, length: 1, excerpt: text.split(/\r?\n/, 1)[0]! };
  const lineStart = lines.lineStarts[line - 1]!;
  const newline = text.indexOf("\n", lineStart);
  const lineEnd = newline < 0 ? text.length : newline;
  const excerpt = text.slice(lineStart, lineEnd).replace(/\r$/, "");
  const stop = Math.min(end, lineStart + excerpt.length);
  return { file, line, column: col, length: Math.max(1, stop - from), excerpt };
}

async function readText(file: string): Promise<string> {
  const bytes = await readBytes(file);
  const refuse = (code: string, message: string, hint?: string): never => {
    throw new TaskmillError("config", [{ code, message, hint, location: { file } }]);
  };
  const utf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (utf16) refuse("not_utf8", "the file is UTF-16", "save it as UTF-8");
  if (bytes.includes(0)) refuse("not_text", "the file is not a text (it holds NUL bytes)");
  try {
    // Drops a byte order mark; throws where the bytes are not UTF-8.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return refuse("not_utf8", `the file is not UTF-8 (line ${firstBadLine(bytes)})`, "save it as UTF-8");
  }
}

function firstBadLine(bytes: Buffer): number {
  let line = 1;
  for (let start = 0; start <= bytes.length; line++) {
    const newline = bytes.indexOf(10, start);
    const end = newline < 0 ? bytes.length : newline;
    try {
      new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(start, end));
    } catch {
      return line;
    }
    start = end + 1;
  }
  return line;
}

async function readBytes(file: string): Promise<Buffer> {
  const refuse = (code: string, message: string, hint?: string): never => {
    throw new TaskmillError("config", [{ code, message, hint, location: { file } }]);
  };
  if (file.includes("\0")) refuse("bad_path", "a path cannot hold a NUL character");
  let handle: Awaited<ReturnType<typeof open>> | undefined;
  try {
    // O_NONBLOCK: opening a FIFO must not wait for a writer.
    handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stat = await handle.stat();
    if (stat.isDirectory()) refuse("not_a_file", "this is a folder, not a file");
    if (!stat.isFile()) refuse("not_a_file", "this is not a regular file");
    if (stat.size > MAX_BYTES) {
      const hint = `at most ${MAX_BYTES / 1024 / 1024} MB; data comes in through a source's snapshot`;
      refuse("too_large", `the file has ${Math.ceil(stat.size / 1024 / 1024)} MB`, hint);
    }
    return await handle.readFile();
  } catch (cause) {
    if (cause instanceof TaskmillError) throw cause;
    const code = (cause as NodeJS.ErrnoException).code ?? "";
    if (code === "ENOENT" || code === "ENOTDIR") {
      const names = await readdir(dirname(file)).catch((): string[] => []);
      if (names.includes(basename(file))) refuse("missing_file", "this link leads to no file");
      const near = nearest(basename(file), names);
      return refuse("missing_file", "there is no such file", near && `did you mean ${near}?`);
    }
    if (code === "EACCES" || code === "EPERM") return refuse("unreadable_file", "the file may not be read");
    return refuse("unreadable_file", `the file cannot be read (${code || String(cause)})`);
  } finally {
    await handle?.close();
  }
}

/** Control characters have no business in a config, and would act on the terminal that shows an error. */
function refuseControlCharacters(file: string, text: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const bad = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f]/.exec(text);
  if (bad === null) return;
  const before = text.slice(0, bad.index);
  const line = before.split("\n").length;
  const name = `U+${bad[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
  const column = bad.index - before.lastIndexOf("\n");
  const excerpt = text.split("\n")[line - 1]!.replace(/\r$/, "");
  throw new TaskmillError("config", [
    {
      code: "control_character",
      message: `the control character ${name} stands in the text`,
      location: { file, line, column, length: 1, excerpt },
    },
  ]);
}
