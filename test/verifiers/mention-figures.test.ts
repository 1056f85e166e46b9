import { describe, expect, it } from "vitest";
import { missingFigure, type WantedFigure } from "../../verifiers/mention-figures.js";
import { missingSelections, type WantedSelect } from "../../verifiers/mention-selects.js";
import { scanNumbers } from "../../verifiers/number-scan.js";
import { plainText, wordsOf } from "../../verifiers/plain-text.js";

const select = (order: "max" | "min", noun: string, superlatives: string[] = [], rank = 1): WantedSelect => ({
  order,
  rank,
  superlatives,
  noun,
});
const TWO = [select("max", "mass", ["most massive"]), select("min", "orbital period")];
const RATIO: WantedFigure = {
  kind: "ratio",
  noun: "mean radius",
  first: "one",
  names: undefined,
  selects: [0, 1],
};

function codes(said: string, figure: WantedFigure, selects: readonly WantedSelect[] = TWO): string[] {
  const plain = plainText(said);
  const text = { plain, words: wordsOf(plain), numbers: scanNumbers(plain) };
  const { marks, findings } = missingSelections(text, selects, []);
  return [...findings, ...missingFigure(text, figure, marks)].map((f) => f.code);
}

const CHOSEN = "Take the most massive moon, and the moon with the shortest orbital period.";

describe("a ratio of two entities' figures", () => {
  it.each([
    `${CHOSEN} What is the ratio of the former's mean radius to the latter's?`,
    `${CHOSEN} Find the quotient of the first moon's mean radius and the second moon's.`,
    `${CHOSEN} What is the mean radius of the former divided by that of the latter?`,
    "What is the ratio of the mean radius of the most massive moon to that of the moon with the shortest orbital period?",
    "Take the moon with the shortest orbital period, then the most massive one. What is the ratio of the latter's mean radius to the former's?",
  ])("is read the right way round: %s", (text) => expect(codes(text, RATIO)).toEqual([]));

  it.each([
    `${CHOSEN} What is the ratio of the latter's mean radius to the former's?`,
    `${CHOSEN} What is the mean radius of the latter divided by that of the former?`,
    "What is the ratio of the mean radius of the moon with the shortest orbital period to that of the most massive moon?",
    `${CHOSEN} What is the ratio of their mean radii?`,
  ])("is refused the other way, or without one: %s", (text) =>
    expect(codes(text, RATIO)).toEqual(["wrong_direction"]),
  );

  it("is asked for, of the right column", () => {
    expect(codes(`${CHOSEN} What is the former's mean radius?`, RATIO)).toEqual(["missing_quantity"]);
    expect(codes(`${CHOSEN} What is the ratio of the former's tilt to the latter's?`, RATIO)).toEqual([
      "missing_quantity",
    ]);
  });

  it("goes by names where the two are of different kinds", () => {
    const named: WantedFigure = { ...RATIO, names: ["moon", "planet"], selects: [0, undefined] };
    const one = [TWO[0]!];
    const ask = (end: string) =>
      codes(
        `Take the most massive moon and the planet that it orbits. What is the ratio of ${end}?`,
        named,
        one,
      );
    expect(ask("the mean radius of this moon to that of the planet")).toEqual([]);
    expect(ask("the mean radius of the planet to that of this moon")).toEqual(["wrong_direction"]);
  });

  it("takes no rank and no noun for a role", () => {
    const ranked = [select("max", "mass", ["most massive"], 2), select("max", "first ionization energy")];
    const text =
      "Take the second most massive one and the one with the highest first ionization energy. What is the ratio of the first ionization energy of the former to that of the latter?";
    const figure: WantedFigure = { ...RATIO, noun: "first ionization energy" };
    expect(codes(text, figure, ranked)).toEqual([]);
    expect(
      codes(text.replace("former", "x").replace("latter", "former").replace("x", "latter"), figure, ranked),
    ).toEqual(["wrong_direction"]);
  });
});

describe("a difference of two entities' figures", () => {
  const difference: WantedFigure = { ...RATIO, kind: "difference" };
  const ask = (end: string, noun = "mean radius") => codes(`${CHOSEN} ${end}`, { ...difference, noun });
  it.each([
    "By how much do they differ in mean radius?",
    "What is the absolute difference between the former's mean radius and the latter's?",
    "What is the absolute value of the former's mean radius minus the latter's?",
    "How far apart are their mean radii?",
  ])("is asked for as a magnitude: %s", (end) => expect(ask(end)).toEqual([]));

  it.each([
    "What is the difference between the former's mean radius and the latter's?",
    "What is the former's mean radius minus the latter's?",
    "By how much does the former's mean radius exceed the latter's?",
  ])("is refused where it may have a sign: %s", (end) => expect(ask(end)).toEqual(["missing_quantity"]));

  it("takes no column's own “absolute” for it", () => {
    const noun = "absolute magnitude";
    expect(ask("What is the difference between their absolute magnitudes?", noun)).toEqual([
      "missing_quantity",
    ]);
    expect(ask("What is the absolute difference between their absolute magnitudes?", noun)).toEqual([]);
  });
});

describe("choices of several entities", () => {
  const difference: WantedFigure = { ...RATIO, kind: "difference" };
  const ask = `${CHOSEN} By how much do they differ in mean radius?`;
  it("each need a superlative of their own, near their column, the right way round, with the right rank", () => {
    expect(codes(ask, difference)).toEqual([]);
    expect(codes(ask.replace("shortest", "longest"), difference)).toEqual(["missing_order"]);
    expect(codes(ask.replace("most massive moon, and the ", ""), difference)).toEqual(["missing_order"]);
    expect(codes(ask.replace("shortest", "second-shortest"), difference)).toEqual(["missing_rank"]);
    expect(codes(ask.replace("orbital period", "name"), difference)).toEqual(["missing_order"]);
    const both = [select("max", "mass", ["most massive"]), select("max", "mass", ["most massive"], 2)];
    expect(
      codes(
        "Take the most massive and the second most massive one. By how much do they differ in mean radius?",
        difference,
        both,
      ),
    ).toEqual([]);
    expect(
      codes("Take the most massive one twice. By how much do they differ in mean radius?", difference, both),
    ).toEqual(["missing_rank"]);
  });
});

describe("figures of all candidates", () => {
  const of = (kind: "total" | "mean" | "median" | "share" | "times_mean", noun = "mass"): WantedFigure => ({
    kind,
    noun,
  });
  it.each([
    ["total", "What is their total mass?"],
    ["total", "What is the sum of their masses?"],
    ["mean", "What is the average mass?"],
    ["median", "Find the median of the masses."],
    ["share", "What fraction of the total mass is its mass?"],
    ["share", "What percent of their combined mass does it hold?"],
    ["times_mean", "How many times the mean mass is its mass?"],
    ["times_mean", "What is the ratio of its mass to the mean mass?"],
  ] as const)("%s: %s", (kind, text) => expect(codes(text, of(kind), [])).toEqual([]));

  it.each([
    ["total", "What is the mean mass?"],
    ["mean", "What is the median mass?"],
    ["median", "What is the mass?"],
    ["share", "What is its mass beside the total mass, in percent?"],
    ["share", "What fraction is its mass?"],
    ["times_mean", "What is the mean mass?"],
  ] as const)("not %s: %s", (kind, text) => expect(codes(text, of(kind), [])).toEqual(["missing_statistic"]));

  it("tells the mean of a mean radius from a mean radius", () => {
    expect(codes("What is their mean radius?", of("mean", "mean radius"), [])).toEqual(["missing_statistic"]);
    expect(codes("What is their average mean radius?", of("mean", "mean radius"), [])).toEqual([]);
    expect(codes("What is the mean of their mean radii?", of("mean", "mean radius"), [])).toEqual([]);
  });

  it("refuses the mean over the entity", () => {
    expect(codes("What is the ratio of the mean mass to its mass?", of("times_mean"), [])).toEqual([
      "wrong_direction",
    ]);
  });
});
