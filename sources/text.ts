import type { SnapshotFormat } from "./card.js";
import { sourceError } from "./problems.js";
import type { Snapshot } from "./snapshot.js";

export type Encoding = Extract<SnapshotFormat, { format: "csv" }>["encoding"];

/** The snapshot's text, decoded strictly as a stream; a byte-order mark is dropped. */
export async function* decodedText(snapshot: Snapshot, encoding: Encoding): AsyncGenerator<string> {
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
