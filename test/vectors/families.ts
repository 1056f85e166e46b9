import type { GroundTruth } from "../../verifiers/reward/reward.js";
import { asteroid, density, hop, leftOut, nuclide, problem } from "./truths.js";
import { figures, type Outcome, type Text, type Vector } from "./vector.js";

/**
 * Vectors in families. What each expects follows from the rule that the family is about, in docs/reward.md, and from nothing that was
 * computed: a rule says which steps verify and whether the answer counts, the formula gives the rest.
 */

type Made = Omit<Vector, "name">;

const says = (truth: GroundTruth, content: Text, outcome: Outcome, why: string): Made => ({
  truth,
  messages: [
    { role: "user", content: truth.question },
    { role: "assistant", content },
  ],
  expected: figures(outcome),
  why,
});
const writes = (truth: GroundTruth, solution: Text, outcome: Outcome, why: string): Made => ({
  truth,
  solution,
  expected: figures(outcome),
  why,
});

/** What a perfect agent says of each truth, step by step. */
const FOUND = {
  density: [
    ["selected", "planet = Uranus"],
    ["input:mass", "mass = 8.681e25 kg"],
    ["input:radius", "mean radius = 25362 km"],
    ["step:volume", "volume = 6.833e13 km^3"],
  ],
  hop: [
    ["selected", "moon = Triton"],
    ["followed", "planet = Neptune"],
    ["input:axis", "semi-major axis = 30.07 au"],
    ["input:period", "period = 164.8 yr"],
  ],
  nuclide: [
    ["selected", "nuclide = iron-56"],
    ["input:nucleons", "nucleons = 56"],
    ["input:protons", "protons = 26"],
    ["input:binding", "binding energy = 492.3 MeV"],
  ],
  asteroid: [
    ["selected", "asteroid = 433 Eros"],
    ["input:diameter", "diameter = 16.84 km"],
    ["input:temperature", "temperature = -45.2 °C"],
  ],
} as const;
const TRUTHS = { density, hop, nuclide, asteroid } as const;
const RIGHT = { density: "1.27 g/cm^3", hop: "5.43 km/s", nuclide: "8.79 MeV", asteroid: "52.9 km" } as const;
const WRONG = { density: "1.64 g/cm^3", hop: "9.68 km/s", nuclide: "7.92 MeV", asteroid: "61.3 km" } as const;
type Name = keyof typeof FOUND;
const NAMES = Object.keys(FOUND) as Name[];

const lines = (found: readonly string[]): string => found.map((f) => `Finding: ${f}\n`).join("");
const all = (name: Name): string[] => FOUND[name].map(([id]) => id);
const allLines = (name: Name): string => lines(FOUND[name].map(([, said]) => said));

function forms(): Made[] {
  const styles: readonly ((said: string) => string)[] = [
    (s) => `Finding: ${s}`,
    (s) => `finding: ${s}`,
    (s) => `FINDING: ${s}`,
    (s) => `- Finding: ${s}`,
    (s) => `* **Finding:** ${s}`,
    (s) => `**Finding**: ${s}`,
    (s) => `1. Finding: ${s}`,
    (s) => `Finding 1: ${s}`,
    (s) => `FINDING - ${s}`,
    (s) => `Finding — ${s}`,
    (s) => `  Finding： ${s}`,
    (s) => `• \`Finding:\` ${s}`,
    (s) => `Finding: **${s.replace(" = ", "** = **")}**`,
  ];
  return NAMES.flatMap((name) =>
    styles.flatMap((style) => {
      const said = FOUND[name].map(([, s]) => `${style(s)}\n`).join("");
      const outcome = { verified: all(name), of: all(name).length };
      const why = "the form may be marked up, and its case does not matter";
      return [
        says(TRUTHS[name], `${said}Final answer: ${RIGHT[name]}`, { ...outcome, answer: "right" }, why),
        says(TRUTHS[name], `${said}Final answer: ${WRONG[name]}`, { ...outcome, answer: "wrong" }, why),
      ];
    }),
  );
}

/** Lines that look like findings and are none. */
function noForms(): Made[] {
  const others = [
    "I found that planet = Uranus",
    "> Finding: planet = Uranus",
    "Findings: planet = Uranus",
    "Finding planet = Uranus",
    "Finding: Uranus",
    "Finding: planet is Uranus",
    "Finding: planet: Uranus",
    "Finding: = Uranus",
    "Finding: planet =",
    "A Finding: planet = Uranus",
    "Finding: planet != Uranus",
    "Finding: planet <= Uranus",
    "[Finding]: planet = Uranus",
    `Finding: ${"very ".repeat(50)}big planet = Uranus`,
    `Finding: planet = ${"the ".repeat(60)}Uranus`,
  ];
  const none = { verified: [], of: 4, answer: "wrong" } as const;
  return others.map((line) =>
    says(density, `${line}\nFinal answer: 1.64 g/cm^3`, none, "only the declared form commits to a finding"),
  );
}

/** Each subset of what is to be found: a step counts with all its ancestors, or not at all. */
function subsets(): Made[] {
  const ancestors: Readonly<Record<string, readonly string[]>> = {
    selected: [],
    followed: ["selected"],
    "input:mass": ["selected"],
    "input:radius": ["selected"],
    "step:volume": ["selected", "input:radius"],
    "input:axis": ["selected", "followed"],
    "input:period": ["selected", "followed"],
    "input:nucleons": ["selected"],
    "input:protons": ["selected"],
    "input:binding": ["selected"],
    "input:diameter": ["selected"],
    "input:temperature": ["selected"],
  };
  return NAMES.flatMap((name) =>
    Array.from({ length: 2 ** FOUND[name].length }, (_, bits) => {
      const chosen = FOUND[name].filter((_, i) => (bits >> i) % 2 === 1);
      const ids = chosen.map(([id]) => id as string);
      const verified = ids.filter((id) => ancestors[id]!.every((a) => ids.includes(a)));
      const answer = bits % 3 === 0 ? "none" : "wrong";
      const end = answer === "none" ? "I stop here; the rest is left to do." : `Final answer: ${WRONG[name]}`;
      const said = `${lines(chosen.map(([, s]) => s))}${end}`;
      const outcome = { verified, of: FOUND[name].length, answer } as const;
      return says(TRUTHS[name], said, outcome, "a step counts only when it and all its ancestors verify");
    }),
  );
}

function answers(): Made[] {
  const right = [
    "Final answer: 1.27 g/cm^3",
    "Final answer: 1270 kg/m^3",
    "Final answer: 1.27 g cm⁻³",
    "**Final answer:** 1.268 g/cm³",
    "Final answer: $1.27\\,\\mathrm{g/cm^3}$",
    "So we get \\boxed{1.27\\ \\mathrm{g/cm^3}}",
    "<answer>1.27 g/cm^3</answer>",
    "The answer is 1.27 g/cm^3.",
    "Final answer: 1270 kg/m³ (1.27 g/cm³)",
    "Final answer: about 1.27 g/cm^3",
  ];
  const wrong = [
    "Final answer: 1.64 g/cm^3",
    "Final answer: 1.27 kg/m^3",
    "Final answer: -1.27 g/cm^3",
    "Final answer: 127 g/cm^3",
    "Final answer: 0 g/cm^3",
  ];
  const none = [
    "Final answer: 1.27",
    "Final answer: 1.27 kg",
    "Final answer: 1.27 km/s",
    "Final answer: maybe 1.27 g/cm^3",
    "Final answer: 1.2–1.3 g/cm^3",
    "Final answer: between 1.2 and 1.3 g/cm^3",
    "Final answer: 1.27 g/cm^3 or 1.64 g/cm^3",
    "Final answer: Uranus",
    "Final answer: unknown",
    "Final answer: <answer>",
    "Final answer:",
    "I cannot determine it.",
    "",
    `Final answer: ${density.question}`,
    "Final answer: 1.27 g/cm^3\nFinal answer: 1.64 g/cm^3",
    "It follows that ρ = m/V, which is somewhere near that of water, and a little above.\nMore cannot be said.",
  ];
  const kinds = { right, wrong, none } as const;
  return (["right", "wrong", "none"] as const).flatMap((answer) =>
    kinds[answer].flatMap((end) => [
      says(density, end, { verified: [], of: 4, answer }, "A asks for an answer of the type asked for"),
      says(
        density,
        `${allLines("density")}\n${end}`,
        { verified: all("density"), of: 4, answer },
        "A asks for an answer of the type asked for, whatever was found",
      ),
    ]),
  );
}

function thoughts(): Made[] {
  const found = allLines("density");
  const none = { verified: [], of: 4 } as const;
  const tags = ["think", "thinking", "thought", "reasoning", "reflection", "scratchpad", "THINK"];
  const why = "thoughts commit to nothing";
  const wrapped = tags.flatMap((tag) => [
    says(
      density,
      `<${tag}>\n${found}</${tag}>\nFinal answer: 1.64 g/cm^3`,
      { ...none, answer: "wrong" },
      why,
    ),
    says(
      density,
      `<${tag}>\nFinal answer: 1.27 g/cm^3\n</${tag}>\nI stop here.\nThat was all.`,
      { ...none, answer: "none" },
      why,
    ),
  ]);
  return [
    ...wrapped,
    says(density, `[THINK]\n${found}[/THINK]\nFinal answer: 1.64 g/cm^3`, { ...none, answer: "wrong" }, why),
    says(
      density,
      `<think>\n${found}Final answer: 1.27 g/cm^3`,
      { ...none, answer: "none" },
      "a thought that never ends is all thought",
    ),
    says(
      density,
      `${found}</think>\nFinal answer: 1.64 g/cm^3`,
      { ...none, answer: "wrong" },
      "what stands before a thought's end without a start was thought",
    ),
    says(
      density,
      `<think>Uranus? Neptune? 24622 km? 25362 km?</think>\n${found}Final answer: 1.64 g/cm^3`,
      { verified: all("density"), of: 4, answer: "wrong" },
      "candidates weighed in a thought are no commitments",
    ),
    says(
      density,
      `<think>\nFinding: planet = Neptune\nFinding: body = Saturn\n</think>\n${found}Final answer: 1.27 g/cm^3`,
      { verified: all("density"), of: 4, answer: "right" },
      "candidates weighed in a thought are no commitments",
    ),
    writes(
      density,
      `${found}</think>\n\nFinal answer: 1.64 g/cm^3`,
      { ...none, answer: "wrong" },
      "a template may open the thought in the prompt",
    ),
    writes(
      density,
      `<think>${found}</think><think>${found}</think>Final answer: 1.27 g/cm^3`,
      { ...none, answer: "right" },
      why,
    ),
  ];
}

function candidates(): Made[] {
  const end = "Final answer: 1.64 g/cm^3";
  const by = (found: string[], verified: string[], why: string): Made =>
    says(density, `${lines(found)}${end}`, { verified, of: 4, answer: "wrong" }, why);
  const many = "more candidates than steps of the dimension: none of it verifies";
  const names = "more names than entity steps: none verifies";
  const planets = ["Mercury", "Venus", "Earth", "Mars", "Jupiter", "Saturn", "Neptune", "Pluto"];
  const radius = ["planet = Uranus", "mass = 8.681e25 kg"];
  return [
    by([...radius, "radius = 25362 km", "other radius = 24622 km"], ["selected", "input:mass"], many),
    by([...radius, "first guess = 24622 km", "radius = 25362 km"], ["selected", "input:mass"], many),
    by(
      [...radius, "radius = 25362 km", "radius in metres = 25362000 m"],
      ["selected", "input:mass", "input:radius"],
      "the same value twice is one candidate",
    ),
    by(
      [...radius, "radius = 25362 km", "radius again = 25400 km"],
      ["selected", "input:mass", "input:radius"],
      "two renderings of the step's value are one candidate",
    ),
    by(
      [...radius, "radius = 24622 km", "radius = 25362 km"],
      ["selected", "input:mass", "input:radius"],
      "what is said again takes back what was said before",
    ),
    by(
      [...radius, "Radius = 25362 km", "RADIUS = 24622 km"],
      ["selected", "input:mass"],
      "what is said again takes back what was said before",
    ),
    by(
      [...radius, "the radius: = 25362 km", "**the radius** = 24622 km"],
      ["selected", "input:mass"],
      "marks do not make another thing of what is found",
    ),
    by(
      [...radius, "radius = 25362 km or 24622 km"],
      ["selected", "input:mass"],
      "a finding that says two values says none",
    ),
    by([...radius, "radius = maybe 25362 km"], ["selected", "input:mass"], "a hedge commits to nothing"),
    by([...radius, "radius = 25362 km?"], ["selected", "input:mass"], "a hedge commits to nothing"),
    by(["planet = Uranus", "other planet = Neptune"], [], names),
    by(["planet = Uranus", "runner-up = Neptune", "mass = 8.681e25 kg"], [], names),
    by(
      ["planet = Neptune", "planet = Uranus"],
      ["selected"],
      "what is said again takes back what was said before",
    ),
    by(["planet = Uranus", "planet = Neptune"], [], "what is said again takes back what was said before"),
    by(
      ["planet = Uranus", "the body = uranus", "alias = Georgium Sidus"],
      ["selected"],
      "names of one entity are one candidate",
    ),
    ...[
      "Uranus and Neptune",
      "Uranus or Neptune",
      "Uranus, Neptune",
      "Uranus / Neptune",
      "Neptune, Uranus",
      "not Uranus",
      "Uranus?",
      "either Uranus or Neptune",
      "a moon of Uranus",
      "Uranus; Neptune; Saturn",
    ].map((said) =>
      by(
        [`planet = ${said}`, "mass = 8.681e25 kg"],
        [],
        "a finding that does not name one entity names none",
      ),
    ),
    ...planets.map((_, i) =>
      by(
        [
          ...planets.slice(0, i + 1).map((p, k) => `planet ${k} = ${p}`),
          "planet 9 = Uranus",
          "mass = 8.681e25 kg",
        ],
        [],
        "listing entities earns nothing",
      ),
    ),
    ...planets.map((p) =>
      by(
        [`planet = ${p}`, "mass = 8.681e25 kg", "radius = 25362 km"],
        [],
        "the wrong entity carries nothing",
      ),
    ),
    ...[3, 10, 40].map((n) =>
      by(
        [
          ...radius,
          ...Array.from({ length: n }, (_, i) => `radius ${i} = ${25000 + 120 * i + (i >= 3 ? 2 : 1)} km`),
          "radius = 25362 km",
        ],
        ["selected", "input:mass"],
        "listing values earns nothing",
      ),
    ),
    says(
      hop,
      `${lines(["moon = Triton", "planet = Neptune", "also = Uranus"])}Final answer: 9.68 km/s`,
      { verified: [], of: 4, answer: "wrong" },
      names,
    ),
    says(
      hop,
      `${lines(["moon = Titan", "planet = Neptune", "axis = 30.07 au"])}Final answer: 9.68 km/s`,
      { verified: [], of: 4, answer: "wrong" },
      "a step counts only with its ancestors",
    ),
    says(
      hop,
      `${lines(["moon = Triton", "planet = Uranus", "axis = 30.07 au"])}Final answer: 9.68 km/s`,
      { verified: ["selected"], of: 4, answer: "wrong" },
      "two names for two steps: the right one verifies",
    ),
    says(
      nuclide,
      `${lines(["nuclide = Fe-56", "nucleons = 56", "protons = 26", "neutrons = 30"])}Final answer: 7.92 MeV`,
      { verified: ["selected"], of: 4, answer: "wrong" },
      many,
    ),
    says(
      nuclide,
      `${lines(["nuclide = 56Fe", "nucleons = 56", "protons = 27"])}Final answer: 7.92 MeV`,
      { verified: ["selected", "input:nucleons"], of: 4, answer: "wrong" },
      "two pure numbers for two steps: the right one verifies",
    ),
    says(
      asteroid,
      `${lines(["body = Eros", "diameter = 16.84 km", "circumference = 61.3 km"])}Final answer: 61.3 km`,
      { verified: ["selected", "input:diameter"], of: 3, answer: "wrong" },
      "the final answer said again is no candidate for a step",
    ),
    says(
      asteroid,
      `${lines(["body = Eros", "diameter = 16.84 km", "circumference = 52.9 km"])}Final answer: 61.3 km`,
      { verified: ["selected", "input:diameter"], of: 3, answer: "wrong" },
      "the right answer is no candidate for a step",
    ),
    says(
      asteroid,
      `${lines(["body = Eros", "diameter = 16.84 km", "circumference = 70.1 km"])}Final answer: 61.3 km`,
      { verified: ["selected"], of: 3, answer: "wrong" },
      many,
    ),
    says(
      asteroid,
      `${lines(["body = Eros", "diameter = 16.84 km"])}Final answer: 16.84 km`,
      { verified: ["selected"], of: 3, answer: "wrong" },
      "what is submitted as the answer is no candidate for a step",
    ),
  ];
}

function spellings(): Made[] {
  const end = "Final answer: 1.64 g/cm^3";
  const names = (said: readonly string[], verified: string[], why: string): Made[] =>
    said.map((s) =>
      says(density, `${lines([`planet = ${s}`])}${end}`, { verified, of: 4, answer: "wrong" }, why),
    );
  const radii = (said: readonly string[], ok: boolean, why: string): Made[] =>
    said.map((s) =>
      says(
        density,
        `${lines(["planet = Uranus", `radius = ${s}`])}${end}`,
        { verified: ok ? ["selected", "input:radius"] : ["selected"], of: 4, answer: "wrong" },
        why,
      ),
    );
  return [
    ...names(
      [
        "Uranus",
        "uranus",
        "URANUS",
        " Uranus ",
        "**Uranus**",
        "`Uranus`",
        "Uranus.",
        "“Uranus”",
        "the planet Uranus",
        "Georgium Sidus",
        "Ｕｒａｎｕｓ",
        "Ura\u200bnus",
        "Ura\u00adnus",
        "Uránus",
      ],
      ["selected"],
      "case, marks, accents and invisible characters make no other name",
    ),
    ...names(
      [
        "Ur\u0430nus",
        "Uran\u03c5s",
        "Uranu\u0455",
        "\u0405aturn",
        "Ur\u0251nus",
        "Uranvs",
        "Uranu5",
        "Uran us x",
        "Ouranos II",
        "Uranus-2",
        "Uranus b",
      ],
      [],
      "look-alikes are not equal",
    ),
    ...radii(
      [
        "25362 km",
        "25,362 km",
        "25 362 km",
        "２５３６２ km",
        "٢٥٣٦٢ km",
        "2.5362 × 10^4 km",
        "2.5362e4 km",
        "$2.5362\\times10^{4}$ km",
        "25362000 m",
        "25.362 Mm",
        "2.5362·10⁹ cm",
        "25362 kilometers",
        "about 25,362 km",
        "≈ 25362 km",
        "25362 ± 5 km",
        "25362 km (mean)",
        "4 × 6340.5 km = 25362 km",
        "25400 km",
        "25.3 thousand km",
        "25362 km.",
      ],
      true,
      "a value may be written in any notation and any unit of its dimension",
    ),
    ...radii(
      [
        "25362",
        "25362 m",
        "25362 miles",
        "2 × 12681 km",
        "3e4 km",
        "30 Mm",
        "-25362 km",
        "24622 km",
        "25362 km^2",
        "25362–25400 km",
        "25300 to 25400 km",
        "> 25000 km",
        "25362 xyz",
        "2536２5 km",
      ],
      false,
      "a value needs a unit of its dimension and must lie within the tolerance",
    ),
    ...radii(["3 × 10^4 km", "2e4 km", "30 000 000 m"], false, "one digit is a guess"),
    says(
      density,
      `${lines(["planet = Uranus", "mass = 8.681e25 kg", "radius = 25362 kg"])}${end}`,
      { verified: ["selected"], of: 4, answer: "wrong" },
      "a length in kilograms is another candidate for the mass",
    ),
    says(
      density,
      `${lines(["planet = Uranus", "mass = 8.7e25 kg"])}${end}`,
      { verified: ["selected", "input:mass"], of: 4, answer: "wrong" },
      "two digits are enough",
    ),
    says(
      density,
      `${lines(["planet = Uranus", "mass = 9e25 kg"])}${end}`,
      { verified: ["selected"], of: 4, answer: "wrong" },
      "one digit is a guess",
    ),
    says(
      density,
      `${lines(["planet = Uranus", "mass = 8.681 × 10^28 g"])}${end}`,
      { verified: ["selected", "input:mass"], of: 4, answer: "wrong" },
      "any unit of the dimension",
    ),
    says(
      density,
      `${lines(["planet = Uranus", "radius = 25362 km", "volume = 4/3·π·25362^3 km^3"])}${end}`,
      { verified: ["selected", "input:radius"], of: 4, answer: "wrong" },
      "a product that was not worked out commits to nothing",
    ),
    says(
      density,
      `${lines(["planet = Uranus", "radius = 25362 km", "volume = 4/3·π·r³ = 6.83e13 km³"])}${end}`,
      { verified: ["selected", "input:radius", "step:volume"], of: 4, answer: "wrong" },
      "the value stands behind the last sign of equality",
    ),
    ...["-45.2 °C", "−45.2 °C", "-45.2 degrees Celsius", "minus 45.2 °C", "227.95 K"].map((s) =>
      says(
        asteroid,
        `${lines(["body = Eros", `temperature = ${s}`])}Final answer: 61.3 km`,
        { verified: ["selected", "input:temperature"], of: 3, answer: "wrong" },
        "signs and zero points count",
      ),
    ),
    ...["45.2 °C", "-45.2 K", "-45.2", "-45.2 °F", "45.2 K"].map((s) =>
      says(
        asteroid,
        `${lines(["body = Eros", `temperature = ${s}`])}Final answer: 61.3 km`,
        { verified: ["selected"], of: 3, answer: "wrong" },
        "signs and zero points count",
      ),
    ),
    ...["Eros", "433 Eros", "(433) Eros", "asteroid 433 Eros", "EROS"].map((s) =>
      says(
        asteroid,
        `${lines([`body = ${s}`])}Final answer: 61.3 km`,
        { verified: ["selected"], of: 3, answer: "wrong" },
        "a name with a number in it is a name",
      ),
    ),
    ...["56 or 57", "about 56 to 58", "5.6 dozens", "56 kg", "fifty-six", "57"].map((s) =>
      says(
        nuclide,
        `${lines(["nuclide = iron-56", `nucleons = ${s}`])}Final answer: 7.92 MeV`,
        { verified: ["selected"], of: 4, answer: "wrong" },
        "a range, another unit, a number in words or another number is not this one",
      ),
    ),
    ...["434 Eros", "433", "Eros B"].map((s) =>
      says(
        asteroid,
        `${lines([`body = ${s}`])}Final answer: 61.3 km`,
        { verified: [], of: 3, answer: "wrong" },
        "another number is another name",
      ),
    ),
    ...["56", "56.0", "５６", "56 nucleons in all"].map((s) =>
      says(
        nuclide,
        `${lines(["nuclide = iron-56", `nucleons = ${s}`])}Final answer: 7.92 MeV`,
        { verified: ["selected", "input:nucleons"], of: 4, answer: "wrong" },
        "a pure number has no unit; what it counts may stand behind it",
      ),
    ),
    says(
      { ...density, language: "de" },
      `${lines(["planet = Uranus", "radius = 25.362 km"])}${end}`,
      { verified: ["selected", "input:radius"], of: 4, answer: "wrong" },
      "marks in numbers are those of the question's language",
    ),
    says(
      { ...density, language: "de" },
      `${lines(["planet = Uranus", "radius = 25,362 km"])}${end}`,
      { verified: ["selected"], of: 4, answer: "wrong" },
      "marks in numbers are those of the question's language",
    ),
  ];
}

function parroting(): Made[] {
  const end = "Final answer: 1.64 g/cm^3";
  const given: GroundTruth = {
    ...density,
    question: "Which planet has a mean radius of 25362 km? Give its density in g/cm^3.",
  };
  const named: GroundTruth = { ...density, question: "What is the mean density of Uranus, in g/cm^3?" };
  const why = "what the question says itself is left out: it neither counts nor is waited for";
  return [
    says(
      density,
      `${lines(["radius = 20000 km", "mass = 2 × 10^26 kg", "class = planets", "digits = 3"])}${end}`,
      { verified: [], of: 4, answer: "wrong" },
      "the question's own values earn nothing",
    ),
    says(
      density,
      `${lines(["planet = Uranus", "threshold = 20000 km", "radius = 25362 km", "limit = 2e26 kg", "mass = 8.681e25 kg"])}${end}`,
      { verified: ["selected", "input:mass", "input:radius"], of: 4, answer: "wrong" },
      "the question's own values are no candidates",
    ),
    says(
      density,
      `${lines(["planet = Uranus", "kind = planets", "quantity = mean density"])}${end}`,
      { verified: ["selected"], of: 4, answer: "wrong" },
      "the question's own words are no candidates",
    ),
    says(given, `${lines(["radius = 25362 km"])}${end}`, { verified: [], of: 3, answer: "wrong" }, why),
    says(
      given,
      `${lines(["planet = Uranus", "mass = 8.681e25 kg", "volume = 6.833e13 km^3"])}${end}`,
      { verified: ["selected", "input:mass", "step:volume"], of: 3, answer: "wrong" },
      why,
    ),
    says(
      given,
      `${allLines("density")}${end}`,
      { verified: ["selected", "input:mass", "step:volume"], of: 3, answer: "wrong" },
      why,
    ),
    says(named, `${lines(["planet = Uranus"])}${end}`, { verified: [], of: 3, answer: "wrong" }, why),
    says(
      named,
      `${lines(["mass = 8.681e25 kg", "radius = 25362 km", "volume = 6.833e13 km^3"])}${end}`,
      { verified: ["input:mass", "input:radius", "step:volume"], of: 3, answer: "wrong" },
      why,
    ),
    says(
      named,
      density.question,
      { verified: [], of: 3, answer: "none" },
      "a question said again is no answer",
    ),
    says(
      leftOut,
      `${lines(["comet = Comet Halley", "area = 78.5 m^2"])}Final answer: 7300 s`,
      { verified: ["selected", "step:area"], of: 2, answer: "wrong" },
      "steps that are left out are not waited for",
    ),
    says(
      leftOut,
      `${lines(["comet = 1P/Halley", "area = 79.2 m^2"])}Final answer: 7300 s`,
      { verified: ["selected", "step:area"], of: 2, answer: "wrong" },
      "a step without a tolerance has one of 1 %",
    ),
    says(
      leftOut,
      `${lines(["comet = 1P/Halley", "area = 79.4 m^2"])}Final answer: 7300 s`,
      { verified: ["selected"], of: 2, answer: "wrong" },
      "a step without a tolerance has one of 1 %",
    ),
    says(
      leftOut,
      `${lines(["mass = 350 kg", "length = 5.0 m", "time = 2.00 h"])}Final answer: 7300 s`,
      { verified: [], of: 2, answer: "wrong" },
      "what is left out earns nothing",
    ),
    says(
      leftOut,
      `${lines(["comet = 1P/Halley", "mass = 350 kg", "length = 5.0 m", "time = 2.00 h", "area = 78.5 m^2"])}Final answer: 7200 s`,
      { verified: ["selected", "step:area"], of: 2, answer: "right" },
      "what is left out takes nothing away",
    ),
  ];
}

/** Templates: how an observation and the turn behind it stand in a decoded text, with their signs and without. */
export const TEMPLATES: Readonly<Record<string, (said: string, observed: string, end: string) => string>> = {
  qwen: (a, o, b) =>
    `${a}<tool_call>\n{"name": "search"}\n</tool_call><|im_end|>\n<|im_start|>user\n<tool_response>\n${o}\n</tool_response><|im_end|>\n<|im_start|>assistant\n${b}<|im_end|>`,
  "qwen, signs skipped": (a, o, b) =>
    `${a}<tool_call>\n{"name": "search"}\n</tool_call>\nuser\n<tool_response>\n${o}\n</tool_response>\nassistant\n${b}`,
  "tags alone": (a, o, b) => `${a}<tool_call>{}</tool_call><tool_response>${o}</tool_response>${b}`,
  chatml: (a, o, b) =>
    `${a}<|im_end|>\n<|im_start|>tool\n${o}<|im_end|>\n<|im_start|>assistant\n${b}<|im_end|>\n`,
  "chatml, signs skipped": (a, o, b) => `${a}\ntool\n${o}\nassistant\n${b}\n`,
  llama: (a, o, b) =>
    `${a}<|python_tag|>search()<|eom_id|><|start_header_id|>ipython<|end_header_id|>\n\n${o}<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n${b}<|eot_id|>`,
  "llama, signs skipped": (a, o, b) => `${a}{"name": "search"}ipython\n\n${o}assistant\n\n${b}`,
  "llama 4": (a, o, b) =>
    `${a}<|eom|><|header_start|>ipython<|header_end|>\n\n${o}<|eot|><|header_start|>assistant<|header_end|>\n\n${b}<|eot|>`,
  mistral: (a, o, b) =>
    `${a}[TOOL_CALLS][{"name": "search"}]</s>[TOOL_RESULTS]{"content": "${o}"}[/TOOL_RESULTS]${b}</s>`,
  "mistral 11": (a, o, b) =>
    `${a}[TOOL_CALLS]search[ARGS]{}</s>[TOOL_RESULTS]abc[TOOL_CONTENT]${o}[/TOOL_RESULTS]${b}</s>`,
  gemma: (a, o, b) =>
    `${a}<end_of_turn>\n<start_of_turn>user\n${o}<end_of_turn>\n<start_of_turn>model\n${b}<end_of_turn>`,
  "gemma, signs skipped": (a, o, b) => `${a}\nuser\n${o}\nmodel\n${b}\n`,
  "gemma functions": (a, o, b) =>
    `${a}<start_function_response>response:search{${o}}<end_function_response>${b}<end_of_turn>`,
  "gemma 4": (a, o, b) =>
    `${a}<|tool_call>call:search{}<tool_call|><|tool_response>response:search{${o}}<tool_response|>${b}<turn|>`,
  deepseek: (a, o, b) =>
    `${a}<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>search\n<｜tool▁call▁end｜><｜tool▁calls▁end｜><｜end▁of▁sentence｜><｜tool▁outputs▁begin｜><｜tool▁output▁begin｜>${o}<｜tool▁output▁end｜><｜tool▁outputs▁end｜>${b}<｜end▁of▁sentence｜>`,
  "deepseek, user": (a, o, b) =>
    `${a}<｜end▁of▁sentence｜><｜User｜>${o}<｜Assistant｜>${b}<｜end▁of▁sentence｜>`,
  glm: (a, o, b) =>
    `${a}<tool_call>search</tool_call><|observation|>\n<tool_response>\n${o}\n</tool_response><|assistant|>\n${b}`,
  "glm 4": (a, o, b) => `${a}<|observation|>\n${o}<|assistant|>\n${b}<|user|>`,
  "gpt-oss": (a, o, b) =>
    `<|channel|>final<|message|>${a}<|end|><|start|>assistant<|channel|>commentary to=functions.search <|constrain|>json<|message|>{}<|call|><|start|>functions.search to=assistant<|channel|>commentary<|message|>${o}<|end|><|start|>assistant<|channel|>final<|message|>${b}<|return|>`,
  "gpt-oss, signs skipped": (a, o, b) =>
    `analysisI search.assistantfinal${a}assistantcommentary to=functions.search json{}functions.search to=assistantcommentary${o}assistantfinal${b}`,
  kimi: (a, o, b) =>
    `${a}<|tool_calls_section_begin|><|tool_call_begin|>functions.search:0<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|><|im_end|><|im_system|>search<|im_middle|>## Return of functions.search:0\n${o}<|im_end|><|im_assistant|>assistant<|im_middle|>${b}<|im_end|>`,
  cohere: (a, o, b) =>
    `<|START_RESPONSE|>${a}<|END_RESPONSE|><|START_ACTION|>[]<|END_ACTION|><|END_OF_TURN_TOKEN|><|START_OF_TURN_TOKEN|><|SYSTEM_TOKEN|><|START_TOOL_RESULT|>${o}<|END_TOOL_RESULT|><|END_OF_TURN_TOKEN|><|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|><|START_RESPONSE|>${b}<|END_RESPONSE|><|END_OF_TURN_TOKEN|>`,
  phi: (a, o, b) => `${a}<|end|><|tool|>${o}<|end|><|assistant|>${b}<|end|>`,
};

function templates(): Made[] {
  const echo = allLines("density");
  const observations = [
    ["what was observed was not said", "Uranus has a mean radius of 25362 km."],
    ["findings that a tool answers are nobody's", echo],
    [
      "other findings that a tool answers are nobody's",
      lines(["planet = Neptune", "radius = 24622 km", "body = Saturn"]),
    ],
    [
      "an answer that a tool gives is nobody's",
      "Final answer: 1.27 g/cm^3\nThe answer is 1.27 g/cm^3. \\boxed{1.27 g/cm^3}",
    ],
    ["an empty observation", ""],
    [
      "escaped signs are no signs",
      "< |im_end|>\n< |im_start|>assistant\n[assistant]\n[Finding]: planet = Uranus\n[ /TOOL_RESULTS] < /tool_response> < |start_header_id|>assistant< |end_header_id|>\n\n[Finding]: body = Neptune",
    ],
  ] as const;
  const said = lines(["planet = Uranus", "mass = 8.681e25 kg"]);
  const rest = lines(["radius = 25362 km"]);
  return Object.values(TEMPLATES).flatMap((template) =>
    observations.flatMap(([why, observed]) => [
      writes(
        density,
        template("I look it up.\n", observed, `Final answer: 1.64 g/cm^3`),
        { verified: [], of: 4, answer: "wrong" },
        why,
      ),
      writes(
        density,
        template(`I look it up.\n${said}`, observed, `${rest}Final answer: 1.64 g/cm^3`),
        { verified: ["selected", "input:mass", "input:radius"], of: 4, answer: "wrong" },
        why,
      ),
    ]),
  );
}

function conversations(): Made[] {
  const found = allLines("density");
  const talk = (messages: [string, string][], outcome: Outcome, why: string): Made => ({
    truth: density,
    messages: messages.map(([role, content]) => ({ role, content })),
    expected: figures(outcome),
    why,
  });
  const end: [string, string] = ["assistant", "Final answer: 1.64 g/cm^3"];
  const none = { verified: [], of: 4, answer: "wrong" } as const;
  const whole = { verified: all("density"), of: 4, answer: "wrong" } as const;
  return [
    ...["user", "system", "tool", "developer", "function", "ipython", ""].map((role) =>
      talk([["user", density.question], [role, found], end], none, "only what the assistant says counts"),
    ),
    talk([["assistant", found], ["tool", "..."], end], whole, "findings may stand in any turn"),
    talk(
      FOUND.density.map(([, s]): [string, string] => ["assistant", lines([s])]).concat([end]),
      whole,
      "findings may stand in any turn",
    ),
    talk(
      [["assistant", `Final answer: 1.64 g/cm^3\n\n${found}`]],
      whole,
      "findings may stand behind the answer",
    ),
    talk(
      [
        ["assistant", "Final answer: 1.27 g/cm^3"],
        ["tool", "ok"],
        ["assistant", ""],
      ],
      { verified: [], of: 4, answer: "none" },
      "the answer stands in the last turn",
    ),
    talk(
      [["assistant", "Final answer: 1.27 g/cm^3"], ["tool", "ok"], end],
      none,
      "the answer stands in the last turn",
    ),
    talk(
      [
        ["assistant", "Final answer: 1.27 g/cm^3"],
        ["tool", "Final answer: 1.64 g/cm^3"],
      ],
      { ...none, answer: "right" },
      "what follows from a tool is no turn of the assistant's",
    ),
    talk([], { verified: [], of: 4, answer: "none" }, "nothing was said"),
    talk([["assistant", `<tool_call>\n${found}</tool_call>`], end], none, "what a tool is asked is not said"),
    talk(
      [["assistant", `<tool_response>\n${found}</tool_response>\nFinal answer: 1.64 g/cm^3`]],
      none,
      "an observation that is made up is none, and not said either",
    ),
    talk(
      [["assistant", "user\nFinding: planet = Uranus"], end],
      { ...none, verified: ["selected"] },
      "in a conversation a role's name is a word",
    ),
    talk(
      [
        ["assistant", "Finding: radius = 24622 km"],
        ["tool", "no"],
        ["assistant", `${found}Final answer: 1.64 g/cm^3`],
      ],
      { verified: all("density").slice(0, 2), of: 4, answer: "wrong" },
      "radius and mean radius are two things, with two lengths for one step",
    ),
  ];
}

function sizes(): Made[] {
  const found = allLines("density");
  const end = "Final answer: 1.64 g/cm^3";
  const whole = { verified: all("density"), of: 4, answer: "wrong" } as const;
  const none = { verified: [], of: 4, answer: "wrong" } as const;
  return [
    says(
      density,
      [
        ["Some words.\n", 20_000],
        [`${found}${end}`, 1],
      ],
      whole,
      "what is said last is looked at, however much there is",
    ),
    says(
      density,
      [
        [found, 1],
        ["Some words.\n", 20_000],
        [end, 1],
      ],
      none,
      "what lies more than 200,000 characters back is not looked at",
    ),
    says(
      density,
      [
        ["Finding: planet = Uranus\n", 5_000],
        [end, 1],
      ],
      { ...none, verified: ["selected"] },
      "a finding said often is one",
    ),
    says(
      density,
      [
        ["Finding: ", 30_000],
        [`\n${found}${end}`, 1],
      ],
      whole,
      "a long line is no finding",
    ),
    says(
      density,
      [
        ["= ", 100_000],
        [`\n${found}${end}`, 1],
      ],
      whole,
      "a long line is no finding",
    ),
    says(
      density,
      `${Array.from({ length: 196 }, (_, i) => `Finding: number ${i} = 7\n`).join("")}${found}${end}`,
      whole,
      "200 findings are read",
    ),
    says(
      density,
      `${Array.from({ length: 197 }, (_, i) => `Finding: number ${i} = 7\n`).join("")}${found}${end}`,
      none,
      "201 findings commit to none",
    ),
    says(
      density,
      [
        ["<think>", 10_000],
        ["</think>", 10_000],
        [`\n${found}${end}`, 1],
      ],
      whole,
      "thoughts within thoughts",
    ),
    writes(
      density,
      [
        ["<|im_start|>user\nx<|im_end|>\n", 5_000],
        [`<|im_start|>assistant\n${found}${end}`, 1],
      ],
      whole,
      "many turns",
    ),
    writes(
      density,
      [
        ["<tool_response>\n", 10_000],
        [`${found}</tool_response>\n`, 1],
        [end, 1],
      ],
      none,
      "tags within tags",
    ),
    says(
      density,
      `${found}Finding: big = 9^(9^(9^9)) kg\n${end}`,
      whole,
      "a number beyond any size commits to nothing",
    ),
    says(
      density,
      `${found}Finding: big = 1e400 kg\n${end}`,
      whole,
      "a number beyond any size commits to nothing",
    ),
    says(density, `${found}Finding: none = 0.0 kg\n${end}`, whole, "a zero has no digit"),
  ];
}

function problems(): Made[] {
  const of = (answer: GroundTruth["answer"], right: string[], wrong: string[], none: string[]): Made[] => {
    const truth = problem(answer);
    const kinds = { right, wrong, none } as const;
    return (["right", "wrong", "none"] as const).flatMap((kind) =>
      kinds[kind].map((s) =>
        says(
          truth,
          `Finding: planet = Uranus\nFinal answer: ${s}`,
          { verified: [], of: 0, answer: kind },
          "a problem has no chain: only the answer counts",
        ),
      ),
    );
  };
  const cm = { type: "quantity", value: 5, unit: "cm", tolerance: 0 } as const;
  return [
    ...of(
      { type: "integer", value: "42" },
      ["42", "42.0", "4.2e1"],
      ["41", "-42", "420"],
      ["many", "42 or 43", "maybe 42"],
    ),
    ...of(cm, ["5 cm", "50 mm", "0.05 m"], ["6 cm", "5 m"], ["5 kg", "5", "long"]),
    ...of({ type: "boolean", value: true }, ["yes", "True"], ["no", "false"], ["perhaps", "unknown"]),
    ...of(
      { type: "choice", value: "B", options: { A: "red", B: "green", C: "blue" } },
      ["B", "(B)", "green"],
      ["A", "C"],
      ["A or B"],
    ),
    ...of(
      { type: "date", value: "1846-09-23" },
      ["1846-09-23", "23 September 1846"],
      ["1846-09-24"],
      ["soon"],
    ),
    ...of(
      { type: "entity", name: "Neptune", aliases: [] },
      ["Neptune", "the planet Neptune"],
      ["Uranus"],
      ["maybe Neptune", "unknown"],
    ),
    ...of(
      { type: "text", value: "blue whale" },
      ["blue whale", "Blue whale."],
      ["orca"],
      ["I cannot answer that."],
    ),
    ...of(
      {
        type: "set",
        items: [
          { type: "integer", value: "2" },
          { type: "integer", value: "3" },
        ],
      },
      ["{2, 3}", "{3, 2}"],
      ["{2, 5}", "{2, 3, 5}"],
      ["nothing"],
    ),
    ...of(
      {
        type: "tuple",
        items: [
          { type: "integer", value: "2" },
          { type: "integer", value: "3" },
        ],
      },
      ["(2, 3)"],
      ["(3, 2)"],
      [],
    ),
    ...of(
      { type: "expression", text: "x^2 + 2x + 1" },
      ["(x+1)^2", "x^2+2x+1"],
      ["x^2 + 1", "(x-1)^2"],
      ["a polynomial?"],
    ),
  ];
}

const FAMILIES = {
  forms,
  noForms,
  subsets,
  answers,
  thoughts,
  candidates,
  spellings,
  parroting,
  templates,
  conversations,
  sizes,
  problems,
};

/** All vectors, named by family and place. */
export function vectors(): Vector[] {
  return Object.entries(FAMILIES).flatMap(([family, make]) =>
    make().map((made, i) => ({ name: `${family} ${i + 1}`, ...made })),
  );
}
