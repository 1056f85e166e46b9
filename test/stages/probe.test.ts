import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { TaskmillError } from "../../pipeline/base/errors.js";
import type { ProbeEvidence } from "../../stages/evidence.js";
import type { ChatRequest } from "../../stages/model.js";
import { probe } from "../../stages/probe.js";
import type { ProblemRow } from "../../stages/problem.js";
import { type QuestionRow, questionRow } from "../../stages/question.js";
import { FAMOUS_FACTS } from "../../stages/screen/facts.js";
import { naiveGuesses } from "../../stages/screen/guesses.js";
import { FACTS_ROW } from "../../stages/screen/power.js";
import type { CheckContext, Outcome, RowStage } from "../../stages/stage.js";
import { subjectOf, type WordedRow } from "../../stages/task.js";
import { gradeReply } from "../../verifiers/answer/reply.js";
import { answerText, expectedText } from "./screen/answers.js";
import { contextOf, type Line, line } from "./screen/line.js";
import { type Brain, Scripted, userOf } from "./screen/models.js";

const stage = probe as unknown as RowStage<unknown, QuestionRow, QuestionRow>;

let tasks: Line;
beforeAll(async () => {
  tasks = await line();
});

const asked = (row: QuestionRow | WordedRow | ProblemRow): QuestionRow => questionRow.parse(row);

async function screen(models: Scripted, row: WordedRow | ProblemRow, params: object = {}) {
  const given = stage.params.parse({ roles: ["a"], ...params });
  return stage.run(asked(row), contextOf(given, { catalog: tasks.catalog, models }));
}

function gateOf(outcome: Outcome<QuestionRow>) {
  if ("reject" in outcome) return { status: outcome.reject.reason, why: "" };
  const { gate: _, ...rest } = outcome.out.gates.find((g) => g.gate === "closed_book")!;
  return rest;
}

function evidenceOf(outcome: Outcome<QuestionRow>): ProbeEvidence {
  const from = "out" in outcome ? outcome.out : (outcome.reject.evidence as { probe: unknown });
  return (from as { probe: ProbeEvidence }).probe;
}

/** Knows the famous facts, and says of everything else what `brain` says. */
const learned = (brain: Brain): Brain => {
  const facts = new Map(FAMOUS_FACTS.map((f) => [f.question, expectedText(f.expected)]));
  return (request) => {
    const known = facts.get(userOf(request));
    return known === undefined ? brain(request) : `Final answer: ${known}`;
  };
};
const wrong = learned(() => "Final answer: 1.2345e77 kg");
const ofRow = (r: ChatRequest<unknown>) => r.row !== FACTS_ROW;

describe("famous facts", () => {
  it("are at least 20, each with a source, and each one's own answer is right", () => {
    expect(FAMOUS_FACTS.length).toBeGreaterThanOrEqual(20);
    for (const { question, expected, source } of FAMOUS_FACTS) {
      expect(source.length).toBeGreaterThan(4);
      expect(
        gradeReply(`Final answer: ${expectedText(expected)}`, expected, { question }).verdict,
        question,
      ).toBe("right");
      expect(gradeReply(`Final answer: I do not know`, expected, { question }).verdict).not.toBe("right");
    }
    expect(new Set(FAMOUS_FACTS.map((f) => f.question)).size).toBe(FAMOUS_FACTS.length);
  });

  it("are asked once a run, however many rows come at once", async () => {
    const models = new Scripted({ a: wrong });
    const context = contextOf(stage.params.parse({ roles: ["a"] }), { catalog: tasks.catalog, models });
    await Promise.all(tasks.rows.slice(0, 20).map((row) => stage.run(asked(row), context)));
    expect(models.asked.filter((r) => r.row === FACTS_ROW)).toHaveLength(FAMOUS_FACTS.length);
    expect(models.asked.filter(ofRow)).toHaveLength(20 * 4);
  });

  it("leave a role that does not know them without power, and its rows unasked", async () => {
    const models = new Scripted({ a: () => "Final answer: 42" });
    const outcome = await screen(models, tasks.rows[0]!);
    expect(gateOf(outcome)).toEqual({
      status: "not_run",
      why: `a: no power: knew 0 of ${FAMOUS_FACTS.length} famous facts`,
    });
    expect(models.asked.filter(ofRow)).toEqual([]);
    expect(evidenceOf(outcome).power).toEqual([{ role: "a", right: 0, asked: FAMOUS_FACTS.length }]);
  });

  it("count refusals against power", async () => {
    const models = new Scripted({ a: () => ({ why: "refusal" }) });
    expect(gateOf(await screen(models, tasks.rows[0]!)).why).toMatch(/^a: no power/);
  });

  it("may be one's own, or none", async () => {
    const facts = Array.from({ length: 5 }, (_, i) => ({
      question: `What is ${i} and ${i}?`,
      expected: { type: "integer", value: String(2 * i) },
    }));
    const adder: Brain = (r) => `Final answer: ${2 * Number(/is (\d)/.exec(userOf(r))?.[1] ?? 0) || 0}`;
    const own = new Scripted({ a: adder });
    expect(gateOf(await screen(own, tasks.rows[0]!, { plant: facts })).status).toBe("passed");
    const none = new Scripted({ a: () => "Final answer: 1.2345e77 kg" });
    expect(gateOf(await screen(none, tasks.rows[0]!, { plant: false })).status).toBe("passed");
    expect(none.asked).toHaveLength(4);
  });

  it("are asked again after a call that failed", async () => {
    let fails = true;
    const models = new Scripted({
      a: (request) => {
        if (fails && request.row === FACTS_ROW && userOf(request).includes("cube"))
          throw new TaskmillError("provider", [{ code: "no_reply", message: "no reply" }]);
        return wrong(request);
      },
    });
    await expect(screen(models, tasks.rows[0]!)).rejects.toThrow("no reply");
    fails = false;
    expect(gateOf(await screen(models, tasks.rows[0]!)).status).toBe("passed");
  });
});

describe("the probe", () => {
  it("has tasks to ask, whose own answers are right", () => {
    expect(tasks.rows.length).toBeGreaterThan(50);
  });

  it("drops what a model knows, with the evidence", async () => {
    for (const row of tasks.rows) {
      const models = new Scripted({
        a: () => `It is well known.\nFinal answer: ${answerText(row)}`,
      });
      const outcome = await screen(models, row, { plant: false });
      expect(gateOf(outcome).status, `${row.question} ${answerText(row)}`).toBe("known_by_heart");
      expect((outcome as { reject: { evidence: unknown } }).reject.evidence).toMatchObject({
        by: "a",
        question: row.question,
        table: row.program.table,
        formula: row.program.compute.formula,
        entity: subjectOf(row),
        probe: { k: 4, drop: "any", samples: [{ role: "a", model: "a-1", sample: 0, outcome: "right" }] },
      });
      expect(models.asked.filter(ofRow)).toHaveLength(1);
    }
  });

  it("passes what k samples of every role get wrong", async () => {
    const models = new Scripted({ a: wrong, b: wrong });
    const outcome = await screen(models, tasks.rows[0]!, { roles: ["a", "b"], k: 3 });
    expect(gateOf(outcome)).toEqual({ status: "passed", why: "none of 3 samples right: a (a-1), b (b-1)" });
    expect(evidenceOf(outcome).samples.map((s) => [s.role, s.sample, s.outcome])).toEqual([
      ["a", 0, "wrong"],
      ["a", 1, "wrong"],
      ["a", 2, "wrong"],
      ["b", 0, "wrong"],
      ["b", 1, "wrong"],
      ["b", 2, "wrong"],
    ]);
    expect(models.asked.every((r) => r.tools === undefined && r.messages.length === 2)).toBe(true);
    expect(userOf(models.asked.filter(ofRow)[0]!)).toBe(tasks.rows[0]!.question);
  });

  it.each(["truncated", "refusal", "filter", "unavailable"] as const)(
    "takes no %s for a miss",
    async (why) => {
      const models = new Scripted({
        a: learned((r) => (r.sample === 2 ? { why } : "Final answer: 5 kg")),
      });
      const outcome = await screen(models, tasks.rows[0]!);
      expect(gateOf(outcome)).toEqual({
        status: "not_run",
        why: `a: only 3 of 4 samples could be graded (1 ${why})`,
      });
    },
  );

  it("draws spares in place of what could not be graded, and no more", async () => {
    const flaky = learned((r) => (r.sample! < 2 ? { why: "truncated" } : "Final answer: 5 kg"));
    const enough = new Scripted({ a: flaky });
    expect(gateOf(await screen(enough, tasks.rows[0]!, { spare: 3 })).status).toBe("passed");
    expect(enough.asked.filter(ofRow).map((r) => r.sample)).toEqual([0, 1, 2, 3, 4, 5]);
    const few = new Scripted({ a: flaky });
    expect(gateOf(await screen(few, tasks.rows[0]!, { spare: 1 })).why).toContain("only 3 of 4");
  });

  it("does not run for a role without a model, and never passes on the others alone", async () => {
    const models = new Scripted({ b: wrong });
    const outcome = await screen(models, tasks.rows[0]!, { roles: ["a", "b"] });
    expect(gateOf(outcome)).toEqual({ status: "not_run", why: "a: no model is configured" });
    expect(evidenceOf(outcome).samples).toHaveLength(4);
  });

  it("replaces its own entry among the gates and keeps all other fields", async () => {
    const row = {
      ...tasks.rows[0]!,
      gates: [...tasks.rows[0]!.gates, { gate: "closed_book", status: "not_run" as const, why: "x" }],
    };
    const outcome = await screen(new Scripted({ a: wrong }), row);
    const { gates, probe: _, ...rest } = (outcome as { out: QuestionRow }).out;
    const { gates: before, ...fields } = row;
    expect(rest).toEqual(fields);
    expect(gates.map((g) => g.gate)).toEqual(before.map((g) => g.gate));
  });

  it.each([
    ["any", 1],
    ["majority", 3],
    [{ at_least: 2 }, 2],
  ])("with drop %o goes by %i right samples of one role", async (drop, needed) => {
    const row = tasks.rows[0]!;
    for (let rights = 0; rights <= 4; rights++) {
      const brain = learned((r) => `Final answer: ${r.sample! >= 4 - rights ? answerText(row) : "5 kg"}`);
      for (const early_stop of [true, false]) {
        const outcome = await screen(new Scripted({ a: brain }), row, { drop, early_stop });
        expect(gateOf(outcome).status).toBe(rights >= needed ? "known_by_heart" : "passed");
      }
    }
  });

  it("does not add up the right samples of different roles", async () => {
    const row = tasks.rows[0]!;
    const once = learned((r) => `Final answer: ${r.sample === 0 ? answerText(row) : "5 kg"}`);
    const params = { roles: ["a", "b"], drop: { at_least: 2 } };
    expect(gateOf(await screen(new Scripted({ a: once, b: once }), row, params)).status).toBe("passed");
  });

  it("decides in the order of samples, whichever reply comes first", async () => {
    const row = tasks.rows[0]!;
    const said = fc.constantFrom("right", "wrong", "truncated");
    await fc.assert(
      fc.asyncProperty(
        fc.array(said, { minLength: 6, maxLength: 6 }),
        fc.infiniteStream(fc.nat(3)),
        fc.boolean(),
        async (script, waits, early_stop) => {
          const say: Brain = (r) => {
            const what = script[r.sample!]!;
            return what === "truncated"
              ? { why: what }
              : `Final answer: ${what === "right" ? answerText(row) : "5 kg"}`;
          };
          const slow: Brain = async (r) => {
            for (let i = waits.next().value; i > 0; i--) await Promise.resolve();
            return say(r);
          };
          const params = { early_stop, spare: 2, plant: false };
          const [quick, late] = [new Scripted({ a: say }), new Scripted({ a: slow })];
          expect(await screen(late, row, params)).toEqual(await screen(quick, row, params));
          expect(late.asked.map((r) => r.sample)).toEqual(quick.asked.map((r) => r.sample));
          const other = new Scripted({ a: say });
          const outcome = gateOf(await screen(other, row, { ...params, early_stop: !early_stop }));
          expect(outcome.status).toBe(gateOf(await screen(quick, row, params)).status);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe("the chance baseline", () => {
  it("marks the samples that a naive guess would give, and grades the guesses", async () => {
    const seen = new Set<string>();
    for (const row of tasks.rows.slice(0, 60)) {
      for (const { how, value, right } of naiveGuesses(row, tasks.catalog)) {
        seen.add(how);
        const unit = row.answer.unit === "1" ? "" : ` ${row.answer.unit}`;
        const models = new Scripted({ a: () => `Final answer: ${value}${unit}` });
        const outcome = await screen(models, row, { plant: false, k: 1 });
        const evidence = evidenceOf(outcome);
        if (row.answer.type === "integer" && !Number.isInteger(value)) continue;
        expect(evidence.samples[0]!.outcome, `${how} ${value} ${row.answer.value}`).toBe(
          right ? "right" : "wrong",
        );
        expect(evidence.samples[0]!.chance).toContain(how);
        expect(evidence.guesses).toContainEqual({ how, value, right });
      }
    }
    expect([...seen].sort()).toEqual([
      "all entities, without conditions",
      "every input at its column's median",
      "extrema without conditions",
      "extremum without conditions",
      "median of all answers",
      "most frequent entity",
    ]);
  });

  it("does not mark what no guess gives", async () => {
    const evidence = evidenceOf(await screen(new Scripted({ a: wrong }), tasks.rows[0]!));
    expect(evidence.samples.every((s) => s.chance === undefined)).toBe(true);
  });
});

describe("a user's own problem", () => {
  const problem = (expected: ProblemRow["expected"]): ProblemRow => ({
    id: "p1",
    question: "Is every group of order 15 cyclic?",
    gates: [],
    problem: { source: "mine", domain: "mathematics", language: "en" },
    expected,
    origin: { stage: "problems", kind: "problem", name: "mine", index: 0 },
    snapshots: {},
  });

  it("goes through the same gate, with the odds of a blind guess", async () => {
    const yes = problem({ type: "boolean", value: true });
    const outcome = await screen(new Scripted({ a: learned(() => "Final answer: yes") }), yes);
    expect(outcome).toMatchObject({
      reject: {
        reason: "known_by_heart",
        evidence: {
          domain: "mathematics",
          table: null,
          formula: null,
          entity: "problem/mine/p1",
          probe: { blind: 0.5 },
        },
      },
    });
    const no = await screen(new Scripted({ a: learned(() => "Final answer: no") }), yes);
    expect(gateOf(no).status).toBe("passed");
    expect(evidenceOf(no).guesses).toBeUndefined();
  });
});

describe("params", () => {
  const check = (params: object) =>
    stage.check!(stage.params.parse(params), { cards: new Map(), kinds: new Set() } as CheckContext).map(
      (p) => p.code,
    );

  it("name each problem", () => {
    expect(check({ roles: ["a"] })).toEqual([]);
    expect(check({ roles: ["a"], k: 2, drop: { at_least: 3 } })).toEqual(["impossible_drop"]);
    expect(check({ roles: ["a", "b", "a"] })).toEqual(["repeated_role"]);
    expect(() => stage.params.parse({ roles: [] })).toThrow();
  });

  it("plan the most calls that a row can take", () => {
    const planned = stage.calls!(stage.params.parse({ roles: ["a", "b"], k: 4, spare: 1 }));
    expect(planned.map(({ role, calls }) => [role, calls])).toEqual([
      ["a", 5],
      ["b", 5],
    ]);
  });
});
