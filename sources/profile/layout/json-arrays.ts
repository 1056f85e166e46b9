/** An array in a JSON document, and what its first element is. */
export interface FoundArray {
  readonly path: readonly string[];
  readonly holds: "objects" | "arrays" | "texts" | "others";
}

interface Level {
  readonly kind: "{" | "[";
  key: string;
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gs;
const MAX_DEPTH = 8;
const MAX_ARRAYS = 200;

/**
 * The arrays at the start of a JSON text, cut off anywhere, in the order in which they begin; those inside of other arrays are left out.
 * Nothing is checked: the adapter does that.
 */
export function arraysOf(text: string): FoundArray[] {
  const found: FoundArray[] = [];
  const levels: Level[] = [];
  let opened: string[] | undefined;
  let word: string | undefined;
  for (const [token] of text.matchAll(TOKEN)) {
    if (opened !== undefined) {
      found.push({ path: opened, holds: holdingOf(token) });
      opened = undefined;
      if (found.length >= MAX_ARRAYS) break;
    }
    if (token === "{" || token === "[") {
      const inside = levels.some((level) => level.kind === "[");
      if (token === "[" && !inside && levels.length <= MAX_DEPTH) opened = levels.map((level) => level.key);
      levels.push({ kind: token, key: "" });
    } else if (token === "}" || token === "]") levels.pop();
    else if (token === ":" && word !== undefined && levels.length > 0) levels.at(-1)!.key = word;
    word = token.startsWith('"') ? unquoted(token) : undefined;
  }
  return found;
}

function holdingOf(token: string): FoundArray["holds"] {
  if (token === "{") return "objects";
  if (token === "[") return "arrays";
  return token.startsWith('"') ? "texts" : "others";
}

function unquoted(token: string): string {
  try {
    return JSON.parse(token) as string;
  } catch {
    return token.slice(1, -1);
  }
}
