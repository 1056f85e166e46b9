/** A text as the words that are compared: folded, with their places in the text for evidence. */
export interface Words {
  readonly text: string;
  readonly count: number;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  /** Of each word a hash of 32 bits. */
  readonly hashes: Uint32Array;
}

/** Texts are looked at as far as this, in UTF-16 units: a benchmark's question is shorter. */
const LONGEST = 100_000;
/** Letters with their marks, or digits with separators inside. Signs, spaces, LaTeX's backslashes and dollars fall away. */
const WORD = /\p{L}[\p{L}\p{M}]*|\p{N}+(?:[.,]\p{N}+)*/gu;
const ASCII_WORD = /[a-z]+|[0-9]+(?:[.,][0-9]+)*/gi;
const ASCII = /^[\0-\x7f]*$/;

export function wordsOf(given: string): Words {
  const cut = given.slice(0, LONGEST);
  const ascii = ASCII.test(cut);
  const text = ascii ? cut : cut.normalize("NFKC");
  const starts: number[] = [];
  const ends: number[] = [];
  const hashes: number[] = [];
  for (const match of text.matchAll(ascii ? ASCII_WORD : WORD)) {
    starts.push(match.index);
    ends.push(match.index + match[0].length);
    hashes.push(hashText(folded(match[0])));
  }
  return { text, count: hashes.length, starts, ends, hashes: Uint32Array.from(hashes) };
}

/** The words themselves. */
export function spelled({ text, starts, ends }: Words): string[] {
  return starts.map((start, i) => folded(text.slice(start, ends[i])));
}

/** Lower case; thousands without their commas. */
function folded(word: string): string {
  const grouped = word.includes(",") && /^\p{N}{1,3}(?:,\p{N}{3})+(?:\.\p{N}+)?$/u.test(word);
  return grouped ? word.replaceAll(",", "") : word.toLowerCase();
}

/** FNV-1a over UTF-16 units, finished by MurmurHash3's mixer. */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return mix(hash);
}

export function mix(value: number): number {
  let h = value;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/**
 * Hashes of all runs of n words, in order: 53 bits each, so that among 10^9 runs of texts against 10^6 of the pool a false
 * match is unlikely (and would be seen, since evidence is cut from the texts). Rolling: time does not grow with n.
 */
export function runs(hashes: Uint32Array, n: number): Float64Array {
  const out = new Float64Array(Math.max(0, hashes.length - n + 1));
  let [high, low, highOut, lowOut] = [0, 0, 1, 1];
  for (let j = 0; j < n; j++) {
    highOut = Math.imul(highOut, HIGH);
    lowOut = Math.imul(lowOut, LOW);
  }
  for (let i = 0; i < hashes.length; i++) {
    high = (Math.imul(high, HIGH) + hashes[i]!) | 0;
    low = (Math.imul(low, LOW) + (hashes[i]! ^ 0x5bd1e995)) | 0;
    if (i >= n) {
      high = (high - Math.imul(highOut, hashes[i - n]!)) | 0;
      low = (low - Math.imul(lowOut, hashes[i - n]! ^ 0x5bd1e995)) | 0;
    }
    if (i >= n - 1) out[i - n + 1] = (mix(high) >>> 11) * 2 ** 32 + mix(low);
  }
  return out;
}

/** Odd, and 1 modulo 4: multipliers of full period. */
const HIGH = 0x01000195;
const LOW = 0x5bd1e995;

/** The text from the first to the last word of a span, at most `longest` units of it. */
export function spanText({ text, starts, ends }: Words, from: number, to: number, longest: number): string {
  return text.slice(starts[from], Math.min(ends[to]!, starts[from]! + longest));
}
