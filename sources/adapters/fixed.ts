import type { FormatOf } from "../format.js";
import { type Line, textLines } from "../lines.js";
import { excerpt, sourceError } from "../problems.js";
import type { Snapshot } from "../snapshot.js";
import type { Adapter, RawRecord } from "./adapter.js";
import { columnPositions } from "./csv-layout.js";
import { betweenRuns, codePoints, rulerRuns, type Span } from "./spans.js";

type FixedFormat = FormatOf<"fixed">;

/**
 * Lines whose fields stand at fixed places, given by the card or by a ruler line in the file. Places count characters. Blanks around
 * a field are the format's padding and no part of its text; a field beyond the end of its line is empty.
 */
export const fixed: Adapter<FixedFormat> = {
  format: "fixed",
  async *read({ snapshot, options, wanted }) {
    const reader = new FixedReader(snapshot, options, wanted);
    for await (const lines of textLines(snapshot, options.encoding)) {
      yield { records: lines.flatMap((line) => reader.take(line)), turnedAway: [] };
    }
    reader.end();
  },
};

class FixedReader {
  private record = 0;
  /** Of the wanted fields, once it is known where they stand. */
  private spans: readonly Span[] | undefined;
  private names: Line | undefined;
  private ruler: { readonly text: string; readonly runs: readonly Span[] } | undefined;

  constructor(
    private readonly snapshot: Snapshot,
    private readonly options: FixedFormat,
    private readonly wanted: readonly string[],
  ) {
    if (options.columns !== undefined) {
      const spans = options.columns.map(({ start, end = Number.POSITIVE_INFINITY }) => ({
        start: start - 1,
        end,
      }));
      this.spans = this.pick(
        options.columns.map((c) => c.name),
        spans,
      );
    }
  }

  /** The record of a line, or nothing where the line holds none. */
  take(line: Line): RawRecord[] {
    const { skip = 0, comment } = this.options;
    const { text } = line;
    if (line.line <= skip || text.trim() === "" || (comment !== undefined && text.startsWith(comment)))
      return [];
    this.checkTabs(line);
    if (this.spans === undefined) this.readHead(line);
    else if (text.trimEnd() !== this.ruler?.text) return [this.readRecord(line, this.spans)];
    return [];
  }

  end(): void {
    if (this.spans !== undefined) return;
    sourceError("no_header", `${this.snapshot.name} has no ruler line`, {
      hint: "a ruler is a line of dashes under the names, as long as the columns are wide; else give `columns` by `start` and `end`",
    });
  }

  /** The names, then the ruler under them. The same ruler may stand above the names and below the table. */
  private readHead(line: Line): void {
    const runs = rulerRuns(line.text);
    if (runs === undefined) {
      if (this.names !== undefined)
        this.fail(line, "bad_ruler", "a ruler of dashes should stand here, under the names");
      this.names = line;
      return;
    }
    if (this.names === undefined) return;
    const head = codePoints(this.names.text.replaceAll("|", " "));
    const names = betweenRuns(runs).map((span) => cut(head, span));
    this.spans = this.pick(names, runs);
    this.ruler = { text: line.text.trimEnd(), runs };
  }

  private pick(names: readonly string[], spans: readonly Span[]): Span[] {
    return columnPositions(names, this.wanted, this.snapshot.name).map((p) => spans[p]!);
  }

  private readRecord(line: Line, spans: readonly Span[]): RawRecord {
    const text = codePoints(line.text);
    if (this.ruler !== undefined) this.checkGaps(line, text, this.ruler.runs);
    this.record++;
    return { record: this.record, line: line.line, fields: spans.map((span) => cut(text, span)) };
  }

  /** Text outside all columns of a ruler means that the line does not keep to it. */
  private checkGaps(line: Line, text: string | readonly string[], runs: readonly Span[]): void {
    let from = 0;
    for (const run of [...runs, { start: text.length, end: text.length }]) {
      for (let at = from; at < Math.min(run.start, text.length); at++) {
        const c = text[at]!;
        if (c !== " " && c !== "|" && c !== "\u00A0") {
          this.fail(line, "misaligned_row", `character ${at + 1} stands between the columns of the ruler`);
        }
      }
      from = run.end;
    }
  }

  private checkTabs(line: Line): void {
    const at = line.text.indexOf("\t");
    if (at < 0) return;
    this.fail(
      line,
      "tab_in_fixed",
      `a tab at character ${at + 1}, so that nobody knows where the fields stand`,
    );
  }

  private fail(line: Line, code: string, what: string): never {
    sourceError(code, `${this.snapshot.name}, line ${line.line}: ${what}`, {
      hint: "lines that are no records are passed over by `skip` or `comment`; text divided by tabs is `format: csv` with that `delimiter`",
      location: { file: this.snapshot.path, line: line.line, excerpt: excerpt(line.text, 200) },
    });
  }
}

function cut(text: string | readonly string[], { start, end }: Span): string {
  const piece = text.slice(start, end);
  return (typeof piece === "string" ? piece : piece.join("")).trim();
}
