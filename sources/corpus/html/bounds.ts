/**
 * What a page may cost. The parser's time grows with the square of the depth, and of neighbouring text pieces; a hostile page is cut,
 * or read without its structure, before it gets there.
 */

/** Characters that are read; more than any page in the wild has text for. */
const LONGEST = 5_000_000;
/** Tags that are parsed: about a second. */
const TAGS = 120_000;
/** Character references, and `<` that begin no tag: each is a piece of text of its own to the parser. */
const PIECES = 30_000;

/** The part of a page that is parsed. */
export function cut(html: string): string {
  const end = Math.min(html.length, LONGEST);
  let tags = 0;
  let pieces = 0;
  for (let i = 0; i < end; i++) {
    const c = html.charCodeAt(i);
    if (c !== LESS && c !== AMPERSAND) continue;
    if (c === LESS && /[a-z/!?]/i.test(html[i + 1] ?? "")) tags++;
    else pieces++;
    if (tags > TAGS || pieces > PIECES) return html.slice(0, i);
  }
  return html.slice(0, end);
}

const LESS = 60;
const AMPERSAND = 38;
const VOID = new Set(
  "area base basefont br col command embed frame hr img input isindex keygen link meta param source track wbr".split(
    " ",
  ),
);
const CELLS = ["td", "th"];
const ROWS = [...CELLS, "tr", "thead", "tbody", "tfoot"];
const ENDS_PARAGRAPH =
  "address article aside blockquote details div dl fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr main nav ol p pre section table ul";
/** What an element ends, if it is the innermost open one: end tags that authors may leave out. */
const ENDS = new Map<string, readonly string[]>([
  ...ENDS_PARAGRAPH.split(" ").map((name) => [name, ["p"]] as const),
  ...CELLS.map((name) => [name, CELLS] as const),
  ["tr", [...CELLS, "tr"]],
  ...["thead", "tbody", "tfoot"].map((name) => [name, ROWS] as const),
  ["li", ["li"]],
  ...["dt", "dd"].map((name) => [name, ["dt", "dd"]] as const),
  ["option", ["option"]],
  ["optgroup", ["optgroup", "option"]],
]);

/** How deep elements lie in one another, up to `most`. One pass; follows the parser's rules for end tags left out. */
export function depthOf(html: string, most: number): number {
  const open: string[] = [];
  let deepest = 0;
  for (const [, slash, tag] of html.matchAll(/<(\/?)([a-z][a-z0-9:-]{0,30})/gi)) {
    const name = tag!.toLowerCase();
    if (slash === "/") close(open, name);
    else if (!VOID.has(name)) {
      while (ENDS.get(name)?.includes(open.at(-1) ?? "") === true) open.pop();
      if (open.push(name) > deepest) deepest = open.length;
      if (deepest >= most) return most;
    }
  }
  return deepest;
}

/** Ends the nearest open element of a name and all inside it. */
function close(open: string[], name: string): void {
  const at = open.lastIndexOf(name);
  if (at >= 0) open.length = at;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', nbsp: " " };

/** Text of a page without its structure: tags dropped, scripts and styles with what they hold. */
export function withoutTags(html: string): string {
  const parts: string[] = [];
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf("<", at);
    if (open < 0) break;
    parts.push(html.slice(at, open));
    const end = html.indexOf(">", open);
    if (end < 0) return joined(parts);
    const raw = /^<(script|style)\b/i.exec(html.slice(open, open + 8))?.[1]?.toLowerCase();
    at = end + 1;
    if (raw !== undefined) {
      const stop = html.indexOf(`</${raw}`, at);
      if (stop < 0) return joined(parts);
      at = stop;
    }
    parts.push(" ");
  }
  parts.push(html.slice(at));
  return joined(parts);
}

function joined(parts: readonly string[]): string {
  return parts
    .join("")
    .replace(/&(amp|lt|gt|quot|nbsp);/g, (_, name: string) => ENTITIES[name]!)
    .replace(/\s+/g, " ")
    .trim();
}
