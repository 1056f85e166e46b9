import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Expected } from "../../../verifiers/answer/answer.js";
import { gradeAnswer } from "../../../verifiers/answer/grade.js";
import {
  entity,
  integer,
  integers,
  interval,
  list,
  matrix,
  quantity,
  set,
  tuple,
  vector,
} from "./answers.js";

/** Thousands of generated forms of right answers that must pass, and of near misses that must not. */
const RUNS = { numRuns: 1000 };
type Case = readonly [answer: string, expected: Expected, language?: string];

function verdict([answer, expected, language]: Case): string {
  const graded = gradeAnswer(answer, expected, language === undefined ? {} : { language });
  return graded.verdict === "right" ? "right" : `${graded.verdict} (${graded.reason})`;
}
const allRight = (cases: fc.Arbitrary<Case>) =>
  fc.assert(
    fc.property(cases, (c) => {
      expect([c[0], verdict(c)]).toEqual([c[0], "right"]);
    }),
    RUNS,
  );
const noneRight = (cases: fc.Arbitrary<Case>) =>
  fc.assert(
    fc.property(cases, (c) => {
      expect([c[0], verdict(c)]).not.toEqual([c[0], "right"]);
    }),
    RUNS,
  );

/** Digits of a number in decimal notation: whole part, group mark, decimal mark, fraction. */
function written(digits: string, point: number, group: string, decimal: string): string {
  const padded = digits.padEnd(point, "0");
  const whole = point <= 0 ? "0" : padded.slice(0, point);
  const fraction = point <= 0 ? "0".repeat(-point) + digits : padded.slice(point);
  return whole.replace(/\B(?=(\d{3})+$)/g, group) + (fraction === "" ? "" : decimal + fraction);
}

const NOTATIONS: readonly (readonly [language: string, group: string, decimal: string])[] = [
  ["en", "", "."],
  ["en", ",", "."],
  ["en", "\u202f", "."],
  ["de", ".", ","],
  ["de", " ", ","],
  ["fr", "\u00a0", ","],
  ["de-CH", "'", "."],
];
const POWERS = [
  (m: string, e: number) => `${m}e${e}`,
  (m: string, e: number) => `${m}E${e < 0 ? e : `+${e}`}`,
  (m: string, e: number) => `${m} × 10^${e}`,
  (m: string, e: number) => `${m} x 10^${e}`,
  (m: string, e: number) => `${m}·10^{${e}}`,
  (m: string, e: number) => `$${m} \\times 10^{${e}}$`,
  (m: string, e: number) => `${m} \\cdot 10^{${e}}`,
  (m: string, e: number) => `${m}*10**${e}`,
  (m: string, e: number) => `${m} × 10<sup>${e}</sup>`,
  (m: string, e: number) =>
    `${m} × 10${[...String(e)].map((c) => (c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(c)])).join("")}`,
];
const WRAPS = [
  (s: string) => s,
  (s: string) => ` ${s} `,
  (s: string) => `${s}.`,
  (s: string) => `**${s}**`.slice(2, -2),
  (s: string) => `\\boxed{${s}}`,
  (s: string) => `≈ ${s}`,
  (s: string) => `x = ${s}`,
];
const UNITS: readonly (readonly [unit: string, factor: number, forms: readonly string[]])[] = [
  [
    "g/cm^3",
    0,
    [
      "g/cm³",
      "g/cm^3",
      "g cm^-3",
      "g cm⁻³",
      "g·cm^{-3}",
      "\\text{g}/\\text{cm}^3",
      "\\mathrm{g\\,cm^{-3}}",
      "grams per cubic centimeter",
      "\\frac{\\text{g}}{\\text{cm}^3}",
    ],
  ],
  ["g/cm^3", 3, ["kg/m³", "kg/m^3", "kg m^-3", "kilograms per cubic metre", "\\mathrm{kg}/\\mathrm{m}^3"]],
  ["km", 3, ["m", "metres", "\\text{m}", "\\mathrm{m}"]],
  ["km", -3, ["Mm"]],
  ["J", 7, ["erg"]],
  ["W m^-2", 3, ["mW/m²", "mW m^-2"]],
];

const nonzeroDigits = fc
  .tuple(fc.integer({ min: 1, max: 9 }), fc.stringMatching(/^\d{0,6}$/), fc.integer({ min: 1, max: 9 }))
  .map(([a, b, c]) => `${a}${b}${c}`);
const signs = fc.constantFrom("", "-", "−");
const pick = <T>(of: readonly T[]) => fc.constantFrom(...of);

/** A value as digits and exponent: 0.digits × 10^point. */
const value = fc.record({ digits: nonzeroDigits, point: fc.integer({ min: -3, max: 12 }), sign: signs });
const exactOf = ({ digits, point, sign }: { digits: string; point: number; sign: string }) =>
  `${sign === "" ? "" : "-"}${digits}e${point - digits.length}`;

describe("numbers", () => {
  it("are right in every notation of their language", () =>
    allRight(
      fc
        .tuple(value, pick(NOTATIONS), pick(WRAPS))
        .map(([v, [language, group, decimal], wrap]) => [
          wrap(`${v.sign}${written(v.digits, v.point, group, decimal)}`),
          quantity(exactOf(v)),
          language,
        ]),
    ));
  it("are right with a power of ten, in any of its forms", () =>
    allRight(
      fc
        .tuple(value, pick(POWERS), pick(WRAPS))
        .map(([v, power, wrap]) => [
          wrap(power(`${v.sign}${v.digits[0]}.${v.digits.slice(1)}`, v.point - 1)),
          quantity(exactOf(v)),
        ]),
    ));
  it("are wrong with another sign, power of ten, last digit, or the other language's marks", () =>
    noneRight(
      fc.tuple(value, fc.nat({ max: 3 }), pick(POWERS)).map(([v, how, power]) => {
        const mantissa = `${v.digits[0]}.${v.digits.slice(1)}`;
        const off = (BigInt(v.digits) + 1n).toString();
        if (how === 0)
          return [power(`${v.sign === "" ? "-" : ""}${mantissa}`, v.point - 1), quantity(exactOf(v))];
        if (how === 1) return [power(`${v.sign}${mantissa}`, v.point), quantity(exactOf(v))];
        if (how === 2) return [`${v.sign}${off}e${v.point - v.digits.length}`, quantity(exactOf(v))];
        return [
          written(`${v.digits}5`.padEnd(4, "5").slice(0, 4), 1, "", ","),
          quantity(`${`${v.digits}5`.padEnd(4, "5").slice(0, 4)}e-3`),
        ];
      }),
    ));
  it("1,270 is never 1.27: a group is not a decimal, in either language", () =>
    noneRight(
      fc
        .tuple(fc.integer({ min: 1, max: 999 }), fc.integer({ min: 0, max: 999 }), fc.boolean())
        .map(([a, b, german]) => {
          const three = String(b).padStart(3, "0");
          return [
            `${a}${german ? "." : ","}${three}`,
            quantity(`${a}.${three}`, "1", 0.01),
            german ? "de" : "en",
          ];
        }),
    ));
});

describe("quantities", () => {
  it("are right in any unit of the dimension, to the tolerance", () =>
    allRight(
      fc
        .tuple(
          nonzeroDigits,
          pick(UNITS),
          fc.nat(20),
          fc.double({ min: -0.99, max: 0.99, noNaN: true }),
          pick(WRAPS),
        )
        .map(([digits, [unit, ten, forms], i, part, wrap]) => {
          const v = Number(`${digits}e-2`);
          const shown = Number((v * (1 + 0.01 * part)).toPrecision(12));
          return [wrap(`${shown}e${ten} ${forms[i % forms.length]}`), quantity(v, unit, 0.01)];
        }),
    ));
  it("are wrong beyond the tolerance, with another unit or prefix, or with none", () =>
    noneRight(
      fc
        .tuple(nonzeroDigits, pick(UNITS), fc.nat(3), fc.double({ min: 1.02, max: 20, noNaN: true }))
        .map(([digits, [unit, ten, forms], how, far]) => {
          const v = Number(`${digits}e-2`);
          const form = forms[0];
          if (how === 0) return [`${v * (1 + 0.01 * far)}e${ten} ${form}`, quantity(v, unit, 0.01)];
          if (how === 1) return [`${v}e${ten} kg`, quantity(v, unit, 0.01)];
          if (how === 2) return [`${v}e${ten + 3} ${form}`, quantity(v, unit, 0.01)];
          return [`${v}`, quantity(v, unit, 0.01)];
        }),
    ));
  it("temperatures keep their zero", () =>
    allRight(
      fc.tuple(fc.integer({ min: -200, max: 900 }), pick(["K", "F", "C"])).map(([c, scale]) => {
        const shown =
          scale === "K"
            ? `${(c + 273.15).toFixed(2)} K`
            : scale === "F"
              ? `${(c * 1.8 + 32).toFixed(1)} °F`
              : `${c} °C`;
        return [shown, quantity(c, "degC", 0)];
      }),
    ));
  it("temperatures without their zero are wrong", () =>
    noneRight(
      fc
        .tuple(fc.integer({ min: 1, max: 900 }), fc.boolean())
        .map(([c, kelvin]) => [kelvin ? `${c} K` : `${(c * 1.8).toFixed(1)} °F`, quantity(c, "degC", 0.001)]),
    ));
});

describe("integers", () => {
  const big = fc.bigInt({ min: -(10n ** 60n), max: 10n ** 60n });
  const grouped = (n: bigint, mark: string) => String(n).replace(/\B(?=(\d{3})+$)/g, mark);
  it("of any size are right in any grouping of the language", () =>
    allRight(
      fc
        .tuple(big, pick(NOTATIONS.filter(([, , d]) => d !== "")), pick(WRAPS))
        .map(([n, [language, group], wrap]) => [wrap(grouped(n, group)), integer(n), language]),
    ));
  it("one off, negated, cut or longer are wrong", () =>
    noneRight(
      fc
        .tuple(
          big.filter((n) => n > 9n || n < -9n),
          fc.nat(4),
        )
        .map(([n, how]) => {
          const miss = [n + 1n, n - 1n, -n, n * 10n, n / 10n][how]!;
          return [String(miss), integer(n)];
        }),
    ));
  it("fractions are what they are worth", () =>
    allRight(
      fc
        .tuple(fc.integer({ min: -500, max: 500 }), fc.integer({ min: 1, max: 60 }), pick(["a", "b", "c"]))
        .map(([n, d, how]) => {
          const form =
            how === "a"
              ? `${n * d}/${d}`
              : how === "b"
                ? `\\frac{${n * d}}{${d}}`
                : `$\\dfrac{${n * d}}{${d}}$`;
          return [form, integer(n)];
        }),
    ));
});

describe("entities", () => {
  const NAMES = [
    "Uranus",
    "Neptune",
    "Ganymede",
    "Alpha Centauri",
    "Kepler-22 b",
    "Kepler-22 c",
    "Jupiter II",
    "Jupiter III",
    "Gödel",
    "Zürich",
    "São Paulo",
    "Saint Helena",
    "Mount Everest",
    "Łódź",
    "Iron-56",
    "Iron-57",
  ];
  const ASCII: Readonly<Record<string, string>> = {
    Gödel: "Goedel",
    Zürich: "Zuerich",
    "São Paulo": "Sao Paulo",
    Łódź: "Lodz",
    "Saint Helena": "St. Helena",
    "Mount Everest": "Mt Everest",
    "Jupiter II": "Jupiter 2",
    "Jupiter III": "Jupiter 3",
  };
  const forms: readonly ((n: string) => string)[] = [
    (n) => n,
    (n) => `${n}.`,
    (n) => `"${n}"`,
    (n) => `It is ${n}.`,
    (n) => `the answer is ${n}`,
    (n) => `\\text{${n}}`,
    (n) => ASCII[n] ?? n,
    (n) => n.normalize("NFD"),
    (n) => ` ${n} `,
    (n) => n.replaceAll(" ", "\u00a0"),
    (n) => n.replaceAll("-", "–"),
  ];
  it("are right however spelt", () =>
    allRight(
      fc.tuple(pick(NAMES), pick(forms)).map(([n, f]) => [
        f(n),
        entity(
          n,
          NAMES.filter((o) => o !== n),
        ),
      ]),
    ));
  it("are wrong for a neighbour, or beside one", () =>
    noneRight(
      fc
        .tuple(pick(NAMES), pick(NAMES), pick(forms), fc.nat(3))
        .filter(([a, b]) => a !== b)
        .map(([a, b, f, how]) => {
          const said = [f(b), `${a} or ${b}`, `${b}, not ${a}`, `${a}/${b}`][how]!;
          return [said, entity(a, how === 0 ? NAMES.filter((o) => o !== a) : [])];
        }),
    ));
});

describe("lists, sets, vectors, matrices, intervals", () => {
  const numbers = fc.array(fc.integer({ min: -999, max: 999 }), { minLength: 2, maxLength: 6 });
  const FORMS: readonly ((i: readonly number[]) => string)[] = [
    (i) => `(${i.join(", ")})`,
    (i) => `[${i.join(", ")}]`,
    (i) => `[${i.join(",")}]`,
    (i) => i.join(", "),
    (i) => i.join("; "),
    (i) => `\\left(${i.join(", ")}\\right)`,
    (i) => `$\\langle ${i.join(", ")} \\rangle$`,
    (i) => `\\begin{pmatrix}${i.join("\\\\")}\\end{pmatrix}`,
    (i) => `\\begin{bmatrix} ${i.join(" & ")} \\end{bmatrix}`,
    (i) => `${i.slice(0, -1).join(", ")} and ${i.at(-1)}`,
  ];
  it("are right in order, in any notation", () =>
    allRight(
      fc
        .tuple(numbers, pick(FORMS), pick([list, tuple, vector]))
        .map(([i, f, type]) => [f(i), type(...integers(...i))]),
    ));
  it("are wrong with two items swapped, one off, one more or one less", () =>
    noneRight(
      fc
        .tuple(numbers, pick(FORMS), pick([list, tuple, vector]), fc.nat(3))
        .filter(([i]) => i[0] !== i[1])
        .map(([i, f, type, how]) => {
          const [a, b, ...rest] = i;
          const miss = [[b!, a!, ...rest], [a! + 1, b!, ...rest], [...i, 5], i.slice(1)][how]!;
          return [f(miss), type(...integers(...i))];
        }),
    ));
  it("sets have no order and count nothing twice", () =>
    allRight(
      fc
        .tuple(
          fc.uniqueArray(fc.integer({ min: -99, max: 99 }), { minLength: 2, maxLength: 6 }),
          fc.nat(5),
          pick([(s: string) => `{${s}}`, (s: string) => `\\{${s}\\}`, (s: string) => s]),
        )
        .map(([i, turn, f]) => {
          const turned = [...i.slice(turn % i.length), ...i.slice(0, turn % i.length), i[0]!];
          return [f(turned.join(", ")), set(...integers(...i))];
        }),
    ));
  it("sets with an item less, more or another are wrong", () =>
    noneRight(
      fc
        .tuple(fc.uniqueArray(fc.integer({ min: -99, max: 99 }), { minLength: 2, maxLength: 6 }), fc.nat(2))
        .map(([i, how]) => {
          const miss = [i.slice(1), [...i, 100], [...i.slice(1), 100]][how]!;
          return [`{${miss.join(", ")}}`, set(...integers(...i))];
        }),
    ));
  const square = fc.array(fc.array(fc.integer({ min: -99, max: 99 }), { minLength: 2, maxLength: 2 }), {
    minLength: 2,
    maxLength: 3,
  });
  const MATRICES: readonly ((r: readonly (readonly number[])[]) => string)[] = [
    (r) => `[${r.map((x) => `[${x.join(", ")}]`).join(", ")}]`,
    (r) => `\\begin{pmatrix}${r.map((x) => x.join("&")).join("\\\\")}\\end{pmatrix}`,
    (r) => `[${r.map((x) => x.join(" ")).join("; ")}]`,
    (r) => `\\left[\\begin{matrix} ${r.map((x) => x.join(" & ")).join(" \\\\ ")} \\end{matrix}\\right]`,
  ];
  it("matrices are right in any notation", () =>
    allRight(fc.tuple(square, pick(MATRICES)).map(([r, f]) => [f(r), matrix(...r)])));
  it("matrices with a changed entry or exchanged rows are wrong", () =>
    noneRight(
      fc.tuple(square, pick(MATRICES), fc.boolean()).map(([r, f, turn]) => {
        const turned = [...r].reverse();
        const changed = r.map((x, i) => (i === 1 ? [x[0]!, x[1]! + 1] : x));
        return [f(turn && JSON.stringify(turned) !== JSON.stringify(r) ? turned : changed), matrix(...r)];
      }),
    ));
  const ends = fc.tuple(
    fc.integer({ min: -99, max: 99 }),
    fc.integer({ min: 1, max: 99 }),
    fc.boolean(),
    fc.boolean(),
  );
  const marksOf = (l: boolean, h: boolean) => `${l ? "[" : "("}${h ? "]" : ")"}`;
  const INTERVALS: readonly ((a: number, b: number, l: boolean, h: boolean) => string)[] = [
    (a, b, l, h) => `${l ? "[" : "("}${a}, ${b}${h ? "]" : ")"}`,
    (a, b, l, h) => `\\left${l ? "[" : "("}${a}, ${b}\\right${h ? "]" : ")"}`,
    (a, b, l, h) => `${l ? "[" : "]"}${a}; ${b}${h ? "]" : "["}`,
    (a, b, l, h) => `${a} ${l ? "≤" : "<"} x ${h ? "\\le" : "<"} ${b}`,
    (a, b, l, h) => `${b} ${h ? "≥" : ">"} x ${l ? ">=" : ">"} ${a}`,
  ];
  it("intervals are right in any notation", () =>
    allRight(
      fc
        .tuple(ends, pick(INTERVALS))
        .map(([[a, w, l, h], f]) => [f(a, a + w, l, h), interval(a, a + w, marksOf(l, h))]),
    ));
  it("intervals with an end off, open for closed, or turned round are wrong", () =>
    noneRight(
      fc.tuple(ends, pick(INTERVALS), fc.nat(4)).map(([[a, w, l, h], f, how]) => {
        const said = [
          f(a, a + w, !l, h),
          f(a, a + w, l, !h),
          f(a + 1, a + w, l, h),
          f(a, a + w + 1, l, h),
          f(-a - w - 200, a + w, l, h),
        ][how]!;
        return [said, interval(a, a + w, marksOf(l, h))];
      }),
    ));
});

describe("dates", () => {
  const MONTHS =
    "January February March April May June July August September October November December".split(" ");
  const day = fc.record({
    y: fc.integer({ min: 1000, max: 2999 }),
    m: fc.integer({ min: 1, max: 12 }),
    d: fc.integer({ min: 1, max: 28 }),
  });
  const two = (n: number) => String(n).padStart(2, "0");
  const FORMS: readonly ((y: number, m: number, d: number) => string)[] = [
    (y, m, d) => `${y}-${two(m)}-${two(d)}`,
    (y, m, d) => `${d} ${MONTHS[m - 1]} ${y}`,
    (y, m, d) => `${MONTHS[m - 1]} ${d}, ${y}`,
    (y, m, d) => `${MONTHS[m - 1]!.slice(0, 3)}. ${d}, ${y}`,
    (y, m, d) => `${two(d)}.${two(m)}.${y}`,
    (y, m, d) => `the ${d}th of ${MONTHS[m - 1]} ${y}`,
    (y, m, d) => `${y}/${m}/${d}`,
  ];
  const wanted = (y: number, m: number, d: number): Expected => ({
    type: "date",
    value: `${y}-${two(m)}-${two(d)}`,
  });
  it("are right in any form", () =>
    allRight(fc.tuple(day, pick(FORMS)).map(([{ y, m, d }, f]) => [f(y, m, d), wanted(y, m, d)])));
  it("are wrong a day, month or year off", () =>
    noneRight(
      fc.tuple(day, pick(FORMS), fc.nat(2)).map(([{ y, m, d }, f, how]) => {
        const said = [f(y, m, d === 28 ? 27 : d + 1), f(y, m === 12 ? 1 : m + 1, d), f(y + 1, m, d)][how]!;
        return [said, wanted(y, m, d)];
      }),
    ));
  it("with slashes, day and month unclear, are never right in plain English", () =>
    noneRight(
      fc
        .record({
          y: fc.integer({ min: 1000, max: 2999 }),
          a: fc.integer({ min: 1, max: 12 }),
          b: fc.integer({ min: 1, max: 12 }),
        })
        .filter(({ a, b }) => a !== b)
        .map(({ y, a, b }) => [`${a}/${b}/${y}`, wanted(y, a, b)]),
    ));
});
