import { snapshotFormat } from "../../format.js";
import type { Snapshot } from "../../snapshot.js";
import { guessEncoding, headText, linesOf } from "./bytes.js";
import type { Layout } from "./layout.js";

const RULER = /^[-=~_+| ]+$/;
/** Places are looked for in so many lines. */
const LOOKED_AT = 400;
const MIN_LINES = 5;

/** Fields at fixed places: under a ruler line, or between gutters of blanks that all lines have. */
export async function guessFixed(snapshot: Snapshot): Promise<Layout | undefined> {
  const { encoding, why } = await guessEncoding(snapshot);
  const lines = linesOf((await headText(snapshot, encoding)).text);
  const ruler = lines.findIndex((line) => RULER.test(line) && /[-=~_]{3}/.test(line));
  const said = [`encoding: ${encoding} (${why})`];
  const body = lines.slice(ruler + 1).filter((line) => line.trim() !== "");
  if (body.length < MIN_LINES || body.some((line) => line.includes("\t"))) return undefined;
  const columns = columnsOf(body.slice(0, LOOKED_AT));
  if (columns.length < 2) return undefined;
  const skip = ruler + 1;
  if (skip > 0) said.push(`skipped: ${skip} lines, down to the ruler of dashes`);
  said.push(
    `fixed width: ${columns.length} columns, by the gutters of blanks in the first ${Math.min(body.length, LOOKED_AT)} lines; name them in \`columns\``,
  );
  const names = headOf(lines[ruler - 1], columns) ?? columns.map((_, i) => `column_${i + 1}`);
  const named = columns.map(({ start, end }, i) => ({
    name: names[i]!,
    start: start + 1,
    ...(i === columns.length - 1 ? {} : { end }),
  }));
  const read = snapshotFormat.parse({
    format: "fixed",
    columns: named,
    ...(skip > 0 ? { skip } : {}),
    encoding,
  });
  return { read, fields: named.map(({ name }) => ({ name })), said };
}

interface Place {
  readonly start: number;
  readonly end: number;
}

/**
 * Columns begin where, after a gutter of at least two blanks in every line, some line has text. A last column that most lines lack
 * is one too.
 */
function columnsOf(lines: readonly string[]): Place[] {
  const width = Math.max(...lines.map((line) => line.length));
  const filled = Array.from({ length: width }, (_, at) => lines.some((line) => (line[at] ?? " ") !== " "));
  const starts: number[] = [];
  for (let at = 0; at < width; at++) {
    if (filled[at] && (at === 0 || (!filled[at - 1] && (at === 1 || !filled[at - 2])))) starts.push(at);
  }
  return starts.map((start, i) => ({ start, end: starts[i + 1] ?? width }));
}

/** Names over the ruler, where each column has one of its own. */
function headOf(line: string | undefined, columns: readonly Place[]): string[] | undefined {
  if (line === undefined) return undefined;
  const names = columns.map(({ start, end }) => line.slice(start, end).trim());
  return names.every((name, i) => name !== "" && names.indexOf(name) === i) ? names : undefined;
}
