import { childrenOf, type HtmlElement, type HtmlNode, isElement, isText, KEPT, lineOf } from "./dom.js";
import { cellsOf, rowsOf, tableText } from "./table.js";

const BLOCK =
  /^(?:html|body|address|article|aside|blockquote|center|dd|details|div|dl|dt|fieldset|figcaption|figure|footer|form|header|hgroup|hr|li|main|nav|ol|p|section|summary|ul|table|thead|tbody|tfoot|tr|td|th|caption)$/;

export interface Reading {
  /** Whether links show where they lead, in brackets. */
  readonly links: boolean;
  /** The page's address, for links relative to it. */
  readonly base: string;
  /** Called before each element that begins a block; what it gives comes first. */
  readonly before?: (element: HtmlElement) => readonly string[];
  /** A block kept aside, by its number. */
  readonly kept?: (number: number) => string;
}

/** The text of an element: paragraphs parted by empty lines, lists and headings marked, tables as Markdown. */
export function render(root: HtmlNode, reading: Reading): string {
  const writer = new Writer(reading);
  writer.node(root);
  return writer.text();
}

class Writer {
  readonly #blocks: { text: string; tight: boolean }[] = [];
  #line: string[] = [];
  /** Mark before the next block: a heading's or a list item's. */
  #mark = "";
  #depth = 0;
  /** Items of each list so far. */
  readonly #places = new Map<HtmlElement, number>();

  constructor(private readonly reading: Reading) {}

  node(node: HtmlNode): void {
    if (isText(node)) this.#line.push((node.textContent ?? "").replace(/\s+/g, " "));
    else if (isElement(node)) this.#element(node);
  }

  text(): string {
    this.#end();
    let text = "";
    let tight = false;
    for (const block of this.#blocks) {
      if (text !== "") text += block.tight && tight ? "\n" : "\n\n";
      text += block.text;
      tight = block.tight;
    }
    return text;
  }

  #element(element: HtmlElement): void {
    const name = element.localName;
    for (const text of this.reading.before?.(element) ?? []) this.#block(text);
    const kept = element.getAttribute(KEPT);
    if (kept !== null) this.#block(this.reading.kept?.(Number(kept)) ?? "");
    else if (name === "br") this.#line.push("\n");
    else if (name === "pre") this.#block((element.textContent ?? "").replace(/^\n+/, "").trimEnd());
    else if (name === "a") this.#link(element);
    else if (name === "table") this.#table(element);
    else if (/^h[1-6]$/.test(name)) this.#marked(`${"#".repeat(Number(name[1]))} `, element, false);
    else if (name === "li") this.#item(element);
    else if (name === "dl") this.#pairs(element);
    else if (BLOCK.test(name)) this.#blockOf(element);
    else this.#children(element);
  }

  #children(element: HtmlElement): void {
    for (const child of childrenOf(element)) this.node(child);
  }

  #blockOf(element: HtmlElement): void {
    this.#end();
    this.#children(element);
    this.#end();
  }

  #marked(mark: string, element: HtmlElement, tight: boolean): void {
    this.#end();
    this.#mark = mark;
    this.#children(element);
    this.#end(tight);
    this.#mark = "";
  }

  #item(element: HtmlElement): void {
    const list = element.parentElement;
    const ordered = list?.localName === "ol";
    const place = 1 + (this.#places.get(list ?? element) ?? 0);
    this.#places.set(list ?? element, place);
    this.#depth++;
    const indent = "  ".repeat(Math.min(this.#depth, 8) - 1);
    this.#marked(`${indent}${ordered ? `${place}.` : "-"} `, element, true);
    this.#depth--;
  }

  /** `term: description`, one pair a line. */
  #pairs(list: HtmlElement): void {
    this.#end();
    let term = "";
    for (const child of childrenOf(list)) {
      if (!isElement(child)) continue;
      if (child.localName === "dt") term = lineOf(render(child, this.reading));
      else if (child.localName === "dd" && term !== "") {
        this.#block(`${term}: ${lineOf(render(child, this.reading))}`, true);
      } else this.#blockOf(child);
    }
  }

  #link(element: HtmlElement): void {
    const from = this.#line.length;
    this.#children(element);
    const target = this.reading.links
      ? addressOf(element.getAttribute("href"), this.reading.base)
      : undefined;
    if (target !== undefined && lineOf(this.#line.slice(from).join("")) !== "")
      this.#line.push(` (${target})`);
  }

  #table(table: HtmlElement): void {
    const inCell = (cell: HtmlElement): string => render(cell, this.reading).replace(/\n+/g, "; ");
    const text = tableText(table, inCell);
    if (text !== undefined) this.#block(text);
    else this.#layout(table);
  }

  /** A table that only lays out: rows of plain cells as a line each, all else as blocks. */
  #layout(table: HtmlElement): void {
    this.#end();
    for (const row of rowsOf(table)) {
      if (row.querySelector(`table,[${KEPT}]`) !== null) this.#blockOf(row);
      else {
        const cells = cellsOf(row).map((cell) => render(cell, this.reading));
        const several = cells.filter((text) => text !== "").length > 1;
        if (several) this.#block(cells.map(lineOf).join(" | "), true);
        else for (const text of cells) this.#block(text);
      }
    }
  }

  /** Ends the line that is being written. */
  #end(tight = false): void {
    const text = this.#line
      .join("")
      .split("\n")
      .map((line) => line.replace(/ +/g, " ").trim())
      .filter((line) => line !== "")
      .join("\n");
    this.#line = [];
    if (text === "") return;
    this.#blocks.push({ text: this.#mark + text, tight: tight || /^\s*(?:-|\d+\.) $/.test(this.#mark) });
    this.#mark = "";
  }

  #block(text: string, tight = false): void {
    this.#end();
    if (text.trim() === "") return;
    this.#blocks.push({ text: this.#mark + text, tight });
    this.#mark = "";
  }
}

/** Where a link leads, if to another page. */
function addressOf(href: string | null, base: string): string | undefined {
  if (href === null || href.length > 2000 || href.startsWith("#")) return undefined;
  const target = URL.canParse(href, base) ? new URL(href, base) : undefined;
  return target !== undefined && /^https?:$/.test(target.protocol) ? target.href : undefined;
}
