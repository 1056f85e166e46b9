const LIMIT = 250;
const COMPACT = new RegExp(`(?:(?:[-?]|[^\\s,{}[\\]"'#]+:)[ \\t]+){${LIMIT}}`);
const INDENT = new RegExp(`^[ ]{${LIMIT * 2}}`, "m");

/**
 * Offset at which a YAML text may be nested so deeply that parsing it would use up the stack (which ends the process
 * instead of throwing), or undefined. Brackets inside texts are counted too, so the limit is far beyond any real file.
 */
export function tooDeepAt(text: string): number | undefined {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 0x5b || c === 0x7b) depth++;
    else if ((c === 0x5d || c === 0x7d) && depth > 0) depth--;
    if (depth > LIMIT) return i;
  }
  const run = COMPACT.exec(text) ?? INDENT.exec(text);
  return run?.index;
}
