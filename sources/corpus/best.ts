import type { Ranked } from "./rank.js";

/** Keeps the best of many documents, offered in order of address, without sorting them all. */
export class Best {
  /** Best first; of equal scores the one that came first. */
  readonly #list: Ranked[] = [];

  constructor(private readonly count: number) {}

  /** Those with no score at all do not fit. */
  offer(document: number, score: number): void {
    const list = this.#list;
    if (score <= 0 || (list.length === this.count && score <= (list.at(-1)?.score ?? 0))) return;
    let at = list.length;
    while (at > 0 && list[at - 1]!.score < score) at--;
    list.splice(at, 0, { document, score });
    if (list.length > this.count) list.pop();
  }

  list(): readonly Ranked[] {
    return this.#list;
  }
}
