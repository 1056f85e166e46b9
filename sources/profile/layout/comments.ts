import type { Field } from "./layout.js";

const MARKS = ["#", "%", "//", "!"];

/**
 * The mark of comment lines at the start of a text, or null. A single marked line that is cut as the next one is, is a header
 * ("#id,name"), not a comment.
 */
export function commentMark(lines: readonly string[], delimiters: readonly string[]): string | null {
  const first = lines.find((line) => line.trim() !== "") ?? "";
  const mark = MARKS.find((m) => first.startsWith(m));
  if (mark === undefined) return null;
  const marked = lines.filter((line) => line.startsWith(mark));
  const plain = lines.find((line) => line.trim() !== "" && !line.startsWith(mark)) ?? "";
  const cuts = (line: string): number => Math.max(...delimiters.map((d) => line.split(d).length));
  return marked.length === 1 && cuts(first) > 1 && cuts(first) === cuts(plain) ? null : mark;
}

const BRACKETS = /\s*(?:\[([^\][]{1,40})\]|\(([^()]{1,40})\))\s*$/;

/** What comment lines say of columns: "COLUMN koi_period: Orbital Period [days]" gives a description and a unit. */
export function describedFields(
  names: readonly string[],
  comments: readonly string[],
): ReadonlyMap<string, Pick<Field, "description" | "unit">> {
  const known = new Set(names);
  const told = new Map<string, Pick<Field, "description" | "unit">>();
  for (const line of comments) {
    const found = /^[^\w]*(?:\w+\s+)?(\w[\w.-]*)\s*[:=]\s*(\S.*)$/.exec(line.slice(0, 400));
    const name = found?.[1];
    if (name === undefined || !known.has(name) || told.has(name)) continue;
    const text = found![2]!.trim();
    const brackets = BRACKETS.exec(text);
    const unit = brackets?.[1] ?? brackets?.[2];
    const description = text.slice(0, brackets?.index ?? text.length).trim();
    told.set(name, { description, ...(unit === undefined ? {} : { unit }) });
  }
  return told;
}
