import type { Encoding } from "./format.js";
import { sourceError } from "./problems.js";
import type { Snapshot } from "./snapshot.js";
import { decodedText } from "./text.js";

/** A line of a text without its end; `line` is 1-based. */
export interface Line {
  readonly text: string;
  readonly line: number;
}

/** In characters, as one record of other text formats. */
export const MAX_LINE = 16 * 2 ** 20;
const LINE_END = /\r\n|\n|\r/;

/**
 * The lines of a snapshot, some at a time, however they end: LF, CR LF or CR, mixed.
 * @throws TaskmillError (source) `too_long`, before a line without end fills the memory.
 */
export async function* textLines(snapshot: Snapshot, encoding?: Encoding): AsyncGenerator<Line[]> {
  let open = "";
  let line = 0;
  const number = (text: string): Line => {
    line++;
    if (text.length > MAX_LINE) tooLong(snapshot.name, line);
    return { text, line };
  };
  for await (const chunk of decodedText(snapshot, encoding)) {
    const waiting = open.endsWith("\r");
    open += chunk;
    // A long line is cut only when its end has come; a CR at the end may be half of CR LF.
    if (!waiting && !/[\r\n]/.test(chunk)) {
      if (open.length > MAX_LINE) tooLong(snapshot.name, line + 1);
      continue;
    }
    const half = open.endsWith("\r") ? "\r" : "";
    const texts = (half === "" ? open : open.slice(0, -1)).split(LINE_END);
    open = texts.pop()! + half;
    yield texts.map(number);
  }
  if (open !== "") yield [number(open.endsWith("\r") ? open.slice(0, -1) : open)];
}

/** @throws TaskmillError (source) `too_long` */
export function tooLong(name: string, line: number): never {
  sourceError("too_long", `${name}, line ${line} is longer than ${MAX_LINE} characters`, {
    hint: "each line holds one record, or one field of it; is the file of another format?",
  });
}
