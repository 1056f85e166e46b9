/**
 * Names of programs as whole numbers below 2^53, for telling candidates apart in the loop that draws millions: JSON would cost more
 * than all the checks. Two programs may share a name, once in 10^16 pairs; the later one is then counted as repeated, and
 * nothing else depends on these numbers.
 */

/** Murmur3's finalizer. */
function scramble(x: number): number {
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return x ^ (x >>> 16);
}

const HIGH = 2 ** 32;
const TOP = 2 ** 53;

/** The name of a name and a further part. */
export function extendName(name: number, part: number): number {
  const low = scramble((name >>> 0) ^ Math.imul(part >>> 0, 0x9e3779b1) ^ Math.floor(part / HIGH));
  const high = scramble(Math.floor(name / HIGH) ^ Math.imul(low, 0x27d4eb2f) ^ part);
  return (high & 0x1fffff) * HIGH + (low >>> 0);
}

export function nameOfText(text: string): number {
  let name = text.length;
  for (let i = 0; i < text.length; i++) name = extendName(name, text.charCodeAt(i));
  return name;
}

/** A name of both that does not depend on their order. */
export function joinNames(a: number, b: number): number {
  return (a + b) % TOP;
}
