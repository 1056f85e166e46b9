/** What says nothing of the value: the marks of mathematics mode, a box, an ending point, other faces of letters, invisible signs. */
export function cleaned(text: string): string {
  const plain = text
    .replace(/[\u{1D400}-\u{1D7FF}\uFF01-\uFF5E]/gu, (c) => c.normalize("NFKC"))
    .replace(/[\u200B-\u200F\u2060-\u2064\uFEFF]/g, "")
    .replaceAll("{,}", ",");
  return unwrapped(plain.trim());
}

const WRAPPERS: readonly (readonly [open: string, close: string])[] = [
  ["$$", "$$"],
  ["$", "$"],
  ["\\(", "\\)"],
  ["\\[", "\\]"],
];

/** Each layer is taken off once, at most as many as people put on. */
function unwrapped(text: string): string {
  let inner = text;
  for (let layer = 0; layer < 4; layer++) {
    const before = inner;
    inner = inner.replace(/(?<![.,;\\])[.,;]$/, "").trim();
    for (const [open, close] of WRAPPERS) {
      if (inner.length >= open.length + close.length && inner.startsWith(open) && inner.endsWith(close)) {
        inner = inner.slice(open.length, -close.length).trim();
      }
    }
    inner = unboxed(inner);
    if (inner === before) break;
  }
  return inner;
}

/** `\boxed{...}` around the whole. */
function unboxed(text: string): string {
  const open = /^\\(?:boxed|fbox)\s*\{/.exec(text);
  if (open === null || !text.endsWith("}")) return text;
  let depth = 1;
  for (let i = open[0].length; i < text.length; i++) {
    if (text[i] === "{") depth++;
    else if (text[i] === "}" && --depth === 0)
      return i === text.length - 1 ? text.slice(open[0].length, i).trim() : text;
  }
  return text;
}
