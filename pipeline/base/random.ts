import { createHash } from "node:crypto";

/**
 * A named random stream. The same seed and names give the same numbers on any machine and in any order of use of
 * the other streams, so nothing random depends on concurrency.
 */
export interface Random {
  /** Uniform in [0, 1), 32 bits. */
  next(): number;
  /** Uniform integer in [0, n); n ≥ 1. */
  int(n: number): number;
  /** One item of a non-empty list. */
  pick<T>(items: readonly T[]): T;
  /** A new list in random order (Fisher–Yates). */
  shuffle<T>(items: readonly T[]): T[];
}

/** Opens the stream `names` under the config's seed, e.g. `stream(seed, "verbalize", taskId)`. */
export function stream(seed: string | number, ...names: readonly (string | number)[]): Random {
  const digest = createHash("sha256")
    .update(JSON.stringify([String(seed), ...names]))
    .digest();
  return sfc32(
    digest.readUInt32LE(0),
    digest.readUInt32LE(4),
    digest.readUInt32LE(8),
    digest.readUInt32LE(12),
  );
}

/** Chris Doty-Humphrey's sfc32 (PractRand), a 128-bit-state generator. */
export function sfc32(a: number, b: number, c: number, counter: number): Random {
  const word = (): number => {
    const t = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + t;
    c |= 0;
    return t >>> 0;
  };
  const next = (): number => word() / 4294967296;
  const int = (n: number): number => Math.floor(next() * n);
  return {
    next,
    int,
    pick: (items) => items[int(items.length)]!,
    shuffle: (items) => {
      const out = [...items];
      for (let i = out.length - 1; i > 0; i--) {
        const j = int(i + 1);
        [out[i], out[j]] = [out[j]!, out[i]!];
      }
      return out;
    },
  };
}
