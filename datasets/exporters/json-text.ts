/** JSON that goes into a file as it was written: numbers keep their digits, whatever a double holds. */
export class RawJson {
  constructor(readonly text: string) {}
}

export type Writable =
  | null
  | boolean
  | number
  | string
  | RawJson
  | readonly Writable[]
  | { readonly [key: string]: Writable | undefined };

/** One line of JSON; members stand in the order given, `undefined` ones are left out. */
export function jsonLine(value: Writable): string {
  if (value instanceof RawJson) return tokens(value.text).join("");
  if (Array.isArray(value)) return `[${value.map(jsonLine).join(",")}]`;
  if (value !== null && typeof value === "object") {
    const members = Object.entries(value as Readonly<Record<string, Writable | undefined>>)
      .filter((member): member is [string, Writable] => member[1] !== undefined)
      .map(([key, item]) => `${JSON.stringify(key)}:${jsonLine(item)}`);
    return `{${members.join(",")}}`;
  }
  return JSON.stringify(value);
}

/**
 * JSON text with the spaces and escapes that Python's `json.dumps(..., ensure_ascii=False)` gives it, which is what `tojson` prints in
 * chat templates.
 */
export function pythonJson(text: string): string {
  return tokens(text)
    .map((token) => {
      if (token === "," || token === ":") return `${token} `;
      return token.startsWith('"') ? JSON.stringify(JSON.parse(token)) : token;
    })
    .join("");
}

/** Strings, punctuation and other words of a JSON text, without the space between them. */
function tokens(text: string): string[] {
  return text.match(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s"{}[\],:]+/gs) ?? [];
}
