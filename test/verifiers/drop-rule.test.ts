import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type DropRule,
  dropRule,
  dropText,
  gradedOf,
  knownBy,
  rightsNeeded,
} from "../../verifiers/drop-rule.js";

describe("drop rules", () => {
  it.each([
    ["any", 4, 1, "any"],
    ["majority", 4, 3, "majority"],
    ["majority", 5, 3, "majority"],
    ["majority", 1, 1, "majority"],
    [{ at_least: 2 }, 4, 2, "at least 2"],
  ] as [DropRule, number, number, string][])("%o of %i samples needs %i right", (rule, k, needed, text) => {
    expect(rightsNeeded(rule, k)).toBe(needed);
    expect(dropText(rule)).toBe(text);
    expect(dropRule.parse(rule)).toEqual(rule);
  });

  it.each(["most", { at_least: 0 }, { at_least: 1.5 }, {}, 3])("refuse %o", (rule) => {
    expect(dropRule.safeParse(rule).success).toBe(false);
  });

  const sample = fc.record({
    role: fc.constantFrom("a", "b"),
    outcome: fc.constantFrom("right", "wrong", "undecided", "no_reply"),
  });

  it("find the first role with enough right samples, and laxer ones never find more", () => {
    fc.assert(
      fc.property(fc.array(sample, { maxLength: 12 }), fc.integer({ min: 1, max: 6 }), (samples, n) => {
        const rights = (role: string) =>
          samples.filter((s) => s.role === role && s.outcome === "right").length;
        const by = knownBy(samples, { at_least: n }, 6);
        expect(by !== undefined).toBe(rights("a") >= n || rights("b") >= n);
        if (by !== undefined) expect(rights(by)).toBeGreaterThanOrEqual(n);
        if (knownBy(samples, { at_least: n + 1 }, 6) !== undefined) expect(by).toBeDefined();
        expect(gradedOf(samples, "a")).toBe(
          samples.filter((s) => s.role === "a" && ["right", "wrong"].includes(s.outcome)).length,
        );
      }),
    );
  });
});
