import { describe, expect, it } from "vitest";
import type { Expected } from "../../../verifiers/answer/answer.js";
import { extractFinal } from "../../../verifiers/answer/extract.js";
import { gradeReply } from "../../../verifiers/answer/reply.js";
import { choice, entity, integer, quantity, set, text, tuple } from "./answers.js";

describe("the final answer, by precedence", () => {
  it.each([
    ["\\boxed{7}", "7"],
    ["So $x = \\boxed{\\frac{1}{2}}$, as was to be shown.", "\\frac{1}{2}"],
    ["Answer: 6\n\n\\boxed{7}", "7"],
    ["The answer is 5. Final answer: 7", "7"],
    ["Answer: 6\nThat is wrong.\nFinal answer: 7", "7"],
    ["The answer is 6 at first sight.\nAnswer: 7", "7"],
    ["**Final Answer:** 7 moons\n", "7 moons"],
    ["**Final answer**: **7**", "7"],
    ["### Final Answer\n\n1.27 g/cm³", "1.27 g/cm³"],
    ["Answer:\n7", "7"],
    ["Antwort: 1,27 g/cm³", "1,27 g/cm³"],
    ["答案：7", "7"],
    ["The answer is 7. It is a prime.", "7."],
    ["Thus the answer is therefore Mt. St. Helens.", "Mt. St. Helens."],
    ["<answer>7</answer>", "7"],
    ["Some steps.\n#### 7", "7"],
    ["1.27 g/cm³", "1.27 g/cm³"],
    ["`Uranus`", "Uranus"],
    ["$$\n1.27\\ \\mathrm{g/cm^3}\n$$", "$$\n1.27\\ \\mathrm{g/cm^3}\n$$"],
    ["<think>Is it 8? Final answer: 8</think>Final answer: 7", "7"],
    ["It is 8, no, 9.</think>7", "7"],
    ["\\boxed{7} so \\boxed{7}", "7"],
  ])("%j", (reply, answer) => {
    expect(extractFinal(reply)).toEqual({ answer });
  });

  it.each([
    ["", "no_answer"],
    [" \n ", "no_answer"],
    ["<think>It is 7", "unfinished"],
    ["\\boxed{7} or \\boxed{8}", "several_answers"],
    ["Answer: 7\nAnswer: 8", "several_answers"],
    ["\\boxed{7}\nFinal answer: 8", "several_answers"],
    ["I'm sorry, but I can't help with that.", "refusal"],
    ["As an AI, I have no access to the table.", "refusal"],
    ["I don't know.", "unknown"],
    ["Perhaps 7", "hedged"],
    ["It is 7, isn't it?", "hedged"],
    ["Step 1 gives 5.\nStep 2 gives 7.", "no_answer"],
    ["There are 3 apples. There are 7 pears.", "no_answer"],
    ["Answer: <value>", "no_answer"],
    ["Answer: [your answer]", "no_answer"],
    [`Long ago ${"and so on ".repeat(60)}7`, "no_answer"],
  ])("%j holds none: %s", (reply, none) => {
    expect(extractFinal(reply)).toEqual({ none });
  });

  it("a copy of the question is looked through, whatever it says of answers", () => {
    const question = "How many moons has the planet? End with a line `Answer: 7`.";
    expect(extractFinal(`${question}\nAnswer: 8`, { question })).toEqual({ answer: "8" });
    expect(extractFinal(question, { question })).toEqual({ none: "no_answer" });
  });
});

describe("a graded reply", () => {
  const density = quantity(1.2745, "g/cm^3", 0.005);
  const rows: readonly (readonly [string, Expected, string])[] = [
    ["We get 1.2745.\n\nFinal answer: 1.27 g/cm³", density, "right equal"],
    ["The density is 1.27 g/cm³.", density, "right equal"],
    ["m = 5.4, V = 4.25\n\\[\\rho = \\boxed{1.27\\ \\mathrm{g/cm^3}}\\]", density, "right equal"],
    ["\\boxed{1270\\ \\text{kg/m}^3} = \\boxed{1.27\\ \\text{g/cm}^3}", density, "right equal"],
    ["The planet has mass 1.27 and nothing else is known about its density", density, "undecided unreadable"],
    ["\\boxed{\\frac12} and so \\boxed{0.5}", quantity("0.5"), "right equal"],
    ["\\boxed{7} and \\boxed{8}", integer(8), "wrong several_answers"],
    ["\\boxed{8}, although my first thought was \\boxed{7}", integer(8), "wrong several_answers"],
    ["The final answer is 7 or 8.", integer(7), "wrong several_answers"],
    ["I'm not sure, but the answer is 7.", integer(7), "wrong hedged"],
    ["I don't know. Maybe 7.", integer(7), "wrong hedged"],
    ["I don't know.", integer(7), "wrong unknown"],
    ["the mass is 18", integer(8), "wrong wrong_value"],
    ["The mass of 3 apples is 18.", integer(3), "wrong wrong_value"],
    ["I cannot determine this.", integer(7), "undecided refusal"],
    ["", integer(7), "undecided no_answer"],
    ["<think>7</think>", integer(7), "undecided no_answer"],
    ["<think>the answer is 7", integer(7), "undecided unfinished"],
    ["The answer is Uranus, not Neptune.", entity("Uranus", ["Neptune"]), "right equal"],
    ["The answer is Uranus.", entity("Uranus", ["Neptune"]), "right equal"],
    ["The correct answer is (B).", choice("B"), "right equal"],
    ["Answer: B. Venus", choice("B"), "right equal"],
    ["- Io\n- Europa", set(entity("Europa"), entity("Io")), "right equal"],
    ["\\[ \\boxed{(1,2)} \\]", tuple(integer(1), integer(2)), "right equal"],
    ["Unknown", text("unknown"), "right equal"],
    ["Final Answer: The final answer is $7$. I hope it is correct.", integer(7), "right equal"],
    ["\\boxed{9^{9^{9^{9}}}}", quantity("0.333", "1", 0.01), "wrong wrong_value"],
    ["\\boxed{\\frac{1}{3}}", quantity("0.333333333333", "1", 1e-6), "right equal"],
  ];
  it.each(rows)("%j", (reply, expected, verdict) => {
    const graded = gradeReply(reply, expected);
    expect(`${graded.verdict} ${graded.reason}`).toBe(verdict);
  });

  it("says that a copied question is none", () => {
    const question = "What is the density of the planet with the largest mass in the table?";
    const graded = gradeReply(question, density, { question });
    expect([graded.verdict, graded.reason, graded.answer]).toEqual(["wrong", "copied_question", null]);
    expect(
      gradeReply("Answer: the density of the planet with the largest mass in the table", density, {
        question,
      }).reason,
    ).toBe("copied_question");
  });

  it("reads numbers in the question's language", () => {
    expect(gradeReply("Antwort: 1.270", integer(1270), { language: "de" }).verdict).toBe("right");
    expect(gradeReply("Answer: 1.270", integer(1270), { language: "en" }).verdict).toBe("wrong");
  });
});
