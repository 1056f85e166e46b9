import { Document, Scalar, visit } from "yaml";

/** Lines of a draft are no longer than this, where they can be broken. */
export const WIDTH = 118;

/** Comment lines no wider than the card. */
export function comment(text: string, level = 0): string[] {
  if (text === "") return [];
  const indent = "  ".repeat(level);
  const lines: string[] = [];
  let line = "";
  for (const word of oneLine(text).split(" ")) {
    if (line !== "" && line.length + word.length > WIDTH - indent.length) {
      lines.push(line);
      line = "  ";
    }
    line += line.trim() === "" ? word : ` ${word}`;
  }
  return [...lines, line].map((l) => `${indent}# ${l}`);
}

/** Texts of a file must not end a comment, nor hold what no YAML may. */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ").trim();
}

export function flowOf(value: unknown): string | undefined {
  return value === undefined ? undefined : flow(value);
}

/** A value on one line, in brackets where it is a list or a map. */
export function flow(value: unknown): string {
  return written(value, true);
}

export function scalar(text: string): string {
  return written(text, false);
}

/** What no card may hold as it is, or nobody would see: controls, line ends, blanks other than the space. */
const UNSEEN = /[^\S ]|[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]|(?![\u200c\u200d])\p{Cf}/gu;

/** Texts with such characters stand in double quotes, where YAML has escapes for them. */
function written(value: unknown, flow: boolean): string {
  const document = new Document(value);
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value === "string" && node.value.search(UNSEEN) >= 0) node.type = Scalar.QUOTE_DOUBLE;
    },
  });
  const text = document.toString({
    ...{ lineWidth: 0, doubleQuotedMinMultiLineLength: Number.POSITIVE_INFINITY },
    ...(flow ? { collectionStyle: "flow", flowCollectionPadding: true } : {}),
  });
  return text.replace(/\n$/, "").replace(UNSEEN, escaped);
}

function escaped(character: string): string {
  const code = character.codePointAt(0)!.toString(16);
  return code.length > 4 ? `\\U${code.padStart(8, "0")}` : `\\u${code.padStart(4, "0")}`;
}
