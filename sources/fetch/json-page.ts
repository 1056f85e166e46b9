import { JsonScanner } from "../adapters/json-scan.js";
import { cellText, JsonError, parseRawJson, type RawJson, RawNumber } from "../adapters/raw-json.js";
import { lasting, passing } from "./fault.js";

/** Where things stand in each JSON answer. */
export interface JsonPlaces {
  /** Path to the array of records. */
  readonly records: string;
  /** Paths to single values, by what they are for. */
  readonly values: Readonly<Record<string, string>>;
}

/** A JSON answer read: how many records it holds, and the single values that were asked for. */
export interface JsonPage {
  readonly count: number;
  readonly values: Readonly<Record<string, RawJson | undefined>>;
}

/**
 * Reads one JSON answer as a stream. Each record goes to `write` as compact JSON on a line of its own, numbers as written.
 * @throws FetchFault for what is no JSON (an answer that was cut short), or holds no records at the path
 */
export async function readJsonPage(
  text: AsyncIterable<string>,
  { records, values }: JsonPlaces,
  write: (line: string) => Promise<void>,
): Promise<JsonPage> {
  const scanner = new JsonScanner(steps(records));
  const wanted = Object.entries(values).map(([name, path]) => ({
    name,
    scanner: new JsonScanner(steps(path), true),
    slice: undefined as string | undefined,
  }));
  let count = 0;
  let head = "";
  try {
    for await (const chunk of text) {
      if (head.length < 400) head += chunk.slice(0, 400);
      for (const want of wanted) want.slice ??= want.scanner.feed(chunk)[0]?.text;
      for (const { text: slice } of scanner.feed(chunk)) await write(`${compact(slice, ++count)}\n`);
    }
    scanner.end();
  } catch (error) {
    if (error instanceof JsonError) throw passing(`the answer is not JSON: ${error.message}${saying(head)}`);
    throw error;
  }
  if (!scanner.found) {
    const place = records === "" ? "the answer" : `\`${records}\` in the answer`;
    throw lasting(`${place} is no array of records${saying(head)}`, "set `fetch.records`");
  }
  return {
    count,
    values: Object.fromEntries(wanted.map(({ name, slice }) => [name, slice && parseRawJson(slice)])),
  };
}

function compact(slice: string, record: number): string {
  const value = parseRawJson(slice);
  if (!(value instanceof Map) && !Array.isArray(value))
    throw lasting(`record ${record} of the answer is neither an object nor an array`, "set `fetch.records`");
  return cellText(value)!;
}

/** How an answer begins, for a message: servers send their errors as pages of all kinds. */
export function saying(head: string): string {
  const words = head.replace(/\s+/g, " ").trim().slice(0, 160);
  return words === "" ? ": it is empty" : `; it begins with ${JSON.stringify(words)}`;
}

function steps(path: string): string[] {
  return path === "" ? [] : path.split(".");
}

/** A whole number ≥ 0 that a server gives as a number or as a text (JPL: `"count": "1536"`). */
export function countIn(value: RawJson | undefined): number | undefined {
  const text = value instanceof RawNumber ? value.text : typeof value === "string" ? value.trim() : "";
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** A text that is there and not empty; numbers as written. */
export function textIn(value: RawJson | undefined): string | undefined {
  if (value === undefined || value === null || typeof value === "boolean") return undefined;
  if (typeof value !== "string" && !(value instanceof RawNumber)) return undefined;
  return cellText(value) || undefined;
}
