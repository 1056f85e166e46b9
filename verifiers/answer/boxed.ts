/** What stands in `\boxed{...}`, in order, braces balanced. A box that is never closed holds nothing. */
export function boxes(text: string): { content: string; start: number; end: number }[] {
  const found: { content: string; start: number; end: number }[] = [];
  const form = /\\(?:boxed|fbox)\s{0,3}\{/g;
  let budget = 4 * text.length + 1000;
  for (let match = form.exec(text); match !== null && budget > 0; match = form.exec(text)) {
    const start = form.lastIndex;
    const end = closing(text, start, budget);
    budget -= (end < 0 ? text.length : end) - start;
    if (end < 0) continue;
    found.push({ content: text.slice(start, end), start: match.index, end: end + 1 });
    form.lastIndex = end + 1;
  }
  return found;
}

/** The brace that closes the one before `from`; -1 if there is none within reach. */
function closing(text: string, from: number, reach: number): number {
  let depth = 1;
  for (let i = from; i < text.length && i < from + reach; i++) {
    const c = text[i];
    if (c === "\\") i++;
    else if (c === "{") depth++;
    else if (c === "}" && --depth === 0) return i;
  }
  return -1;
}
