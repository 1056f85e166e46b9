import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { CallIdentity } from "../../../pipeline/models/call.js";
import { Dialect } from "../../../pipeline/models/dialect.js";
import { jsonValuesIn } from "../../../pipeline/models/json-text.js";
import {
  isStrict,
  parseStructured,
  wireSchema,
  withSchemaTold,
} from "../../../pipeline/models/structured.js";
import { ProviderError } from "../../../pipeline/models/transport.js";
import { identityOf } from "./cassette-fixture.js";

describe("JSON in a text", () => {
  it("is the whole, a fence, or a value among prose", () => {
    expect(jsonValuesIn(' {"a": 1} \n')).toEqual([{ a: 1 }]);
    expect(jsonValuesIn('Sure!\n```json\n{"a": [1, 2]}\n```\nHope it helps {smile}.')).toEqual([
      { a: [1, 2] },
    ]);
    expect(jsonValuesIn('The answer is {"a": "}\\" {"} as asked.')).toEqual([{ a: '}" {' }]);
    expect(jsonValuesIn("in {words} then [1, 2]")).toEqual([[1, 2]]);
  });

  it("is not mended", () => {
    for (const text of ['{"a": 1,}', "{'a': 1}", '{"a": 1', "{a: 1}", "", "none", '```json\n{"a": 1,\n```'])
      expect(jsonValuesIn(text)).toEqual([]);
  });

  it("is found again in any text without brackets around it", () => {
    const prose = fc.string().map((s) => s.replace(/[[\]{}"`~]/g, " "));
    fc.assert(
      fc.property(prose, fc.dictionary(fc.string(), fc.jsonValue()), prose, (before, value, after) => {
        const text = JSON.stringify(value);
        expect(jsonValuesIn(`${before} ${text} ${after}`)).toEqual([JSON.parse(text)]);
      }),
    );
  });

  it("takes hostile texts in little time", () => {
    for (const text of ["[".repeat(200_000), '{"'.repeat(100_000), "```\n".repeat(50_000)])
      expect(jsonValuesIn(text)).toEqual([]);
  });
});

const reading = { name: "reading", type: z.strictObject({ size: z.number(), unit: z.string() }) };

describe("a structured reply", () => {
  it("is the one value that fits", () => {
    const text = 'First I thought [1, 2], but: {"size": 3, "unit": "km"}';
    expect(parseStructured(text, reading)).toEqual({ ok: true, value: { size: 3, unit: "km" } });
    const twice = `${text} or {"size": 4, "unit": "km"}`;
    expect(parseStructured(twice, reading)).toMatchObject({
      ok: false,
      problem: expect.stringMatching(/differ/),
    });
    const same = `${text}, so {"unit": "km", "size": 3}`;
    expect(parseStructured(same, reading)).toMatchObject({ ok: true });
  });

  it("tells what does not fit", () => {
    const bad = parseStructured('{"size": "3", "unit": "km"}', reading);
    expect(bad).toMatchObject({ ok: false, problem: expect.stringMatching(/^size: .*number/) });
  });

  it("is a total function", () => {
    const deep = { name: "deep", type: z.json() };
    const text = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
    expect(parseStructured(text, deep).ok).toBe(false);
  });
});

describe("a schema on the wire", () => {
  it("is strict where each member is required and no other allowed", () => {
    const { schema } = wireSchema(z.object({ a: z.array(z.object({ b: z.number().nullable() })) }));
    expect(isStrict(schema)).toBe(true);
    expect(schema).toMatchObject({ additionalProperties: false, required: ["a"] });
    expect(schema).not.toHaveProperty("$schema");
    expect(isStrict(wireSchema(z.object({ a: z.number().optional() })).schema)).toBe(false);
    expect(isStrict(wireSchema(z.record(z.string(), z.number())).schema)).toBe(false);
  });

  it("is told in the last message of the user", () => {
    const told = withSchemaTold(
      [
        { role: "system", content: "s" },
        { role: "user", content: "u" },
      ],
      reading.type,
    );
    expect(told[0]).toEqual({ role: "system", content: "s" });
    expect(told[1]!.content).toMatch(/^u\n\nReply with JSON.*\n\{.*"size"/s);
  });
});

describe("what an endpoint understands", () => {
  const { schema } = wireSchema(reading.type);
  const format = (mode: string): CallIdentity =>
    identityOf(1, { response_format: { name: "reading", schema, mode } });
  const refused = (message: string) => new ProviderError("bad_request", message, 400);
  const type = (body: unknown) => (body as { response_format?: { type: string } }).response_format?.type;

  it("is found out from schema over object to prompt, once for all calls that were refused together", () => {
    const dialect = new Dialect();
    const identity = format("auto");
    const first = dialect.body(identity);
    expect(type(first)).toBe("json_schema");
    const error = refused("This response_format type is unavailable now");
    expect(dialect.learn(error, identity, first)).toBe(true);
    expect(dialect.learn(error, identity, first)).toBe(true);
    const second = dialect.body(identity);
    expect(type(second)).toBe("json_object");
    expect(dialect.learn(error, identity, second)).toBe(true);
    const third = dialect.body(identity);
    expect(type(third)).toBeUndefined();
    expect(dialect.learn(error, identity, third)).toBe(false);
  });

  it("is not second-guessed where the config says it", () => {
    const identity = format("json_schema");
    const dialect = new Dialect();
    expect(dialect.learn(refused("response_format?"), identity, dialect.body(identity))).toBe(false);
  });

  it("includes the name of the limit of tokens", () => {
    const dialect = new Dialect();
    const identity = identityOf(1);
    const message =
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
    const body = dialect.body(identity);
    expect(body).toMatchObject({ max_tokens: 100, temperature: 1, model: "m" });
    expect(dialect.learn(refused(message), identity, body)).toBe(true);
    expect(dialect.body(identity)).toMatchObject({ max_completion_tokens: 100 });
    expect(dialect.body(identity)).not.toHaveProperty("max_tokens");
  });
});
