import { stringify } from "yaml";

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

const FLOW = { collectionStyle: "flow", lineWidth: 0, flowCollectionPadding: true } as const;

/** Texts of a file must not end a comment, nor hold what no YAML may. */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ").trim();
}

export function flowOf(value: unknown): string | undefined {
  return value === undefined ? undefined : flow(value);
}

export function flow(value: unknown): string {
  return stringify(value, FLOW).trim();
}

export function scalar(text: string): string {
  return stringify(text, { lineWidth: 0, defaultStringType: "PLAIN" }).trim();
}
