/** In characters. */
const LONGEST = 120;
/** Where a title is looked for. */
const HEAD = 2000;

/** A title for a document without one: its first line, without Markdown's signs of a heading; else the end of its address. */
export function titleOf(text: string, url: string): string {
  const lines = text.slice(0, HEAD).split("\n");
  const first = lines.map((line) => line.replace(/^[#\s]+/, "").trim()).find((line) => line !== "");
  if (first !== undefined) return first.length <= LONGEST ? first : `${first.slice(0, LONGEST)}…`;
  return url.split("/").findLast((part) => part !== "") ?? url;
}
