import { childrenOf, type HtmlElement, type HtmlNode, isElement, KEPT, lineOf } from "./dom.js";

/** Cells of one table, spans filled in; more is left out. */
const CELLS = 60_000;
const WIDEST = 200;

interface Cell {
  readonly text: string;
  readonly head: boolean;
}

/**
 * A table as a Markdown table. A cell that spans rows stands in each of them, since each row must say what it is of; a heading that
 * spans columns heads each; a value that spans columns stands once.
 * @returns undefined for a table that only lays out: with tables inside, or of one column
 */
export function tableText(table: HtmlElement, cellText: (cell: HtmlElement) => string): string | undefined {
  if (table.querySelector(`table,[${KEPT}]`) !== null) return undefined;
  const rows = gridOf(table, cellText);
  const width = Math.max(0, ...rows.map((row) => row.length));
  if (width < 2) return undefined;
  const heads = headRows(rows);
  const head = Array.from({ length: width }, (_, i) => headOf(rows.slice(0, heads), i));
  const body = rows.slice(heads).filter((row) => row.some((cell) => cell.text !== ""));
  const caption = lineOf(table.querySelector("caption")?.textContent ?? "");
  return [
    ...(caption === "" ? [] : [caption, ""]),
    lineFrom(head),
    lineFrom(head.map(() => "---")),
    ...body.map((row) => lineFrom(Array.from({ length: width }, (_, i) => row[i]?.text ?? ""))),
  ].join("\n");
}

/** Rows of a table that only lays out, one line each, where no table stands inside; else undefined for the row. */
export function rowsOf(table: HtmlNode): HtmlElement[] {
  const rows: HtmlElement[] = [];
  for (const child of childrenOf(table)) {
    if (!isElement(child)) continue;
    if (child.localName === "tr") rows.push(child);
    else if (/^(?:thead|tbody|tfoot)$/.test(child.localName)) rows.push(...rowsOf(child));
  }
  return rows;
}

export function cellsOf(row: HtmlElement): HtmlElement[] {
  return [...childrenOf(row)].filter(
    (cell): cell is HtmlElement => isElement(cell) && /^t[dh]$/.test(cell.localName),
  );
}

function lineFrom(cells: readonly string[]): string {
  return `| ${cells.map((text) => text.replaceAll("|", "\\|")).join(" | ")} |`;
}

/** Rows at the top whose every cell is a heading. A table that is headings all through has one. */
function headRows(rows: readonly (readonly Cell[])[]): number {
  const first = rows.findIndex((row) => row.some((cell) => !cell.head));
  return first < 0 ? Math.min(1, rows.length) : Math.min(first, 4);
}

function headOf(rows: readonly (readonly Cell[])[], column: number): string {
  const words = rows.map((row) => row[column]?.text ?? "").filter((text) => text !== "");
  return [...new Set(words)].join(" ");
}

function gridOf(table: HtmlElement, cellText: (cell: HtmlElement) => string): Cell[][] {
  const grid: Cell[][] = [];
  /** What still reaches down in each column. */
  const down: { cell: Cell; rows: number }[] = [];
  let left = CELLS;
  for (const row of rowsOf(table)) {
    if (left <= 0) break;
    const line: Cell[] = [];
    const fromAbove = (): void => {
      for (let d = down[line.length]; d !== undefined && d.rows > 0; d = down[line.length]) {
        d.rows--;
        line.push(d.cell);
      }
    };
    for (const element of cellsOf(row)) {
      fromAbove();
      const cell = { text: lineOf(cellText(element)), head: element.localName === "th" };
      const rows = span(element, "rowspan", 1000);
      const across = span(element, "colspan", WIDEST);
      for (let i = 0; i < across && line.length < WIDEST; i++) {
        const shown = i === 0 || cell.head ? cell : { ...cell, text: "" };
        down[line.length] = { cell: shown, rows: rows - 1 };
        line.push(shown);
      }
    }
    fromAbove();
    left -= Math.max(1, line.length);
    grid.push(line);
  }
  return grid;
}

function span(cell: HtmlElement, name: string, most: number): number {
  const n = Number.parseInt(cell.getAttribute(name) ?? "1", 10);
  return Number.isFinite(n) ? Math.min(Math.max(n, 1), most) : 1;
}
