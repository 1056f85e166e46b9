import { basename } from "node:path";
import { CsvError, parse } from "csv-parse/sync";
import { type Problem, suggest, TaskmillError } from "../base/errors.js";
import type { BlindTask } from "./draw.js";
import { COLUMNS, type Column, FIELDS, type Field, NEEDED, readId, shownId, yesOrNo } from "./fields.js";

/** What a spreadsheet would run as a formula, or a terminal or browser might. */
const FORMULA = /^[=+\-@\t\r]/;

/** A sheet with a line for each task and empty cells for the reviewer; UTF-8 with a mark, by which spreadsheets know it. */
export function csvSheet(tasks: readonly BlindTask[]): string {
  const rows = tasks.map(({ id, question }, i) => {
    const given: Partial<Record<Column, string>> = { row: String(i + 1), task: shownId(id), question };
    return COLUMNS.map((column) => given[column] ?? "");
  });
  const lines = [[...COLUMNS], ...rows].map((cells) => cells.map(cell).join(","));
  return `\ufeff${lines.join("\r\n")}\r\n`;
}

function cell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** One line of a filled sheet. */
export interface Filled {
  readonly line: number;
  readonly task: string;
  /** As the sheet repeats it; undefined where that column was left out. */
  readonly question: string | undefined;
  readonly reviewer: string;
  readonly says: Readonly<Record<Field, boolean | null>>;
  readonly answer: string;
  readonly note: string;
}

interface Line {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/** More than this no sheet that people fill in has. */
const MAX_TEXT = 20_000;

/** The filled lines of a sheet, and what is wrong with them, each with its line and column. */
export interface Sheet {
  readonly filled: readonly Filled[];
  readonly problems: readonly Problem[];
}

/**
 * Reads a filled sheet: separated by commas, semicolons or tabs, as spreadsheets save it. Lines without a word of the reviewer are left out.
 * @throws TaskmillError (usage) for what has not got the lines and columns of a sheet
 */
export function readSheet(text: string, file: string): Sheet {
  const lines = linesOf(text, file);
  const [header, ...rest] = lines;
  const problem = (message: string, at: Partial<{ line: number; hint: string }> = {}): Problem => ({
    code: "bad_sheet",
    message,
    ...(at.hint === undefined ? {} : { hint: at.hint }),
    location: { file, ...(at.line === undefined ? {} : { line: at.line }) },
  });
  if (header === undefined) throw new TaskmillError("usage", [problem(`${basename(file)} is empty`)]);
  const names = header.record.map((name) => name.trim().toLowerCase());
  const missing = NEEDED.filter((column) => !names.includes(column));
  if (missing.length > 0)
    throw new TaskmillError(
      "usage",
      missing.map((column) =>
        problem(`the sheet has no column \`${column}\``, {
          line: 1,
          hint: suggest(column, names, "columns"),
        }),
      ),
    );
  const twice = [...new Set(names.filter((name, i) => name !== "" && names.indexOf(name) !== i))];
  if (twice.length > 0)
    throw new TaskmillError(
      "usage",
      twice.map((name) =>
        problem(`the sheet has the column \`${name.slice(0, 40)}\` twice`, {
          line: 1,
          hint: "delete the one that is not meant",
        }),
      ),
    );
  const problems: Problem[] = [];
  const filled = rest.flatMap((line) =>
    filledOf(line, names, (message, hint) =>
      problems.push(problem(message, { line: line.info.lines, hint })),
    ),
  );
  return { filled, problems };
}

function linesOf(text: string, file: string): Line[] {
  if (text.includes("\0")) {
    const hint = "save it as CSV in UTF-8";
    throw new TaskmillError("usage", [
      { code: "bad_sheet", message: `${file} is not UTF-8 text`, hint, location: { file } },
    ]);
  }
  const first = text.slice(0, Math.max(text.indexOf("\n"), 0) || undefined);
  const delimiter = [",", ";", "\t"].find((d) => first.split(d).length >= NEEDED.length) ?? ",";
  try {
    const options = {
      bom: true,
      delimiter,
      info: true,
      skip_empty_lines: true,
      relax_column_count_less: true,
    } as const;
    return parse(text, options) as unknown as Line[];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = typeof error.lines === "number" ? error.lines : undefined;
    const message = `the sheet cannot be read as CSV: ${error.message}`;
    throw new TaskmillError("usage", [
      {
        code: "bad_sheet",
        message,
        hint: "save it from the spreadsheet as CSV",
        location: { file, ...(line === undefined ? {} : { line }) },
      },
    ]);
  }
}

function filledOf(
  { record, info }: Line,
  names: readonly string[],
  wrong: (message: string, hint: string) => void,
): Filled[] {
  const textOf = (column: Column): string => unguarded(record[names.indexOf(column)] ?? "").trim();
  const words = FIELDS.map((field) => [field, textOf(field)] as const);
  const [answer, note, reviewer, task] = [
    textOf("answer"),
    textOf("note"),
    textOf("reviewer"),
    readId(textOf("task")),
  ];
  // A reviewer's name alone is no review.
  if (answer === "" && note === "" && words.every(([, word]) => word === "")) return [];
  if (task === "") wrong("column `task` is empty", "leave the ids of the sheet as they are");
  if (reviewer === "")
    wrong(
      "column `reviewer` is empty",
      "write your name, or any word that stands for you, in every line that you fill in",
    );
  for (const [column, text] of [
    ["answer", answer],
    ["note", note],
    ["reviewer", reviewer],
  ] as const)
    if (text.length > MAX_TEXT)
      wrong(`column \`${column}\` has ${text.length} characters`, `at most ${MAX_TEXT}`);
  const says = words.map(([field, word]) => {
    const said = yesOrNo(word);
    if (said === undefined)
      wrong(
        `column \`${field}\` is ${JSON.stringify(word.slice(0, 40))}`,
        "write yes or no, or leave it empty",
      );
    return [field, said ?? null] as const;
  });
  const question = names.includes("question") ? textOf("question") : undefined;
  return [
    {
      line: info.lines,
      task,
      question,
      reviewer,
      says: Object.fromEntries(says) as Filled["says"],
      answer,
      note,
    },
  ];
}

function unguarded(text: string): string {
  return /^'[=+\-@\t\r]/.test(text) ? text.slice(1) : text;
}
