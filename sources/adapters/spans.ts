/** Places of a line, from `start` (counted from 0) up to but without `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

const RULER = /^[-=~_+| ]+$/;
const RUN = /[-=~_]+/g;

/** The runs of dashes of a ruler such as `-----  ====` or `--+--`; undefined for any other line. */
export function rulerRuns(text: string): Span[] | undefined {
  if (!RULER.test(text)) return undefined;
  const runs = [...text.matchAll(RUN)].map((m) => ({ start: m.index, end: m.index + m[0].length }));
  // A lone dash is what tables put for "nothing".
  return runs.some(({ start, end }) => end - start > 1) ? runs : undefined;
}

/** From each run up to the next: names may be longer than their columns. */
export function betweenRuns(runs: readonly Span[]): Span[] {
  return runs.map(({ start }, i) => ({ start, end: runs[i + 1]?.start ?? Number.POSITIVE_INFINITY }));
}

const SURROGATE = /[\uD800-\uDFFF]/;

/** A text to be cut by places that count characters, not UTF-16 units. */
export function codePoints(text: string): string | readonly string[] {
  return SURROGATE.test(text) ? [...text] : text;
}
