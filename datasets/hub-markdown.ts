/** Text as Markdown of the Hub. */

/** A table; its cells are Markdown already. */
export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** An id, as it is written. */
export function code(text: string): string {
  return `\`${text.replace(/[`|\s]+/g, " ")}\``;
}

/** Text of a card as Markdown text: no markup, no table breaks. An underscore inside a word marks nothing. */
export function md(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .replace(/[\\`*[\]|~#]|(?<!\w)_|_(?!\w)/g, "\\$&")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;");
}
