import { check, type Note } from "./decision.js";

export function nullNote(found: readonly { text: string; count: number }[]): Note {
  const listed = found.slice(0, 6).map((f) => `"${f.text}" (${f.count})`);
  return check("null_spelling", `${listed.join(", ")} taken for "not known": right here?`);
}

/** An empty cell is never a value. */
export function nullTexts(found: readonly string[]): string[] {
  return ["", ...found];
}
