import { type HtmlDocument, type HtmlElement, KEPT } from "./dom.js";
import { type Reading, render } from "./render.js";

/** A block that the search for the main text must not lose: tables, infoboxes and lists of terms are where figures stand. */
interface Kept {
  readonly text: string;
  /** Where it began, among all numbered elements. */
  readonly place: number;
  /** Whether it is shown even if the search for the main text leaves it out. */
  readonly always: boolean;
}

/** Attribute that numbers blocks in document order, so that what was left out can be put back in its place. */
const PLACE = "data-place";
const ASIDE =
  'nav,footer,[role="navigation"],[role="contentinfo"],[class*="navbox"],[class*="metadata"],[id="toc"],[class*="catlinks"]';

/** Takes tables, infoboxes and lists of terms out of a document; paragraphs stand for them. */
export function keepBlocks(document: HtmlDocument, reading: Reading): KeptBlocks {
  let place = 0;
  for (const element of document.querySelectorAll('p,h1,h2,h3,h4,h5,h6,li,table,dl,[class*="infobox"]'))
    element.setAttribute(PLACE, String(place++));
  const kept: Kept[] = [];
  for (const element of [...document.querySelectorAll('[class*="infobox"],table,dl')]) {
    if (element.closest("body") === null || !worthKeeping(element)) continue;
    const text = render(element, reading);
    const always = /\d/.test(text) && element.closest(ASIDE) === null;
    const stand = document.createElement("p");
    stand.setAttribute(KEPT, String(kept.length));
    // Words, since empty paragraphs are thrown out.
    stand.textContent = "kept";
    kept.push({ text, place: Number(element.getAttribute(PLACE)), always });
    element.replaceWith(stand);
  }
  return new KeptBlocks(kept);
}

function worthKeeping(element: HtmlElement): boolean {
  if (element.localName === "dl")
    return element.querySelector("dt") !== null && element.querySelector("dd") !== null;
  if (element.localName !== "table") return !/^(?:html|body|main|article)$/.test(element.localName);
  if (/infobox/.test(element.getAttribute("class") ?? "")) return true;
  return (
    element.querySelector(`table,[${KEPT}]`) === null &&
    element.querySelectorAll("tr").length > 0 &&
    columns(element)
  );
}

/** Whether some row has two cells. */
function columns(table: HtmlElement): boolean {
  for (const row of table.querySelectorAll("tr")) if (row.querySelectorAll("td,th").length > 1) return true;
  return false;
}

export class KeptBlocks {
  readonly #shown = new Set<number>();
  /** Blocks before this one have had their turn. */
  #at = 0;

  constructor(private readonly blocks: readonly Kept[]) {}

  text(number: number): string {
    this.#shown.add(number);
    return this.blocks[number]?.text ?? "";
  }

  /** Blocks that stood before an element of the main text and that it has lost. */
  before(element: HtmlElement, main: ReadonlySet<number>): string[] {
    const place = element.getAttribute(PLACE);
    return place === null ? [] : this.#lost(main, Number(place));
  }

  rest(main: ReadonlySet<number>): string[] {
    return this.#lost(main, Number.POSITIVE_INFINITY);
  }

  #lost(main: ReadonlySet<number>, before: number): string[] {
    const lost: string[] = [];
    for (
      let block = this.blocks[this.#at];
      block !== undefined && block.place < before;
      block = this.blocks[this.#at]
    ) {
      const number = this.#at++;
      if (block.always && !main.has(number) && !this.#shown.has(number)) lost.push(this.text(number));
    }
    return lost;
  }
}
