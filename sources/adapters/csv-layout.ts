import type { Options } from "csv-parse";
import { parse as parseSync } from "csv-parse/sync";
import type { FormatOf } from "../format.js";
import { sourceError } from "../problems.js";
import type { Snapshot } from "../snapshot.js";
import { decodedText } from "../text.js";
import { unknownFields } from "./adapter.js";

/** What all readers of delimited text share: where lines and fields end, and where the wanted columns stand. */
export type CsvFormat = FormatOf<"csv">;

export function layoutOptions(options: CsvFormat): Options {
  return {
    columns: false,
    delimiter: options.delimiter,
    quote: options.quote,
    escape: options.escape ?? options.quote,
    comment: options.comment,
    comment_no_infix: true,
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
    skip_empty_lines: true,
  };
}

/** Drops whole physical lines from the start: titles need not be well-formed CSV. */
export async function* withoutLines(chunks: AsyncIterable<string>, lines: number): AsyncGenerator<string> {
  let left = lines;
  let afterReturn = false;
  for await (const chunk of chunks) {
    let at = 0;
    if (afterReturn && chunk.startsWith("\n")) at = 1;
    afterReturn = false;
    while (left > 0 && at < chunk.length) {
      const end = chunk.slice(at).search(/[\r\n]/);
      if (end < 0) {
        at = chunk.length;
        break;
      }
      at += end + 1;
      if (chunk[at - 1] === "\r") {
        if (at === chunk.length) afterReturn = true;
        else if (chunk[at] === "\n") at++;
      }
      left--;
    }
    if (at < chunk.length) yield at === 0 ? chunk : chunk.slice(at);
  }
}

/** Where the wanted fields stand among the columns of a header. */
export function columnPositions(
  header: readonly string[],
  wanted: readonly string[],
  file: string,
): number[] {
  const missing = wanted.filter((field) => !header.includes(field));
  if (missing.length > 0) unknownFields(missing, header, file);
  return wanted.map((field) => {
    const at = header.indexOf(field);
    const again = header.indexOf(field, at + 1);
    if (again >= 0) {
      sourceError(
        "duplicate_header",
        `${file} has two columns named \`${field}\`, number ${at + 1} and ${again + 1}`,
        {
          hint: "set `header: false`, `skip: 1` and give the columns distinct `names`",
        },
      );
    }
    return at;
  });
}

/** The header of a file with one, undefined where its first piece does not hold a whole header line. */
export async function csvHeader(snapshot: Snapshot, options: CsvFormat): Promise<string[] | undefined> {
  for await (const text of withoutLines(decodedText(snapshot, options.encoding), options.skip)) {
    try {
      const [header] = parseSync(text, { ...layoutOptions(options), to: 1 }) as unknown as string[][];
      return header;
    } catch {
      return undefined;
    }
  }
  return undefined;
}
