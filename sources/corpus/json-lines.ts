import { basename } from "node:path";
import { excerpt, sourceError } from "../problems.js";
import { openSnapshot } from "../snapshot.js";
import { decodedText } from "../text.js";
import type { Row } from "./row.js";

/** In characters: a longer line is no document but a file of another form. */
const LONGEST = 64 * 2 ** 20;

/** The rows of a file with a JSON object on each line, packed or not; blank lines are passed over. @throws TaskmillError (source) with the line */
export async function* jsonLines(path: string): AsyncGenerator<Row> {
  const name = basename(path);
  let line = 0;
  for await (const text of linesOf(decodedText(await openSnapshot(path), "utf-8"), name)) {
    line++;
    if (text.trim() !== "") yield { fields: objectOf(text, `${name}, line ${line}`), where: `line ${line}` };
  }
}

function objectOf(text: string, place: string): Row["fields"] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    sourceError("bad_json", `${place} is no JSON: ${excerpt(text, 60)}`, {
      hint: "each line holds one JSON object with `text` or `html`, and perhaps `url` and `title`",
    });
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Row["fields"];
  return sourceError("bad_json", `${place} holds no object: ${excerpt(text, 60)}`);
}

/** Not by `node:readline`, which ends lines at U+2028 too, and that stands unescaped in JSON texts. */
async function* linesOf(chunks: AsyncIterable<string>, name: string): AsyncGenerator<string> {
  const open: string[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    const lines = chunk.split("\n");
    const last = lines.pop()!;
    for (const [i, line] of lines.entries()) yield i === 0 ? open.splice(0).join("") + line : line;
    length = lines.length === 0 ? length + last.length : last.length;
    open.push(last);
    if (length > LONGEST) {
      sourceError("too_long", `${name} has a line of more than ${LONGEST} characters`, {
        hint: "each line holds one document",
      });
    }
  }
  if (open.length > 0) yield open.join("");
}
