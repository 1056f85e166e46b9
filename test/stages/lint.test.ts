import { describe, expect, it } from "vitest";
import { stream } from "../../pipeline/base/random.js";
import { lint, lintQuestion, lintReasons } from "../../stages/lint.js";
import type { StageContext } from "../../stages/stage.js";
import type { WordedRow } from "../../stages/task.js";
import { wordQuestion } from "../../stages/words/grammar.js";
import { cards } from "./words/cards.js";
import { draw } from "./words/programs.js";
import { catalog, rowOf } from "./words/rows.js";

function worded(seed: number): WordedRow {
  const row = rowOf(draw(seed), seed);
  const { question, style } = wordQuestion(row, cards, stream("lint", seed));
  return { ...row, question, wording: { by: "grammar/1", style } };
}
const codes = (row: WordedRow, question: string) =>
  lintQuestion({ ...row, question }, catalog).map((f) => f.code);
const context = { catalog, params: {} } as unknown as StageContext<unknown>;
const led = (question: string, extra: string) => `${extra} ${question}`;

describe("lint", () => {
  it("finds nothing in 400 clean wordings", () => {
    const bad: string[] = [];
    for (let seed = 0; seed < 400; seed++) {
      const row = worded(seed);
      const found = lintQuestion(row, catalog);
      if (found.length > 0) bad.push(`${row.question} ${JSON.stringify(found)}`);
    }
    expect(bad).toEqual([]);
  }, 60_000);

  it("sets its gate, and rejects with a declared reason and evidence", async () => {
    const row = worded(1);
    const passed = await lint.run(row, context);
    expect(passed).toHaveProperty("out.gates", [
      ...row.gates,
      { gate: "lint", status: "passed", why: expect.any(String) },
    ]);
    const rejected = await lint.run(
      { ...row, question: led(row.question, `It is ${row.selection!.entity.name}.`) } as WordedRow,
      context,
    );
    expect(rejected).toHaveProperty("reject.reason", "name_leaked");
    expect(rejected).toHaveProperty("reject.evidence.findings.0.code", "name_leaked");
    expect(Object.keys(lintReasons)).toContain("name_leaked");
  });

  /** Written apart from the product's own number and unit code. */
  function renderings(value: number): string[] {
    const [mantissa, exponent] = value.toExponential(3).split("e") as [string, string];
    const e = Number(exponent);
    const short = Number(value.toPrecision(4));
    const plain = e > -5 && e < 15 ? [short.toLocaleString("en-US", { maximumSignificantDigits: 4 })] : [];
    const raised = String(e).replace(/./g, (c) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(c)]!);
    return [
      ...plain,
      ...plain.map((p) => p.replaceAll(",", "\u202f")),
      ...(e >= 0 && e < 15 ? [BigInt(Math.round(short)).toString()].filter(() => short >= 1000) : []),
      `${mantissa}e${e}`,
      `${mantissa}E${e < 0 ? "" : "+"}${e}`,
      `${mantissa} × 10${raised}`,
      `${mantissa}·10^${e}`,
      `${mantissa} x 10^(${e})`,
      `${mantissa}*10**${e}`,
      `$${mantissa}\\times10^{${e}}$`,
      `${mantissa.replace(".", ",")} × 10^${e}`,
      `${mantissa} × 10<sup>${e}</sup>`,
    ];
  }

  it("catches every rendering of the answer and of each input, with its unit", () => {
    const missed: string[] = [];
    for (let seed = 0; seed < 60; seed++) {
      const row = worded(seed);
      const secrets = [
        [row.answer.value, row.answer.unit] as const,
        ...Object.values(row.inputs).map((i) => [i.value, i.unit] as const),
      ];
      for (const [value, unit] of secrets) {
        const scale = /^10\^(\d+) (.*)$/.exec(unit);
        const real = scale === null ? value : value * 10 ** Number(scale[1]);
        const name = scale === null ? unit : scale[2]!;
        for (const text of row.answer.type === "integer"
          ? [String(value)]
          : Number.isInteger(value)
            ? []
            : renderings(real)) {
          const sentence = `It is ${text}${name === "1" ? "" : ` ${name.replace("percent", "%").replace("degC", "°C").replace("deg", "°")}`}.`;
          if (!codes(row, led(row.question, sentence)).includes("value_leaked"))
            missed.push(`${seed}: ${value} ${unit} as ${sentence}`);
        }
      }
    }
    expect(missed).toEqual([]);
  }, 60_000);

  it("catches names and aliases of both entities", () => {
    const missed: string[] = [];
    for (let seed = 0; seed < 60; seed++) {
      const row = worded(seed);
      for (const entity of [row.selection!.entity, row.selection!.followed]) {
        if (entity === undefined) continue;
        const table = catalog.tables.get(entity.table)!;
        for (const name of [entity.name, ...table.aliases[table.rowOf(entity.key)!]!]) {
          for (const sentence of [
            `Take ${name} here.`,
            `Take “${name}” here.`,
            `It is ${name}’s.`,
            `It is (${name}).`,
          ]) {
            const question = led(row.question, sentence);
            if (name === "Moon" && sentence.startsWith("Take Moon")) continue;
            if (!codes(row, question).includes("name_leaked")) missed.push(`${name}: ${sentence}`);
          }
        }
      }
    }
    expect([...new Set(missed)]).toEqual([]);
  }, 60_000);

  it("misses no condition, unit, digits, order or constant that is taken out", () => {
    const missed: string[] = [];
    const expectCode = (row: WordedRow, from: RegExp, to: string, code: string) => {
      const question = row.question.replace(from, to);
      if (question !== row.question && !codes(row, question).includes(code))
        missed.push(`${code}: ${question}`);
    };
    for (let seed = 0; seed < 80; seed++) {
      const row = worded(seed);
      expectCode(row, /(?:three|four|3|4) significant/, "five significant", "missing_precision");
      expectCode(row, / significant (?:figures|digits)/, "", "missing_precision");
      expectCode(row, /exact (?:integer|whole number)/, "value", "missing_precision");
      expectCode(row, /of the Solar System|of order at most 127/g, "", "missing_scope");
      expectCode(row, /= [^ ,]+/, "= 1.1", "missing_constant");
      if (row.program.select!.rank > 1) expectCode(row, /second|third/, "", "missing_rank");
      const [head] = row.formula.noun.split(/ (?:of|that|about|by|over|with) /);
      expectCode(row, new RegExp(`\\b${head}\\b`, "g"), "thing", "missing_quantity");
      if (row.program.where.length === 0) continue;
      const bare = wordQuestion(
        { ...row, program: { ...row.program, where: [] } },
        cards,
        stream("lint", seed),
      ).question;
      if (!codes(row, bare).some((c) => c === "missing_condition" || c === "wrong_comparison"))
        missed.push(`no condition: ${JSON.stringify(row.program.where)} in ${bare}`);
      const turned = {
        ...row.program.select!,
        order: row.program.select!.order === "max" ? ("min" as const) : ("max" as const),
      };
      const other = wordQuestion(
        { ...row, program: { ...row.program, select: turned } },
        cards,
        stream("lint", seed),
      ).question;
      if (!codes(row, other).includes("missing_order")) missed.push(`order: ${other}`);
    }
    expect(missed).toEqual([]);
  }, 60_000);

  it("refuses a condition of the writer's own", () => {
    const row = worded(8);
    for (const extra of [
      "It is wider than 731 km.",
      "Take one below 7.77 au.",
      "It weighs over 9.9 × 10¹⁹ kg.",
      "It lasts 41 days.",
    ]) {
      expect([extra, codes(row, led(row.question, extra))]).toEqual([
        extra,
        expect.arrayContaining(["added_quantity"]),
      ]);
    }
  });

  it("refuses broken forms", () => {
    const row = worded(3);
    const { question } = row;
    for (const broken of [
      question.slice(0, -1),
      question.replace(" ", "  "),
      `${question} {noun}.`,
      `${question} Take {{value}} too.`,
      question.replace(/^./, (c) => c.toLowerCase()),
      `${question}\u200b`,
      question.replace("a", "а"),
      `${question} (so.`,
      `${question} It is undefined.`,
      question.repeat(12),
      "Why?",
    ]) {
      expect([broken, codes(row, broken)]).toEqual([broken, expect.arrayContaining(["malformed"])]);
    }
  });

  it("refuses a source, its publisher, a host or an address", () => {
    const row = worded(5);
    for (const extra of [
      "Use the Big Table of Everything.",
      "Use the BTE table.",
      "Ask the National Office of Tests.",
      "See tables.example.org for more.",
      "See https://example.com for more.",
    ]) {
      expect([extra, codes(row, led(row.question, extra))]).toEqual([
        extra,
        expect.arrayContaining(["source_named"]),
      ]);
    }
  });
});
