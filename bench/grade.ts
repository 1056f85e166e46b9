/**
 * Replies graded a second, by kind of right answer, and how many times longer a reply with an unknown unit takes than one with a known
 * unit: a reply must not cost more for being wrong. Usage:
 * `npx tsc -p . --noEmit false --outDir dist/all && node dist/all/bench/grade.js [rounds]`
 */
import type { Expected } from "../verifiers/answer/answer.js";
import { gradeReply } from "../verifiers/answer/reply.js";

const ROUNDS = Number(process.argv[2] ?? 2000);
const REASONING = "The planet is Uranus. Its mass is 8.68 × 10^25 kg, its volume 6.83 × 10^22 m³.\n\n".repeat(
  20,
);

const density: Expected = { type: "quantity", value: 1.2745, unit: "g/cm^3", tolerance: 0.005 };
const KINDS: Readonly<Record<string, readonly [Expected, readonly string[]]>> = {
  quantities: [
    density,
    [
      "1.27 g/cm³",
      "\\boxed{1.27 \\times 10^{3}\\ \\mathrm{kg\\,m^{-3}}}",
      "ρ = m/V = 8.68e25/6.83e22 = 1270 kg/m³ = 1.27 g/cm³",
      "1.5 g/cm³ (using R = 25362 km)",
      "**1.27**",
    ],
  ],
  integers: [{ type: "integer", value: "42" }, ["42", "x = 6 × 7 = 42", "There are 43 ways.", "42 or 43"]],
  names: [
    {
      type: "entity",
      name: "Uranus",
      aliases: [],
      others: Array.from({ length: 4000 }, (_, i) => `Asteroid ${i}`),
    },
    [
      "Uranus",
      "the planet Uranus.",
      "Asteroid 17",
      "Uranus, the seventh planet",
      "Titania, a moon of Uranus",
    ],
  ],
};

/** Replies a second, in one process and thread. */
function rate(expected: Expected, answers: readonly string[]): number {
  const replies = answers.map((a) => `${REASONING}Final answer: ${a}`);
  for (let i = 0; i < 200; i++) for (const reply of replies) gradeReply(reply, expected);
  const began = performance.now();
  for (let i = 0; i < ROUNDS; i++) for (const reply of replies) gradeReply(reply, expected);
  return (1000 * ROUNDS * replies.length) / (performance.now() - began);
}

for (const [kind, [expected, answers]] of Object.entries(KINDS))
  console.log(`${kind}: ${Math.round(rate(expected, answers))} replies/s`);
const known = rate(density, ["1.27 g/cm³"]);
const unknown = rate(density, ["1.27 furlong/fortnight", "1.27 foo/bar"]);
console.log(`an unknown unit takes ${(known / unknown).toFixed(1)} times as long as a known one`);
