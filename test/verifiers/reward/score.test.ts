import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scoreConversation, scoreText } from "../../../verifiers/reward/score.js";
import { askPython, hasPython } from "../../vectors/python.js";
import { asteroid, density, hop, leftOut, nuclide, problem } from "../../vectors/truths.js";
import { pieces } from "./pieces.js";

const truths = [density, hop, nuclide, asteroid, leftOut, problem({ type: "integer", value: "42" })];

describe("the score", () => {
  it("is bounded, and follows from its parts, for any text", () => {
    fc.assert(
      fc.property(pieces(), fc.constantFrom(...truths), (text, truth) => {
        for (const score of [
          scoreText(text, truth),
          scoreConversation([{ role: "assistant", content: text }], truth),
        ]) {
          const { acc, progress, answered, steps } = score;
          expect(score.score).toBe(acc === 1 ? 1 : Math.max(0, 0.3 * progress - 0.1 * (1 - answered)));
          expect(progress >= 0 && progress <= 1 && acc <= answered).toBe(true);
          expect(steps).toHaveLength(truth.chain.filter((t) => t.kind !== "answer").length);
        }
      }),
      { numRuns: 250 },
    );
  });

  it("says why a step does not verify", () => {
    const why = (content: string, truth = density): string[] =>
      scoreConversation([{ role: "assistant", content }], truth).steps.map((s) => s.why);
    expect(why("")).toEqual(["not_said", "not_said", "not_said", "not_said"]);
    expect(why("Finding: planet = Uranus\nFinding: other = Neptune\nFinding: mass = 8.68e25 kg")).toEqual([
      "several_candidates",
      "ancestor",
      "not_said",
      "not_said",
    ]);
    expect(why("", leftOut)).toEqual(["not_said", "given", "few_digits", "few_digits", "answer", "not_said"]);
    const many = Array.from({ length: 201 }, (_, i) => `Finding: ${i} = 5.5 kg`).join("\n");
    expect(new Set(why(many))).toEqual(new Set(["too_many_findings"]));
  });

  it("waits for no step that depends on itself, and trusts none that rests on nothing", () => {
    const [entity, mass] = density.chain as [(typeof density.chain)[0], (typeof density.chain)[0]];
    const said = [{ role: "assistant", content: "Finding: planet = Uranus\nFinding: mass = 8.681e25 kg" }];
    const round = [{ ...entity, depends_on: ["input:mass"] }, mass];
    expect(scoreConversation(said, { ...density, chain: round }).progress).toBe(1);
    const loose = [entity, { ...mass, depends_on: ["nowhere"] }];
    expect(scoreConversation(said, { ...density, chain: loose }).progress).toBe(0.5);
  });

  it.skipIf(!hasPython)("is the same in Python", () => {
    const asked = fc.sample(fc.tuple(pieces(), fc.constantFrom(...truths)), { numRuns: 500, seed: 4 });
    const lines = asked.map(([solution, truth]) => JSON.stringify({ solution, truth }));
    const found = askPython([], lines.join("\n"));
    expect(found).toHaveLength(asked.length);
    asked.forEach(([solution, truth], i) => {
      expect({ solution, ...(found[i] as object) }).toEqual({ solution, ...scoreText(solution, truth) });
    });
  });
});
