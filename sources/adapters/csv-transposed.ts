import { parse as parseSync } from "csv-parse/sync";
import { sourceError } from "../problems.js";
import type { Snapshot } from "../snapshot.js";
import { decodedText, wholeText } from "../text.js";
import type { RawBatch, ReadRequest } from "./adapter.js";
import { type CsvFormat, columnPositions, layoutOptions, withoutLines } from "./csv-layout.js";

/** A transposed table is read as a whole: its last line belongs to its first record. In characters. */
const MAX_SIZE = 64 * 2 ** 20;

/** A line of the file, one field of all records. */
interface FieldLine {
  readonly line: number;
  readonly cells: readonly string[];
}

/** The records of a table that lies on its side: each column behind the names of the fields is one. */
export async function transposedRecords(request: ReadRequest<CsvFormat>): Promise<RawBatch> {
  const { snapshot, options, wanted } = request;
  const chunks = withoutLines(decodedText(snapshot, options.encoding), options.skip);
  const lines = parseLines(await wholeText(chunks, snapshot.name, MAX_SIZE), snapshot, options);
  if (lines.length === 0) sourceError("no_header", `${snapshot.name} has no lines`);
  const names = options.header
    ? lines.map(({ cells }, i) => (cells[0] === "" ? `#${i + 1}` : cells[0]!))
    : givenNames(lines.length, request);
  const picked = columnPositions(names, wanted, snapshot.name).map((p) => lines[p]!);
  const before = (options.header ? 1 : 0) + options.skip_after_header;
  const records = lines[0]!.cells.length - before;
  return {
    records: Array.from({ length: Math.max(0, records) }, (_, i) => ({
      record: i + 1,
      fields: picked.map(({ cells }) => cells[before + i] ?? null),
    })),
    turnedAway: [],
  };
}

function parseLines(text: string, snapshot: Snapshot, options: CsvFormat): FieldLine[] {
  const lines: FieldLine[] = [];
  let width = 0;
  parseWhole(text, snapshot, options, (cells, end) => {
    const line = end + options.skip;
    if (lines.length === 0) width = cells.length;
    const fits = cells.length === width || (options.ragged === "pad" && cells.length < width);
    if (!fits) ragged(snapshot, line, cells.length, width);
    lines.push({ line, cells });
  });
  return lines;
}

function parseWhole(
  text: string,
  snapshot: Snapshot,
  options: CsvFormat,
  take: (cells: string[], end: number) => void,
): void {
  let reached = 0;
  try {
    parseSync(text, {
      ...layoutOptions(options),
      on_record: (cells: unknown, { lines }) => {
        reached = lines;
        take(cells as string[], lines);
        return null;
      },
    });
  } catch (error) {
    const code = (error as { code?: unknown }).code;
    if (typeof code !== "string" || !code.startsWith("CSV_")) throw error;
    const line = reached + 1 + options.skip;
    sourceError("bad_quote", `${snapshot.name}: a stray quote on line ${line} or after it`, {
      hint: "mend the line, or set `quote: null` if the file does not quote",
      location: { file: snapshot.path, line },
    });
  }
}

function ragged(snapshot: Snapshot, line: number, found: number, width: number): never {
  sourceError(
    "ragged_row",
    `${snapshot.name}, line ${line}: ${found} fields where the first line has ${width}`,
    {
      hint: "set `ragged: pad` to read fields that are missing at the end as unknown",
      location: { file: snapshot.path, line },
    },
  );
}

function givenNames(lines: number, { options, snapshot }: ReadRequest<CsvFormat>): readonly string[] {
  const names = options.names ?? [];
  if (names.length !== lines) {
    sourceError("ragged_row", `${snapshot.name} has ${lines} lines, but the card \`names\` ${names.length}`);
  }
  return names;
}
