import { Best, type Ranked } from "./best.js";
import type { IndexFile, Occurrences, Term } from "./index-file.js";
import { phraseDocuments } from "./phrase.js";
import type { Query } from "./query.js";

export interface Ranking {
  readonly best: readonly Ranked[];
  /** What each word of the query is worth, for choosing passages. */
  readonly weights: ReadonlyMap<string, number>;
}

/** BM25's usual constants: how soon repeating a word stops to count, and how much a document's length does (Robertson and Zaragoza 2009, 3.3). */
const K1 = 1.2;
const B = 0.75;
/** What a word in the title counts, in words of the text. */
const TITLE = 3;
/**
 * Occurrences that one query reads. The rarest word is always read, and those of phrases; what is commoner only while this lasts, since
 * words that stand in so many documents tell them apart the least. So a query's time has a limit.
 */
const MOST_READ = 200_000;

/** The best documents of a query by BM25, ties in order of address. @param count how many, from the best */
export async function rank(index: IndexFile, query: Query, count: number): Promise<Ranking> {
  const none: Ranking = { best: [], weights: new Map() };
  const terms = await index.terms(query.words);
  const known = new Map(terms.map((term) => [term.term, term]));
  if (query.phrases.some((phrase) => phrase.some((word) => !known.has(word)))) return none;
  const read = await readTerms(index, terms, new Set(query.phrases.flat()));
  const allowed = await allowedBy(index, query, read);
  if (query.words.length === 0) return { best: inOrder(allowed, count), weights: new Map() };
  return score(index, read, allowed, count);
}

/** The occurrences of the words that are read, rarest first. */
async function readTerms(
  index: IndexFile,
  terms: readonly Term[],
  needed: ReadonlySet<string>,
): Promise<Map<string, Occurrences>> {
  const rarest = [...terms].sort((a, b) => a.occurrences - b.occurrences || a.id - b.id);
  const read = new Map<string, Occurrences>();
  let budget = MOST_READ;
  for (const { term, id, occurrences } of rarest) {
    if (read.size > 0 && occurrences > budget && !needed.has(term)) continue;
    budget -= occurrences;
    read.set(term, await index.occurrences(id));
  }
  return read;
}

/** The documents that phrases and sites leave, ascending; undefined where the query has neither. */
async function allowedBy(
  index: IndexFile,
  { phrases, sites }: Query,
  read: ReadonlyMap<string, Occurrences>,
): Promise<readonly number[] | undefined> {
  const lists: (readonly number[])[] = phrases.map((phrase) =>
    phraseDocuments(phrase.map((w) => read.get(w)!)),
  );
  if (sites.length > 0) lists.push((await Promise.all(sites.map((site) => index.ofHost(site)))).flat());
  if (lists.length === 0) return undefined;
  const [first, ...others] = lists.map((list) => new Set(list));
  return [...first!].filter((id) => others.every((set) => set.has(id))).sort((a, b) => a - b);
}

function inOrder(allowed: readonly number[] | undefined, count: number): Ranked[] {
  return (allowed ?? []).slice(0, count).map((document) => ({ document, score: 0 }));
}

function score(
  { lengths, mean }: IndexFile,
  read: ReadonlyMap<string, Occurrences>,
  allowed: readonly number[] | undefined,
  count: number,
): Ranking {
  const scores = new Float64Array(lengths.length);
  const touched: number[] = [];
  const weights = new Map<string, number>();
  // Rarest first, always: the order of float sums is part of the ranking.
  for (const [term, occurrences] of read) {
    const counted = countsIn(occurrences);
    const n = counted.documents.length;
    const weight = Math.log(1 + (lengths.length - n + 0.5) / (n + 0.5));
    weights.set(term, weight);
    for (let i = 0; i < n; i++) {
      const document = counted.documents[i]!;
      const times = counted.times[i]!;
      const norm = K1 * (1 - B + (B * lengths[document]!) / mean);
      if (scores[document] === 0) touched.push(document);
      scores[document]! += (weight * times * (K1 + 1)) / (times + norm);
    }
  }
  const best = new Best(count);
  for (const document of allowed ?? touched) best.offer(document, scores[document]!);
  return { best: best.list(), weights };
}

/** How often a word stands in each document that has it; in titles it counts more. */
function countsIn({ documents, places }: Occurrences): { documents: number[]; times: number[] } {
  const found: number[] = [];
  const times: number[] = [];
  for (let i = 0; i < documents.length; i++) {
    const worth = places[i]! < 0 ? TITLE : 1;
    if (documents[i] === found.at(-1)) times[times.length - 1]! += worth;
    else {
      found.push(documents[i]!);
      times.push(worth);
    }
  }
  return { documents: found, times };
}
