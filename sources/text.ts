import type { Encoding } from "./format.js";
import { sourceError } from "./problems.js";
import type { Snapshot } from "./snapshot.js";

/** The snapshot's text, decoded strictly as a stream; a byte-order mark is dropped. */
export async function* decodedText(snapshot: Snapshot, encoding: Encoding = "utf-8"): AsyncGenerator<string> {
  const decode = decoder(encoding);
  let offset = 0;
  for await (const bytes of snapshot.bytes()) {
    if (offset === 0) checkMark(bytes, encoding, snapshot.name);
    let text: string;
    try {
      text = decode(bytes, true);
    } catch {
      badBytes(snapshot.name, encoding, offset);
    }
    offset += bytes.length;
    if (text.length > 0) yield text;
  }
  try {
    const rest = decode(new Uint8Array(0), false);
    if (rest.length > 0) yield rest;
  } catch {
    badBytes(snapshot.name, encoding, offset);
  }
}

/**
 * The pieces of a text in one, for formats that are read as a whole.
 * @throws TaskmillError (source) `too_large` beyond `most` characters.
 */
export async function wholeText(chunks: AsyncIterable<string>, name: string, most: number): Promise<string> {
  const parts: string[] = [];
  let length = 0;
  for await (const part of chunks) {
    length += part.length;
    if (length > most) tooLarge(name, `${most} characters`);
    parts.push(part);
  }
  return parts.join("");
}

/**
 * All bytes of a snapshot, for formats that are read as a whole.
 * @throws TaskmillError (source) `too_large` beyond `most` bytes.
 */
export async function wholeBytes(snapshot: Snapshot, most: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of snapshot.bytes()) {
    length += part.length;
    if (length > most) tooLarge(snapshot.name, `${most} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function tooLarge(name: string, most: string): never {
  sourceError("too_large", `${name} has more than ${most}, the most that is read of this format`, {
    hint: "such a file is read as a whole; turn a larger one into CSV, NDJSON or Parquet",
  });
}

/** ISO 8859-1 is not windows-1252, though the web's decoders say so: every byte is the code point of its number. */
function decoder(encoding: Encoding): (bytes: Uint8Array, more: boolean) => string {
  if (encoding === "latin1")
    return (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
  const inner = new TextDecoder(encoding, { fatal: true });
  return (bytes, more) => inner.decode(bytes, { stream: more });
}

function checkMark(bytes: Uint8Array, encoding: Encoding, name: string): void {
  const [a, b] = bytes;
  const found = a === 0xff && b === 0xfe ? "utf-16le" : a === 0xfe && b === 0xff ? "utf-16be" : undefined;
  if (found !== undefined && found !== encoding) {
    sourceError(
      "bad_encoding",
      `${name} starts with the byte-order mark of ${found}, but the card says ${encoding}`,
      {
        hint: `set \`encoding: ${found}\``,
      },
    );
  }
}

function badBytes(name: string, encoding: Encoding, offset: number): never {
  sourceError("bad_encoding", `${name} has bytes that are not ${encoding} (in or after byte ${offset})`, {
    hint: "set `encoding` to what the file is written in, e.g. latin1 or windows-1252",
  });
}
