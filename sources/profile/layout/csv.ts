import { parse } from "csv-parse/sync";
import { type FormatOf, snapshotFormat } from "../../format.js";
import { sourceError } from "../../problems.js";
import type { Snapshot } from "../../snapshot.js";
import { readNumber } from "../numbers.js";
import { readsAsUnit } from "../unit-text.js";
import { guessEncoding, type HeadText, headText, linesOf } from "./bytes.js";
import { commentMark, describedFields } from "./comments.js";
import type { Field, Layout } from "./layout.js";
import { looksTransposed, transposedLayout } from "./transposed.js";

const DELIMITERS: readonly (readonly [string, string])[] = [
  [",", "comma"],
  ["\t", "tab"],
  [";", "semicolon"],
  ["|", "vertical bar"],
];
const LOOKED_AT = 400;

/** The dialect of a delimited text, or undefined when no delimiter cuts its lines alike. */
export async function guessCsv(snapshot: Snapshot): Promise<Layout | undefined> {
  const { encoding, why } = await guessEncoding(snapshot);
  const head = await headText(snapshot, encoding);
  const mark = commentMark(
    linesOf(head.text),
    DELIMITERS.map(([d]) => d),
  );
  const cut = bestCut(head, mark);
  if (cut === undefined) return undefined;
  const said = [`encoding: ${encoding} (${why})`, `delimiter: ${cut.name} (${cut.why})`];
  if (mark !== null) said.push(`comment lines: those that start with ${mark}`);
  if (cut.quote === null) said.push('quotes: none (a " stands inside fields, and means nothing there)');
  const comments = mark === null ? [] : linesOf(head.text).filter((line) => line.startsWith(mark));
  const base = {
    format: "csv",
    delimiter: cut.delimiter,
    quote: cut.quote,
    comment: mark,
    encoding,
  } as const;
  if (looksTransposed(cut.rows)) return transposedLayout(base, cut.rows, said);
  return withHeader(base, cut, comments, said);
}

/** The fields of a delimited text whose dialect a user has given. */
export async function csvFields(snapshot: Snapshot, read: FormatOf<"csv">): Promise<Layout> {
  const head = await headText(snapshot, read.encoding);
  const rows = cutRows(linesFrom(head, read.skip), read.delimiter, read.quote, read.comment)?.rows ?? [];
  if (read.transposed) return transposedLayout(read, rows, []);
  const names = read.header ? (rows[0] ?? []) : (read.names ?? []);
  const comments = read.comment === null ? [] : linesOf(head.text).filter((l) => l.startsWith(read.comment!));
  return { read, fields: described(names, comments), said: ["read as you say"] };
}

interface Cut {
  readonly delimiter: string;
  readonly name: string;
  readonly why: string;
  readonly quote: '"' | null;
  readonly rows: readonly (readonly string[])[];
  /** Fields of most rows. */
  readonly width: number;
}

/** The delimiter that gives most rows the same number of fields, more than one; more fields win among equals. */
function bestCut(head: HeadText, mark: string | null): Cut | undefined {
  let best: (Cut & { readonly share: number }) | undefined;
  for (const [delimiter, name] of DELIMITERS) {
    const cut = cutRows(head.text, delimiter, '"', mark) ?? cutRows(head.text, delimiter, null, mark);
    if (cut === undefined || cut.rows.length === 0) continue;
    const { width, count } = commonest(cut.rows.map((row) => row.length));
    const share = count / cut.rows.length;
    if (width < 2 || share < 0.5) continue;
    if (best !== undefined && !(share > best.share || (share === best.share && width > best.width))) continue;
    const why = `${count} of the first ${cut.rows.length} rows have ${width} fields`;
    best = { ...cut, delimiter, name, width, share, why };
  }
  return best;
}

function commonest(widths: readonly number[]): { width: number; count: number } {
  const counts = new Map<number, number>();
  for (const width of widths) counts.set(width, (counts.get(width) ?? 0) + 1);
  const [width, count] = [...counts].reduce((a, b) =>
    b[1] > a[1] || (b[1] === a[1] && b[0] > a[0]) ? b : a,
  );
  return { width, count };
}

/** The first rows, or undefined where quotes do not stand as they must. */
function cutRows(text: string, delimiter: string, quote: string | null, comment: string | null) {
  try {
    const rows = parse(text, {
      delimiter,
      quote,
      escape: quote,
      comment,
      comment_no_infix: true,
      record_delimiter: ["\r\n", "\n", "\r"],
      relax_column_count: true,
      skip_empty_lines: true,
      to: LOOKED_AT,
    }) as string[][];
    return { rows, quote: quote as '"' | null };
  } catch {
    return undefined;
  }
}

function linesFrom(head: HeadText, skip: number): string {
  return skip === 0 ? head.text : linesOf(head.text).slice(skip).join("\n");
}

type Base = Pick<FormatOf<"csv">, "delimiter" | "quote" | "comment" | "encoding"> & { format: "csv" };

function withHeader(base: Base, cut: Cut, comments: readonly string[], said: string[]): Layout {
  const title = titleRows(cut);
  const rows = cut.rows.slice(title);
  if (title > 0)
    said.push(`skipped: the first ${title} lines, which have not the ${cut.width} fields of the others`);
  const ragged = rows.some((row) => row.length !== cut.width) ? raggedness(rows, cut.width, said) : "fail";
  const skip = title === 0 ? {} : { skip: title };
  const first = rows[0];
  if (first === undefined) sourceError("no_records", "the file has no rows");
  if (!isHeader(first, rows.slice(1))) {
    const names = Array.from({ length: cut.width }, (_, i) => `column_${i + 1}`);
    said.push("header: none (the first row holds numbers, as the others do): name the columns in `names`");
    const read = snapshotFormat.parse({ ...base, ...skip, ragged, header: false, names });
    return { read, fields: names.map((name) => ({ name })), said };
  }
  const units = unitsRow(rows);
  if (units !== undefined) said.push("the line after the header is a row of units");
  const after = units === undefined ? {} : { skip_after_header: 1 };
  const odd = first.some((name, i) => name.trim() === "" || first.indexOf(name) < i);
  if (!odd) {
    said.push(`header: the ${title === 0 ? "first" : "next"} line`);
    const read = snapshotFormat.parse({ ...base, ...skip, ...after, ragged });
    return { read, fields: described(first, comments, units), said };
  }
  const names = distinctNames(first);
  said.push("header: its names are not distinct or some are empty, so they are given in `names` instead");
  const passed = title + 1 + (units === undefined ? 0 : 1) + comments.length;
  const read = snapshotFormat.parse({ ...base, ragged, header: false, names, skip: passed });
  return { read, fields: described(names, comments, units), said };
}

/** Rows before the first that is as wide as most: a title, a date, an empty frame. */
function titleRows(cut: Cut): number {
  const at = cut.rows.findIndex((row) => row.length === cut.width);
  return at > 20 ? 0 : Math.max(0, at);
}

function raggedness(
  rows: readonly (readonly string[])[],
  width: number,
  said: string[],
): "pad" | "reject_row" {
  const longer = rows.filter((row) => row.length > width).length;
  const shorter = rows.filter((row) => row.length < width).length;
  if (longer === 0) {
    said.push(
      `${shorter} of the first ${rows.length} rows are short: their last fields are taken as missing`,
    );
    return "pad";
  }
  said.push(
    `${longer + shorter} of the first ${rows.length} rows have not ${width} fields: they are left out`,
  );
  return "reject_row";
}

/** A header has no numbers in it (a year may be one), and is not like the rows under it: `x1` over `0.5` is a name. */
function isHeader(first: readonly string[], rest: readonly (readonly string[])[]): boolean {
  const below = rest.slice(0, 50);
  const isData = (text: string, i: number): boolean =>
    isBare(text) || (isPlain(text) && below.filter((row) => isBare(row[i] ?? "")).length * 2 < below.length);
  const numeric = first.filter(isData).length;
  if (numeric === 0) return true;
  const counts = below.map((row) => row.filter(isPlain).length);
  const usual = counts.length === 0 ? 0 : counts.sort((a, b) => a - b)[counts.length >> 1]!;
  return numeric < usual / 2;
}

const isPlain = (text: string): boolean => readNumber(text.trim())?.form === "plain";

/** A number with no letter before or behind it. */
function isBare(text: string): boolean {
  const number = readNumber(text.trim());
  return number?.form === "plain" && number.prefix === undefined && number.suffix === undefined;
}

/** The texts of a second line that holds units, where the lines below hold numbers. */
function unitsRow(rows: readonly (readonly string[])[]): readonly string[] | undefined {
  const [, second, ...rest] = rows;
  if (second === undefined || rest.length === 0) return undefined;
  const numeric = second.map((_, i) => {
    const texts = rest.slice(0, 50).flatMap((row) => row[i]?.trim() || []);
    return texts.length > 0 && texts.filter((t) => readNumber(t) !== undefined).length > texts.length * 0.7;
  });
  const places = second.map((text, i) => [text.trim(), i] as const).filter(([, i]) => numeric[i]);
  const said = places.filter(([text]) => text !== "");
  if (said.length === 0 || said.some(([text]) => readNumber(text) !== undefined)) return undefined;
  return said.filter(([text]) => readsAsUnit(text)).length * 2 >= said.length ? second : undefined;
}

function distinctNames(header: readonly string[]): string[] {
  const names: string[] = [];
  header.forEach((text, i) => {
    const name = text.trim() === "" ? `column_${i + 1}` : text.trim();
    names.push(names.includes(name) ? `${name}_${i + 1}` : name);
  });
  return names;
}

function described(
  names: readonly string[],
  comments: readonly string[],
  units?: readonly string[],
): Field[] {
  const told = describedFields(names, comments);
  return names.map((name, i) => {
    const unit = units?.[i]?.trim() || undefined;
    return { name, ...told.get(name), ...(unit === undefined ? {} : { unit }) };
  });
}
