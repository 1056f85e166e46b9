/** A document that fits, by its number. */
export interface Ranked {
  readonly document: number;
  readonly score: number;
}

/** Keeps the best of many documents without sorting them all. */
export class Best {
  /** Best first; of equal scores the lower number, which is the order of addresses. */
  readonly #list: Ranked[] = [];

  constructor(private readonly count: number) {}

  /** Those with no score at all do not fit. */
  offer(document: number, score: number): void {
    const list = this.#list;
    const one = { document, score };
    if (score <= 0 || (list.length >= this.count && !better(one, list.at(-1)))) return;
    let at = list.length;
    while (at > 0 && better(one, list[at - 1])) at--;
    list.splice(at, 0, one);
    if (list.length > this.count) list.pop();
  }

  list(): readonly Ranked[] {
    return this.#list;
  }
}

function better(a: Ranked, b: Ranked | undefined): boolean {
  return b !== undefined && (a.score > b.score || (a.score === b.score && a.document < b.document));
}
