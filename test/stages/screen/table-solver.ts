import type { Condition } from "../../../sources/card.js";
import type { Catalog, Table } from "../../../sources/table.js";
import { compileNumeric } from "../../../stages/formulas/numeric.js";
import { hopOf } from "../../../stages/program/hop.js";
import type { WordedRow } from "../../../stages/task.js";
import { columnWords } from "../../../stages/words/columns.js";

/**
 * Solves a task from the open book's text alone, as a careful reader would: the program says what to look for, every value comes from
 * the text. Gives the answer with its unit.
 */
export function solveFromText(row: WordedRow, catalog: Catalog, text: string): string {
  const { program, formula } = row;
  const [first, second] = text.split("\n\n");
  const table = catalog.tables.get(program.table)!;
  const rows = read(first!);
  const candidates = rows.filter((r) => program.where.every((c) => meets(c, r[heading(table, c.column)]!)));
  const order = heading(table, program.select.column);
  const sign = program.select.order === "max" ? -1 : 1;
  const ranked = candidates
    .filter((r) => !Number.isNaN(Number(r[order])))
    .sort((a, b) => sign * (Number(a[order]) - Number(b[order])));
  const winner = ranked[program.select.rank - 1]!;
  const hop = hopOf(program, catalog);
  const followed =
    hop === undefined || !second!.startsWith("Table")
      ? undefined
      : read(second!).find((r) => r[hop.to.card.entity.singular] === winner[hop.to.card.entity.singular]);
  const values = Object.entries(program.compute.inputs).map(([, input]) =>
    input.of === "selected"
      ? Number(winner[heading(table, input.column)])
      : Number(followed![heading(hop!.to, input.column)]),
  );
  const units = Object.fromEntries(
    Object.entries(program.compute.inputs).map(([name, input]) => {
      const from = input.of === "selected" ? table : hop!.to;
      return [name, from.card.columns[input.column]!.unit!];
    }),
  );
  const value = compileNumeric(formula, units, program.compute.unit)(values);
  const said = row.answer.type === "integer" ? String(Math.round(value)) : value.toPrecision(6);
  return row.answer.unit === "1" ? said : `${said} ${row.answer.unit}`;
}

/** The column whose heading begins with the column's noun and definition. */
function heading(table: Table, id: string): string {
  const { noun, definition } = columnWords(table.card, id);
  return definition === undefined || noun.includes(definition)
    ? noun
    : `${noun} (${definition.replace(/\.$/, "")})`;
}

function read(table: string): Record<string, string>[] {
  const [, head, ...lines] = table.split("\n");
  const names = head!.split(" | ").map((h) => h.replace(/ \[[^\]]*\]$/, ""));
  return lines.map((line) => Object.fromEntries(line.split(" | ").map((cell, i) => [names[i]!, cell])));
}

function meets(condition: Condition, cell: string): boolean {
  if (cell === "unknown") return false;
  const number = Number(cell);
  const text = cell.replace(/ \([^)]*\)$/, "");
  const among = (values: readonly (string | number)[]) =>
    values.some((v) => String(v) === text || v === number);
  switch (condition.op) {
    case "lt":
      return number < condition.value;
    case "le":
      return number <= condition.value;
    case "gt":
      return number > condition.value;
    case "ge":
      return number >= condition.value;
    case "between":
      return number >= condition.low && number <= condition.high;
    case "eq":
      return among([condition.value]);
    case "in":
      return among(condition.values);
    case "starts_with":
      return condition.values.some((v) => text.toLowerCase().startsWith(v.toLowerCase()));
    case "is":
      return cell === (condition.value ? "yes" : "no");
    case "known":
      return true;
  }
}
