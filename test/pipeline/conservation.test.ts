import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { TaskmillError } from "../../pipeline/base/errors.js";
import { countsOf } from "../../pipeline/checks.js";
import type { Instance } from "../../pipeline/instance.js";
import { type Batch, defineStage, type Row, type SetStage, type Stage } from "../../stages/stage.js";
import { adder, firsts, inFolder, type NumberRow, numberRow, numbers, runIn, tag } from "./helpers.js";

/** A random graph: sources, then stages that each take some of what stands before them. */
const graphs = fc
  .tuple(
    fc.array(fc.record({ size: fc.integer({ min: 1, max: 12 }), blocks: fc.integer({ min: 1, max: 4 }) }), {
      minLength: 1,
      maxLength: 3,
    }),
    fc.array(
      fc.record({
        kind: fc.constantFrom("add", "costly", "firsts", "tag"),
        by: fc.integer({ min: 1, max: 20 }),
        inputs: fc.array(fc.nat(9), { minLength: 1, maxLength: 3 }),
      }),
      { minLength: 1, maxLength: 6 },
    ),
  )
  .map(([sources, stages]) => {
    const instances: Instance[] = sources.map((params, i) => ({
      id: `s${i}`,
      stage: numbers,
      params,
      from: [],
    }));
    for (const [i, { kind, by, inputs }] of stages.entries()) {
      const from = [...new Set(inputs.map((n) => instances[n % instances.length]!.id))];
      const stage = kind === "firsts" ? firsts : kind === "tag" ? tag : adder(new Map(), kind === "costly");
      const params = kind === "firsts" ? { by } : kind === "tag" ? { tag: "t" } : { by, drop: by + 1 };
      instances.push({ id: `n${i}`, stage, params, from });
    }
    return instances;
  });

describe("conservation", () => {
  it("holds in every instance of any graph, and along every edge; and a second run says the same", () =>
    fc.assert(
      fc.asyncProperty(graphs, fc.option(fc.integer({ min: 1, max: 40 })), (instances, accepted) =>
        inFolder(async (dir) => {
          const target = accepted === null ? undefined : { accepted };
          const run = await runIn(dir, instances, { target });
          const out = new Map(run.done.map((d) => [d.id, d.counts.out]));
          for (const { id, counts } of run.done) {
            const rejected = Object.values(counts.rejected).reduce((sum, n) => sum + n, 0);
            expect(counts.in + counts.created).toBe(counts.out + rejected);
            const from = instances.find((i) => i.id === id)?.from ?? [];
            if (from.length > 0) expect(counts.in).toBe(from.reduce((sum, f) => sum + out.get(f)!, 0));
          }
          expect(run.all).toHaveLength(run.accepted);
          const again = await runIn(dir, instances, { target });
          expect(again.worked).toBe(0);
          expect(again.all).toEqual(run.all);
          expect(again.done).toEqual(run.done);
        }),
      ),
      { numRuns: 10 },
    ));

  it("is checked: a set stage that loses, doubles, invents or misreports rows is an internal error", () => {
    const rows: Row[] = [1, 2, 3].map((n) => ({ id: String(n), n }));
    const node = { id: "mine", stage: firsts };
    const bad: Batch<Row>[] = [
      { out: rows.slice(1), rejected: [] },
      { out: [rows[0]!, rows[0]!, rows[1]!], rejected: [] },
      { out: [...rows.slice(1), { id: "4", n: 4 }], rejected: [] },
      { out: rows, rejected: [{ ref: "1", reason: "seen", evidence: null }] },
      { out: rows, rejected: [], rejectedCounts: { seen: 1 } },
      { out: rows.slice(1), rejected: [], rejectedCounts: { unheard: 1 } },
      {
        out: rows.slice(2),
        rejected: [{ ref: "1", reason: "seen", evidence: null }],
        rejectedCounts: { seen: 0 },
      },
    ];
    for (const batch of bad) expect(() => countsOf(node, rows, batch)).toThrow(/^stage mine \(firsts\) /);
    const sound = { out: rows.slice(1), rejected: [{ ref: "1", reason: "seen", evidence: null }] };
    expect(countsOf(node, rows, sound)).toEqual({ in: 3, created: 0, out: 2, rejected: { seen: 1 } });
  });
});

describe("a stage that breaks its contract", () => {
  const set = (run: SetStage["run"]): Stage => ({ ...(firsts as SetStage), run });
  const row = (run: (row: NumberRow) => unknown): Stage =>
    defineStage<unknown, NumberRow, NumberRow>({
      kind: "odd",
      version: 1,
      summary: "odd",
      mode: "row",
      params: z.unknown(),
      takes: "program",
      gives: "program",
      input: numberRow,
      output: numberRow.extend({ n: z.number().max(1000) }),
      reasons: { no: "no" },
      run: run as () => never,
    });
  const cases: [string, Stage, RegExp][] = [
    [
      "throws on a row",
      row(() => {
        throw new Error("boom");
      }),
      /stage odd failed on row s-1: boom/,
    ],
    ["gives no outcome", row(() => ({})), /stage odd neither accepted nor rejected row s-1/],
    [
      "rejects for a reason of its own",
      row(() => ({ reject: { reason: "whim", evidence: null } })),
      /undeclared reason "whim"/,
    ],
    [
      "gives a row that does not fit",
      row((r) => ({ out: { ...r, n: 5000 } })),
      /row s-1 that does not fit its output: n: /,
    ],
    [
      "gives a value that JSON lacks",
      row((r) => ({ out: { ...r, x: Number.NaN } })),
      /row s-1 with a value that JSON cannot hold/,
    ],
    ["gives a row without id", row((r) => ({ out: { n: r.n } })), /gave a row without an id/],
    [
      "writes into its input",
      row((r) => {
        (r as { n: number }).n = 3;
        return { out: r };
      }),
      /failed on row s-1: Cannot assign/,
    ],
    [
      "loses a row",
      set((rows) => ({ out: rows.slice(1), rejected: [] })),
      /does not add up: 8 in \+ 0 created, but 7 out \+ 0 rejected/,
    ],
  ];
  for (const [name, stage, message] of cases) {
    it(`${name}: named, and nothing of it is kept`, () =>
      inFolder(async (dir) => {
        const graph: Instance[] = [
          { id: "s", stage: numbers, params: { size: 10, blocks: 1 }, from: [] },
          { id: stage.kind, stage, params: {}, from: ["s"] },
        ];
        const error = await runIn(dir, graph).catch((e: unknown) => e);
        expect(error).toBeInstanceOf(TaskmillError);
        expect(error).toMatchObject({ kind: "internal" });
        expect((error as TaskmillError).message).toMatch(message);
        const sound = await runIn(dir, graph.slice(0, 1));
        expect(sound).toMatchObject({ worked: 0, cached: 1 });
      }));
  }
});
