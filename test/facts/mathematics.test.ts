import { describe, expect, it } from "vitest";
import { cell, loadBundled, numbers } from "./load.js";

/** The exact tables, against counts that are published and theorems that must hold. */
const { tables } = await loadBundled(["elliptic-curves", "graphs", "groups"]);
const graphs = tables.get("graphs")!;
const groups = tables.get("groups")!;
const curves = tables.get("elliptic-curves")!;

/** OEIS A000001: number of groups of order n, n = 1 to 127. */
const GROUPS =
  `1 1 1 2 1 2 1 5 2 2 1 5 1 2 1 14 1 5 1 5 2 2 1 15 2 2 5 4 1 4 1 51 1 2 1 14 1 2 2 14 1 6 1 4 2 2 1 52 2 5 1 5 1 15 2 13
 2 2 1 13 1 2 4 267 1 4 1 5 1 4 1 50 1 2 3 4 1 6 1 52 15 2 1 15 1 2 1 12 1 10 1 4 2 2 1 231 1 5 2 16 1 4 1 14 2 2 1 45 1 6 2 43 1 6
 1 5 4 2 1 47 2 2 1 4 5 16 1`
    .split(/\s+/)
    .map(Number);

function tally(values: Iterable<number>, n: number): number[] {
  const counts = new Array<number>(n).fill(0);
  for (const value of values) counts[value - 1]!++;
  return counts;
}

/** Number of partitions of n. */
function partitions(n: number): number {
  const p = [1, ...new Array<number>(n).fill(0)];
  for (let k = 1; k <= n; k++) for (let m = k; m <= n; m++) p[m]! += p[m - k]!;
  return p[n]!;
}

/** Number of abelian groups of order n: partitions of the exponents of its primes. */
function abelian(n: number): number {
  let count = 1;
  let rest = n;
  for (let p = 2; rest > 1; p++) {
    let exponent = 0;
    for (; rest % p === 0; rest /= p) exponent++;
    count *= partitions(exponent);
  }
  return count;
}

describe("groups", () => {
  const [order, classes, center, derived, exponent] = [
    "order",
    "classes",
    "center_order",
    "derived_order",
    "exponent",
  ].map((id) => numbers(groups, id).values) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const is = (id: string, row: number): boolean => cell(groups.columns.get(id)!, row) === "yes";
  const rows = groups.keys.map((_, row) => row);

  it("has every group of order 1 to 127", () => {
    expect(tally(order, 127)).toEqual(GROUPS);
  });

  it("has every abelian group", () => {
    const found = tally(
      rows.filter((r) => is("abelian", r)).map((r) => order[r]!),
      127,
    );
    expect(found).toEqual(GROUPS.map((_, i) => abelian(i + 1)));
  });

  it("keeps the theorems", () => {
    const broken = rows.filter((r) => {
      const [n, k, z, d, e] = [order[r]!, classes[r]!, center[r]!, derived[r]!, exponent[r]!];
      const commutative = is("abelian", r);
      const theorems = [
        n % z === 0 && n % d === 0 && n % e === 0,
        commutative === (k === n) && commutative === (z === n) && commutative === (d === 1),
        commutative || 8 * k <= 5 * n, // Gustafson
        n % 2 === 0 || (n - k) % 16 === 0, // Burnside
        is("perfect", r) === (d === n),
        !is("nilpotent", r) || z > 1 || n === 1,
        !is("nilpotent", r) || is("solvable", r),
        ![2, 3, 5, 7].includes(n / z), // G/Z is not cyclic unless trivial
      ];
      return theorems.includes(false);
    });
    expect(broken).toEqual([]);
  });

  it("has four groups that are not solvable: A5, SL(2,5), S5 and A5 × C2", () => {
    const labels = groups.keys.filter((_, r) => !is("solvable", r));
    expect(labels).toEqual(["120_34", "120_35", "120_5", "60_5"]);
  });
});

describe("graphs", () => {
  const [n, m, spanning, automorphisms, triangles] = [
    "vertices",
    "edges",
    "spanning_trees",
    "automorphisms",
    "triangles",
  ].map((id) => numbers(graphs, id).values) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const rows = graphs.keys.map((_, row) => row);
  const adjacency = graphs.keys.map((_, r) => readGraph6(cell(graphs.columns.get("graph6")!, r)!));

  /** McKay's graph6: the upper triangle by columns, six bits to a character. */
  function readGraph6(text: string): boolean[][] {
    const size = text.charCodeAt(0) - 63;
    const bits = [...text.slice(1)].flatMap((c) =>
      [5, 4, 3, 2, 1, 0].map((b) => ((c.charCodeAt(0) - 63) >> b) & 1),
    );
    const matrix = Array.from({ length: size }, () => new Array<boolean>(size).fill(false));
    let at = 0;
    for (let j = 1; j < size; j++)
      for (let i = 0; i < j; i++) matrix[i]![j] = matrix[j]![i] = bits[at++] === 1;
    return matrix;
  }

  it("has every graph with one to seven vertices (OEIS A000088)", () => {
    expect(tally(n, 7)).toEqual([1, 2, 4, 11, 34, 156, 1044]);
  });

  it("counts every labelled graph: the sum of n!/|Aut| is 2^(n(n−1)/2)", () => {
    for (let size = 1; size <= 7; size++) {
      const factorial = [1, 1, 2, 6, 24, 120, 720, 5040][size]!;
      const labelled = rows
        .filter((r) => n[r] === size)
        .reduce((sum, r) => sum + factorial / automorphisms[r]!, 0);
      expect(labelled).toBe(2 ** ((size * (size - 1)) / 2));
    }
  });

  it("has the edges, triangles and spanning trees of its graph6 text", () => {
    const wrong = rows.filter((r) => {
      const matrix = adjacency[r]!;
      const edges = matrix.flat().filter(Boolean).length / 2;
      const cubed = matrix.reduce(
        (sum, row, i) =>
          sum +
          row.reduce(
            (s, x, j) => s + (x ? matrix.filter((_, k) => matrix[i]![k] && matrix[j]![k]).length : 0),
            0,
          ),
        0,
      );
      return (
        n[r] !== matrix.length ||
        m[r] !== edges ||
        triangles[r] !== cubed / 6 ||
        spanning[r] !== trees(matrix)
      );
    });
    expect(wrong).toEqual([]);
  });

  /** Kirchhoff's theorem by deletion and contraction, in whole numbers. */
  function trees(matrix: readonly (readonly boolean[])[]): number {
    const laplacian = matrix.map((row, i) =>
      row.map((x, j) => (i === j ? BigInt(row.filter(Boolean).length) : x ? -1n : 0n)),
    );
    return Number(determinant(laplacian.slice(1).map((row) => row.slice(1))));
  }

  /** Bareiss: every division is exact. */
  function determinant(matrix: bigint[][]): bigint {
    let last = 1n;
    for (let k = 0; k < matrix.length; k++) {
      const pivot = matrix.findIndex((row, i) => i >= k && row[k] !== 0n);
      if (pivot < 0) return 0n;
      if (pivot !== k) {
        [matrix[k], matrix[pivot]] = [matrix[pivot]!, matrix[k]!.map((x) => -x)];
      }
      for (let i = k + 1; i < matrix.length; i++) {
        for (let j = k + 1; j < matrix.length; j++) {
          matrix[i]![j] = (matrix[i]![j]! * matrix[k]![k]! - matrix[i]![k]! * matrix[k]![j]!) / last;
        }
      }
      last = matrix[k]![k]!;
    }
    return matrix.length === 0 ? 1n : last;
  }
});

describe("elliptic curves", () => {
  const of = (id: string): Float64Array => numbers(curves, id).values;
  const rows = curves.keys.map((_, row) => row);
  const whole = (id: string, row: number): bigint => BigInt(of(id)[row]!);
  const primes = (n: number): number[] =>
    Array.from({ length: n }, (_, i) => i + 1).filter(
      (p) => p > 1 && n % p === 0 && primesBelow(p).every((q) => p % q !== 0),
    );
  const primesBelow = (p: number): number[] =>
    Array.from({ length: Math.floor(Math.sqrt(p)) }, (_, i) => i + 1).slice(1);

  it("has Cremona's 5113 curves in 2463 isogeny classes", () => {
    expect(curves.keys.length).toBe(5113);
    expect(new Set(curves.keys.map((label) => label.replace(/\d+$/, ""))).size).toBe(2463);
  });

  it("has the invariants of its equations, in whole numbers: 1728 Δ = c₄³ − c₆²", () => {
    const wrong = rows.filter((row) => {
      const [a1, a2, a3, a4, a6] = ["a1", "a2", "a3", "a4", "a6"].map((id) => whole(id, row)) as [
        bigint,
        bigint,
        bigint,
        bigint,
        bigint,
      ];
      const [b2, b4, b6] = [a1 * a1 + 4n * a2, 2n * a4 + a1 * a3, a3 * a3 + 4n * a6] as const;
      const c4 = b2 * b2 - 24n * b4;
      const c6 = -(b2 ** 3n) + 36n * b2 * b4 - 216n * b6;
      const delta = Number((c4 ** 3n - c6 ** 2n) / 1728n);
      return Number(c4) !== of("c4")[row] || Math.abs(delta / of("discriminant")[row]! - 1) > 1e-15;
    });
    expect(wrong).toEqual([]);
  });

  it("has conductors whose primes are those of the discriminant, and squarefree ones where semistable", () => {
    const wrong = rows.filter((row) => {
      const n = of("conductor")[row]!;
      const delta = BigInt(of("discriminant")[row]!);
      const bad = primes(n);
      const squarefree = bad.every((p) => n % (p * p) !== 0);
      const semistable = cell(curves.columns.get("semistable")!, row) === "yes";
      return (
        squarefree !== semistable ||
        bad.some((p) => p < 50 && Math.abs(Number(delta)) < 2 ** 53 && delta % BigInt(p) !== 0n)
      );
    });
    expect(wrong).toEqual([]);
  });

  it("has torsion orders that Mazur allows, and squares as orders of Ш", () => {
    const orders = new Set(of("torsion"));
    expect([...orders].every((n) => [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16].includes(n))).toBe(true);
    expect([...of("sha")].every((n) => Number.isInteger(Math.sqrt(n)))).toBe(true);
  });

  it("has the same leading coefficient by the formula of Birch and Swinnerton-Dyer all over an isogeny class", () => {
    const value = (row: number): number =>
      (of("real_period")[row]! * of("regulator")[row]! * of("tamagawa")[row]! * of("sha")[row]!) /
      of("torsion")[row]! ** 2;
    const first = new Map<string, number>();
    const off = rows.filter((row) => {
      const name = curves.keys[row]!.replace(/\d+$/, "");
      if (!first.has(name)) first.set(name, value(row));
      return Math.abs(value(row) / first.get(name)! - 1) > 1e-12;
    });
    expect(off).toEqual([]);
  });
});
