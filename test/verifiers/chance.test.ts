import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { blindGuess, median } from "../../verifiers/chance.js";

describe("a blind guess", () => {
  it("is right one time in as many as there are answers", () => {
    expect(blindGuess({ type: "boolean", value: false })).toBe(0.5);
    expect(blindGuess({ type: "choice", value: "B", options: { A: "1", B: "2", C: "3", D: "4" } })).toBe(
      0.25,
    );
    expect(blindGuess({ type: "integer", value: "7" })).toBe(0);
    expect(blindGuess({ type: "choice", value: "B", options: {} })).toBe(0);
  });
});

describe("the median", () => {
  it.each([
    [[3, 1, 2], 2],
    [[4, 1, 2, 3], 2.5],
    [[7], 7],
    [[1e308, 1.5e308], 1.25e308],
    [[10, 9, 1], 9],
  ])("of %o is %d", (values, middle) => {
    expect(median(values)).toBe(middle);
  });

  it("of nothing is not there, and the order does not matter", () => {
    expect(median([])).toBeUndefined();
    fc.assert(
      fc.property(
        fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1 }),
        (values) => {
          const middle = median(values)!;
          expect(median([...values].reverse())).toBe(middle);
          expect(values.filter((v) => v < middle).length).toBeLessThanOrEqual(values.length / 2);
          expect(values.filter((v) => v > middle).length).toBeLessThanOrEqual(values.length / 2);
        },
      ),
    );
  });
});
