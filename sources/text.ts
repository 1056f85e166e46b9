import type { Encoding } from "./format.js";
import { refuseKnownKinds } from "./magic.js";
import { sourceError } from "./problems.js";
import type { Snapshot } from "./snapshot.js";

const LF = 10;
const CR = 13;

/** The snapshot's text, decoded strictly as a stream; a byte-order mark is dropped. */
export async function* decodedText(snapshot: Snapshot, encoding: Encoding = "utf-8"): AsyncGenerator<string> {
  const decode = decoder(encoding);
  let offset = 0;
  for await (const bytes of snapshot.bytes()) {
    if (offset === 0) {
      refuseKnownKinds(bytes, snapshot.name);
      checkMark(bytes, encoding, snapshot.name);
      checkBinary(bytes, encoding, snapshot.name);
    }
    let text: string;
    try {
      text = decode(bytes, true);
    } catch {
      throw await badBytes(snapshot, encoding, offset);
    }
    offset += bytes.length;
    if (text.length > 0) yield text;
  }
  try {
    const rest = decode(new Uint8Array(0), false);
    if (rest.length > 0) yield rest;
  } catch {
    throw await badBytes(snapshot, encoding, offset);
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

/** No text has many zero bytes, but in UTF-16. */
export function checkBinary(bytes: Uint8Array, encoding: Encoding, name: string): void {
  if (encoding.startsWith("utf-16")) return;
  const zeros = bytes.subarray(0, 4096).filter((byte) => byte === 0).length;
  if (zeros < 16 || zeros * 50 < Math.min(bytes.length, 4096)) return;
  sourceError(
    "binary_data",
    `${name} holds binary data and no text: ${zeros} of its first ${Math.min(bytes.length, 4096)} bytes are zero`,
    {
      hint: "is it the right file, whole, and in this format? `encoding: utf-16le` if it is UTF-16",
    },
  );
}

async function badBytes(snapshot: Snapshot, encoding: Encoding, offset: number): Promise<never> {
  const line = encoding === "utf-8" ? await firstBadLine(snapshot) : undefined;
  const where = line === undefined ? `, in or after byte ${offset}` : `, line ${line}`;
  sourceError("bad_encoding", `${snapshot.name}${where}: bytes that are not ${encoding}`, {
    hint: "set `encoding` to what the file is written in, e.g. latin1 or windows-1252",
    location: { file: snapshot.path, ...(line === undefined ? {} : { line }) },
  });
}

/** Where bytes that are not UTF-8 stand: line ends are bytes of their own in it. */
async function firstBadLine(snapshot: Snapshot): Promise<number> {
  const decode = new TextDecoder("utf-8", { fatal: true });
  let line = 1;
  let last = 0;
  try {
    for await (const bytes of snapshot.bytes()) {
      let from = 0;
      for (let at = 0; at < bytes.length; at++) {
        const byte = bytes[at]!;
        if (byte === CR || byte === LF) {
          decode.decode(bytes.subarray(from, at + 1), { stream: true });
          from = at + 1;
          if (byte === CR || last !== CR) line++;
        }
        last = byte;
      }
      decode.decode(bytes.subarray(from), { stream: true });
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  return line;
}

/**
 * For a file of which nobody says that it is text: packed data is not UTF-8, and has a control character in ten bytes.
 * @throws TaskmillError (source) `binary_data`
 */
export function refuseControls(head: Uint8Array, encoding: Encoding, name: string): void {
  if (encoding.startsWith("utf-16")) return;
  const zero = head.indexOf(0);
  const controls = head.filter((byte) => byte < 0x20 && !(byte >= 9 && byte <= 13)).length;
  if (zero < 0 && (encoding === "utf-8" || controls < 4 || controls * 50 < head.length)) return;
  const what =
    zero < 0
      ? `${controls} of its first ${head.length} bytes are control characters`
      : `byte ${zero} is zero`;
  sourceError("binary_data", `${name} holds binary data and no text: ${what}`, {
    hint: "is it packed, or damaged? Give the table as text, or as Parquet, Arrow or SQLite",
  });
}
