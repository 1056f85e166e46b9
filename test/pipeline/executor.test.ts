import { setTimeout } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { localExecutor, RowError } from "../../pipeline/executor.js";
import { defineStage, type Outcome, type Row, type RowStage, type StageContext } from "../../stages/stage.js";
import { type NumberRow, numberRow } from "./helpers.js";

const context = (signal: AbortSignal) => ({ signal }) as unknown as StageContext<unknown>;
const rows = (n: number): Row[] => Array.from({ length: n }, (_, i) => ({ id: String(i), n: i }));

function stageOf(run: (row: NumberRow) => Outcome<NumberRow> | Promise<Outcome<NumberRow>>): RowStage {
  return defineStage<unknown, NumberRow, NumberRow>({
    kind: "test",
    version: 1,
    summary: "test",
    mode: "row",
    params: z.unknown(),
    takes: "program",
    gives: "program",
    input: numberRow,
    output: numberRow,
    reasons: { no: "no" },
    run,
  });
}

describe("the local executor", () => {
  it("gives outcomes in the order of the rows, whatever the order of ending, and keeps to its concurrency", () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 9 }),
        fc.array(fc.nat(3), { maxLength: 40 }),
        async (concurrency, delays) => {
          let atWork = 0;
          let most = 0;
          const stage = stageOf(async (row) => {
            most = Math.max(most, ++atWork);
            await setTimeout(delays[row.n]!);
            atWork--;
            return { out: row };
          });
          const given = rows(delays.length);
          const outcomes = await localExecutor.run(stage, given, context(new AbortController().signal), {
            concurrency,
          });
          expect(outcomes).toEqual(given.map((out) => ({ out })));
          expect(most).toBeLessThanOrEqual(concurrency);
        },
      ),
      { numRuns: 20 },
    ));

  it("stops between rows when aborted, after the rows at work have ended", async () => {
    const abort = new AbortController();
    let ended = 0;
    const stage = stageOf(async (row) => {
      if (row.n === 10) abort.abort();
      await setTimeout(1);
      ended++;
      return { out: row };
    });
    const run = localExecutor.run(stage, rows(100), context(abort.signal), { concurrency: 4 });
    await expect(run).rejects.toMatchObject({ kind: "interrupted" });
    expect(ended).toBeGreaterThan(10);
    expect(ended).toBeLessThan(16);
  });

  it("lets timers run during a stage that never waits", async () => {
    const abort = new AbortController();
    const stage = stageOf((row) => ({ out: row }));
    setTimeout(0).then(() => abort.abort());
    const run = localExecutor.run(stage, rows(200_000), context(abort.signal), { concurrency: 1 });
    await expect(run).rejects.toMatchObject({ kind: "interrupted" });
  });

  it("names the row that a stage failed on and starts no more", async () => {
    let begun = 0;
    const stage = stageOf((row) => {
      begun++;
      if (row.n === 3) throw new Error("no such thing");
      return { out: row };
    });
    const error = await localExecutor
      .run(stage, rows(50), context(new AbortController().signal), { concurrency: 2 })
      .catch((e: unknown) => e);
    expect(error).toBeInstanceOf(RowError);
    expect((error as RowError).row.id).toBe("3");
    expect(begun).toBeLessThan(8);
  });
});
