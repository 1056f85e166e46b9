import { DistinctCounter } from "./distinct.js";
import { Ends, type EndValue } from "./extremes.js";
import { type Frequent, FrequentTexts } from "./frequent.js";
import {
  type Form,
  hasLeadingZeros,
  mayBeDotGrouped,
  readNumber,
  underCommas,
  type Written,
} from "./numbers.js";
import { Sample } from "./sample.js";

/** A cell worth showing: what stands there, and in which record. */
export interface Example {
  readonly text: string;
  readonly record: number;
  readonly line?: number;
}

/** A text that stands in several records. */
export interface Repeat {
  readonly text: string;
  readonly records: readonly number[];
}

/** What the ends and the middle of a column are where commas stand before decimals and dots between groups. */
export interface CommaReading {
  readonly whole: number;
  readonly multiples: readonly [number, number, number];
  readonly low: readonly EndValue[];
  readonly high: readonly EndValue[];
  readonly quantiles: readonly number[];
}

/** What one column of a file holds, as it is written; nothing is decided here. */
export interface ColumnProfile {
  readonly field: string;
  readonly records: number;
  /** Records without this field, and empty cells. */
  readonly absent: number;
  readonly empty: number;
  /** Cells with spaces around their text. */
  readonly padded: number;
  /** Distinct texts, empty ones aside; null when there are too many to count. */
  readonly distinct: number | null;
  /** Whether no text stands in two records. */
  readonly unique: boolean;
  /** The first text that came a second time. */
  readonly repeated: Example | null;
  /** The first texts that came again, and the first records that hold them. */
  readonly repeats: readonly Repeat[];
  /** Cells that read as a number in some form, and cells that do not. */
  readonly numbers: number;
  readonly texts: number;
  readonly forms: Readonly<Partial<Record<Form, number>>>;
  readonly prefixes: readonly Frequent[];
  readonly suffixes: readonly Frequent[];
  readonly leadingZeros: number;
  /** Numbers written without decimals, or with `.0`. */
  readonly whole: number;
  readonly negative: number;
  readonly zero: number;
  /** Outermost values first, at most eight. */
  readonly low: readonly EndValue[];
  readonly high: readonly EndValue[];
  /** Minimum, 5 %, 25 %, median, 75 %, 95 %, maximum; empty without numbers. */
  readonly quantiles: readonly number[];
  readonly quantilesExact: boolean;
  /** Numbers by digits after the decimal mark, and by significant digits. */
  readonly decimals: Readonly<Record<number, number>>;
  readonly digits: Readonly<Record<number, number>>;
  /** Whole numbers other than 0 that are multiples of 10, 100, 1000. */
  readonly multiples: readonly [number, number, number];
  /** Plainly written numbers with a dot, and those of them that may be thousands: 371.000. */
  readonly dots: readonly [all: number, groups: number];
  readonly underCommas: CommaReading;
  /** Half the smallest and the largest written step. */
  readonly halfSteps: readonly [number, number];
  readonly frequent: readonly Frequent[];
  /** Whether `frequent` counts are exact and it holds all texts, when there are at most as many. */
  readonly frequentExact: boolean;
  /** Texts that are no numbers. */
  readonly others: readonly Frequent[];
  readonly firstOther: Example | null;
  readonly longest: number;
}

/** Among so many records a repeated text is told with the first one that holds it. */
const REMEMBERED = 4096;
const REPEATS = 4;
const SHOWN = 40;
const SHARES = [0, 0.05, 0.25, 0.5, 0.75, 0.95, 1];

/** Takes the cells of a column one by one, in memory that does not grow with their number (but for the distinct count). */
export class ColumnTally {
  private records = 0;
  private absent = 0;
  private empty = 0;
  private padded = 0;
  private repeated: Example | null = null;
  private readonly distinct = new DistinctCounter();
  private readonly frequent = new FrequentTexts();
  private readonly others = new FrequentTexts(512);
  private firstOther: Example | null = null;
  private readonly prefixes = new FrequentTexts(64);
  private readonly suffixes = new FrequentTexts(64);
  private readonly forms = new Map<Form, number>();
  private numbers = 0;
  private leadingZeros = 0;
  private whole = 0;
  private negative = 0;
  private zero = 0;
  private longest = 0;
  private readonly low = new Ends(1);
  private readonly high = new Ends(-1);
  private readonly sample = new Sample();
  private readonly firsts = new Map<string, number>();
  private readonly repeats = new Map<string, number[]>();
  private readonly dots: [number, number] = [0, 0];
  private readonly commas = {
    multiples: [0, 0, 0] as [number, number, number],
    whole: 0,
    low: new Ends(1),
    high: new Ends(-1),
    sample: new Sample(),
  };
  private readonly decimals = new Map<number, number>();
  private readonly digits = new Map<number, number>();
  private readonly multiples: [number, number, number] = [0, 0, 0];
  private readonly halfSteps: [number, number] = [Number.POSITIVE_INFINITY, 0];

  constructor(private readonly field: string) {}

  add(raw: string | null, record: number, line?: number): void {
    this.records++;
    if (raw === null) this.absent++;
    else if (raw === "") this.empty++;
    else this.addText(raw, record, line);
  }

  private addText(raw: string, record: number, line: number | undefined): void {
    const text = raw.trim();
    if (text.length !== raw.length) this.padded++;
    if (text.length > this.longest) this.longest = text.length;
    if (!this.distinct.add(raw) && !this.distinct.full) this.repeated ??= exampleOf(text, record, line);
    this.frequent.add(raw);
    this.remember(text, record);
    const number = readNumber(text);
    if (number !== undefined) this.addNumber(number, text, record);
    else {
      this.others.add(raw);
      this.firstOther ??= exampleOf(text, record, line);
    }
  }

  private remember(text: string, record: number): void {
    const first = this.firsts.get(text);
    if (first === undefined) {
      if (this.firsts.size < REMEMBERED) this.firsts.set(text, record);
      return;
    }
    const again = this.repeats.get(text);
    if (again === undefined && this.repeats.size < REPEATS) this.repeats.set(text, [first, record]);
    else if (again !== undefined && again.length < REPEATS) again.push(record);
  }

  private addNumber(number: Written, text: string, record: number): void {
    const { value, form, decimals, halfStep, prefix, suffix } = number;
    this.numbers++;
    count(this.forms, form);
    count(this.decimals, decimals);
    count(this.digits, number.digits);
    if (prefix !== undefined) this.prefixes.add(prefix);
    if (suffix !== undefined) this.suffixes.add(suffix);
    if (hasLeadingZeros(text)) this.leadingZeros++;
    if (form !== "sexagesimal" && (decimals === 0 || isPointZero(text, decimals))) this.addWhole(value);
    if (value < 0) this.negative++;
    if (value === 0) this.zero++;
    this.low.add(value, text, record);
    this.high.add(value, text, record);
    this.sample.add(value);
    this.addUnderCommas(text, number, record);
    if (halfStep < this.halfSteps[0]) this.halfSteps[0] = halfStep;
    if (halfStep > this.halfSteps[1]) this.halfSteps[1] = halfStep;
  }

  private addUnderCommas(text: string, number: Written, record: number): void {
    if (number.form === "plain" && number.decimals > 0) {
      this.dots[0]++;
      if (mayBeDotGrouped(text)) this.dots[1]++;
    }
    const value = underCommas(text, number);
    const { commas } = this;
    if (Number.isInteger(value) && number.form !== "sexagesimal") {
      commas.whole++;
      countMultiples(commas.multiples, value);
    }
    commas.low.add(value, text, record);
    commas.high.add(value, text, record);
    commas.sample.add(value);
  }

  private addWhole(value: number): void {
    this.whole++;
    countMultiples(this.multiples, value);
  }

  profile(): ColumnProfile {
    const top = this.frequent.top(SHOWN);
    return {
      field: this.field,
      records: this.records,
      absent: this.absent,
      empty: this.empty,
      padded: this.padded,
      distinct: this.distinct.full ? null : this.distinct.count,
      unique: this.repeated === null && !this.distinct.full,
      repeated: this.repeated,
      repeats: [...this.repeats].map(([text, records]) => ({ text: text.slice(0, 80), records })),
      numbers: this.numbers,
      texts: this.records - this.absent - this.empty - this.numbers,
      forms: Object.fromEntries(sorted(this.forms)),
      prefixes: this.prefixes.top(SHOWN),
      suffixes: this.suffixes.top(SHOWN),
      leadingZeros: this.leadingZeros,
      whole: this.whole,
      negative: this.negative,
      zero: this.zero,
      low: this.low.values(),
      high: this.high.values(),
      quantiles: this.numbers === 0 ? [] : this.sample.quantiles(SHARES),
      quantilesExact: this.sample.exact,
      decimals: Object.fromEntries(sorted(this.decimals)),
      digits: Object.fromEntries(sorted(this.digits)),
      multiples: this.multiples,
      dots: this.dots,
      underCommas: {
        whole: this.commas.whole,
        multiples: this.commas.multiples,
        low: this.commas.low.values(),
        high: this.commas.high.values(),
        quantiles: this.numbers === 0 ? [] : this.commas.sample.quantiles(SHARES),
      },
      halfSteps: this.halfSteps,
      frequent: top,
      frequentExact: this.frequent.exact,
      others: this.others.top(SHOWN),
      firstOther: this.firstOther,
      longest: this.longest,
    };
  }
}

function exampleOf(text: string, record: number, line: number | undefined): Example {
  return { text: text.slice(0, 80), record, ...(line === undefined ? {} : { line }) };
}

/** "12.0": a whole number that a program wrote as a fraction. */
function isPointZero(text: string, decimals: number): boolean {
  return decimals === 1 && text.endsWith(".0");
}

function countMultiples(multiples: [number, number, number], value: number): void {
  if (value === 0) return;
  if (value % 10 === 0) multiples[0]++;
  if (value % 100 === 0) multiples[1]++;
  if (value % 1000 === 0) multiples[2]++;
}

function count<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function sorted<K extends string | number>(counts: ReadonlyMap<K, number>): [K, number][] {
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
}
