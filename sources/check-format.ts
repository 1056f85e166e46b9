import type { Card } from "./card.js";
import type { FormatOf, SnapshotFormat } from "./format.js";

type Path = readonly (string | number)[];
type Report = (path: Path, code: string, message: string, hint?: string) => void;

/** Whether the options of a card's format fit each other, and its snapshot lies beside it. */
export function checkFormat(card: Card, report: Report): void {
  const { read, file } = card.snapshot;
  if (file.startsWith("/") || /^[A-Za-z]:/.test(file) || file.split(/[\\/]/).includes("..")) {
    report(
      ["snapshot", "file"],
      "snapshot_outside",
      "the snapshot must lie in the card's folder",
      "give its name only",
    );
  }
  checkRead(read, (path, ...rest) => report(["snapshot", "read", ...path], ...rest));
}

/** Whether the options of a format fit each other. */
export function checkRead(read: SnapshotFormat, option: Report): void {
  if (read.format === "csv") checkCsv(read, option);
  if (read.format === "fixed") checkFixed(read, option);
  if (read.format === "stanzas") checkStanzas(read, option);
}

function checkCsv(read: FormatOf<"csv">, report: Report): void {
  if (!read.header && read.names === undefined) {
    report(["header"], "missing_names", "a file without header needs `names` for its columns");
  }
  if (read.header && read.names !== undefined) {
    report(
      ["names"],
      "names_and_header",
      "`names` are for files without header",
      "set `header: false`, and `skip: 1` to pass over a bad header",
    );
  }
  if (read.quote !== null && read.delimiter.includes(read.quote)) {
    report(["quote"], "bad_delimiter", "the quote may not be part of the delimiter");
  }
  if (/[\r\n]/.test(read.delimiter))
    report(["delimiter"], "bad_delimiter", "the delimiter may not hold a line end");
  if (read.transposed === true && read.ragged === "reject_row") {
    report(
      ["ragged"],
      "ragged_transposed",
      "a short line of a transposed table is no record that could be turned away",
      "use `pad` or `fail`",
    );
  }
}

function checkFixed(read: FormatOf<"fixed">, report: Report): void {
  if ((read.columns === undefined) === (read.ruler !== true)) {
    report(
      ["columns"],
      "fixed_columns",
      "fields of fixed width need either `columns` or `ruler: true`",
      "columns: [{ name: mass, start: 12, end: 20 }, ...]",
    );
  }
  const ends = (read.columns ?? []).map(({ start, end = Number.POSITIVE_INFINITY }) => ({ start, end }));
  for (const [i, { start, end }] of ends.entries()) {
    const name = read.columns![i]!.name;
    if (end < start)
      report(
        ["columns", i],
        "range_order",
        `the column \`${name}\` ends (${end}) before its start (${start})`,
      );
    const over = ends.findIndex((other, j) => j < i && start <= other.end && other.start <= end);
    if (over < 0) continue;
    report(
      ["columns", i],
      "columns_overlap",
      `the columns \`${name}\` and \`${read.columns![over]!.name}\` overlap`,
      "places count from 1, and `end` is the last character of a column",
    );
  }
}

function checkStanzas(read: FormatOf<"stanzas">, report: Report): void {
  for (const key of ["separator", "comment"] as const) {
    if (read[key] !== undefined && /[\r\n]/.test(read[key]))
      report([key], "bad_delimiter", `\`${key}\` may not hold a line end`);
  }
  if (read.comment?.includes('"'))
    report(["comment"], "bad_delimiter", "a comment mark may not hold a double quote");
}
