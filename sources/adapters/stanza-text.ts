/** How a line of a stanza is written: comments, and characters whose meaning a backslash takes away. */

const WRITTEN: Readonly<Record<string, string>> = { n: "\n", t: "\t", W: " " };

/** The line up to a comment mark that stands at its start or after a blank, outside double quotes. */
export function withoutComment(text: string, mark: string | undefined, escapes: boolean): string {
  if (mark === undefined || !text.includes(mark)) return text;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const c = text[at]!;
    if (escapes && c === "\\") at++;
    else if (c === '"') quoted = !quoted;
    else if (!quoted && text.startsWith(mark, at) && (at === 0 || /\s/.test(text[at - 1]!)))
      return text.slice(0, at);
  }
  return text;
}

/** Whether a line ends in a backslash that is not itself escaped: the next line goes on with it. */
export function endsInEscape(text: string): boolean {
  let backslashes = 0;
  while (text[text.length - 1 - backslashes] === "\\") backslashes++;
  return backslashes % 2 === 1;
}

/** A value with its backslashes carried out; an unknown one stands for the character after it. */
export function unescaped(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replace(/\\(.)/gsu, (_, c: string) => (Object.hasOwn(WRITTEN, c) ? WRITTEN[c]! : c));
}
