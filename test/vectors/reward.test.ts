import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { scoreConversation, scoreText } from "../../verifiers/reward/score.js";
import { askPython, hasPython } from "./python.js";
import { saidIn, textOf, type Vector } from "./vector.js";
import { vectorsText } from "./write.js";

const FILE = fileURLToPath(new URL("./reward.json", import.meta.url));
const vectors = JSON.parse(readFileSync(FILE, "utf8")) as Vector[];

describe("the vectors of the reward", () => {
  it("are those that the families make", () => {
    expect(readFileSync(FILE, "utf8")).toBe(vectorsText());
    expect(vectors.length).toBeGreaterThanOrEqual(500);
    expect(new Set(vectors.map((v) => v.name)).size).toBe(vectors.length);
  });

  it("come out of the TypeScript as derived by hand", () => {
    for (const { name, truth, messages, solution, expected } of vectors) {
      const found =
        messages === undefined
          ? scoreText(textOf(solution!), truth)
          : scoreConversation(saidIn(messages), truth);
      const { score, acc, progress, answered, steps } = found;
      const verified = steps.filter((s) => s.verified).map((s) => s.id);
      expect({ name, score, acc, progress, answered, verified }).toEqual({ name, ...expected });
    }
  });

  it.skipIf(!hasPython)("come out of the Python as derived by hand", () => {
    expect(askPython([FILE])).toEqual([{ vectors: vectors.length, different: [] }]);
  });
});
