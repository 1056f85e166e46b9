import type { Verdict } from "./answer.js";
import { right, wrong } from "./verdicts.js";

/** Judges free text: equal but for case, spaces and punctuation. A sign or a point inside a number is no punctuation. */
export function gradeText(plain: string, expected: string): Verdict {
  return textKey(plain) === textKey(expected)
    ? right("equal", "the texts are the same", plain)
    : wrong("wrong_value", "it is another text", plain);
}

/** What is left of a text when case, spaces and punctuation are not looked at. */
export function textKey(plain: string): string {
  const marked = plain
    .normalize("NFKC")
    .toLowerCase()
    .replace(/(?<![\p{L}\p{N}])[-−](?=\d)/gu, "\ue001")
    .replace(/(?<=\d)\.(?=\d)/g, "\ue002")
    .replace(/(?<=\d),(?=\d)/g, "\ue003")
    .replace(/(?<=\d)\/(?=\d)/g, "\ue004");
  return (marked.match(/[\p{L}\p{M}\p{N}\p{S}\ue001-\ue004]+/gu) ?? [])
    .join(" ")
    .replace(/(?<=\d) (?=\d)/g, "_")
    .replaceAll(" ", "");
}
