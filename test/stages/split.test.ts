import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stream } from "../../pipeline/base/random.js";
import type { ProblemRow } from "../../stages/problem.js";
import { groupOf, problemGroup, split } from "../../stages/split.js";
import type { Batch, SetStage, StageContext } from "../../stages/stage.js";
import type { SplitRow, WordedRow } from "../../stages/task.js";
import { type Asked, worded } from "../fixtures/worded.js";

const stage = split as unknown as SetStage<unknown, WordedRow, SplitRow>;

function run(asked: readonly Asked[], params: object = {}, seed = "1"): readonly SplitRow[] {
  const context = {
    params: stage.params.parse(params),
    random: (...names: (string | number)[]) => stream(seed, "split", ...names),
  } as unknown as StageContext<unknown>;
  return (stage.run(asked.map(worded), context) as Batch<SplitRow>).out;
}

const many = (n: number): Asked[] =>
  Array.from({ length: n }, (_, i) => ({ entity: `e${i >> 1}`, formula: `f${i % 7}` }));

describe("split", () => {
  it("gives about the shares that are asked for", () => {
    const rows = run(many(20_000), { shares: { train: 0.7, validation: 0.1, test: 0.2 } });
    const share = (name: string) => rows.filter((r) => r.split === name).length / rows.length;
    expect(share("train")).toBeGreaterThan(0.68);
    expect(share("train")).toBeLessThan(0.72);
    expect(share("validation")).toBeGreaterThan(0.08);
    expect(share("validation")).toBeLessThan(0.12);
    expect(share("test")).toBeGreaterThan(0.18);
    expect(share("test")).toBeLessThan(0.22);
  });

  it("keeps groups together, and moves no row when rows are added or reordered", () => {
    const asked = fc.record({
      entity: fc.constantFrom("a", "b", "c", "d"),
      formula: fc.constantFrom("f", "g"),
      id: fc.uuid(),
    });
    fc.assert(
      fc.property(
        fc.array(asked, { maxLength: 40 }),
        fc.constantFrom(["entity", "formula"], ["entity"], ["formula", "table"]),
        (rows, group) => {
          const found = run(rows, { group });
          const byGroup = new Map<string, string>();
          for (const row of found) {
            expect(byGroup.get(row.group) ?? row.split).toBe(row.split);
            byGroup.set(row.group, row.split);
          }
          const reversed = run([...rows].reverse(), { group });
          expect([...reversed].reverse()).toEqual(found);
          expect(run(rows.slice(0, 10), { group })).toEqual(found.slice(0, 10));
        },
      ),
    );
  });

  it("uses all of nothing and none of all", () => {
    expect(
      new Set(run(many(200), { shares: { train: 1, validation: 0, test: 0 } }).map((r) => r.split)),
    ).toEqual(new Set(["train"]));
    expect(
      new Set(run(many(200), { shares: { train: 0, validation: 0, test: 1 } }).map((r) => r.split)),
    ).toEqual(new Set(["test"]));
  });

  it("depends on the seed", () => {
    expect(run(many(200), {}, "1").map((r) => r.split)).not.toEqual(
      run(many(200), {}, "2").map((r) => r.split),
    );
  });

  it("refuses shares that do not add up", () => {
    expect(stage.params.safeParse({ shares: { train: 0.8, validation: 0.1, test: 0.2 } }).success).toBe(
      false,
    );
    expect(stage.params.safeParse({ shares: { train: 0.7, validation: 0.2, test: 0.1 } }).success).toBe(true);
  });

  it("names groups so that no two share a name", () => {
    const name = groupOf(worded({ entity: "2 formula=x/ é" }), ["entity", "formula"]);
    expect(name).toBe("entity=planets/2%20formula%3Dx%2F%20%C3%A9 formula=bulk_density");
    expect(groupOf(worded({ followed: "jupiter" }), ["followed"])).toBe("followed=planets/jupiter");
  });
});

describe("split of problems", () => {
  const rowOf = (id: string, topic?: string): ProblemRow => ({
    id,
    question: `What of ${id}?`,
    gates: [],
    problem: { source: "quiz", domain: "test", language: "en", ...(topic === undefined ? {} : { topic }) },
    expected: { type: "integer", value: "7" },
    origin: { stage: "problems", kind: "problem", name: "quiz", index: 1 },
    snapshots: {},
  });

  it("keeps each alone, or a topic together", () => {
    expect(problemGroup(rowOf("a1", "orbits & more"), undefined)).toBe("problem=quiz/a1");
    expect(problemGroup(rowOf("a1", "orbits & more"), "topic")).toBe("topic=quiz/orbits%20%26%20more");
    expect(problemGroup(rowOf("a1"), "topic")).toBe("problem=quiz/a1");
  });

  it("goes by the group's name alone, beside tasks", () => {
    const context = {
      params: stage.params.parse({ problems: "topic" }),
      random: (...names: (string | number)[]) => stream("1", "split", ...names),
    } as unknown as StageContext<unknown>;
    const problems = Array.from({ length: 60 }, (_, i) => rowOf(`p${i}`, `topic ${i % 6}`));
    const both = [...many(10).map(worded), ...problems] as unknown as WordedRow[];
    const { out } = stage.run(both, context) as Batch<SplitRow>;
    const splits = new Map(out.map((row) => [row.group, row.split]));
    for (const row of out) expect(splits.get(row.group)).toBe(row.split);
    expect(new Set(out.slice(10).map((row) => row.group)).size).toBe(6);
    for (const row of out.slice(10)) expect(stage.output.safeParse(row).success).toBe(true);
  });
});
