import { parseHTML } from "linkedom";

/** The little of the DOM that reading needs; the parser's own types want a browser's. */
export interface HtmlNode {
  readonly nodeType: number;
  readonly textContent: string | null;
  readonly parentNode: HtmlNode | null;
  readonly firstChild: HtmlNode | null;
  readonly nextSibling: HtmlNode | null;
}

export interface HtmlElement extends HtmlNode {
  readonly localName: string;
  readonly parentElement: HtmlElement | null;
  readonly children: ArrayLike<HtmlElement>;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  querySelector(selector: string): HtmlElement | null;
  querySelectorAll(selector: string): Iterable<HtmlElement> & { readonly length: number };
  closest(selector: string): HtmlElement | null;
  replaceWith(...nodes: (HtmlNode | string)[]): void;
  remove(): void;
}

export interface HtmlDocument {
  readonly documentElement: HtmlElement;
  readonly body: HtmlElement;
  createElement(name: string): HtmlElement & { textContent: string | null };
  querySelector(selector: string): HtmlElement | null;
  querySelectorAll(selector: string): Iterable<HtmlElement> & { readonly length: number };
}

/** Attribute of a paragraph that stands for a block kept aside: its number. */
export const KEPT = "data-kept";

const ELEMENT = 1;
const TEXT = 3;

export const isElement = (node: HtmlNode): node is HtmlElement => node.nodeType === ELEMENT;
export const isText = (node: HtmlNode): boolean => node.nodeType === TEXT;

/** Document of a page, whatever it lacks: fragments and plain text get the elements around them. */
export function parseDocument(html: string): HtmlDocument {
  const document = parsed(html);
  if (document.documentElement?.localName === "html") return document;
  return parsed(`<html><head></head><body>${html}</body></html>`);
}

function parsed(html: string): HtmlDocument {
  return (parseHTML(html) as unknown as { document: HtmlDocument }).document;
}

export function* childrenOf(node: HtmlNode): Generator<HtmlNode> {
  for (let child = node.firstChild; child !== null; child = child.nextSibling) yield child;
}

/** Text in one line. */
export function lineOf(text: string | null): string {
  return (text ?? "").replace(/\s+/g, " ").trim();
}
