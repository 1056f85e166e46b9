import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { stream } from "../../../pipeline/base/random.js";
import { lintQuestion } from "../../../stages/lint.js";
import type { Program } from "../../../stages/program/program.js";
import { briefOf } from "../../../stages/words/brief.js";
import { wordQuestion } from "../../../stages/words/grammar.js";
import { PLANS } from "../../../stages/words/plans.js";
import { cardsFor, type Sayable } from "../../../stages/words/reads.js";
import { drawForm, FORMS, type FormName } from "./form-programs.js";
import { catalog, rowOf } from "./rows.js";

const word = (row: Sayable, seed: number, form: string) =>
  wordQuestion(row, cardsFor(row, catalog), stream("golden", form, seed));

const codes = (row: Sayable, seed: number, question: string) =>
  lintQuestion({ ...rowOf(row, seed), question, wording: { by: "x", style: {} } }, catalog).map(
    (f) => f.code,
  );

describe("words for every form of program", () => {
  it("are what people have read and signed", () => {
    const lines = readFileSync(new URL("./golden/forms.txt", import.meta.url), "utf8")
      .trim()
      .split("\n");
    expect(lines.length).toBeGreaterThanOrEqual(36);
    for (const line of lines) {
      const [, form, seed, question] = /^(\w+) (\d+) (.*)$/.exec(line)!;
      expect(word(drawForm(form as FormName, Number(seed)), Number(seed), form!).question).toBe(question);
    }
  });

  it.each(FORMS)("pass the lint: %s", (form) => {
    const bad: string[] = [];
    for (let seed = 1000; seed < 1060; seed++) {
      const row = drawForm(form, seed);
      const { question } = word(row, seed, form);
      const found = codes(row, seed, question);
      if (found.length > 0) bad.push(`${found.join()}: ${question}`);
    }
    expect(bad).toEqual([]);
  });

  it.each(FORMS)("are correct English in every sentence plan: %s", (form) => {
    const plans = new Set<string>();
    for (let seed = 0; seed < 90; seed++) {
      const { question, style } = word(drawForm(form, seed), seed, form);
      plans.add(style.plan!);
      expect(question).not.toMatch(/\ba (?:8|11|18|80)\b|\ba [aeio][a-z]|\ban [bcdfgjklmpqrstvwxyz][a-z]/);
      expect(question).not.toMatch(
        /\bmost (?:largest|highest|\w+est)\b| {2}|undefined|[{}]|\bits its\b|,,|\.\./,
      );
      expect(question).not.toMatch(
        /those (?:that|which) (?:has|is|orbits)\b|of all of them of|among all of them/,
      );
      expect(question).toMatch(/^[A-Z].*[.?]$/);
      expect(question.split("Here a bulk density").length).toBeLessThanOrEqual(2);
    }
    expect([...plans].sort()).toEqual([...PLANS].sort());
  });

  it.each(FORMS)("rest on briefs that hold all that the lint looks for: %s", (form) => {
    for (let seed = 0; seed < 40; seed++) {
      const row = drawForm(form, seed);
      const found = codes(row, seed, briefOf(row, cardsFor(row, catalog))).filter((c) => c !== "malformed");
      expect([seed, found]).toEqual([seed, []]);
    }
  });

  it("ask for a difference as a magnitude", () => {
    const asked: string[] = [];
    for (const form of ["compare", "peers", "derived"] as const)
      for (let seed = 0; seed < 60; seed++) {
        const row = drawForm(form, seed);
        if (row.formula.id === "difference") asked.push(word(row, seed, form).question);
      }
    expect(asked.length).toBeGreaterThan(20);
    expect(asked.filter((q) => !/absolute difference|By how much do the two differ/.test(q))).toEqual([]);
  });

  it("put the definition of a figure's column behind it, once", () => {
    const asked = Array.from({ length: 120 }, (_, seed) =>
      word(drawForm("aggregate", seed), seed, "aggregate"),
    )
      .map(({ question }) => question)
      .filter((q) => q.includes("(of its orbit about the planet)"));
    expect(asked.length).toBeGreaterThan(3);
    expect(asked.filter((q) => /\bUse the semi-major axis \(/.test(q))).toEqual([]);
    expect(asked.some((q) => /(?:total|mean|median) semi-major axis \(of its orbit/.test(q))).toBe(true);
  });

  it("speak of two choices by one column in one way", () => {
    let both = 0;
    for (let seed = 0; seed < 200; seed++) {
      const row = drawForm("compare", seed);
      const { select, other } = row.program;
      const first = { ...row.program, where: [], select: { ...select!, column: "mass", rank: 2 } };
      if (row.program.table !== "planets") continue;
      const program = {
        ...first,
        other: { where: [], select: { ...other!.select, column: "mass", rank: 3 } },
      };
      const { question } = word({ ...row, program }, seed, "compare");
      const nouns = question.match(/(?:second|third)-(?:largest|greatest|smallest) mass/g) ?? [];
      expect([question, nouns.length === 1]).toEqual([question, false]);
      both++;
    }
    expect(both).toBeGreaterThan(10);
  });

  it("keep the choices for a second entity apart in their style", () => {
    const { style } = word(drawForm("compare", 0), 0, "compare");
    expect(Object.keys(style).some((slot) => slot.startsWith("other."))).toBe(true);
  });
});

type Part = Pick<Program, "where" | "select" | "other" | "follow">;

/** Programs that say less or otherwise, with the codes of which one must be found. */
function mutations({ program, formula }: Sayable): [Part | { formula: Sayable["formula"] }, string[]][] {
  const { where, other, select, follow } = program;
  const found: [Part | { formula: Sayable["formula"] }, string[]][] = [];
  const dropped = ["missing_condition", "wrong_comparison"];
  const without = (list: Program["where"], i: number) => list.filter((_, k) => k !== i);
  /** A condition that stands in both places is still said once. */
  const twice = (c: Program["where"][number]) =>
    [...where, ...(other?.where ?? [])].filter((d) => d.column === c.column).length > 1;
  where.forEach((c, i) => {
    if (!twice(c)) found.push([{ ...program, where: without(where, i) }, dropped]);
    if ("value" in c && typeof c.value === "number" && ["lt", "gt"].includes(c.op) && !twice(c)) {
      const turned = { ...c, op: c.op === "lt" ? "gt" : "lt" } as typeof c;
      found.push([{ ...program, where: where.with(i, turned) }, ["wrong_comparison"]]);
      found.push([{ ...program, where: where.with(i, { ...c, value: c.value * 3 } as typeof c) }, dropped]);
    }
  });
  other?.where.forEach((c, i) => {
    if (!twice(c)) found.push([{ ...program, other: { ...other, where: without(other.where, i) } }, dropped]);
  });
  const turnedSelect = <T extends NonNullable<Program["select"]>>(s: T): T => ({
    ...s,
    order: s.order === "max" ? "min" : "max",
  });
  const ranked = <T extends NonNullable<Program["select"]>>(s: T): T => ({
    ...s,
    rank: s.rank === 1 ? 2 : 1,
  });
  const order = ["missing_order", "missing_rank"];
  if (select !== undefined) {
    found.push([{ ...program, select: turnedSelect(select) }, order]);
    found.push([{ ...program, select: ranked(select) }, order]);
  }
  if (other !== undefined) {
    found.push([{ ...program, other: { ...other, select: turnedSelect(other.select) } }, order]);
    found.push([{ ...program, other: { ...other, select: ranked(other.select) } }, order]);
  }
  follow?.forEach((step, i) => {
    if (typeof step === "string") return;
    found.push([
      { ...program, follow: follow.with(i, { ...step, select: turnedSelect(step.select) }) },
      order,
    ]);
  });
  if (follow !== undefined && follow.length > 1)
    found.push([{ ...program, follow: follow.slice(1) }, ["missing_hop", ...order]]);
  const statistic = /^(total|mean|average|median) /.exec(formula.noun)?.[1];
  if (statistic !== undefined) {
    const noun = formula.noun.replace(statistic, statistic === "median" ? "total" : "median");
    found.push([{ formula: { ...formula, noun } }, ["missing_statistic"]]);
  }
  return found;
}

describe("the lint", () => {
  it.each(FORMS)("misses no part of a wording that is dropped or altered: %s", (form) => {
    const missed: string[] = [];
    let tried = 0;
    for (let seed = 0; seed < 25; seed++) {
      const row = drawForm(form, seed);
      for (const [change, wanted] of mutations(row)) {
        const other: Sayable =
          "formula" in change
            ? { ...row, formula: change.formula }
            : { ...row, program: { ...row.program, ...change } };
        let question: string;
        try {
          ({ question } = word(other, seed, form));
        } catch {
          continue;
        }
        tried++;
        if (!codes(row, seed, question).some((c) => wanted.includes(c)))
          missed.push(`${wanted[0]}: ${question}`);
      }
    }
    expect(missed).toEqual([]);
    expect(tried).toBeGreaterThan(20);
  });

  it("notices a ratio that is turned round, or has no direction", () => {
    const missed: string[] = [];
    let tried = 0;
    for (const form of ["compare", "peers", "derived"] as const) {
      for (let seed = 0; seed < 60; seed++) {
        const row = drawForm(form, seed);
        if (row.formula.id !== "ratio") continue;
        const { inputs } = row.program.compute;
        const swapped = { first: inputs.second!, second: inputs.first! };
        const turned = {
          ...row,
          program: { ...row.program, compute: { ...row.program.compute, inputs: swapped } },
        };
        const { question } = word(row, seed, form);
        const vague = question.replace(
          /ratio of [^.?]*|the [\w’ -]+ divided by [^.?]*/,
          "ratio of the two values",
        );
        tried++;
        if (!codes(row, seed, word(turned, seed, form).question).includes("wrong_direction"))
          missed.push(question);
        if (!codes(row, seed, vague).some((c) => ["wrong_direction", "missing_quantity"].includes(c)))
          missed.push(vague);
      }
    }
    expect(missed).toEqual([]);
    expect(tried).toBeGreaterThan(40);
  });

  it("misses no definition, scope, date, unit or digits that is taken out", () => {
    const missed: string[] = [];
    const check = (form: FormName, seed: number, from: RegExp, to: string, code: string) => {
      const row = drawForm(form, seed);
      const { question } = word(row, seed, form);
      const altered = question.replace(from, to);
      if (altered !== question && !codes(row, seed, altered).includes(code))
        missed.push(`${code}: ${altered}`);
    };
    for (const form of FORMS) {
      for (let seed = 0; seed < 25; seed++) {
        check(form, seed, / Here a bulk density is computed[^.]*\./, "", "missing_definition");
        check(
          form,
          seed,
          /of the Solar System|of order at most 127|with scheduled service|of the world/g,
          "",
          "missing_scope",
        );
        check(form, seed, /(?:three|four|3|4) significant/, "five significant", "missing_precision");
        check(form, seed, / known in March 2024/, " known", "missing_date");
        check(form, seed, / in (?:percent|kelvins|metres|km)(?= to|,|\.)/, "", "missing_unit");
        if (form === "whole") {
          check(form, seed, /\b(?:share|fraction|percentage)\b/g, "thing", "missing_statistic");
          check(form, seed, /\btotal\b/g, "odd", "missing_statistic");
        }
      }
    }
    expect([...new Set(missed)]).toEqual([]);
  });

  it.each(FORMS)(
    "catches the name of every entity on the way, and what it shares with its peers: %s",
    (form) => {
      const missed: string[] = [];
      for (let seed = 0; seed < 40; seed++) {
        const sayable = drawForm(form, seed);
        const row = rowOf(sayable, seed);
        if (row.selection === undefined) continue;
        const { entity, via = [], followed, other } = row.selection;
        const { question } = word(sayable, seed, form);
        for (const e of [entity, ...via, followed, other?.entity]) {
          if (e === undefined || e.name === "Moon") continue;
          const leaking = `It is about ${e.name} here. ${question}`;
          if (!codes(sayable, seed, leaking).includes("name_leaked")) missed.push(leaking);
        }
      }
      expect(missed).toEqual([]);
      if (form !== "peers") return;
      const shared = Array.from({ length: 30 }, (_, seed) => {
        const row = drawForm(form, seed);
        const { key } = rowOf(row, seed).selection!.entity;
        const airports = catalog.tables.get("airports")!;
        const column = airports.columns.get("country")!;
        const country = (column.values as readonly (string | null)[])[airports.rowOf(key)!]!;
        return codes(row, seed, `${word(row, seed, form).question.slice(0, -1)}, in ${country}.`).includes(
          "name_leaked",
        );
      });
      expect(shared).not.toContain(false);
    },
  );
});
