import type { Condition } from "../../../sources/card.js";
import type { Catalog, Table } from "../../../sources/table.js";
import { compileNumeric } from "../../../stages/formulas/numeric.js";
import type { InputRef, Select, Step } from "../../../stages/program/program.js";
import type { WordedRow } from "../../../stages/task.js";
import { columnWords } from "../../../stages/words/columns.js";
import { median } from "../../../verifiers/chance.js";

/**
 * Solves a task from the open book's text alone, as a careful reader would: the program says what to look for, every value comes from
 * the text. Gives the answer with its unit.
 */
export function solveFromText(row: WordedRow, catalog: Catalog, text: string): string {
  const value = valueFromText(row, catalog, text);
  const said = row.answer.type === "integer" ? String(Math.round(value)) : value.toPrecision(6);
  return row.answer.unit === "1" ? said : `${said} ${row.answer.unit}`;
}

/** An entity's line in a table of the book. */
interface Line {
  readonly table: Table;
  readonly name: string;
  readonly cells: Readonly<Record<string, string>>;
  /** The last cell: the name of the entity that a link leads to, if one does. */
  readonly last: string;
  readonly section: number;
}

/** The answer in the asked unit. */
export function valueFromText(row: WordedRow, catalog: Catalog, text: string): number {
  const { program, formula } = row;
  const sections = text.split("\n\n");
  const table = catalog.tables.get(program.table)!;
  const lines = read(sections[0]!, table, 0);
  const meeting = (where: readonly Condition[]) =>
    lines.filter((l) => where.every((c) => meets(c, cellOf(l, c.column, row))));
  const candidates = meeting(program.where);
  const selected = program.select && best(candidates, program.select, row);
  const other = program.other && best(meeting(program.other.where), program.other.select, row);
  const followed =
    selected && program.follow && walk(program.follow, selected, lines, sections, catalog, row);
  const at = { selected, other, followed, candidates: undefined };
  const value = ({ of, column, take }: InputRef): number => {
    if (of !== "candidates") return Number(cellOf(at[of]!, column, row));
    const known = candidates.map((l) => Number(cellOf(l, column, row))).filter((v) => !Number.isNaN(v));
    const total = known.reduce((sum, v) => sum + v, 0);
    return take === "median" ? median(known)! : take === "mean" ? total / known.length : total;
  };
  const inputs = Object.entries(program.compute.inputs);
  const units = inputs.map(([name, ref]) => {
    const from = ref.of === "followed" ? followed!.table : table;
    return [name, from.card.columns[ref.column]!.unit!];
  });
  return compileNumeric(
    formula,
    Object.fromEntries(units),
    program.compute.unit,
  )(inputs.map(([, ref]) => value(ref)));
}

/** A cell, or for a derived column what its formula gives of the cells. */
function cellOf(line: Line, column: string, { program, derived }: WordedRow): string {
  const by = program.derive?.[column];
  if (by === undefined) return line.cells[heading(line.table, column)]!;
  const formula = derived![column]!;
  const inputs = Object.entries(by.inputs);
  const units = inputs.map(([name, id]) => [name, line.table.card.columns[id]!.unit!]);
  const args = inputs.map(([, id]) => Number(line.cells[heading(line.table, id)]));
  return String(compileNumeric(formula, Object.fromEntries(units), formula.output.unit)(args));
}

function best(lines: readonly Line[], { column, order, rank }: Select, row: WordedRow): Line {
  const sign = order === "max" ? -1 : 1;
  const value = (l: Line) => Number(cellOf(l, column, row));
  const ranked = lines.filter((l) => !Number.isNaN(value(l))).sort((a, b) => sign * (value(a) - value(b)));
  return ranked[rank - 1]!;
}

function walk(
  steps: readonly Step[],
  from: Line,
  own: readonly Line[],
  sections: readonly string[],
  catalog: Catalog,
  row: WordedRow,
): Line | undefined {
  let here = from;
  let lines = own;
  for (const step of steps) {
    if (typeof step !== "string") {
      const shared = cellOf(here, step.peers, row);
      here = best(
        lines.filter((l) => cellOf(l, step.peers, row) === shared),
        step.select,
        row,
      );
      continue;
    }
    const section = here.section + 1;
    if (sections[section]?.startsWith("Table") !== true) return undefined;
    const name = here.last;
    lines = read(sections[section]!, catalog.tables.get(here.table.card.links[step]!.to)!, section);
    here = lines.find((l) => l.name === name)!;
  }
  return here;
}

/** The column whose heading begins with the column's noun and definition. */
function heading(table: Table, id: string): string {
  const { noun, definition } = columnWords(table.card, id);
  return definition === undefined || noun.includes(definition)
    ? noun
    : `${noun} (${definition.replace(/\.$/, "")})`;
}

function read(text: string, table: Table, section: number): Line[] {
  const [, head, ...lines] = text.split("\n");
  const names = head!.split(" | ").map((h) => h.replace(/ \[[^\]]*\]$/, ""));
  return lines.map((line) => {
    const cells = line.split(" | ");
    const named = Object.fromEntries(cells.slice(1).map((cell, i) => [names[i + 1]!, cell]));
    return { table, section, name: cells[0]!, cells: named, last: cells.at(-1)! };
  });
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
