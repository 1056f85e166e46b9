import { beforeAll, describe, expect, it } from "vitest";
import type { z } from "zod";
import { type RoundTripEvidence, roundTripEvidence } from "../../stages/evidence.js";
import type { ChatRequest, ModelIdentity, Models, Reply } from "../../stages/model.js";
import type { Program } from "../../stages/program/program.js";
import { type Reading, readingSchema } from "../../stages/program/reading.js";
import { roundTrip } from "../../stages/round-trip.js";
import type { CheckContext, Outcome, RowStage } from "../../stages/stage.js";
import type { WordedRow } from "../../stages/task.js";
import { publicSchema } from "../../stages/words/public-schema.js";
import { formatUnit } from "../../verifiers/units.js";
import * as fixture from "../fixtures/reading.js";
import { contextOf, type Line, line } from "./screen/line.js";

const stage = roundTrip as unknown as RowStage<unknown, WordedRow, WordedRow>;

let tasks: Line;
beforeAll(async () => {
  tasks = await line(300);
});

type Said = unknown | { readonly why: "truncated" | "unstructured" | "filter" };

/** A reader that says what it is told to; what fits no schema is `unstructured`, as with the real client. */
class Reader implements Models {
  readonly asked: ChatRequest<unknown>[] = [];
  constructor(private readonly say: (sample: number) => Said) {}

  identity(role: string): ModelIdentity | undefined {
    return role === "reader" ? { endpoint: "test", model: "reads-1", revision: null } : undefined;
  }

  async ask<T>(request: ChatRequest<T>): Promise<Reply<T>> {
    this.asked.push(request as ChatRequest<unknown>);
    const said = this.say(request.sample ?? 0);
    const usage = { input: null, cached_input: null, output: null, reasoning: null };
    const call = `${request.row}/${request.sample}`;
    const no = (why: "truncated" | "unstructured" | "filter") =>
      ({ ok: false, call, why, message: why, text: "half a prog", usage }) as const;
    if (typeof said === "object" && said !== null && "why" in said) return no(said.why as "truncated");
    const parsed = (request.schema!.type as z.ZodType<T>).safeParse(said);
    if (!parsed.success) return no("unstructured");
    const text = JSON.stringify(said);
    return { ok: true, call, text, reasoning: "", tool_calls: [], value: parsed.data, usage };
  }
}

/** A program as a faultless reader would put it down. */
function readingOf(row: WordedRow, program: Program = row.program): Reading {
  const card = tasks.catalog.tables.get(program.table)!.card;
  return fixture.readingOf({ ...row, program }, card, row.answer.type === "integer");
}

async function run(models: Models, row: WordedRow, params: object = {}): Promise<Outcome<WordedRow>> {
  const given = stage.params.parse({ role: "reader", ...params });
  return stage.run(row, contextOf(given, { catalog: tasks.catalog, models }, "round_trip"));
}

const gateOf = (outcome: Outcome<WordedRow>) => {
  if ("reject" in outcome) return outcome.reject.reason;
  return outcome.out.gates.find((g) => g.gate === "round_trip")!;
};

function evidenceOf(outcome: Outcome<WordedRow>): RoundTripEvidence {
  const from = "out" in outcome ? outcome.out : (outcome.reject.evidence as object);
  return roundTripEvidence.parse((from as { round_trip: unknown }).round_trip);
}

describe("round_trip", () => {
  it("passes every row whose reader says the same program, and keeps the reading", async () => {
    expect(tasks.rows.length).toBeGreaterThan(20);
    for (const row of tasks.rows) {
      const outcome = await run(new Reader(() => readingOf(row)), row, { worlds: 5 });
      expect(gateOf(outcome)).toMatchObject({ status: "passed" });
      const { reading, ...rest } = evidenceOf(outcome);
      expect(rest).toMatchObject({
        role: "reader",
        model: "reads-1",
        worlds: 6,
        agreed: 6,
        difference: null,
      });
      expect((reading as Program).select).toEqual(row.program.select);
      expect(outcome).toMatchObject({ out: { question: row.question, answer: row.answer } });
    }
  });

  it("rejects a reading that does something else, with both programs as evidence", async () => {
    const row = tasks.rows.find((r) => r.program.where.length > 0)!;
    const other = { ...row.program, where: row.program.where.slice(1) };
    const outcome = await run(new Reader(() => readingOf(row, other)), row);
    expect(gateOf(outcome)).toBe("reading_differs");
    expect(evidenceOf(outcome)).toMatchObject({ worlds: 21, difference: { what: "candidates" } });
    expect(outcome).toMatchObject({ reject: { evidence: { written: row.program, question: row.question } } });
    expect((evidenceOf(outcome).reading as Program).where).toHaveLength(other.where.length);
  });

  it("shows the reader the question and the public schema, and nothing of the row", async () => {
    for (const row of tasks.rows.slice(0, 10)) {
      const reader = new Reader(() => readingOf(row));
      await run(reader, row);
      const [system, user] = reader.asked[0]!.messages;
      expect(user!.content).toBe(row.question);
      expect(system!.content).toContain(publicSchema(tasks.catalog, row));
      expect(system!.content).not.toContain("{{");
      // Planets are the classes of moons; a moon is named nowhere.
      const { table, name } = row.selection!.entity;
      if (table === "moons" && name.length > 4) expect(system!.content).not.toContain(name);
      if (row.answer.text.length > 3) expect(system!.content).not.toContain(row.answer.text);
    }
    const [a, b] = tasks.rows.map((r) => publicSchema(tasks.catalog, r));
    expect(a).toBe(b);
  });

  it("takes thresholds in other units by value, and refuses one without a unit", async () => {
    const row = tasks.rows.find((r) =>
      r.program.where.some((c) => c.op === "gt" && columnOf(r, c.column).unit === "km"),
    )!;
    const reading = readingOf(row);
    const at = row.program.where.findIndex((c) => c.op === "gt" && columnOf(row, c.column).unit === "km");
    const inMetres = reading.where.map((c, i) =>
      i === at ? { ...c, numbers: [c.numbers[0]! * 1000], unit: "m" } : c,
    );
    expect(gateOf(await run(new Reader(() => ({ ...reading, where: inMetres })), row))).toMatchObject({
      status: "passed",
    });
    const bare = reading.where.map((c, i) => (i === at ? { ...c, unit: "" } : c));
    expect(gateOf(await run(new Reader(() => ({ ...reading, where: bare })), row))).toBe(
      "reading_unreadable",
    );
    expect(
      gateOf(await run(new Reader(() => ({ ...reading, unit: formatUnit(reading.unit) })), row)),
    ).toMatchObject({ status: "passed" });
  });

  it("calls a reply without a program unreadable, whatever is in it", async () => {
    const row = tasks.rows[0]!;
    const good = readingOf(row);
    const input = good.inputs[0]!;
    for (const bad of [
      { ...good, table: "constructor" },
      { ...good, table: "__proto__" },
      { ...good, select: { ...good.select, column: "constructor" } },
      { ...good, select: { ...good.select, rank: 1.5 } },
      { ...good, select: { ...good.select, rank: 1e9 } },
      { ...good, follow: [{ link: "toString", peers: "", column: "", order: "max", rank: 1 }] },
      { ...good, follow: [{ link: "", peers: "", column: "", order: "max", rank: 1 }] },
      { ...good, follow: [{ link: "", peers: "valueOf", column: "mass", order: "max", rank: 1 }] },
      { ...good, other: { where: [], column: "constructor", order: "max", rank: 1 } },
      { ...good, formula: "hasOwnProperty" },
      { ...good, inputs: [] },
      { ...good, inputs: [{ ...input, name: "__proto__" }] },
      { ...good, inputs: [{ ...input, of: "followed", column: "mass" }] },
      { ...good, unit: "'; DROP TABLE x" },
      { ...good, unit: "furlongs" },
      { ...good, where: [{ column: "valueOf", op: "lt", numbers: [1], texts: [], unit: "" }] },
      { ...good, where: [{ column: good.select.column, op: "lt", numbers: [], texts: [], unit: "" }] },
      {
        ...good,
        where: [{ column: good.select.column, op: "starts_with", numbers: [], texts: ["("], unit: "" }],
      },
      {
        ...good,
        where: Array.from({ length: 9 }, () => ({
          column: good.select.column,
          op: "known",
          numbers: [],
          texts: [],
          unit: "",
        })),
      },
      "no object",
      {},
    ]) {
      const outcome = await run(new Reader(() => bad), row);
      expect([JSON.stringify(bad), gateOf(outcome)]).toEqual([JSON.stringify(bad), "reading_unreadable"]);
      expect(evidenceOf(outcome)).toMatchObject({ worlds: 0, difference: null });
      expect(
        (outcome as unknown as { reject: { evidence: { problems: unknown[] } } }).reject.evidence.problems
          .length,
      ).toBeGreaterThan(0);
    }
  });

  it("decides nothing when there is no whole reply, or no model", async () => {
    const row = tasks.rows[0]!;
    for (const why of ["truncated", "filter"] as const) {
      const outcome = await run(new Reader(() => ({ why })), row, { attempts: 2 });
      expect(gateOf(outcome)).toEqual({
        gate: "round_trip",
        status: "not_run",
        why: `the reader gave no reply: ${why}`,
      });
      expect(evidenceOf(outcome)).toMatchObject({ reading: null, worlds: 0 });
    }
    const outcome = await run(new Reader(() => ""), row, { role: "nobody" });
    expect(gateOf(outcome)).toEqual({ gate: "round_trip", status: "not_run", why: "no model is configured" });
  });

  it("asks again for a program only while there is none", async () => {
    const row = tasks.rows.find((r) => r.program.where.length > 0)!;
    const late = new Reader((sample) => (sample < 2 ? "hm" : readingOf(row)));
    expect(gateOf(await run(late, row, { attempts: 3 }))).toMatchObject({ status: "passed" });
    expect(late.asked.map((r) => r.sample)).toEqual([0, 1, 2]);
    const wrong = new Reader(() => readingOf(row, { ...row.program, where: [] }));
    expect(gateOf(await run(wrong, row, { attempts: 3 }))).toBe("reading_differs");
    expect(wrong.asked).toHaveLength(1);
  });

  it("has a form that every endpoint with JSON schemas takes, and wants a place for the schema in one's own prompt", () => {
    const json = JSON.stringify(readingSchema.toJSONSchema());
    expect(json).not.toMatch(/anyOf|oneOf|propertyNames|\$ref|pattern|"additionalProperties":\{/);
    const context = {} as CheckContext;
    expect(stage.check!(stage.params.parse({ role: "r", prompt: "Read this." }), context)).toMatchObject([
      { code: "missing_slot", path: ["prompt"] },
    ]);
    expect(stage.check!(stage.params.parse({ role: "r", prompt: "Read: {{schema}}" }), context)).toEqual([]);
    expect(stage.roles!(stage.params.parse({ role: "r" }))).toEqual(["r"]);
  });
});

function columnOf(row: WordedRow, column: string) {
  return tasks.catalog.tables.get(row.program.table)!.card.columns[column]!;
}
