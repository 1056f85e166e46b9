import { countersOf, type Node, variablesOf } from "./tree.js";

export type Domain = Readonly<Record<string, readonly [low: number, high: number]>>;
export type Point = ReadonlyMap<string, number>;

const DEFAULT: readonly [number, number] = [-3, 3];
/** For what is counted: n under a factorial, the end of a sum. */
const DEFAULT_COUNT: readonly [number, number] = [0, 12];
/** A positive range over more decades than this is drawn on a logarithmic scale half of the time. */
const WIDE = 1000;

/**
 * Seeded points for the variables of two expressions. Same texts, same points, on any machine. Of variables without a declared
 * range every other point is positive, since logarithms and roots of several variables would else hardly ever be real.
 */
export class Points {
  private readonly variables: readonly string[];
  private readonly counters: ReadonlySet<string>;

  constructor(
    nodes: readonly Node[],
    private readonly domain: ReadonlyMap<string, readonly [low: number, high: number]>,
    private readonly seed: string,
  ) {
    this.variables = [...new Set(nodes.flatMap(variablesOf))].sort();
    this.counters = new Set(nodes.flatMap((n) => [...countersOf(n)]));
  }

  get constant(): boolean {
    return this.variables.length === 0;
  }

  at(index: number): Point {
    return new Map(this.variables.map((name) => [name, this.value(name, index)]));
  }

  private value(name: string, index: number): number {
    const uniform = unit(`${index}:${name}:${this.seed}`);
    const declared = this.domain.get(name);
    if (this.counters.has(name)) {
      const [low, high] = declared ?? DEFAULT_COUNT;
      const first = Math.ceil(low);
      return Math.min(first + Math.floor(uniform * (Math.floor(high) - first + 1)), Math.floor(high));
    }
    if (declared === undefined)
      return DEFAULT[index % 2 === 0 ? 1 : 0] * (index % 2 === 0 ? uniform : 2 * uniform - 1);
    const [low, high] = declared;
    if (low > 0 && high / low > WIDE && index % 2 === 0) return Math.min(high, low * (high / low) ** uniform);
    return Math.min(high, low + (high - low) * uniform);
  }
}

/** In (0, 1), with 32 random bits: FNV-1a, then the finisher of MurmurHash3. */
function unit(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (((hash ^ (hash >>> 16)) >>> 0) + 0.5) / 2 ** 32;
}
