import fc from "fast-check";
import { TEMPLATES } from "../../vectors/families.js";

/** Texts out of what matters to the reward: findings, answers, thoughts, chat markup of all templates, words. */

const MARKUP = [
  ...new Set(Object.values(TEMPLATES).flatMap((template) => template("§", "§", "§").split(/§|(?<=>|\])/))),
].filter((piece) => piece !== "");
const WORDS = [
  "Finding: planet = Uranus",
  "Finding: planet = Neptune",
  "- **Finding**: mass = 8.681e25 kg",
  "Finding: radius = 25362 km",
  "Finding: radius = 24,622 km (mean)",
  "Finding 2: volume = 4/3 π r^3 = 6.833 × 10^13 km^3",
  "Finding: planet = Ur\u0430nus",
  "Finding: moons = 27 known moons",
  "Finding: range = 5 to 7 km",
  "Final answer: 1.27 g/cm^3",
  "Final answer: 1.64 g/cm^3",
  "**Final answer**: 1270 kg/m³",
  "\\boxed{1.27}",
  "the answer is 5",
  "<think>",
  "</think>",
  "user",
  "assistant",
  "tool",
  "model",
  "ipython\n\n",
  "assistant\n\n",
  "assistantfinal",
  "analysis",
  "to=assistantcommentary",
  "\n",
  "\n\n",
  " ",
  ".",
  "]",
  "<",
  "|>",
  "🪐",
  "Ōumuamua",
  "\ud83d",
];
const piece = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...WORDS) },
  { weight: 2, arbitrary: fc.constantFrom(...MARKUP) },
  { weight: 1, arbitrary: fc.string({ maxLength: 6 }) },
);

export const pieces = (maxLength = 14): fc.Arbitrary<string> =>
  fc
    .array(fc.tuple(piece, fc.constantFrom("", "\n", "\n", " ")), { maxLength })
    .map((all) => all.map((p) => p.join("")).join(""));
