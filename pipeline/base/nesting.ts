const LIMIT = 250;
const INDENT = new RegExp(`^ {${LIMIT * 2}}`, "m");

/**
 * Offset at which a YAML text may be nested so deeply that parsing it would use up the stack (which ends the process
 * instead of throwing), or undefined. Brackets inside texts are counted too, so the limit is far beyond any real file.
 */
export function tooDeepAt(text: string): number | undefined {
  let brackets = 0;
  // Keys and dashes one after another on a line, as in `- - - a: b: c`, each open a level.
  let openers = 0;
  let wordLength = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text[i]!;
    if (c === "[" || c === "{") brackets++;
    else if ((c === "]" || c === "}") && brackets > 0) brackets--;
    if (c === "\n") openers = 0;
    if (c === " " || c === "\t" || c === "\n") {
      if (wordLength > 0) openers = opens(text, i, wordLength) ? openers + 1 : 0;
      wordLength = 0;
    } else wordLength++;
    if (brackets > LIMIT || openers > LIMIT) return i;
  }
  return INDENT.exec(text)?.index;
}

function opens(text: string, end: number, wordLength: number): boolean {
  const last = text[end - 1]!;
  return last === ":" || (wordLength === 1 && (last === "-" || last === "?"));
}
