import { type CsvError, type InfoRecord, type Options, type Parser, parse } from "csv-parse";
import { MAX_LINE, tooLong } from "../lines.js";
import { excerpt, sourceError } from "../problems.js";
import { decodedText } from "../text.js";
import type { Adapter, RawBatch, RawRecord, ReadRequest } from "./adapter.js";
import { type CsvFormat, columnPositions, layoutOptions, withoutLines } from "./csv-layout.js";
import { transposedRecords } from "./csv-transposed.js";

/** Delimited text: any delimiter, quote and encoding, with a header or without, read by csv-parse. */
export const csv: Adapter<CsvFormat> = {
  format: "csv",
  async *read(request) {
    const { snapshot, options } = request;
    if (options.transposed === true) {
      yield await transposedRecords(request);
      return;
    }
    const reader = new CsvReader(request);
    for await (const text of withoutLines(decodedText(snapshot, options.encoding), options.skip)) {
      yield await reader.feed(text);
    }
    yield await reader.end();
  },
};

/** Pushes text through csv-parse and keeps its books: records, lines, and lines that bad records swallowed. */
class CsvReader {
  private readonly parser: Parser;
  private batch: RawBatch = { records: [], turnedAway: [] };
  private positions: readonly number[] | undefined;
  private width = 0;
  private skipAfterHeader: number;
  private record = 0;
  /** Line, empty and comment lines at the end of the last good record. */
  private last = { line: 0, passed: 0 };
  /** Extra lines that csv-parse counts for CR LF inside quotes. */
  private overcount = 0;
  private badLines: number[] = [];
  private failure: unknown;
  /** Characters of the longest line of this piece, and of the line that is open at its end. */
  private longest = 0;
  private open = 0;

  constructor(private readonly request: ReadRequest<CsvFormat>) {
    const { options, snapshot, wanted } = request;
    this.skipAfterHeader = options.skip_after_header;
    if (!options.header) {
      const names = options.names ?? [];
      this.positions = columnPositions(names, wanted, snapshot.name);
      this.width = names.length;
    }
    this.parser = parse(this.parserOptions(options));
    this.parser.on("error", () => {});
    this.parser.resume();
  }

  private parserOptions(options: CsvFormat): Options {
    return {
      ...layoutOptions(options),
      skip_records_with_error: true,
      // A quote that never closes would swallow the file.
      max_record_size: MAX_LINE,
      on_record: (fields: unknown, info: InfoRecord) => {
        this.accept(fields as string[], info);
        return null;
      },
      on_skip: (error?: CsvError) => this.refuse(error),
    };
  }

  async feed(text: string): Promise<RawBatch> {
    this.measure(text);
    await new Promise<void>((resolve, reject) => {
      this.parser.write(text, (error) => (error ? reject(this.explain(error)) : resolve()));
    });
    return this.take();
  }

  private measure(text: string): void {
    const first = text.search(/[\r\n]/);
    this.longest = this.open + (first < 0 ? text.length : first);
    const last = Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r"));
    this.open = last < 0 ? this.longest : text.length - last - 1;
  }

  async end(): Promise<RawBatch> {
    await new Promise<void>((resolve, reject) => {
      this.parser.once("error", (error) => reject(this.explain(error)));
      this.parser.end(() => resolve());
    });
    const { lines, empty_lines, comment_lines } = this.parser.info;
    this.settle(lines + 1, empty_lines + comment_lines, true);
    if (this.positions === undefined) {
      sourceError("no_header", `${this.request.snapshot.name} has no header line`);
    }
    return this.take();
  }

  private explain(error: Error): Error {
    if (this.failure instanceof Error) return this.failure;
    return error;
  }

  private take(): RawBatch {
    const batch = this.batch;
    this.batch = { records: [], turnedAway: [] };
    return batch;
  }

  private accept(fields: string[], info: InfoRecord): void {
    const inner = innerLines(fields);
    const end = info.lines - this.overcount;
    this.overcount += inner.extra;
    const start = info.lines - inner.counted;
    this.settle(start, info.empty_lines + info.comment_lines, false);
    this.last = { line: info.lines, passed: info.empty_lines + info.comment_lines };
    const line = end - inner.extra + this.request.options.skip;
    if (this.positions === undefined) this.readHeader(fields);
    else if (this.skipAfterHeader > 0) this.skipAfterHeader--;
    else this.push(fields, line);
  }

  private readHeader(fields: string[]): void {
    this.width = fields.length;
    this.positions = columnPositions(fields, this.request.wanted, this.request.snapshot.name);
  }

  private push(fields: string[], line: number): void {
    this.record++;
    if (fields.length !== this.width && !this.mayStay(fields, line)) return;
    const record: RawRecord = {
      record: this.record,
      line,
      fields: this.positions!.map((p) => fields[p] ?? null),
    };
    this.batch.records.push(record);
  }

  private mayStay(fields: string[], line: number): boolean {
    const { options, snapshot } = this.request;
    const detail = `${fields.length} fields where the header has ${this.width}`;
    const text = excerpt(fields.join(options.delimiter), 200);
    if (options.ragged === "fail") {
      sourceError("ragged_row", `${snapshot.name}, line ${line}: ${detail}`, {
        hint: "set `ragged: reject_row` to leave such rows out, or `ragged: pad` to read missing fields as unknown",
        location: { file: snapshot.path, line, excerpt: text },
      });
    }
    if (options.ragged === "pad" && fields.length < this.width) return true;
    this.batch.turnedAway.push({ record: this.record, line, reason: "ragged_row", text, detail });
    return false;
  }

  /** csv-parse calls this for each fault, perhaps several times in one record. */
  private refuse(error: CsvError | undefined): undefined {
    const line = this.parser.info.lines;
    if (error?.code === "CSV_MAX_RECORD_SIZE" && this.longest > MAX_LINE) this.failLong(line);
    if (error?.code === "CSV_MAX_RECORD_SIZE" || error?.code === "CSV_QUOTE_NOT_CLOSED") {
      this.failure = this.unclosed(this.badLines[0] ?? line);
      throw this.failure;
    }
    if (this.badLines.at(-1) !== line) this.badLines.push(line);
    return undefined;
  }

  /**
   * Books the bad records between the last good one and line `start`. Each must be one line: where a stray quote
   * swallowed whole lines nobody knows how many records went with them, so that is an error.
   */
  private settle(start: number, passed: number, atEnd: boolean): void {
    if (this.badLines.length === 0) return;
    const gap = start - this.last.line - 1 - (passed - this.last.passed);
    const ended = atEnd && gap === this.badLines.length - 1 ? gap + 1 : gap;
    if (ended > this.badLines.length) throw this.unclosed(this.badLines[0]!);
    for (const bad of this.badLines.splice(0)) this.turnAway(bad);
  }

  private turnAway(bad: number): void {
    const line = bad - this.overcount + this.request.options.skip;
    if (this.positions === undefined) {
      sourceError("bad_quote", `${this.request.snapshot.name}, line ${line}: a stray quote in the header`);
    }
    this.record++;
    const detail = `a quote stands where none may (line ${line})`;
    this.batch.turnedAway.push({ record: this.record, line, reason: "bad_quote", detail });
  }

  private failLong(line: number): never {
    try {
      tooLong(this.request.snapshot.name, line - this.overcount + this.request.options.skip);
    } catch (error) {
      this.failure = error;
      throw error;
    }
  }

  private unclosed(bad: number): Error {
    const line = bad - this.overcount + this.request.options.skip;
    try {
      sourceError(
        "unclosed_quote",
        `${this.request.snapshot.name}: a stray quote on line ${line} swallows the lines after it`,
        {
          hint: "mend the line, or set `quote: null` if the file does not quote",
          location: { file: this.request.snapshot.path, line },
        },
      );
    } catch (error) {
      return error as Error;
    }
  }
}

/** Line ends inside quoted fields: as csv-parse counts them (each CR and each LF), and how many of those are one too many. */
function innerLines(fields: readonly string[]): { counted: number; extra: number } {
  let counted = 0;
  let extra = 0;
  for (const field of fields) {
    if (!field.includes("\n") && !field.includes("\r")) continue;
    counted += field.match(/[\r\n]/g)!.length;
    extra += field.match(/\r\n/g)?.length ?? 0;
  }
  return { counted, extra };
}
