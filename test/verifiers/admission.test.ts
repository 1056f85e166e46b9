import { describe, expect, it } from "vitest";
import { admission, admissionChance } from "../../verifiers/admission.js";

const decide = (rewards: number[], accs: (0 | 1)[], n = 4) => admission(rewards, accs, { n }).decision;

describe("admission", () => {
  it("takes a task that is sometimes solved", () => {
    expect(decide([1, 0, 0.2, 1], [1, 0, 0, 1])).toBe("admitted");
    expect(decide([1, 0, 0, 0], [1, 0, 0, 0])).toBe("admitted");
  });

  it("is not taken in by rewards that differ where nothing is right", () => {
    expect(decide([0.3, 0.1, 0, 0.225], [0, 0, 0, 0])).toBe("all_wrong");
  });

  it("says why it refuses", () => {
    expect(decide([1, 1, 1, 1], [1, 1, 1, 1])).toBe("all_right");
    expect(decide([0, 0, 0, 0], [0, 0, 0, 0])).toBe("all_wrong");
    expect(decide([1, 0, 1], [1, 0, 1])).toBe("too_few_valid");
    expect(decide([], [], 0)).toBe("too_few_valid");
    expect(decide([0.5, 0.5], [1, 0], 2)).toBe("no_variance");
  });

  it("counts the first n alone", () => {
    expect(decide([0, 0, 0, 0, 1], [0, 0, 0, 0, 1])).toBe("all_wrong");
  });

  it("gives the pass rate with its interval", () => {
    const { rate } = admission([1, 0, 0, 0], [1, 0, 0, 0], { n: 4 });
    expect(rate.estimate).toBe(0.25);
    // Wilson at 95 %: (1/4 + z²/8 ± z√(3/64 + z²/64)) / (1 + z²/4) with z = 1.959964.
    expect(rate.low).toBeCloseTo(0.0456, 4);
    expect(rate.high).toBeCloseTo(0.6994, 4);
  });

  it("passes tasks of 5 % and of 95 % in 19 % of cases", () => {
    // 1 − 0.95⁴ − 0.05⁴ = 1 − 0.81450625 − 0.00000625
    expect(admissionChance(0.05, 4)).toBeCloseTo(0.1854875, 12);
    expect(admissionChance(0.95, 4)).toBeCloseTo(0.1854875, 12);
    expect(admissionChance(0.05, 4).toFixed(2)).toBe("0.19");
  });
});
