import { wordsOf } from "./words.js";

/** In characters. */
const LONGEST = 300;
/** Found words lie within so many characters; what is left shows what stands round them. */
const SPAN = 220;
/** Where passages are looked for, in characters: what stands later in a very long document is not shown. */
const SEARCHED = 400_000;

interface Found {
  readonly word: string;
  readonly from: number;
  readonly to: number;
}

/**
 * The passage of a text that holds most of what is looked for, on one line, at most 300 characters; the text's beginning where it holds
 * nothing of it.
 * @param weights what each word is worth
 */
export function snippetOf(text: string, weights: ReadonlyMap<string, number>): string {
  const searched = text.slice(0, SEARCHED);
  const found = findWords(searched, weights);
  const [from, to] = bestSpan(found, weights);
  const room = Math.max(0, LONGEST - 2 - (to - from));
  const start = wordStart(searched, Math.max(0, from - Math.floor(room / 3)), from);
  return shown(text, start);
}

function findWords(text: string, weights: ReadonlyMap<string, number>): Found[] {
  const found: Found[] = [];
  for (const match of text.matchAll(/\S{1,200}/gu)) {
    for (const word of wordsOf(match[0])) {
      if (weights.has(word)) found.push({ word, from: match.index, to: match.index + match[0].length });
    }
  }
  return found;
}

/** Each word counts once, so that naming one thing often is worth less than naming all; the first of equals. */
function bestSpan(found: readonly Found[], weights: ReadonlyMap<string, number>): [number, number] {
  let best: [number, number] = [0, 0];
  let most = 0;
  const times = new Map<string, number>();
  let worth = 0;
  let end = 0;
  for (const [i, { word, from }] of found.entries()) {
    for (; end < found.length && (end === i || found[end]!.to - from <= SPAN); end++) {
      const next = found[end]!.word;
      const before = times.get(next) ?? 0;
      times.set(next, before + 1);
      if (before === 0) worth += weights.get(next)!;
    }
    // Sums of other orders may differ in the last digits; a passage must be better by more than that.
    if (worth > most + 1e-9) {
      most = worth;
      best = [from, found[end - 1]!.to];
    }
    const left = times.get(word)! - 1;
    times.set(word, left);
    if (left === 0) worth -= weights.get(word)!;
  }
  return best;
}

/** The first start of a word at or behind a place. */
function wordStart(text: string, at: number, latest: number): number {
  if (at === 0) return 0;
  const gap = /\s/u.exec(text.slice(at - 1, latest));
  return gap === null ? latest : Math.min(latest, at + gap.index);
}

function shown(text: string, start: number): string {
  const lead = start > 0 ? "…" : "";
  // Runs of white space shrink, so that more than the longest snippet has to be looked at.
  const line = text
    .slice(start, start + 4 * LONGEST)
    .replace(/\s+/gu, " ")
    .trim();
  if (lead.length + line.length <= LONGEST && start + 4 * LONGEST >= text.length) return lead + line;
  const cut = line.slice(0, LONGEST - 2);
  const space = cut.lastIndexOf(" ");
  const whole = space > LONGEST / 2 ? cut.slice(0, space) : cut.replace(/\p{Surrogate}$/u, "");
  return `${lead}${whole}…`;
}
