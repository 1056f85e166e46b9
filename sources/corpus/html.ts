import { Readability } from "@mozilla/readability";
import { cut, depthOf, withoutTags } from "./html/bounds.js";
import { type HtmlDocument, type HtmlElement, KEPT, lineOf, parseDocument } from "./html/dom.js";
import { keepBlocks } from "./html/keep.js";
import { prepare } from "./html/prepare.js";
import { type Reading, render } from "./html/render.js";

export interface ReadPage {
  readonly title: string;
  /** Paragraphs parted by empty lines; headings, lists and tables as in Markdown; `10^3`, `H_2O`. */
  readonly text: string;
}

/** Depth at which a page is read without its structure, and elements and depth beyond which its main text is not searched for. */
const TOO_DEEP = 250;
const SEARCHED = { elements: 30_000, depth: 100 };
/** A main text shorter than this, or than a quarter of all, has missed something. */
const SHORT = 250;

/**
 * The title and main text of a page. Raised and lowered figures keep their sense (5.2 × 10^3 kg m^-3), tables, infoboxes and lists of
 * terms are kept wherever they stand, what is hidden is left out. Total and bounded: whatever the bytes, at most some seconds. No-break
 * spaces are spaces, as each would be a piece of text of its own to the search for the main text.
 * @param url the page's address, for links
 * @param options `links`: show where links lead, in brackets behind them
 */
export function readHtml(html: string, url: string, options: { readonly links?: boolean } = {}): ReadPage {
  const source = cut(html.replaceAll("\u00a0", " "));
  const depth = depthOf(source, TOO_DEEP);
  if (depth >= TOO_DEEP) return { title: "", text: withoutTags(source) };
  try {
    return structured(source, depth, { links: options.links ?? false, base: url });
  } catch {
    // The parsers were written for pages that browsers show; what they fail at has still its words.
    return { title: "", text: withoutTags(source) };
  }
}

function structured(source: string, depth: number, reading: Reading): ReadPage {
  const document = parseDocument(source);
  const title = titleOf(document);
  prepare(document);
  const kept = keepBlocks(document, reading);
  const main = mainOf(document, depth);
  const inMain = new Set(Array.from(main.querySelectorAll(`[${KEPT}]`), (e) => Number(e.getAttribute(KEPT))));
  const text = render(main, {
    ...reading,
    before: (element) => kept.before(element, inMain),
    kept: (number) => kept.text(number),
  });
  return { title, text: [text, ...kept.rest(inMain)].filter((part) => part !== "").join("\n\n") };
}

function titleOf(document: HtmlDocument): string {
  for (const place of ["title", "h1"]) {
    const text = lineOf(document.querySelector(place)?.textContent ?? "");
    if (text !== "") return text.slice(0, 300);
  }
  return "";
}

/** The element that holds the main text; the body, without what surely is none, where none is found. */
function mainOf(document: HtmlDocument, depth: number): HtmlElement {
  const { body } = document;
  const whole = body.textContent?.length ?? 0;
  const large = document.querySelectorAll("*").length > SEARCHED.elements;
  if (large || depth > SEARCHED.depth) return trimmed(body);
  // The search takes the document apart.
  const copy = (body as unknown as { cloneNode(deep: boolean): HtmlElement }).cloneNode(true);
  const found = searched(document);
  const length = found?.textContent?.length ?? 0;
  return found !== undefined && length >= SHORT && length >= whole / 4 ? found : trimmed(copy);
}

function searched(document: HtmlDocument): HtmlElement | undefined {
  const search = new Readability<HtmlElement>(document as never, {
    disableJSONLD: true,
    serializer: (element) => element as unknown as HtmlElement,
  });
  return search.parse()?.content ?? undefined;
}

function trimmed(body: HtmlElement): HtmlElement {
  for (const element of [...body.querySelectorAll('nav,[role="navigation"],footer,[role="contentinfo"]')])
    element.remove();
  return body;
}
