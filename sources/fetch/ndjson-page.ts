import { cellText, JsonError, parseRawJson } from "../adapters/raw-json.js";
import { passing } from "./fault.js";
import { saying } from "./json-page.js";

const MAX_LINE = 16 * 2 ** 20;

/** Reads an answer with one JSON object a line; each goes to `write` as compact JSON. @returns how many. @throws FetchFault */
export async function readNdjsonPage(
  text: AsyncIterable<string>,
  write: (line: string) => Promise<void>,
): Promise<number> {
  let count = 0;
  let open = "";
  const take = async (line: string): Promise<void> => {
    if (line.trim() === "") return;
    await write(`${compact(line, ++count)}\n`);
  };
  for await (const chunk of text) {
    const lines = (open + chunk).split("\n");
    open = lines.pop()!;
    if (open.length > MAX_LINE) throw passing(`line ${count + 1} is longer than ${MAX_LINE} characters`);
    for (const line of lines) await take(line);
  }
  await take(open);
  return count;
}

function compact(line: string, number: number): string {
  try {
    const value = parseRawJson(line);
    if (value instanceof Map) return cellText(value)!;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
  }
  throw passing(`line ${number} of the answer is no JSON object${saying(line.slice(0, 400))}`);
}
