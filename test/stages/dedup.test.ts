import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Condition } from "../../sources/card.js";
import { dedup, normalQuestion } from "../../stages/dedup.js";
import type { Batch, SetStage, StageContext } from "../../stages/stage.js";
import type { WordedRow } from "../../stages/task.js";
import { type Asked, worded } from "../fixtures/worded.js";

const stage = dedup as unknown as SetStage<unknown, WordedRow, WordedRow>;

function run(asked: readonly Asked[], params: object = {}): Batch<WordedRow> {
  const context = { params: stage.params.parse(params) } as unknown as StageContext<unknown>;
  return stage.run(asked.map(worded), context) as Batch<WordedRow>;
}

const reasons = (batch: Batch<WordedRow>) => batch.rejected.map((r) => [r.ref, r.reason]);
const heavier = (value: number, op: "gt" | "ge" | "lt" = "gt"): Condition => ({ column: "mass", op, value });

describe("dedup", () => {
  it("keeps the first of the same program, and says which it was", () => {
    const batch = run(
      [
        { id: "a", question: "One?" },
        { id: "a", question: "Two?" },
      ],
      { per_shape: 9, per_answer: 9 },
    );
    expect(batch.out.map((r) => r.question)).toEqual(["One?"]);
    expect(batch.rejected).toEqual([
      { ref: "a", reason: "duplicate_program", evidence: { first: "a", question: "Two?" } },
    ]);
  });

  it("keeps the first of the same question, whatever its case, spaces and punctuation", () => {
    const batch = run([
      { id: "a", question: "What is the mass of it, in kg?", entity: "a" },
      { id: "b", question: "what is the  mass of it in KG", entity: "b" },
      { id: "c", question: "What is the mass of it, in g?", entity: "c" },
    ]);
    expect(reasons(batch)).toEqual([["b", "duplicate_question"]]);
  });

  it("keeps one of tasks that differ in numbers only", () => {
    const batch = run([
      { id: "a", where: [heavier(1e24)] },
      { id: "b", where: [heavier(1.1e24)] },
      { id: "c", where: [heavier(1e24, "ge")] },
      { id: "d", where: [heavier(1e24, "lt")] },
      { id: "e", where: [heavier(1e24)], entity: "neptune" },
      { id: "f", where: [heavier(1e24)], formula: "surface_gravity" },
      { id: "g", where: [heavier(1e24)], select: "mean_radius" },
    ]);
    expect(reasons(batch)).toEqual([
      ["b", "duplicate_shape"],
      ["c", "duplicate_shape"],
    ]);
    expect(
      run(
        [
          { id: "a", where: [heavier(1e24)] },
          { id: "b", where: [heavier(1.1e24)] },
        ],
        { per_shape: 2 },
      ).rejected,
    ).toEqual([]);
  });

  it("keeps so many ways to one answer", () => {
    const ways = ["mass", "mean_radius", "density", "gravity", "albedo"].map((select) => ({
      id: select,
      select,
    }));
    expect(reasons(run(ways))).toEqual([
      ["gravity", "duplicate_answer_path"],
      ["albedo", "duplicate_answer_path"],
    ]);
    expect(run(ways, { per_answer: 4 }).out).toHaveLength(4);
    const others = [
      ...ways.slice(0, 3),
      { id: "other input", select: "gravity", column: "equatorial_radius" },
    ];
    expect(run(others).rejected).toEqual([]);
  });

  it("loses no row and decides about each prefix as about the whole", () => {
    const asked = fc.record({
      id: fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "h"),
      entity: fc.constantFrom("uranus", "neptune"),
      select: fc.constantFrom("mass", "mean_radius", "albedo"),
      where: fc.constantFrom<Condition[]>([], [heavier(1)], [heavier(2)]),
      question: fc.constantFrom("A?", "B?", "C?", "a", "D?", "E?"),
    });
    fc.assert(
      fc.property(fc.array(asked, { maxLength: 60 }), fc.nat(60), (rows, cut) => {
        const all = run(rows);
        expect([...all.out.map((r) => r.id), ...all.rejected.map((r) => r.ref)].sort()).toEqual(
          rows.map((r) => r.id).sort(),
        );
        const part = run(rows.slice(0, cut));
        expect(all.out.slice(0, part.out.length)).toEqual(part.out);
        expect(all.rejected.slice(0, part.rejected.length)).toEqual(part.rejected);
      }),
    );
  });
});

describe("normalQuestion", () => {
  it("keeps what changes the meaning", () => {
    const different = [
      "above 1.5 km?",
      "above 15 km?",
      "above -5 km?",
      "above 5 km?",
      "above 1,500 km?",
      "below 5 km?",
    ];
    expect(new Set(different.map(normalQuestion)).size).toBe(different.length);
    expect(normalQuestion("  Above “5” km?\n")).toBe(normalQuestion("above 5 km"));
    expect(normalQuestion("g/cm³")).toBe(normalQuestion("g/cm3"));
  });
});
