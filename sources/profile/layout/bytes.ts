import type { Encoding } from "../../format.js";
import type { Snapshot } from "../../snapshot.js";
import { decodedText } from "../../text.js";

/** Guesses look at so many characters of a file; what is beyond them is read by the adapter, which complains. */
export const HEAD = 2 ** 19;

/** The first bytes of a snapshot, unpacked. */
export async function headBytes(snapshot: Snapshot, most: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of snapshot.bytes()) {
    parts.push(chunk);
    length += chunk.length;
    if (length >= most) break;
  }
  return Buffer.concat(parts).subarray(0, most);
}

export interface GuessedEncoding {
  readonly encoding: Encoding;
  readonly why: string;
}

/** What a text file is written in: its byte-order mark says so, or else all of its bytes are tried. */
export async function guessEncoding(snapshot: Snapshot): Promise<GuessedEncoding> {
  const head = await headBytes(snapshot, 4096);
  const marked = byMark(head) ?? byZeros(head);
  if (marked !== undefined) return marked;
  const utf8 = new TextDecoder("utf-8", { fatal: true });
  let windows = false;
  let valid = true;
  let ascii = true;
  for await (const chunk of snapshot.bytes()) {
    for (const byte of chunk) {
      if (byte < 0x80) continue;
      ascii = false;
      if (byte < 0xa0) windows = true;
    }
    if (valid) valid = decodes(() => utf8.decode(chunk, { stream: true }));
  }
  if (valid) valid = decodes(() => utf8.decode());
  if (ascii) return { encoding: "utf-8", why: "every byte is ASCII" };
  if (valid) return { encoding: "utf-8", why: "all of its bytes are valid UTF-8" };
  return windows
    ? {
        encoding: "windows-1252",
        why: "its bytes are not UTF-8, and some stand for quotes or dashes of Windows",
      }
    : {
        encoding: "latin1",
        why: "its bytes are not UTF-8, and fit ISO 8859-1 (or a sister of it: look at accents)",
      };
}

function decodes(decode: () => string): boolean {
  try {
    decode();
    return true;
  } catch {
    return false;
  }
}

function byMark(head: Uint8Array): GuessedEncoding | undefined {
  const [a, b, c] = head;
  if (a === 0xff && b === 0xfe) return { encoding: "utf-16le", why: "its byte-order mark says so" };
  if (a === 0xfe && b === 0xff) return { encoding: "utf-16be", why: "its byte-order mark says so" };
  if (a === 0xef && b === 0xbb && c === 0xbf)
    return { encoding: "utf-8", why: "its byte-order mark says so" };
  return undefined;
}

/** Latin text in UTF-16 has a zero in every second byte. */
function byZeros(head: Uint8Array): GuessedEncoding | undefined {
  let even = 0;
  let odd = 0;
  for (let i = 0; i < head.length; i++) if (head[i] === 0) i % 2 === 0 ? even++ : odd++;
  const half = head.length / 2;
  if (odd > half * 0.7 && even < half * 0.1)
    return { encoding: "utf-16le", why: "every second byte is zero" };
  if (even > half * 0.7 && odd < half * 0.1)
    return { encoding: "utf-16be", why: "every second byte is zero" };
  return undefined;
}

/** The start of a text, up to a line end, and whether that is all of it. */
export interface HeadText {
  readonly text: string;
  readonly whole: boolean;
}

export async function headText(snapshot: Snapshot, encoding?: Encoding): Promise<HeadText> {
  let text = "";
  for await (const piece of decodedText(snapshot, encoding)) {
    text += piece;
    if (text.length > HEAD) break;
  }
  if (text.length <= HEAD) return { text, whole: true };
  const head = text.slice(0, HEAD);
  const end = Math.max(head.lastIndexOf("\n"), head.lastIndexOf("\r"));
  return { text: end > 0 ? head.slice(0, end + 1) : head, whole: false };
}

/** Lines however they end. */
export function linesOf(text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
