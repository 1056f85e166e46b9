import type { Occurrences } from "./index-file.js";

/** The documents in which words stand one after the other, ascending. @param words the occurrences of each, in the phrase's order */
export function phraseDocuments(words: readonly Occurrences[]): number[] {
  const [first, ...others] = words;
  const ends = others.reduce(following, first!);
  return ends.documents.filter((document, i) => document !== ends.documents[i - 1]);
}

/** The occurrences of `next` right behind one of `ends`; both are in order, so that one pass is enough. */
function following(ends: Occurrences, next: Occurrences): Occurrences {
  const documents: number[] = [];
  const places: number[] = [];
  let i = 0;
  for (let j = 0; j < next.documents.length; j++) {
    const document = next.documents[j]!;
    const place = next.places[j]! - 1;
    while (i < ends.documents.length && before(ends, i, document, place)) i++;
    if (ends.documents[i] !== document || ends.places[i] !== place) continue;
    documents.push(document);
    places.push(place + 1);
  }
  return { documents, places };
}

function before({ documents, places }: Occurrences, i: number, document: number, place: number): boolean {
  return documents[i]! < document || (documents[i] === document && places[i]! < place);
}
