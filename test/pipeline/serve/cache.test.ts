import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Cache } from "../../../pipeline/serve/cache.js";

describe("a bounded cache", () => {
  it("forgets what was longest not asked for", () => {
    const cache = new Cache<number>(3);
    for (const key of ["a", "b", "c"]) cache.set(key, 1, 1);
    cache.get("a");
    cache.set("d", 1, 1);
    expect(["a", "b", "c", "d"].map((key) => cache.get(key))).toEqual([1, undefined, 1, 1]);
    cache.set("huge", 1, 4);
    expect(["a", "c", "d", "huge"].map((key) => cache.get(key))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("never keeps more than it may, and says of what it keeps what was last set", () => {
    const step = fc.record({
      key: fc.constantFrom("a", "b", "__proto__", "d"),
      value: fc.nat(),
      size: fc.integer({ min: 1, max: 5 }),
    });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const cache = new Cache<number>(8);
        const last = new Map<string, { value: number; size: number }>();
        for (const { key, value, size } of steps) {
          cache.set(key, value, size);
          last.set(key, { value, size });
          expect(cache.get(key)).toBe(value);
        }
        const kept = [...last].filter(([key]) => cache.get(key) !== undefined);
        expect(kept.every(([key, { value }]) => cache.get(key) === value)).toBe(true);
        expect(kept.reduce((sum, [, { size }]) => sum + size, 0)).toBeLessThanOrEqual(8);
      }),
    );
  });
});
