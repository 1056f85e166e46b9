/** HTML text that is safe to put into a page. Made by {@link html} alone. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = Html | string | number | readonly Part[] | undefined;

/** A template whose values are escaped unless they are HTML themselves: data never becomes markup. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.map((text, i) => (i < parts.length ? text + render(parts[i]) : text)).join(""));
}

/** Text that is HTML already, such as a chart of our own making. */
export function trusted(text: string): Html {
  return new Html(text);
}

function render(part: Part): string {
  if (part === undefined) return "";
  if (part instanceof Html) return part.text;
  if (Array.isArray(part)) return part.map((p: Part) => render(p)).join("");
  return escapeHtml(String(part));
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Characters that could forge a page's look: controls but tab and line ends, and bidirectional overrides. */
const TRICKY = /(?![\t\n\r])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** Shows {@link TRICKY} characters as U+FFFD. */
export function visible(text: string): string {
  return text.replace(TRICKY, "\ufffd");
}

/** Text as HTML text: markup characters become entities. */
export function escapeHtml(text: string): string {
  return visible(text.replace(/[&<>"']/g, (c) => ENTITIES[c]!));
}
