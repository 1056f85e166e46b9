/** Pieces of prose that begin like JSON and are looked at, at most. */
const MOST_STARTS = 200;

/**
 * JSON objects and arrays in a model's text, in order: the whole text, or what stands in code fences, or whole values among prose.
 * Nothing is mended: a trailing comma or a missing quote is no JSON.
 */
export function jsonValuesIn(text: string): unknown[] {
  const whole = parseJson(text.trim());
  if (whole !== undefined) return [whole];
  const fenced = fencesOf(text).map(parseJson).filter(isCompound);
  return fenced.length > 0 ? fenced : amongProse(text);
}

/** undefined where there is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isCompound(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

/** What stands between lines of three backticks or tildes. */
function fencesOf(text: string): string[] {
  const found: string[] = [];
  let open: { readonly mark: string; readonly lines: string[] } | undefined;
  for (const line of text.split("\n")) {
    const mark = /^\s{0,8}(```|~~~)/.exec(line)?.[1];
    if (open === undefined) {
      if (mark !== undefined) open = { mark, lines: [] };
    } else if (mark === open.mark) {
      found.push(open.lines.join("\n"));
      open = undefined;
    } else open.lines.push(line);
  }
  return found;
}

function amongProse(text: string): unknown[] {
  const found: unknown[] = [];
  let at = 0;
  for (let starts = 0; starts < MOST_STARTS; starts++) {
    const start = startAfter(text, at);
    if (start < 0) break;
    const end = endOf(text, start);
    const value = end < 0 ? undefined : parseJson(text.slice(start, end));
    if (value !== undefined) found.push(value);
    at = value === undefined ? start + 1 : end;
  }
  return found;
}

function startAfter(text: string, at: number): number {
  for (let i = at; i < text.length; i++) if (text[i] === "{" || text[i] === "[") return i;
  return -1;
}

/** Where the value that starts here ends, by its brackets; -1 when it does not. */
function endOf(text: string, start: number): number {
  let depth = 0;
  let inString = false;
  for (let i = start; i < text.length; i++) {
    const c = text[i];
    if (inString) {
      if (c === "\\") i++;
      else if (c === '"') inString = false;
    } else if (c === '"') inString = true;
    else if (c === "{" || c === "[") depth++;
    else if ((c === "}" || c === "]") && --depth === 0) return i + 1;
  }
  return -1;
}
