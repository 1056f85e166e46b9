import { type HtmlDocument, type HtmlElement, lineOf } from "./dom.js";
import { mathText, texToPlain } from "./math.js";

/** Makes a document's text mean what it shows: formulas and raised figures become text, and what is not shown goes. */
export function prepare(document: HtmlDocument): void {
  formulas(document);
  for (const element of [...document.querySelectorAll(UNREAD)]) element.remove();
  for (const element of [...document.querySelectorAll("[style],[hidden],[aria-hidden]")]) {
    if (hidden(element)) element.remove();
    // Whoever reads a style after this would parse it, which takes the square of its length.
    else element.removeAttribute("style");
  }
  for (const raised of [...document.querySelectorAll("sup")]) raised.replaceWith(raisedText(raised));
  for (const lowered of [...document.querySelectorAll("sub")]) lowered.replaceWith(mark("_", lowered));
}

const UNREAD =
  "script,style,noscript,template,svg,iframe,object,embed,canvas,audio,video,button,input,select,textarea,dialog,link,title";

function hidden(element: HtmlElement): boolean {
  if (element.getAttribute("aria-hidden") === "true") return true;
  const word = element.getAttribute("hidden");
  if (word !== null && word !== "until-found") return true;
  return /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))/i.test(
    (element.getAttribute("style") ?? "").slice(0, 2000),
  );
}

/** Before the hidden goes: formulas are often there twice, drawn and, hidden, as text. */
function formulas(document: HtmlDocument): void {
  for (const script of [...document.querySelectorAll('script[type^="math/tex"]')])
    script.replaceWith(` ${texToPlain(script.textContent ?? "")} `);
  const all = [...document.querySelectorAll("math")];
  const held = formulasHeld(all);
  for (const math of all)
    if (math.closest("body") !== null) whole(math, held).replaceWith(` ${mathText(math)} `);
  for (const image of [...document.querySelectorAll("img[alt]")]) {
    const alt = image.getAttribute("alt") ?? "";
    if (/\\[a-z]|[_^]\{/i.test(alt) || /\b(?:tex|math|latex)\b/i.test(image.getAttribute("class") ?? ""))
      image.replaceWith(` ${texToPlain(alt)} `);
  }
}

/** How many formulas an element made for them holds; counted before any is replaced. */
function formulasHeld(all: readonly HtmlElement[]): ReadonlyMap<HtmlElement, number> {
  const held = new Map<HtmlElement, number>();
  for (const math of all)
    for (let up = math.parentElement; up !== null && isForFormulas(up); up = up.parentElement)
      held.set(up, (held.get(up) ?? 0) + 1);
  return held;
}

function isForFormulas(element: HtmlElement): boolean {
  const name = `${element.localName} ${element.getAttribute("class") ?? ""}`;
  return /katex|mathjax|mjx|mwe-math|\bmath\b/i.test(name);
}

/** The outermost element that holds nothing but one formula, in all its forms. */
function whole(math: HtmlElement, held: ReadonlyMap<HtmlElement, number>): HtmlElement {
  let top = math;
  for (let up = math.parentElement; up !== null && held.get(up) === 1; up = up.parentElement) top = up;
  return top;
}

/** A reference mark is no part of the text; `1<sup>st</sup>` is a word. */
function raisedText(raised: HtmlElement): string {
  const text = lineOf(raised.textContent);
  const reference = /^\[[^\]]{0,20}\](?:\s*\[[^\]]{0,20}\])*$/.test(text);
  if (reference || raised.querySelector('a[href^="#"]') !== null) return "";
  if (/^(?:st|nd|rd|th|er|TM|SM|®|™|°|′|″)$/i.test(text)) return text;
  return mark("^", raised);
}

/** `^3`, `_2`; in brackets what would not hold together. */
function mark(sign: string, element: HtmlElement): string {
  const text = lineOf(element.textContent).replace(/[−–](?=\s?[\d.])/g, "-");
  if (text === "") return "";
  return /^[+-]?[\p{L}\p{N}.,*]+[+-]?$/u.test(text) ? `${sign}${text}` : `${sign}(${text})`;
}
