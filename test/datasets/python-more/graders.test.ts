import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Expected } from "../../../verifiers/answer/answer.js";
import { gradeAnswer } from "../../../verifiers/answer/grade.js";
import {
  choice,
  date,
  entity,
  integers,
  interval,
  list,
  matrix,
  quantity,
  set,
  tuple,
  vector,
} from "../../verifiers/answer/answers.js";
import { askPython, noPython, type Question } from "../python/ask.js";
import { hostileTexts, someContext } from "../python/junk.js";

/**
 * Names, yes and no, choices, dates, lists, matrices and intervals: the Python verifier against the TypeScript one, beyond what the tests
 * of the latter ask (`python/differential.test.ts`).
 */
type Asked = Extract<Question, { answer: string }>;

function differences(questions: readonly Asked[]): unknown[] {
  const said = askPython(questions);
  return questions.flatMap((question, i) => {
    const wanted = gradeAnswer(question.answer, question.expected, question.context);
    return JSON.stringify(said[i]) === JSON.stringify(wanted) ? [] : [{ question, wanted, said: said[i] }];
  });
}

const EXPECTED: readonly Expected[] = [
  entity("Uranus", ["Neptune", "Saturn"], ["Uran", "7th planet"]),
  entity("20000 Varuna (2000 WR106)", ["50000 Quaoar (2002 LM60)", "Co"]),
  entity("Kepler-22 b", ["Kepler-22 c"]),
  entity("Carbon monoxide", ["Cobalt", "Co"], ["CO"]),
  entity("α Centauri", ["β Centauri"]),
  entity("Łódź", ["São Paulo", "Nürnberg", "Tromsø"]),
  entity("Jupiter II", ["Jupiter III"]),
  { type: "boolean", value: true },
  { type: "boolean", value: false },
  choice("B"),
  choice("Mars", { A: "Mars", B: "Venus", 2: "7", 10: "None of the above", C: "Both A and B" }),
  choice("A", { A: "B", B: "A", C: "1.5 kg" }),
  date("1846-09-23"),
  date("1846-09"),
  date("-0043-03-15"),
  list(...integers(1, 2, 3)),
  list(quantity(1.5, "kg", 0.01), quantity(1270, "m", 0.01)),
  set(...integers(2, -2)),
  set(entity("Io"), entity("Europa"), entity("Antigua and Barbuda")),
  set(),
  tuple(...integers(3, 2, 1)),
  vector(...integers(3, -2, 1)),
  vector(quantity(100, "cm", 0.01), quantity(2, "m", 0.01)),
  matrix([1, 2], [3, 4]),
  matrix([7]),
  interval(1, 2, "[)"),
  interval(null, 3, "(]"),
  { type: "list", items: [list(...integers(1, 2)), interval(0, 1, "()")] },
  list({ type: "expression", text: "x+1" }, { type: "expression", text: "2x" }),
];

const RIGHT: readonly string[] = [
  ..."Uranus|the planet Uranus|The planet is Uranus.|Saturn's moon Titan|Uranus, not Neptune|Uranus (moon of Saturn)|7th planet|CO|Varuna".split(
    "|",
  ),
  ..."2000 WR106|Kepler-22b|alpha Centauri|Уран|天王星|Lodz|Lódz|Jupiter 2|Uranus and Neptune|a moon of Uranus|«Uranus»".split(
    "|",
  ),
  ..."Yes|No, because it is|not true|yes and no|Yes, but only if x|да|No doubt it is true|No planet has".split(
    "|",
  ),
  ..."(B)|B. Venus|option B: Venus|B because it is|Both A and B|A and B|B or C|Mars|10. None of the above|[2]".split(
    "|",
  ),
  ..."23 September 1846|September 23rd, 1846|23.09.1846|03/04/1846|1846-09-23|15 March 44 BC|Sept 1846|in the year 1846|23 de septiembre de 1846|31 February 1846".split(
    "|",
  ),
  ..."[1, 2, 3]|1, 2 and 3|1; 2; 3|(1,270, 2)|[1 2 3]|{2, -2}|x = ±2|1,5; 2,5|∅|1, 2, ...|3i - 2j + k|-i+j-k|1 < 2 < 3|- 1\n- 2\n- 3".split(
    "|",
  ),
  ..."[[1, 2], [3, 4]]|[1 2; 3 4]|\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}|[1, 2)|]1; 2[|1 < x ≤ 2|x ≥ 3|(-∞, 3]|[1, 2) m|1..2|[[1,2],(0,1)]".split(
    "|",
  ),
  "Io, Europa and Antigua and Barbuda",
  "[x+1, x+x]",
];

const reason = noPython();
if (reason !== undefined) console.log(`the Python verifier is not compared: ${reason}`);

describe.skipIf(reason !== undefined)("the Python verifier says what the TypeScript one says", () => {
  it("of right answers to each type of question", () => {
    const questions = EXPECTED.flatMap((expected) => RIGHT.map((answer) => ({ answer, expected })));
    expect(differences(questions).filter((d) => !onlySentence(d))).toEqual([]);
  });

  it("of junk, and of answers with faults", () => {
    const asked = fc.tuple(hostileTexts(RIGHT), fc.constantFrom(...EXPECTED), someContext);
    const questions = fc
      .sample(asked, 3000)
      .map(([answer, expected, context]) => ({ answer, expected, context }));
    expect(differences(questions).filter((d) => !onlySentence(d))).toEqual([]);
  });

  it("of long texts of one piece", () => {
    const pieces =
      "( [ { [1], [[1], 1, 1; a. i+ and_ not_ ... , ' ] X Uranus_ of_Uranus ,_not_Uranus yes_ B) 1846_ \\begin{pmatrix}";
    const texts = pieces.split(" ").map((piece) => piece.replaceAll("_", " ").repeat(300));
    const questions = EXPECTED.filter((_, i) => i % 3 === 0).flatMap((expected) =>
      texts.map((answer) => ({ answer, expected })),
    );
    expect(differences(questions).filter((d) => !onlySentence(d))).toEqual([]);
  });
});

/** Sentences about expressions, which may stand in lists, are worded otherwise in Python. */
function onlySentence(difference: unknown): boolean {
  const { question, wanted, said } = difference as {
    question: Asked;
    wanted: Record<string, unknown>;
    said: Record<string, unknown>;
  };
  const bare = (v: Record<string, unknown>) => JSON.stringify({ ...v, why: "" });
  return JSON.stringify(question.expected).includes('"expression"') && bare(wanted) === bare(said);
}
