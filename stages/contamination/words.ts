/** A text as the words that are compared: folded, with their places in the text for evidence. */
export interface Words {
  readonly text: string;
  readonly words: readonly string[];
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  /** Of each word a hash of 32 bits. */
  readonly hashes: Uint32Array;
}

/** Texts are looked at as far as this, in UTF-16 units: a benchmark's question is shorter. */
const LONGEST = 100_000;
/** Letters with their marks, or digits with separators inside. Signs, spaces, LaTeX's backslashes and dollars fall away. */
const WORD = /\p{L}[\p{L}\p{M}]*|\p{N}+(?:[.,]\p{N}+)*/gu;

export function wordsOf(given: string): Words {
  const text = given.slice(0, LONGEST).normalize("NFKC");
  const words: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  for (const match of text.matchAll(WORD)) {
    words.push(folded(match[0]));
    starts.push(match.index);
    ends.push(match.index + match[0].length);
  }
  return { text, words, starts, ends, hashes: Uint32Array.from(words, hashText) };
}

/** Lower case; thousands without their commas. */
function folded(word: string): string {
  return /^\p{N}{1,3}(?:,\p{N}{3})+(?:\.\p{N}+)?$/u.test(word)
    ? word.replaceAll(",", "")
    : word.toLowerCase();
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
 * Hashes of all runs of n words, in order: 53 bits each, so that among 10^9 texts' runs against 10^6 of the pool a false
 * match is still unlikely (and would be seen, since evidence is cut from the texts).
 */
export function runs(hashes: Uint32Array, n: number): Float64Array {
  const out = new Float64Array(Math.max(0, hashes.length - n + 1));
  for (let i = 0; i < out.length; i++) {
    let [high, low] = [0x9e3779b9, 0x7f4a7c15];
    for (let j = i; j < i + n; j++) {
      high = Math.imul(high ^ hashes[j]!, 0x01000193);
      low = Math.imul(low + hashes[j]!, 0x5bd1e995) ^ (low >>> 15);
    }
    out[i] = (mix(high) >>> 11) * 2 ** 32 + mix(low);
  }
  return out;
}

/** The text from the first to the last word of a span, at most `longest` units of it. */
export function spanText({ text, starts, ends }: Words, from: number, to: number, longest: number): string {
  return text.slice(starts[from], Math.min(ends[to]!, starts[from]! + longest));
}
