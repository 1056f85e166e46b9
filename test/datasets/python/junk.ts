import fc from "fast-check";
import type { Expected, GradingContext } from "../../../verifiers/answer/answer.js";
import { integer, quantity, text } from "../../verifiers/answer/answers.js";

/** Pieces of which answers are made, and of which none are. One a line; `\n` and the like are spelt as in a string. */
const PIECES: readonly string[] = [
  ..."0 1 2 3 7 9 12 270 1000 1e400 0x1F 1_000 .5 5. ,5 1.2.3 1,2,3 1,270 1.270 12,34,567 5(2) 1.27(3) 1/3 22/7 -0 +5 --5".split(
    " ",
  ),
  ..."1e 1e3 e5 10^ ×10^ ^{-3} 10^{ 9^9^9 . , ' _ - + − – — ± ( ) [ ] { } {,} / ⁄ × * · ^ ** ~ ≈ = < > ≤ ∞ π √ pi sqrt( ''".split(
    " ",
  ),
  ..."\\times \\cdot \\frac \\frac{1}{2} \\text{ \\mathrm{kg} \\SI{1}{m} \\sqrt \\pi \\( \\) \\[ \\] \\, \\% \\circ \\vec{v}".split(
    " ",
  ),
  ..."\\left \\right \\begin{pmatrix} \\end{pmatrix} \\\\ \\{ \\} \\boxed{ $ $$ & ❴ _{\\odot}".split(" "),
  ..."kg g cm m s km/s g/cm³ m^2 m² °C K ° ′ ″ min h d % ‰ M_⊕ M_☉ M_Earth kilograms metre cc a.u. moons".split(
    " ",
  ),
  ..."million Millionen tausend thousand hundred two three twenty point unknown N/A Answer: <sup> </sup> &nbsp; &#8211;".split(
    " ",
  ),
  ..."½ ¼ ² ³ ⁻ ⁺ ₂ １ ٣ ߂ 𝟏 𜳱 😀 🪐 ✅ é Å Ω μ µ ſ ß İ".split(" "),
  ...'** __ ` " ; : ! ? #### <answer> </answer> <think> </think>'.split(" "),
  ...[
    " ",
    "  ",
    "\n",
    "\t",
    "\r",
    "\u00a0",
    "\u202f",
    "\u200b",
    "\ufeff",
    "\u2028",
    "e\u0301",
    "\u212a",
    "\ud83d",
    "\ude00",
  ],
  ...[
    " per ",
    "cubic ",
    " and ",
    " or ",
    " to ",
    "between ",
    "about ",
    "ca. ",
    "is ",
    "The mass is ",
    " has a density of ",
  ],
  ...[
    ", which is ",
    ", assuming ",
    " (using ",
    "maybe ",
    "not ",
    "I don't know",
    "i.e. ",
    "so ",
    "x = ",
    "> ",
    "- ",
    "1 1/2",
    "1 270",
  ],
];
const piece = fc.constantFrom(...PIECES);

const junk = fc.oneof(
  fc.array(piece, { minLength: 1, maxLength: 14 }).map((pieces) => pieces.join("")),
  fc.array(piece, { minLength: 1, maxLength: 10 }).map((pieces) => pieces.join(" ")),
  fc.string({ unit: "binary", maxLength: 30 }),
);

/** A text with a piece put in, taken out or put in another's place. */
const mutated = (texts: readonly string[]): fc.Arbitrary<string> =>
  fc.tuple(fc.constantFrom(...texts), fc.nat(), fc.nat(4), piece).map(([of, place, how, put]) => {
    const at = place % (of.length + 1);
    const made = [
      of.slice(0, at) + put + of.slice(at),
      of.slice(0, at) + of.slice(at + 1 + (place % 3)),
      of.slice(0, at) + put + of.slice(at + 1),
      of.slice(at) + of.slice(0, at),
      of + put + of,
    ];
    return made[how]!;
  });

const FRAMES: readonly ((said: string) => string)[] = [
  (s) => s,
  (s) => s,
  (s) => `\\boxed{${s}}`,
  (s) => `Final answer: ${s}`,
  (s) => `The answer is ${s}. It is so.`,
  (s) => `**Answer:** ${s}`,
  (s) => `<answer>${s}</answer>`,
  (s) => `Step 1.\n#### ${s}\n`,
  (s) => `<think>hm ${s}</think>\n${s}`,
];

/** Texts that may or may not be answers: junk, and mutations of `texts`. */
export const hostileTexts = (texts: readonly string[]): fc.Arbitrary<string> =>
  fc.tuple(fc.oneof(junk, mutated(texts)), fc.constantFrom(...FRAMES)).map(([said, frame]) => frame(said));

export const someExpected: fc.Arbitrary<Expected> = fc.constantFrom(
  quantity(1.2745, "g/cm^3", 0.005),
  quantity("1270"),
  quantity(-5, "degC", 0.01),
  quantity("1e400", "m", 0.1),
  quantity(0, "K"),
  quantity(3, "1", 0.02),
  quantity(17.25, "h", 0.001),
  quantity(Math.PI, "rad", 1e-6),
  quantity(12, "percent", 0.05),
  quantity(1e-21, "kg", 0.5),
  integer(7),
  integer(-12),
  integer(1270),
  integer(0),
  integer("100000000000000000000000"),
  text("the quick brown fox"),
  text("unknown"),
  text("-1.5 €"),
);

export const someContext: fc.Arbitrary<GradingContext> = fc.record(
  {
    language: fc.constantFrom("en", "de", "fr", "de-CH", "en-IN", "es-MX", "ru", "", "en_US"),
    question: fc.constantFrom("How many moons has the planet? End with a line `Answer: 7`.", "Seven"),
  },
  { requiredKeys: [] },
);
