/**
 * Exact numbers: n/d · 10^e in whole numbers of any size, so that 1/3^80 is not 1/3^79 and no digit is lost on the way. Sizes are
 * bounded by the length of what was read and by {@link MAX_BITS}.
 */
export interface Exact {
  readonly n: bigint;
  /** Positive. */
  readonly d: bigint;
  readonly e: number;
}

/** Bits that a power may grow to; what is larger is beyond any answer. */
const MAX_BITS = 200_000;
const MAX_EXPONENT = 10_000_000;

export const whole = (n: bigint | number): Exact => ({ n: BigInt(n), d: 1n, e: 0 });
export const ZERO = whole(0);

const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,8}))?$/;

/** The value of a plain decimal text or of a finite double (in its shortest form). Undefined where it is none. */
export function fromDecimal(text: string | number): Exact | undefined {
  const match = DECIMAL.exec(String(text));
  if (match === null || `${match[2]}${match[3] ?? ""}` === "") return undefined;
  const fraction = match[3] ?? "";
  const n = BigInt(`${match[2]}${fraction}`);
  const e = Number(match[4] ?? 0) - fraction.length;
  return { n: match[1] === "-" ? -n : n, d: 1n, e };
}

export const negate = (a: Exact): Exact => ({ ...a, n: -a.n });
export const absolute = (a: Exact): Exact => (a.n < 0n ? negate(a) : a);
export const scale = (a: Exact, ten: number): Exact => ({ ...a, e: a.e + ten });
export const times = (a: Exact, b: Exact): Exact => ({ n: a.n * b.n, d: a.d * b.d, e: a.e + b.e });

/** Undefined for a division by zero. */
export function over(a: Exact, b: Exact): Exact | undefined {
  if (b.n === 0n) return undefined;
  const sign = b.n < 0n ? -1n : 1n;
  return { n: a.n * b.d * sign, d: a.d * b.n * sign, e: a.e - b.e };
}

const bits = (n: bigint): number => (n < 0n ? -n : n).toString(16).length * 4;

/** Decimal magnitude to within two; zero has none. */
function magnitude(a: Exact): number {
  return (bits(a.n) - bits(a.d)) * Math.LOG10E * Math.LN2 + a.e;
}

/** Whether the sizes of two numbers are too far apart to be added exactly, or for one to be near the other. */
function apart(a: Exact, b: Exact): boolean {
  return a.n !== 0n && b.n !== 0n && Math.abs(magnitude(a) - magnitude(b)) > 5;
}

/** The sum. Where the smaller is some 10^40 times smaller it is left out: callers compare to 1e-12. */
export function plus(a: Exact, b: Exact): Exact {
  if (a.n === 0n) return b;
  if (b.n === 0n) return a;
  const gap = magnitude(a) - magnitude(b);
  if (gap > 40 + bits(a.n)) return a;
  if (gap < -40 - bits(b.n)) return b;
  const e = Math.min(a.e, b.e);
  const n = a.n * 10n ** BigInt(a.e - e) * b.d + b.n * 10n ** BigInt(b.e - e) * a.d;
  return { n, d: a.d * b.d, e };
}

/** -1, 0, 1 as a is less than, equal to or greater than b. */
export function compare(a: Exact, b: Exact): number {
  const [x, y] = [sign(a), sign(b)];
  if (x !== y) return x < y ? -1 : 1;
  if (x === 0) return 0;
  if (apart(a, b)) return magnitude(a) < magnitude(b) ? -x : x;
  return sign(plus(a, negate(b)));
}

const sign = (a: Exact): number => (a.n > 0n ? 1 : a.n < 0n ? -1 : 0);

/** Whether |a - b| ≤ relative·|b| + slack, decided exactly. `relative` is below 1. */
export function within(a: Exact, b: Exact, relative: Exact, slack: Exact = ZERO): boolean {
  if (slack.n === 0n && apart(a, b)) return false;
  const gap = absolute(plus(a, negate(b)));
  return compare(gap, plus(times(relative, absolute(b)), slack)) <= 0;
}

/** `a` to a whole power; "beyond" where it would be too large (or too close to zero) to write down; undefined for 0^-1. */
export function power(a: Exact, exponent: bigint): Exact | "beyond" | undefined {
  if (exponent < 0n) {
    const inverse = over(whole(1), a);
    return inverse === undefined ? undefined : power(inverse, -exponent);
  }
  const { n, d, e } = powersOfTenApart(a);
  const unit = (n === 1n || n === -1n) && d === 1n;
  if (!unit && n !== 0n && exponent > BigInt(Math.floor(MAX_BITS / (bits(n) + bits(d))))) return "beyond";
  if (e !== 0 && exponent > BigInt(Math.floor(MAX_EXPONENT / Math.abs(e)))) return "beyond";
  if (unit) return { n: n === -1n && exponent % 2n === 1n ? -1n : 1n, d: 1n, e: e * Number(exponent) };
  if (n === 0n) return exponent === 0n ? whole(1) : ZERO;
  return { n: n ** exponent, d: d ** exponent, e: e * Number(exponent) };
}

/** 10, 100, 1000 and so on as 1 with an exponent, so that 10^1000000 stays small. */
function powersOfTenApart(a: Exact): Exact {
  if (a.n === 0n || a.d !== 1n || bits(a.n) > 400) return a;
  let { n, e } = a;
  while (n % 10n === 0n) {
    n /= 10n;
    e++;
  }
  return { n, d: 1n, e };
}

/** The value if it is a whole number below 10^18, else undefined. */
export function smallInteger(a: Exact): bigint | undefined {
  if (a.n === 0n) return 0n;
  if (magnitude(a) > 18 || magnitude(a) < -5) return undefined;
  const top = a.e > 0 ? a.n * 10n ** BigInt(a.e) : a.n;
  const under = a.e < 0 ? a.d * 10n ** BigInt(-a.e) : a.d;
  return top % under === 0n ? top / under : undefined;
}

/** The square root of a number that is not negative, and whether it is exact. */
export function root(a: Exact): { value: Exact; exact: boolean } {
  const odd = a.e % 2 !== 0;
  const n = odd ? a.n * 10n : a.n;
  const e = (odd ? a.e - 1 : a.e) / 2;
  const top = integerRoot(n * a.d);
  if (top * top === n * a.d) return { value: { n: top, d: a.d, e }, exact: true };
  // √(n/d) = √(n·d)/d, here to 40 more digits.
  return { value: { n: integerRoot(n * a.d * 10n ** 80n), d: a.d, e: e - 40 }, exact: false };
}

function integerRoot(n: bigint): bigint {
  if (n < 2n) return n;
  let guess = 1n << BigInt(Math.ceil(bits(n) / 2) + 1);
  for (;;) {
    const next = (guess + n / guess) >> 1n;
    if (next >= guess) return guess;
    guess = next;
  }
}

/** π to 50 digits. */
export const PI: Exact = fromDecimal("3.1415926535897932384626433832795028841971693993751")!;
