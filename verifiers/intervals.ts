/** Intervals for a rate: how many of n trials succeeded, and what that allows the true rate to be. */

export interface Rate {
  readonly successes: number;
  readonly trials: number;
  /** Successes per trial; null without a trial. */
  readonly estimate: number | null;
  /** Ends of a two-sided interval; 0 and 1 without a trial. */
  readonly low: number;
  readonly high: number;
}

/**
 * Wilson's score interval: the rates p for which |p̂ − p| ≤ z·√(p(1 − p)/n).
 * At 95 % none of 4 allows up to 0.490, none of 73 up to 0.050. On average over p it covers what it says (Wilson 1927, J. Am. Stat.
 * Assoc. 22, 209; Brown, Cai, DasGupta 2001, Statistical Science 16, 101). Counts may be fractional (effective sizes).
 */
export function wilson(successes: number, trials: number, confidence = 0.95): Rate {
  check(successes, trials, confidence);
  if (trials === 0) return nothing;
  const z = normalQuantile((1 + confidence) / 2);
  const p = successes / trials;
  const z2 = z * z;
  const centre = (successes + z2 / 2) / (trials + z2);
  const half = (z * Math.sqrt(trials * p * (1 - p) + z2 / 4)) / (trials + z2);
  return {
    successes,
    trials,
    estimate: p,
    low: successes === 0 ? 0 : Math.max(0, centre - half),
    high: successes === trials ? 1 : Math.min(1, centre + half),
  };
}

/**
 * The exact interval of Clopper and Pearson (1934, Biometrika 26, 404): never covers less than it says, so it is wider. At 95 %
 * none of 4 allows up to 0.602. Counts may be fractional (Korn, Graubard 1998, Survey Methodology 24, 193).
 */
export function clopperPearson(successes: number, trials: number, confidence = 0.95): Rate {
  check(successes, trials, confidence);
  if (trials === 0) return nothing;
  const tail = (1 - confidence) / 2;
  const failures = trials - successes;
  return {
    successes,
    trials,
    estimate: successes / trials,
    low: successes <= 0 ? 0 : betaQuantile(tail, successes, failures + 1),
    high: failures <= 0 ? 1 : betaQuantile(1 - tail, successes + 1, failures),
  };
}

const nothing: Rate = { successes: 0, trials: 0, estimate: null, low: 0, high: 1 };

function check(successes: number, trials: number, confidence: number): void {
  if (!(successes >= 0 && successes <= trials && Number.isFinite(trials)))
    throw new RangeError(`${successes} successes of ${trials} trials`);
  if (!(confidence > 0 && confidence <= 0.999999))
    throw new RangeError(`confidence ${confidence} is not between 0 and 0.999999`);
}

const CENTRE_OVER = [
  3.3871328727963665, 133.14166789178438, 1971.5909503065513, 13731.69376550946, 45921.95393154987,
  67265.7709270087, 33430.57558358813, 2509.0809287301227,
];
const CENTRE_UNDER = [
  1, 42.31333070160091, 687.1870074920579, 5394.196021424751, 21213.794301586597, 39307.89580009271,
  28729.085735721943, 5226.495278852854,
];
const TAIL_OVER = [
  1.4234371107496835, 4.630337846156546, 5.769497221460691, 3.6478483247632045, 1.2704582524523684,
  0.2417807251774506, 0.022723844989269184, 0.0007745450142783414,
];
const TAIL_UNDER = [
  1, 2.053191626637759, 1.6763848301838038, 0.6897673349851, 0.14810397642748008, 0.015198666563616457,
  0.0005475938084995345, 1.0507500716444169e-9,
];

/** Quantile of the standard normal distribution for p from 1e-10 to 1 − 1e-10 (Wichura 1988, AS 241, Applied Statistics 37, 477). */
export function normalQuantile(p: number): number {
  const q = p - 0.5;
  if (Math.abs(q) <= 0.425) {
    const r = 0.180625 - q * q;
    return (q * polynomial(CENTRE_OVER, r)) / polynomial(CENTRE_UNDER, r);
  }
  const r = Math.sqrt(-Math.log(Math.min(p, 1 - p))) - 1.6;
  const size = polynomial(TAIL_OVER, r) / polynomial(TAIL_UNDER, r);
  return q < 0 ? -size : size;
}

function polynomial(coefficients: readonly number[], x: number): number {
  return coefficients.reduceRight((sum, c) => sum * x + c, 0);
}

/** The x at which the regularised incomplete beta function is p, by bisection: it only grows with x. */
function betaQuantile(p: number, a: number, b: number): number {
  let low = 0;
  let high = 1;
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (incompleteBeta(middle, a, b) < p) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Regularised incomplete beta function I_x(a, b), by its continued fraction (DLMF 8.17.22) on the side where it converges quickly. */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  if (x <= 0) return 0;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  return front / (a * betaFraction(x, a, b));
}

/** 1 + d₁/(1 + d₂/(1 + ...)), by Lentz's method. */
function betaFraction(x: number, a: number, b: number): number {
  const tiny = 1e-300;
  let value = 1;
  let over = 1;
  let under = 0;
  for (let i = 1; i < 10_000; i++) {
    const m = i >> 1;
    const d =
      i % 2 === 0
        ? (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
        : (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    under = 1 / (1 + d * under || tiny);
    over = 1 + d / over || tiny;
    value *= over * under;
    if (Math.abs(over * under - 1) < 1e-15) break;
  }
  return value;
}

const LANCZOS = [
  0.9999999999998099, 676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406,
  12.507343278686905, -0.13857109526572012, 0.000009984369578019572, 1.5056327351493116e-7,
];

/** ln Γ(x) for x > 0.5 (Lanczos 1964, g = 7). */
function logGamma(x: number): number {
  const y = x - 1;
  const series = LANCZOS.reduce((sum, c, i) => (i === 0 ? c : sum + c / (y + i)), 0);
  const t = y + 7.5;
  return 0.5 * Math.log(2 * Math.PI) + (y + 0.5) * Math.log(t) - t + Math.log(series);
}
