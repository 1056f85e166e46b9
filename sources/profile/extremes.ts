/** A value at one end of a column. */
export interface EndValue {
  readonly value: number;
  readonly count: number;
  /** The first cell that holds it. */
  readonly text: string;
  readonly record: number;
}

const KEPT = 8;

/** The few smallest (or largest) distinct values of a column, with how often each stands there. */
export class Ends {
  private readonly kept: { value: number; count: number; text: string; record: number }[] = [];

  /** @param sign 1 keeps the smallest, -1 the largest. */
  constructor(private readonly sign: 1 | -1) {}

  add(value: number, text: string, record: number): void {
    const { kept, sign } = this;
    const last = kept[kept.length - 1];
    if (kept.length === KEPT && (value - last!.value) * sign > 0) return;
    let at = 0;
    while (at < kept.length && (kept[at]!.value - value) * sign < 0) at++;
    if (at < kept.length && kept[at]!.value === value) {
      kept[at]!.count++;
      return;
    }
    kept.splice(at, 0, { value, count: 1, text, record });
    if (kept.length > KEPT) kept.pop();
  }

  /** Outermost first. */
  values(): readonly EndValue[] {
    return this.kept;
  }
}
