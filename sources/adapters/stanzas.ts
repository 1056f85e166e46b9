import type { FormatOf } from "../format.js";
import { type Line, textLines } from "../lines.js";
import { excerpt, sourceError } from "../problems.js";
import type { Snapshot } from "../snapshot.js";
import { type Adapter, type RawRecord, unknownFields } from "./adapter.js";
import { endsInEscape, unescaped, withoutComment } from "./stanza-text.js";

type StanzasFormat = FormatOf<"stanzas">;

/** In characters, as for other text formats. */
const MAX_RECORD = 16 * 2 ** 20;
/** Names of fields kept for messages. */
const MAX_NAMES = 1000;
/** The word in a stanza's brackets, as a field. */
const NAME_FIELD = "#stanza";
const HEAD = /^\[([^[\]]+)\]\s*$/;

/**
 * Lines of `name: value`, grouped into records by heads such as `[Term]` (OBO, INI files) or by empty lines (Debian's control files).
 * Between empty lines a line that begins with a blank goes on with the value above it; under heads it is one more field.
 */
export const stanzas: Adapter<StanzasFormat> = {
  format: "stanzas",
  async *read({ snapshot, options, wanted }) {
    const reader = new StanzaReader(snapshot, options, wanted);
    for await (const lines of textLines(snapshot, options.encoding)) {
      yield { records: lines.flatMap((line) => reader.take(line)), turnedAway: [] };
    }
    yield { records: reader.end(), turnedAway: [] };
  },
};

/** A record that is being read. */
interface Open {
  readonly line: number;
  readonly fields: Map<string, string>;
  size: number;
}

class StanzaReader {
  private record = 0;
  private open: Open | undefined;
  /** The field that a following line may continue, and whether its line ended in a backslash. */
  private last: { name: string; text: string; line: number; goesOn: boolean } | undefined;
  /** Inside a stanza that the card does not ask for, or the file's header. */
  private passing: boolean;
  private readonly seen = new Set<string>();

  constructor(
    private readonly snapshot: Snapshot,
    private readonly options: StanzasFormat,
    private readonly wanted: readonly string[],
  ) {
    this.passing = options.stanza !== undefined;
  }

  /** The record that a line completes, or nothing. */
  take(line: Line): RawRecord[] {
    if (this.last?.goesOn) {
      this.goOn(line, line.text);
      return [];
    }
    const { comment, stanza } = this.options;
    const text = withoutComment(line.text, comment, this.options.escapes);
    // A line of nothing but a comment neither ends a paragraph nor says anything.
    if (text.trim() === "") return stanza === undefined && line.text.trim() === "" ? this.close() : [];
    const head = stanza === undefined ? null : HEAD.exec(text);
    if (head !== null) return this.begin(head[1]!, line);
    if (this.passing) return [];
    if (stanza === undefined && /^[ \t]/.test(text) && this.last !== undefined)
      this.goOn(line, ` ${text.trim()}`);
    else this.field(line, text);
    return [];
  }

  end(): RawRecord[] {
    const rest = this.close();
    const { stanza } = this.options;
    if (this.record === 0) {
      const what = stanza === undefined ? "records" : `stanza \`[${stanza}]\``;
      sourceError("no_records", `${this.snapshot.name} has no ${what}`, {
        hint: "`stanza` names the records' heads, `*` for all of them; without it records are divided by empty lines",
      });
    }
    const missing = this.wanted.filter((field) => field !== NAME_FIELD && !this.seen.has(field));
    if (missing.length > 0) unknownFields(missing, [...this.seen], this.snapshot.name);
    return rest;
  }

  private begin(name: string, line: Line): RawRecord[] {
    const done = this.close();
    const { stanza } = this.options;
    this.passing = stanza !== "*" && stanza !== name;
    if (!this.passing) this.open = { line: line.line, fields: new Map([[NAME_FIELD, name]]), size: 0 };
    return done;
  }

  private field(line: Line, text: string): void {
    this.settle();
    const { separator } = this.options;
    const at = text.indexOf(separator);
    const name = at < 0 ? "" : text.slice(0, at).trim();
    if (name === "") {
      this.fail(
        line,
        "bad_line",
        `no \`name${separator} value\``,
        "set `comment`, `separator` or `stanza` to what the file uses",
      );
    }
    this.open ??= { line: line.line, fields: new Map(), size: 0 };
    const value = text.slice(at + separator.length);
    this.last = { name, text: value.trim(), line: line.line, goesOn: this.escapedEnd(value) };
    this.grow(line, text.length);
  }

  private goOn(line: Line, text: string): void {
    const last = this.last!;
    const before = last.goesOn ? last.text.slice(0, -1) : last.text;
    last.goesOn = this.escapedEnd(text);
    last.text = before + text;
    this.grow(line, text.length);
  }

  private escapedEnd(text: string): boolean {
    return this.options.escapes && endsInEscape(text);
  }

  private grow(line: Line, by: number): void {
    const open = this.open!;
    open.size += by;
    if (open.size > MAX_RECORD)
      this.fail(line, "too_long", `one record is larger than ${MAX_RECORD} characters`);
  }

  /** Books the field that no further line continues. */
  private settle(): void {
    if (this.last === undefined) return;
    const { name, text, line } = this.last;
    this.last = undefined;
    if (this.seen.size < MAX_NAMES || this.wanted.includes(name)) this.seen.add(name);
    const fields = this.open!.fields;
    const value = this.options.escapes ? unescaped(text.trim()) : text.trim();
    const before = fields.get(name);
    if (before === undefined) fields.set(name, value);
    else if (this.options.join !== undefined) fields.set(name, before + this.options.join + value);
    else if (this.wanted.includes(name)) {
      const hint = "set `join` to the text that is to stand between a record's several values";
      this.fail(
        { text: `${name}: ${value}`, line },
        "repeated_field",
        `a second \`${excerpt(name)}\` in one record`,
        hint,
      );
    }
  }

  private close(): RawRecord[] {
    if (this.open === undefined) return [];
    this.settle();
    const { line, fields } = this.open;
    this.open = undefined;
    this.record++;
    return [{ record: this.record, line, fields: this.wanted.map((field) => fields.get(field) ?? null) }];
  }

  private fail(line: Line, code: string, what: string, hint?: string): never {
    sourceError(code, `${this.snapshot.name}, line ${line.line}: ${what}`, {
      hint,
      location: { file: this.snapshot.path, line: line.line, excerpt: excerpt(line.text, 200) },
    });
  }
}
