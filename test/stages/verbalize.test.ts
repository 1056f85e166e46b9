import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { stream } from "../../pipeline/base/random.js";
import type { StageContext } from "../../stages/stage.js";
import { verbalize } from "../../stages/verbalize.js";
import { wordQuestion } from "../../stages/words/grammar.js";
import { PLANS } from "../../stages/words/plans.js";
import type { Sayable } from "../../stages/words/reads.js";
import { cards } from "./words/cards.js";
import { asks, draw } from "./words/programs.js";
import { catalog, rowOf } from "./words/rows.js";

const word = (seed: number, row: Sayable = draw(seed)) => wordQuestion(row, cards, stream("golden", seed));

/** A program over the test cards, written out. */
function sayable(ask: string, program: Partial<Sayable["program"]>): Sayable {
  const drawn = draw(0, asks.find((a) => a.formula.id === ask)!);
  return { ...drawn, program: { ...drawn.program, where: [], ...program } };
}
const all = (row: Sayable) => Array.from({ length: 60 }, (_, i) => word(i, row).question);

describe("verbalize", () => {
  it("writes what people have read and signed", () => {
    const golden = readFileSync(new URL("./words/golden/wordings.txt", import.meta.url), "utf8")
      .trim()
      .split("\n");
    expect(golden.length).toBeGreaterThanOrEqual(30);
    for (const line of golden) {
      const [seed, question] = [Number(line.slice(0, line.indexOf(" "))), line.slice(line.indexOf(" ") + 1)];
      expect(word(seed).question).toBe(question);
    }
  });

  it("gives the same words for the same stream, and keeps the style", async () => {
    const row = rowOf(draw(5), 5);
    const context = {
      params: verbalize.params.parse({}),
      catalog,
      random: (...names: (string | number)[]) => stream(9, ...names),
    } as unknown as StageContext<unknown>;
    const first = await verbalize.run(row, context);
    expect(await verbalize.run(row, context)).toEqual(first);
    expect(first).toHaveProperty("out.wording.by", "grammar/1");
    expect(first).toHaveProperty("out.wording.style.plan", expect.stringMatching(PLANS.join("|")));
    expect(first).toHaveProperty("out.answer", row.answer);
  });

  it("draws from every sentence plan, or from those asked for", () => {
    const plans = new Set(Array.from({ length: 400 }, (_, i) => word(i).style.plan));
    expect([...plans].sort()).toEqual([...PLANS].sort());
    const only = new Set(
      Array.from({ length: 50 }, (_, i) => wordQuestion(draw(i), cards, stream(i), ["consider"]).style.plan),
    );
    expect([...only]).toEqual(["consider"]);
  });

  it("says each construct in at least four ways", () => {
    const said = (row: Sayable, pattern: RegExp) =>
      new Set(all(row).flatMap((q) => pattern.exec(q)?.[0] ?? []));
    const mass = { column: "mass", op: "gt" as const, value: 1e24 };
    const select = { column: "axis", order: "max" as const, rank: 2 };
    expect(
      said(sayable("bulk_density", { where: [mass], select }), /(?:mass|mass is) [a-z ]+(?= 10²⁴)/).size,
    ).toBeGreaterThanOrEqual(6);
    expect(
      said(sayable("bulk_density", { select }), /(?:Give|State|Report|Express|Answer)[^.]*\./).size,
    ).toBeGreaterThanOrEqual(6);
    expect(said(sayable("bulk_density", { select }), /^\w+ \w+/).size).toBeGreaterThanOrEqual(6);
    const rings = { column: "rings", op: "is" as const, value: true };
    const ways = said(
      sayable("bulk_density", { where: [rings, mass], select }),
      /(?:with|that ha\w+) a ring system/,
    );
    expect(ways.size).toBeGreaterThanOrEqual(2);
  });

  it("speaks correct English: articles, plurals, superlatives", () => {
    for (let seed = 0; seed < 300; seed++) {
      const { question } = word(seed);
      expect(question).not.toMatch(/\ba (?:8|11|18|80)\b|\ba [aeio][a-z]|\ban [bcdfgjklmpqrstvwxyz][a-z]/);
      expect(question).not.toMatch(
        /\bmost (?:largest|highest|\w+est)\b|\bthat (?:has|is|orbits) (?=.*\?).*\bplanets that has\b/,
      );
      expect(question).not.toMatch(/(?:planets|moons|groups|isotopes|elements) that (?:has|is|orbits)\b/);
      expect(question).not.toMatch(/ {2}|undefined|\{|\}|\bits its\b|,,|\.\./);
      expect(question).toMatch(/^[A-Z].*[.?]$/);
    }
  });

  it("formats numbers and units as prose does", () => {
    const where = (column: string, value: number, table = "bulk_density") =>
      all(
        sayable(table, {
          where: [{ column, op: "lt", value }],
          select: { column: "axis", order: "max", rank: 1 },
        }),
      );
    const found = (questions: string[], text: string) => questions.some((q) => q.includes(text));
    const mass = where("mass", 6.4e23);
    expect(found(mass, "6.4\u00a0×\u00a010²³\u00a0kg")).toBe(true);
    expect(found(where("mean_radius", 10000), "10,000\u00a0km")).toBe(true);
    expect(found(where("mean_radius", 10000), "10\u202f000\u00a0km")).toBe(true);
    expect(found(where("mean_radius", 10000), "10,000\u00a0kilometres")).toBe(true);
    expect(found(where("temperature", -60), "−60\u00a0°C")).toBe(true);
    expect(found(where("tilt", 8), "8°")).toBe(true);
    expect(where("tilt", 8).every((q) => !q.includes("a 8"))).toBe(true);
  });

  it("moves a power of ten in a unit into the number", () => {
    const moon = asks.find((a) => a.table === "moons" && a.follow === undefined)!;
    const row = {
      ...draw(0, moon),
      program: {
        ...draw(0, moon).program,
        where: [{ column: "mass", op: "gt" as const, value: 0.5 }],
        select: { column: "period", order: "min" as const, rank: 1 },
      },
    };
    expect(all(row).every((q) => /5\u00a0×\u00a010¹⁹\u00a0(?:kg|kilograms)/.test(q))).toBe(true);
  });

  it("states the date where a value drifts, and constants where the formula says so", () => {
    const cold = { column: "temperature", op: "lt" as const, value: 0 };
    expect(
      all(
        sayable("bulk_density", { where: [cold], select: { column: "axis", order: "max", rank: 1 } }),
      ).every((q) => q.includes("in March 2024")),
    ).toBe(true);
    expect(
      all(sayable("bulk_density", { select: { column: "axis", order: "max", rank: 1 } })).some((q) =>
        q.includes("2024"),
      ),
    ).toBe(false);
    expect(
      all(sayable("surface_gravity", {})).every((q) =>
        q.includes("G = 6.6743\u00a0×\u00a010⁻¹¹\u00a0m³\u00a0kg⁻¹\u00a0s⁻²"),
      ),
    ).toBe(true);
  });

  it("says each definition once", () => {
    for (let seed = 0; seed < 300; seed++) {
      const { question } = word(seed);
      for (const definition of ["of its orbit about the planet", "osculating", "volumetric"]) {
        expect(question.split(definition).length).toBeLessThanOrEqual(2);
      }
    }
  });

  it("says a definition that is a sentence after the question, once, and then uses superlatives freely", () => {
    const sentence = "A mean radius is that of the sphere of equal volume.";
    const planets = cards.get("planets")!;
    const column = planets.columns.mean_radius!;
    const phrase = { ...column.phrase!, definition: sentence, max: ["largest"] };
    const own = new Map([
      ...cards,
      ["planets", { ...planets, columns: { ...planets.columns, mean_radius: { ...column, phrase } } }],
    ]);
    const row = sayable("bulk_density", {
      where: [{ column: "mean_radius", op: "lt", value: 10000 }],
      select: { column: "mean_radius", order: "max", rank: 1 },
    });
    const questions = Array.from({ length: 40 }, (_, i) => wordQuestion(row, own, stream(i)).question);
    for (const q of questions) {
      expect(q.split(sentence).length).toBe(2);
      expect(q.indexOf(sentence)).toBeGreaterThan(q.indexOf("bulk density"));
      expect(q).not.toContain("(A mean");
      expect(q).not.toContain("Use the mean radius");
    }
    expect(questions.some((q) => q.includes("the largest planet (of the Solar System)"))).toBe(true);
  });

  it("says a range of two whole numbers as the two", () => {
    const row = (low: number, high: number) =>
      ({
        ...draw(0, asks.find((a) => a.table === "groups")!),
        program: {
          ...draw(0, asks.find((a) => a.table === "groups")!).program,
          where: [{ column: "order", op: "between" as const, low, high }],
        },
      }) as Sayable;
    expect(all(row(80, 81)).every((q) => /order (?:of |is |equals )?80 or 81/.test(q))).toBe(true);
    expect(all(row(80, 82)).every((q) => /80 (?:and|to) 82 inclusive/.test(q))).toBe(true);
  });

  it("asks for energy per nucleon where that is the quantity", () => {
    const plain = sayable("bulk_density", {});
    const row = { ...plain, formula: { ...plain.formula, noun: "binding energy per nucleon" } };
    for (const q of all(row)) expect(q).not.toMatch(/(?:Give|State|Report) the binding energy (?!per)/);
  });

  it("falls back on plain words where a card has no phrase", () => {
    const bare = new Map(
      [...cards].map(([id, card]) => [
        id,
        {
          ...card,
          columns: Object.fromEntries(
            Object.entries(card.columns).map(([k, c]) => [k, { ...c, phrase: undefined }]),
          ),
        },
      ]),
    );
    const row = sayable("bulk_density", {
      where: [{ column: "rings", op: "is", value: false }],
      select: { column: "mean_radius", order: "max", rank: 3 },
    });
    const questions = Array.from({ length: 30 }, (_, i) => wordQuestion(row, bare, stream(i)).question);
    for (const q of questions) {
      expect(q).toMatch(/third-(?:largest|greatest) mean radius/);
      expect(q).toMatch(/without rings/);
    }
  });
});
