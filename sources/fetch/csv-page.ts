import { type CsvError, type Parser, parse } from "csv-parse";
import { parse as parseSync } from "csv-parse/sync";
import { type CsvFormat, layoutOptions } from "../adapters/csv-layout.js";
import { HeadEnd } from "./csv-head.js";
import { lasting, passing } from "./fault.js";
import { saying } from "./json-page.js";

/** A CSV answer read. */
export interface CsvPage {
  readonly count: number;
  /** What stands before the first record, as it is written: titles, comments, the header, a row of units. */
  readonly head: string;
  /** Names in the header; undefined for files without. */
  readonly columns?: string[];
}

/**
 * Reads one delimited answer as a stream. What stands behind the header goes to `write` as it came, with a line end at the end.
 * @throws FetchFault for what is no such text (a page of HTML, a quote that never closes)
 */
export async function readCsvPage(
  text: AsyncIterable<string>,
  options: CsvFormat,
  write: (text: string) => Promise<void>,
): Promise<CsvPage> {
  const cutter = new HeadEnd(options);
  const counter = new RecordCounter(options);
  let head: string | undefined;
  let open = "";
  let last = "\n";
  const pass = async (rest: string): Promise<void> => {
    if (rest === "") return;
    last = rest.at(-1)!;
    await counter.feed(rest);
    await write(rest);
  };
  for await (const chunk of text) {
    if (head !== undefined) {
      await pass(chunk);
      continue;
    }
    open += chunk;
    refuseMarkup(open);
    const end = cutter.find(open, false);
    if (end === undefined) continue;
    head = open.slice(0, end);
    await pass(open.slice(end));
  }
  if (head === undefined) {
    const end = cutter.find(open, true) ?? open.length;
    head = open.slice(0, end);
    await pass(open.slice(end));
  }
  if (last !== "\n" && last !== "\r") await write("\n");
  return { count: await counter.end(), head, ...columnsOf(head, options) };
}

/** Servers answer errors with pages of HTML or XML, some of them with the status 200. */
function refuseMarkup(start: string): void {
  if (/^\s{0,50}<(?:!doctype|html|\?xml|votable|error)/i.test(start))
    throw passing(`the answer is a page of markup, not of CSV${saying(start.slice(0, 400))}`);
}

function columnsOf(head: string, options: CsvFormat): { columns?: string[] } {
  if (!options.header || head.trim() === "") return {};
  const lines = withoutSkipped(head, options.skip);
  try {
    const [columns] = parseSync(lines, { ...layoutOptions(options), to: 1 }) as unknown as string[][];
    return columns === undefined ? {} : { columns };
  } catch {
    throw lasting(`the header of the answer cannot be read${saying(lines)}`, "see `read.quote`");
  }
}

function withoutSkipped(text: string, lines: number): string {
  let at = 0;
  for (let i = 0; i < lines; i++) {
    const end = text.slice(at).search(/\r\n|\n|\r/);
    if (end < 0) return "";
    at += end + (text.startsWith("\r\n", at + end) ? 2 : 1);
  }
  return text.slice(at);
}

/** Counts records by the rules of the card's reader. */
class RecordCounter {
  private readonly parser: Parser;
  private count = 0;
  private endless: Error | undefined;

  constructor(options: CsvFormat) {
    const onRecord = (): null => {
      this.count++;
      return null;
    };
    // A record with a stray quote is the reader's to judge: here it is one record all the same. One that never ends would swallow the next page.
    const onSkip = (error?: CsvError): undefined => {
      this.count++;
      if (error?.code === "CSV_QUOTE_NOT_CLOSED" || error?.code === "CSV_MAX_RECORD_SIZE")
        this.endless = error;
    };
    this.parser = parse({
      ...layoutOptions(options),
      max_record_size: 16 * 2 ** 20,
      skip_records_with_error: true,
      on_record: onRecord,
      on_skip: onSkip,
    });
    this.parser.on("error", () => {});
    this.parser.resume();
  }

  feed(text: string): Promise<void> {
    return new Promise((done, failed) => {
      this.parser.write(text, (error) => (error ? failed(faultOf(error)) : done()));
    });
  }

  end(): Promise<number> {
    return new Promise((done, failed) => {
      this.parser.once("error", (error) => failed(faultOf(error)));
      this.parser.end(() => (this.endless ? failed(faultOf(this.endless)) : done(this.count)));
    });
  }
}

function faultOf(error: Error): Error {
  return passing(
    `the answer cannot be read as CSV: ${error.message}`,
    "see `read.quote` and `read.delimiter`",
  );
}
