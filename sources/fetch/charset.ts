import { createReadStream } from "node:fs";
import type { Encoding } from "../format.js";
import { lasting } from "./fault.js";

/** `charset` of a `Content-Type`, in the spelling of cards where it is one of theirs; undefined where the header names none. */
export function charsetOf(contentType: string | undefined): string | undefined {
  const label = /;\s{0,5}charset\s{0,5}=\s{0,5}["']?([\w:.-]{1,40})/i.exec(contentType ?? "")?.[1];
  if (label === undefined) return undefined;
  const name = label.toLowerCase();
  // TextDecoder takes this for windows-1252, as browsers do; cards tell the two apart.
  if (/^(?:iso-?8859-1|latin-?1|l1)$/.test(name)) return "latin1";
  try {
    return new TextDecoder(name).encoding;
  } catch {
    throw lasting(`the server sends text in \`${label}\`, which is not known`);
  }
}

/** A file's text in pieces, decoded strictly; a byte-order mark is dropped. @throws FetchFault for bytes that are not of the charset */
export async function* decodedFile(path: string, charset: string): AsyncGenerator<string> {
  const latin1 = charset === "latin1";
  const decoder = latin1 ? undefined : new TextDecoder(charset, { fatal: true });
  try {
    for await (const bytes of createReadStream(path, { highWaterMark: 1 << 18 }) as AsyncIterable<Buffer>) {
      const text = decoder === undefined ? bytes.toString("latin1") : decoder.decode(bytes, { stream: true });
      if (text !== "") yield text;
    }
    const rest = decoder?.decode() ?? "";
    if (rest !== "") yield rest;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw lasting(`the answer is not ${charset}, as its header or the card says`, "see `read.encoding`");
  }
}

/** A text's bytes in a card's encoding. @throws FetchFault for what the encoding has no bytes for */
export function encoded(text: string, encoding: Encoding): Buffer {
  if (encoding === "utf-8") return Buffer.from(text, "utf8");
  if (encoding === "utf-16le") return Buffer.from(text, "utf16le");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of Latin-1, which these two share up to 7f and from a0
  const shared = encoding === "latin1" ? /^[\u0000-\u00ff]*$/ : /^[\u0000-\u007f\u00a0-\u00ff]*$/;
  if (encoding !== "utf-16be" && shared.test(text)) return Buffer.from(text, "latin1");
  throw lasting(
    `the answer cannot be written in ${encoding}, the card's encoding`,
    "set `read: { encoding: utf-8 }`; what the server sends is converted",
  );
}
