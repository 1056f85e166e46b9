import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { GATES } from "../../datasets/admission.js";
import { readPool } from "../../datasets/read.js";
import { rlPool, sftPool, tasksPool } from "../../datasets/schema/index.js";
import { taskRow } from "../../datasets/task-record.js";
import type { Card } from "../../sources/card.js";
import { emit } from "../../stages/emit.js";
import type { Batch, SetStage, StageContext } from "../../stages/stage.js";
import type { SplitRow } from "../../stages/task.js";
import { cards, catalog, gather, inFolder, splitRows } from "../datasets/rows.js";

const stage = emit as SetStage;
const MODEL_GATES = ["contamination", "closed_book", "round_trip", "solve", "admission"];

async function emitted(
  rows: readonly SplitRow[],
  outDir: string,
  given: object = {},
): Promise<Batch<Record<string, unknown> & { id: string }>> {
  const params = stage.params.parse(given);
  const context = { params, catalog, outDir, signal: new AbortController().signal };
  return (await stage.run(rows, context as unknown as StageContext<unknown>)) as never;
}

describe("emit", () => {
  it("writes every row to the tasks pool, and admits by name what no gate has screened", () =>
    inFolder(async (dir) => {
      const rows = splitRows(40);
      const { out, rejected } = await emitted(rows, dir, { admit_unscreened: MODEL_GATES });
      expect(rejected).toEqual([]);
      const tasks = await gather(readPool(join(dir, "pools/tasks.parquet"), tasksPool));
      const rl = await gather(readPool(join(dir, "pools/rl.arrow"), rlPool));
      expect(tasks.map((t) => t.task_id)).toEqual(rows.map((r) => r.id));
      expect(rl.map((r) => r.task_id)).toEqual(rows.map((r) => r.id));
      expect(tasks.map((t) => taskRow(t).answer)).toEqual(rows.map((r) => r.answer));
      expect(await gather(readPool(join(dir, "pools/sft.parquet"), sftPool))).toEqual([]);
      const test = await gather(readPool(join(dir, "pools/rl/test-00000-of-00001.parquet"), rlPool));
      expect(test.map((r) => r.extra_info.index)).toEqual(test.map((_, i) => i));
      expect(out.map((o) => [o.file, o.rows])).toContainEqual(["pools/rl/test-00000-of-00001.parquet", 10]);
      for (const { gates } of rl) {
        const status = Object.fromEntries(gates.map((g) => [g.gate, g.status]));
        expect(status).toEqual({
          ...Object.fromEntries(MODEL_GATES.map((g) => [g, "not_run"])),
          twice_computed: "passed",
          lint: "passed",
        });
      }
    }));

  it("keeps rows out of the RL pool, and counts them by the gate in the way", () =>
    inFolder(async (dir) => {
      const rows = splitRows(12).map((row, i) => {
        if (i % 3 === 0) return { ...row, gates: row.gates.filter((g) => g.gate !== "lint") };
        if (i % 3 === 1)
          return {
            ...row,
            gates: [...row.gates, { gate: "solve", status: "failed" as const, why: "two of three disagree" }],
          };
        return row;
      });
      const { out } = await emitted(rows, dir, { admit_unscreened: MODEL_GATES });
      expect(await gather(readPool(join(dir, "pools/rl.parquet"), rlPool))).toHaveLength(4);
      expect(out.find((o) => o.file === "pools/rl.parquet")!.kept_out).toEqual({
        "lint:not_run": 4,
        "solve:failed": 4,
      });
      expect(out.find((o) => o.file === "pools/tasks.parquet")!.rows).toBe(12);
      const none = await emitted(rows, join(dir, "none"));
      expect(none.out.filter((o) => o.pool === "rl").map((o) => o.rows)).toEqual([0, 0, 0, 0, 0]);
    }));

  it("rejects rows whose prompt, system message or gates show a hidden target", () =>
    inFolder(async (dir) => {
      const rows = splitRows(8).filter((row) => row.selection!.entity.name.length > 3);
      const planted = rows.map((row, i): SplitRow => {
        const name = row.selection!.entity.name;
        if (i === 0) return { ...row, question: `${row.question} Hint: it is ${name}.` };
        if (i === 1)
          return {
            ...row,
            gates: [...row.gates, { gate: "probe", status: "passed", why: `the model said ${name}` }],
          };
        if (i === 2)
          return {
            ...row,
            question: `${row.question} About ${row.answer.value.toPrecision(4)} ${row.answer.unit}.`,
          };
        return row;
      });
      const { rejected } = await emitted(planted, dir);
      expect(rejected.map((r) => [r.ref, r.reason])).toEqual(
        [0, 1, 2].map((i) => [planted[i]!.id, "hidden_target_shown"]),
      );
      const fields = rejected.map(
        (r) => (r.evidence as { findings: { field: string }[] }).findings[0]!.field,
      );
      expect(fields).toEqual(["prompt[0].content", "gates[2].why", "prompt[0].content"]);
      expect(await gather(readPool(join(dir, "pools/tasks.parquet"), tasksPool))).toHaveLength(
        rows.length - 3,
      );
      const system = `Ask about ${rows[0]!.selection!.entity.name} first.`;
      expect((await emitted(rows.slice(0, 1), join(dir, "s"), { system })).rejected).toHaveLength(1);
    }));

  it("writes the same bytes again", () =>
    inFolder(async (dir) => {
      const rows = splitRows(20);
      const once = await emitted(rows, join(dir, "a"), { admit_unscreened: [...GATES] });
      const again = await emitted(rows, join(dir, "b"), { admit_unscreened: [...GATES] });
      expect(again).toEqual(once);
      expect(once.out).toHaveLength(15);
    }));

  it("stops when the run is interrupted", () =>
    inFolder(async (dir) => {
      const context = { params: stage.params.parse({}), catalog, outDir: dir, signal: AbortSignal.abort() };
      await expect(stage.run(splitRows(3), context as unknown as StageContext<unknown>)).rejects.toThrow();
    }));

  it("finds before a run that sources cannot be in one dataset", () => {
    const under = (id: string): Card => ({ ...[...cards.values()][0]!, licence: { id, share_alike: false } });
    const check = (...ids: string[]) =>
      stage.check!(stage.params.parse({}), {
        cards: new Map(ids.map((id, i) => [`s${i}`, under(id)])),
        kinds: new Set(["emit"]),
      }).map((p) => p.code);
    expect(check("CC0-1.0", "CC-BY-4.0")).toEqual([]);
    expect(check("CC-BY-SA-4.0", "ODbL-1.0")).toEqual(["licence_conflict"]);
    expect(check("secret")).toEqual(["unknown_licence"]);
    expect(stage.params.safeParse({ admit_unscreened: ["closed-book"] }).success).toBe(false);
  });
});
