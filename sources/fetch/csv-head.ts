import type { CsvFormat } from "../adapters/csv-layout.js";
import { lasting } from "./fault.js";

/** In characters; what is longer is no header. */
const MAX_HEAD = 1 << 20;

/** Finds where the first record of a delimited text begins: behind skipped lines, comments, the header and rows under it. */
export class HeadEnd {
  constructor(private readonly options: CsvFormat) {}

  /**
   * @param text from the start of the file
   * @param whole whether nothing comes after it
   * @returns the offset; undefined when more text is needed. @throws FetchFault when there is no end in sight
   */
  find(text: string, whole: boolean): number | undefined {
    const { skip, header, skip_after_header: after } = this.options;
    const lines = [
      ...Array<boolean>(skip).fill(false),
      ...(header ? [true] : []),
      ...Array<boolean>(after).fill(true),
    ];
    let at: number | undefined = 0;
    for (const isRecord of lines) {
      at = isRecord ? this.#recordEnd(text, at, whole) : lineEnd(text, at, null, whole);
      if (at === undefined) break;
    }
    if (at === undefined && text.length > MAX_HEAD)
      throw lasting("the answer has no header line", "see `read.header` and `read.quote`");
    return at;
  }

  /** Comments and empty lines in front of a record go with it. */
  #recordEnd(text: string, from: number, whole: boolean): number | undefined {
    const { comment, quote } = this.options;
    let at = from;
    for (;;) {
      const passedOver =
        (comment !== null && text.startsWith(comment, at)) || text[at] === "\n" || text[at] === "\r";
      const end = lineEnd(text, at, passedOver ? null : quote, whole);
      if (end === undefined || !passedOver || end === at) return end;
      at = end;
    }
  }
}

/** Behind the end of the line, or of the record, whose quotes may hold line ends. */
function lineEnd(text: string, from: number, quote: string | null, whole: boolean): number | undefined {
  let quoted = false;
  for (let i = from; i < text.length; i++) {
    const c = text[i];
    if (c === quote) quoted = !quoted;
    else if (quoted) continue;
    else if (c === "\n") return i + 1;
    else if (c === "\r") {
      // The line feed that belongs to it may still be to come.
      if (i + 1 === text.length && !whole) return undefined;
      return text[i + 1] === "\n" ? i + 2 : i + 1;
    }
  }
  return whole ? text.length : undefined;
}
