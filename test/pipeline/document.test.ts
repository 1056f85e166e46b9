// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables as a document writes them
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { z } from "zod";
import { parseText, renderProblems, validate } from "../../pipeline/base/document.js";
import { nearest, TaskmillError } from "../../pipeline/base/errors.js";
import { visibleLines } from "../../pipeline/base/render.js";

/** What a person sees; "ok" where nothing is wrong. */
function shown(text: string, schema: z.ZodType, env: Record<string, string> = {}): string {
  try {
    const result = validate(parseText("f.yaml", text, { env }), schema);
    return "problems" in result ? renderProblems(result.problems) : "ok";
  } catch (error) {
    if (error instanceof TaskmillError) return renderProblems(error.problems);
    throw error;
  }
}
const messages = (text: string, schema: z.ZodType, env = {}): string[] =>
  shown(text, schema, env)
    .split("\n")
    .filter((line) => /^f\.yaml:/.test(line))
    .map((line) => line.replace(/^f\.yaml:/, ""));

const any = z.unknown();

describe("reading YAML", () => {
  it("gives back what JSON says, whatever JSON", () => {
    // Negative zero is 0 in JSON, and `__proto__` is refused on purpose.
    const json = fc.jsonValue().filter((v) => !JSON.stringify(v).includes("__proto__"));
    const safe = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
    fc.assert(
      fc.property(json, (value) => {
        const plain = safe(value);
        // Control characters are refused in the text itself; JSON escapes all but these.
        const text = JSON.stringify(plain, null, 1).replace(/[\u007f-\u009f]/g, "?");
        const document = parseText("f", text, { env: "none" });
        if (document.problems.length === 0) expect(document.value).toEqual(JSON.parse(text));
        else expect(text).toMatch(/\d{16,}/);
      }),
      { numRuns: 200 },
    );
  });

  it("never ends in anything but a value or located problems, whatever the text", () => {
    const junk = fc.string({ unit: fc.constantFrom(..."ab:-?[]{}&*!|>'\"%@#,\n \t$0e.~<"), maxLength: 60 });
    fc.assert(
      fc.property(junk, (text) => {
        try {
          parseText("f", text);
        } catch (error) {
          expect(error).toBeInstanceOf(TaskmillError);
          for (const p of (error as TaskmillError).problems) expect(p.location?.file).toBe("f");
        }
      }),
      { numRuns: 1000 },
    );
  });

  it("refuses what would lose digits, zeros or keys, and says where", () => {
    expect(messages("a: 9007199254740993\nb: -9007199254740993\nc: 0042", any)).toEqual([
      "1:4: 9007199254740993 would be rounded to 9007199254740992",
      "2:4: -9007199254740993 would be rounded to -9007199254740992",
      "3:4: `0042` would lose its leading zeros",
    ]);
    expect(messages("a: 9007199254740992", any)).toEqual([
      "1:4: 9007199254740992 is beyond the whole numbers that are exact",
    ]);
    expect(messages("a: 1\n'a': 2\n1: x\n\"1\": y", any)).toEqual([
      "2:1: `a` is given twice",
      "4:1: `1` is given twice",
    ]);
    expect(messages("__proto__: { x: 1 }\n? [a]\n: 1", any)).toEqual([
      "1:1: `__proto__` cannot be a key",
      "2:3: a key must be a text",
    ]);
    expect(messages("%YAML 1.1\n---\na: yes", any)).toEqual([
      "1:1: YAML 1.1 reads some values otherwise; write YAML 1.2",
    ]);
    expect(parseText("f", "a: yes\nb: 0o17\nc: 9007199254740991\n<<: x").value).toEqual({
      a: "yes",
      b: 15,
      c: 9007199254740991,
      "<<": "x",
    });
  });

  it("lets anchors repeat a value, but not without bound", () => {
    expect(parseText("f", "a: &x { n: 1 }\nb: [*x, *x]").value).toEqual({
      a: { n: 1 },
      b: [{ n: 1 }, { n: 1 }],
    });
    expect(messages("a: &a [*a]", any)).toEqual(["1:8: *a stands inside itself"]);
    const bomb = `a: &a [${"x, ".repeat(200)}]\nb: &b [${"*a, ".repeat(200)}]`;
    expect(messages(bomb, any)[0]).toContain("aliases repeat more than 10000 values");
    for (const deep of [
      "[".repeat(100_000),
      "- ".repeat(100_000),
      "a: ".repeat(100_000),
      `${"{a: ".repeat(300)}`,
    ]) {
      expect(messages(deep, any)).toEqual([expect.stringContaining("nested more than 64 levels deep")]);
    }
  });

  it("replaces variables in texts, once, and never the structure", () => {
    const env = { A: "x", EMPTY: "", TRICK: "b: [1, 2]\nc: ${A}", N: "12e4" };
    const text =
      'a: ${A}-${B:-y}-${EMPTY:-z}-${EMPTY}\nb: $${A}\nc: "${TRICK}"\n${A}: key\nd: ${B:-}\ne: "${B:-a $ b}"';
    expect(parseText("f", text, { env }).value).toEqual({
      a: "x-y-z-",
      b: "${A}",
      c: env.TRICK,
      "${A}": "key",
      d: "",
      e: "a $ b",
    });
    const schema = z.strictObject({
      text: z.string(),
      number: z.number(),
      both: z.union([z.string(), z.number()]),
    });
    const result = validate(parseText("f", "text: ${N}\nnumber: ${N}\nboth: ${N}", { env }), schema);
    expect(result).toEqual({ value: { text: "12e4", number: 120000, both: "12e4" } });
    expect(messages("a: ${NOPE}\nb: ${constructor}", any, env)).toEqual([
      "1:4: the environment variable NOPE is not set",
      "2:4: the environment variable constructor is not set",
    ]);
    expect(messages("a: ${A", any, env)).toEqual(["1:4: `${A` is not a variable"]);
  });
});

describe("validation", () => {
  const schema = z.strictObject({
    name: z.string().regex(/^[a-z]+$/, "small letters only"),
    size: z.int().min(1).max(9).default(1),
    list: z.array(z.strictObject({ id: z.string(), on: z.boolean().optional() })).optional(),
    either: z
      .union([z.string(), z.strictObject({ of: z.string(), by: z.enum(["mass", "radius"]) })])
      .optional(),
    kind: z
      .discriminatedUnion("type", [
        z.strictObject({ type: z.literal("circle"), radius: z.number() }),
        z.strictObject({ type: z.literal("square"), side: z.number() }),
      ])
      .optional(),
    map: z.record(z.string().regex(/^[a-z]+$/, "small letters only"), z.number()).optional(),
    pair: z.tuple([z.number(), z.number()]).optional(),
  });

  it.each([
    ["name: a\nsize: 1.5", ["2:7: `size` must be a whole number, found the number 1.5"]],
    ["name: a\nsize: 10", ["2:7: `size` must be at most 9, found 10"]],
    ["name: A", ['1:7: `name` cannot be "A"']],
    ["name: 5", ["1:7: `name` must be a text, found the number 5"]],
    ["nam: a", ["1:1: unknown key `nam`"]],
    ["name: a\nlist: x", ['2:7: `list` must be a list, found the text "x"']],
    ["name: a\nlist: [x]", ['2:8: item 1 of `list` must be a mapping with `id`, found the text "x"']],
    [
      "name: a\nlist: [{ on: yes }]",
      ["2:10: `id` is missing", '2:14: `on` must be true or false, found the text "yes"'],
    ],
    [
      "name: a\neither: 5",
      ["2:9: `either` must be a text or a mapping with `of` and `by`, found the number 5"],
    ],
    ["name: a\neither: { of: b, by: mas }", ['2:22: `by` must be mass or radius, found the text "mas"']],
    [
      "name: a\nkind: { type: circel, radius: 1 }",
      ['2:15: `type` must be circle or square, found the text "circel"'],
    ],
    ["name: a\nkind: { radius: 1 }", ["2:1: `type` is missing"]],
    [
      "name: a\nkind: { type: square, radius: 1 }",
      ["2:1: `side` is missing", "2:23: unknown key `radius` in `kind`"],
    ],
    [
      "name: a\nmap: { B: 1, c: x }",
      ["2:8: `B` cannot be a key here", '2:17: `c` must be a number, found the text "x"'],
    ],
    ["name: a\npair: [1]", ["2:1: `pair` must have at least 2 items"]],
    [
      "name: a\npair: [1, .inf]",
      ["2:11: item 2 of `pair` must be a finite number, found the number Infinity"],
    ],
    ["", ["1:1: the file is empty"]],
    ["name:", ["1:6: `name` must be a text, found nothing"]],
  ])("%j", (text, expected) => {
    expect(messages(text, schema)).toEqual(expected);
  });

  it("gives the value with its defaults where all is well", () => {
    expect(validate(parseText("f", "name: a"), schema)).toEqual({ value: { name: "a", size: 1 } });
  });

  it("locates problems below a path, and takes a fallback where nothing stands", () => {
    const document = parseText("f.yaml", "stages:\n  a: { size: 0 }\n  b:\n");
    const inner = z.strictObject({ size: z.int().min(1).default(5) });
    expect(validate(document, inner, ["stages", "a"])).toMatchObject({
      problems: [{ path: ["stages", "a", "size"], location: { line: 2, column: 14 } }],
    });
    expect(validate(document, inner, ["stages", "b"], {})).toEqual({ value: { size: 5 } });
    expect(validate(document, inner, ["stages", "c"], {})).toEqual({ value: { size: 5 } });
  });

  it("points at the very characters, for any place in any document", () => {
    const key = fc.stringMatching(/^[a-z]{1,8}$/);
    fc.assert(
      fc.property(
        fc.array(key, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 0, max: 9 }),
        (keys, n) => {
          const value = keys.reduceRight<unknown>((inner, k) => ({ before: "x", [k]: inner }), `needle${n}`);
          const document = parseText("f", stringify(value));
          const { line, column, length, excerpt } = document.locate(keys);
          expect(excerpt!.slice(column! - 1, column! - 1 + length!)).toBe(`needle${n}`);
          expect(document.text.split("\n")[line! - 1]).toBe(excerpt);
        },
      ),
    );
  });
});

describe("problems on a terminal", () => {
  it("keep the caret under its place, whatever stands before it", () => {
    const text = '{ "日本語é": 1, b: x }';
    expect(shown(text, z.looseObject({ b: z.number() }))).toBe(
      [
        'f.yaml:1:17: `b` must be a number, found the text "x"',
        `  1 | ${text}`,
        `    | ${" ".repeat(19)}^`,
        "",
      ].join("\n"),
    );
    const long = `a: [${"1, ".repeat(100)}x, ${"2, ".repeat(100)}]`;
    const [, line, caret] = shown(long, z.looseObject({ a: z.array(z.number()) })).split("\n");
    expect(line!.length).toBeLessThan(120);
    expect(line![caret!.indexOf("^")]).toBe("x");
  });

  it("show control and direction characters instead of obeying them", () => {
    const problem = { code: "x", message: "bad \u001b[2J \u202e name\nnext" };
    expect(renderProblems([problem])).toBe("bad \\u001b[2J \\u202e name\\u000anext\n");
  });

  it("are coloured on demand only", () => {
    const problem = { code: "x", message: "bad", hint: "good" };
    expect(renderProblems([problem], { color: true })).toBe(
      "\u001b[31mbad\u001b[0m\n  = \u001b[36mgood\u001b[0m\n",
    );
  });
});

describe("the nearest name", () => {
  it.each([
    ["fliter", "filter"],
    ["valeu", "value"],
    ["Filter", "filter"],
    ["zzz", undefined],
    ["", undefined],
  ])("of %j is %j", (name, expected) => {
    expect(nearest(name, ["filter", "value", "select"])).toBe(expected);
  });
});

describe("what people are shown", () => {
  it("stays in bounds, however many problems there are and however long they are", () => {
    const many = Array.from({ length: 250 }, (_, i) => ({ code: "x", message: `problem ${i}` }));
    const text = renderProblems(many);
    expect(text.match(/^problem /gm)).toHaveLength(100);
    expect(text).toMatch(/\.\.\. and 150 more problems\n$/);
    const long = renderProblems([{ code: "x", message: "m".repeat(1e6), hint: "h".repeat(1e6) }]);
    expect(long.length).toBeLessThan(5000);
    expect(long).toContain("... (1000000 characters)");
  });

  it("keeps lines and tabs, and shows what would act on a terminal", () => {
    expect(visibleLines("a\tb\nc")).toBe("a\tb\nc");
    expect(visibleLines("\u001b[31mx\u0007\r\u009b1m\u202ey\u2028")).toBe(
      "\\u001b[31mx\\u0007\\u000d\\u009b1m\\u202ey\\u2028",
    );
    const value = { "a\u007f": "\u202eb\u001b[0m" };
    expect(JSON.parse(visibleLines(JSON.stringify(value)))).toEqual(value);
  });

  it("names a key given thousands of times by its first twenty repetitions", () => {
    const { problems } = parseText("x.yaml", "x: 1\n".repeat(20_000), { env: {} });
    expect(problems.filter((p) => p.code === "duplicate_key")).toHaveLength(20);
  });
});
