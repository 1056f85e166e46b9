import { isMap, isScalar, LineCounter, parseDocument } from "yaml";

/** One value of a card that is to be set: where it stands, and its new text. */
export interface CardEdit {
  readonly path: readonly [string, ...string[]];
  readonly value: string;
  /** Where there is no such member: a sibling that stands there for sure; the new one goes before it. */
  readonly before?: string;
}

/**
 * Sets text values in a YAML text and leaves every other byte as it is: comments, order, quotes, line ends. The library finds the places;
 * writing the whole document anew would lay it out in its own way.
 * @returns undefined where a place cannot be found
 */
export function editYaml(text: string, edits: readonly CardEdit[]): string | undefined {
  return edits.reduce<string | undefined>(
    (rest, edit) => (rest === undefined ? rest : editOne(rest, edit)),
    text,
  );
}

function editOne(text: string, { path, value, before }: CardEdit): string | undefined {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    version: "1.2",
    uniqueKeys: false,
    logLevel: "error",
    lineCounter: lines,
  });
  const quoted =
    /^[0-9a-f]*[a-f][0-9a-f]*$/.test(value) && !/^\d+e\d+$/.test(value) ? value : JSON.stringify(value);
  const node = document.getIn(path, true);
  if (isScalar(node) && node.range)
    return `${text.slice(0, node.range[0])}${quoted}${text.slice(node.range[1])}`;
  const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  const pair = isMap(parent)
    ? parent.items.find(({ key }) => isScalar(key) && key.value === before)
    : undefined;
  if (!isMap(parent) || !isScalar(pair?.key) || !pair.key.range) return undefined;
  const at = pair.key.range[0];
  const indent = " ".repeat(lines.linePos(at).col - 1);
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const separator = parent.flow === true ? ", " : `${end}${indent}`;
  return `${text.slice(0, at)}${path.at(-1)}: ${quoted}${separator}${text.slice(at)}`;
}
