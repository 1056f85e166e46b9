import { openSnapshot } from "../snapshot.js";
import { lasting } from "./fault.js";
import { outOfTime } from "./gate.js";

/**
 * Passes over a file once, unpacked if it is packed, before anything reads it.
 * @param forms texts that are looked for, in UTF-8 and UTF-16. @param most bytes, unpacked. @param left milliseconds that remain, asked at each piece
 * @returns whether one of the texts stands in it. @throws FetchFault for more bytes or time than the card allows
 */
export async function inspect(
  path: string,
  { forms, most, left }: { forms: readonly string[]; most: number; left: () => number },
): Promise<boolean> {
  const wanted = forms.flatMap(encodings);
  const overlap = Math.max(1, ...wanted.map((bytes) => bytes.length)) - 1;
  const snapshot = await openSnapshot(path);
  const packed = snapshot.compression !== "none";
  if (!packed && wanted.length === 0) return false;
  let size = 0;
  let tail: Uint8Array = Buffer.alloc(0);
  let found = false;
  for await (const chunk of snapshot.bytes()) {
    size += chunk.length;
    // What is not packed was counted as it came.
    if (packed && size > most)
      throw lasting(
        "the download unpacks to more than `fetch.limits.bytes` allows",
        "raise it, or ask for less",
      );
    if (left() <= 0) throw outOfTime();
    if (found || wanted.length === 0) continue;
    const text = Buffer.concat([tail, chunk]);
    found = wanted.some((bytes) => text.includes(bytes));
    tail = text.subarray(Math.max(0, text.length - overlap));
  }
  return found;
}

function encodings(text: string): Buffer[] {
  const wide = Buffer.from(text, "utf16le");
  return [Buffer.from(text, "utf8"), wide, Buffer.from(wide).swap16()];
}
