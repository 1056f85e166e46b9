import { describe, expect, it } from "vitest";
import { barrier, completeGates, GATES, metGates } from "../../datasets/admission.js";
import { expectedOf } from "../../datasets/expected.js";
import { openTexts } from "../../datasets/open-texts.js";
import { readPool } from "../../datasets/read.js";
import { rlRecord } from "../../datasets/rl-record.js";
import { rlPool, tasksPool } from "../../datasets/schema/index.js";
import { taskRecord, taskRow } from "../../datasets/task-record.js";
import { writePool } from "../../datasets/write.js";
import { canonicalJson } from "../../pipeline/base/canonical.js";
import { gather, inFolder, sources, splitRows } from "./rows.js";

describe("rows of the tasks pool", () => {
  it("keep 80 tasks of many shapes whole, through a file", () =>
    inFolder(async (dir) => {
      const rows = splitRows(80);
      await writePool(
        dir,
        tasksPool,
        rows.map((row) => taskRecord(row, sources)),
      );
      const back = await gather(readPool(`${dir}/pools/tasks.parquet`, tasksPool));
      expect(back.map((record) => canonicalJson(taskRow(record)))).toEqual(rows.map(canonicalJson));
      expect(rows.some((r) => r.selection?.followed !== undefined)).toBe(true);
    }));

  it("keep fields that later stages add", () => {
    const row = { ...splitRows(1)[0]!, probe: { answers: ["1.3"], rate: 0 } };
    expect(taskRow(taskRecord(row, sources))).toEqual(row);
  });

  it("refuse a row that they would not keep whole", () => {
    const [row] = splitRows(1);
    const odd = { ...row!, answer: { ...row!.answer, twice: 2 } };
    expect(taskRow(taskRecord(odd, sources)).answer).toEqual(odd.answer);
    const worse = { ...row!, origin: { ...row!.origin, index: null as unknown as number } };
    expect(() => taskRecord(worse, sources)).toThrow(/no place for/);
  });

  it("say where every cell comes from", () => {
    for (const row of splitRows(60)) {
      const { hidden_provenance: cells, licences } = taskRecord(row, sources);
      const has = (table: string, key: string, column: string) =>
        cells.some((c) => c.table === table && c.key === key && c.column === column);
      const { entity } = row.selection!;
      expect(has(entity.table, entity.key, row.program.select!.column)).toBe(true);
      for (const input of Object.values(row.inputs))
        expect(has(input.entity!.table, input.entity!.key, input.column)).toBe(true);
      expect(new Set(cells.map(canonicalJson)).size).toBe(cells.length);
      expect(cells.every((c) => c.snapshot_sha256.length === 64 && c.record > 0)).toBe(true);
      expect(licences.length).toBeGreaterThan(0);
    }
  });

  it("show the answer and the entity in hidden columns alone", () => {
    for (const row of splitRows(60)) {
      const texts = openTexts(tasksPool, taskRecord(row, sources));
      const telling = texts.filter(
        ({ text, where }) =>
          where !== "question" && text.includes(row.answer.text) && row.answer.text.length > 3,
      );
      expect(telling.filter(({ where }) => !/task_id|hash/.test(where))).toEqual([]);
    }
  });
});

describe("rows of the RL pool", () => {
  it("hold all that a reward function needs in ground_truth", () => {
    const [row] = splitRows(1);
    const record = rlRecord(row!, sources, { agent_name: "tool_agent", index: 4 });
    const truth = JSON.parse(record.reward_model.ground_truth) as { answer: unknown; chain: unknown };
    expect(truth).toEqual({
      version: 1,
      answer: expectedOf(row!),
      chain: row!.chain,
      question: row!.question,
      language: "en",
    });
    expect(record.prompt).toEqual([{ role: "user", content: row!.question }]);
    expect(record.extra_info).toMatchObject({ index: 4, split: row!.split });
    expect(JSON.parse(record.reward.chain)).toEqual(row!.chain);
    const open = openTexts(rlPool, record).map((t) => t.where);
    expect(open).toContain("prompt[0].content");
    expect(open.some((where) => where.startsWith("reward"))).toBe(false);
  });
});

describe("gates", () => {
  const met = [{ gate: "lint", status: "passed" as const, why: "" }];

  it("that a row has not met are not_run, with why", () => {
    const all = completeGates(met);
    expect(all.map((g) => g.gate).sort()).toEqual([...GATES].sort());
    expect(all.find((g) => g.gate === "solve")).toEqual({
      gate: "solve",
      status: "not_run",
      why: "no stage of this run decides it",
    });
    expect(metGates(all)).toEqual(met);
  });

  it("keep a row out unless passed, or not run and tolerated by name", () => {
    const passed = GATES.map((gate) => ({ gate, status: "passed" as const, why: "" }));
    expect(barrier(passed, [])).toBeUndefined();
    expect(barrier(completeGates(passed.slice(1)), [])).toBe("twice_computed:not_run");
    expect(barrier(completeGates(passed.slice(1)), ["twice_computed"])).toBeUndefined();
    const failed = [{ ...passed[0]!, status: "failed" as const }, ...passed.slice(1)];
    expect(barrier(failed, ["twice_computed"])).toBe("twice_computed:failed");
  });
});
