import { describe, expect, it } from "vitest";
import { z } from "zod";
import { TaskmillError } from "../../pipeline/base/errors.js";
import { NO_MODELS } from "../../pipeline/models/none.js";
import type { ModelAccess } from "../../pipeline/rounds.js";
import { defineStage, type RowStage } from "../../stages/stage.js";
import { inFolder, type NumberRow, numberRow, numbers, runIn } from "./helpers.js";

/** Takes rows up to the target, as `balance` does. */
const enough = defineStage<object, NumberRow, NumberRow>({
  kind: "enough",
  version: 1,
  summary: "takes as many rows as are wanted",
  mode: "set",
  params: z.strictObject({}),
  takes: "worded",
  gives: "worded",
  input: numberRow,
  output: numberRow,
  reasons: { over_target: "there are enough" },
  run(rows, { target = Number.POSITIVE_INFINITY }) {
    const late = rows.slice(Math.min(target, rows.length));
    return {
      out: rows.slice(0, rows.length - late.length),
      rejected: late.map((row) => ({ ref: row.id, reason: "over_target", evidence: null })),
    };
  },
});

/** Asks for each row, and lets one of four through. */
const gate = (asked: string[]) =>
  defineStage<object, NumberRow, NumberRow>({
    kind: "gate",
    version: 1,
    summary: "lets one of four rows through",
    mode: "row",
    params: z.strictObject({}),
    takes: "worded",
    gives: "same",
    input: numberRow,
    output: numberRow,
    reasons: { known: "not the fourth" },
    roles: () => ["r"],
    async run(row, { models }) {
      await models.ask({ role: "r", row: row.id, messages: [] });
      asked.push(row.id);
      return row.n % 4 === 0 ? { out: row } : { reject: { reason: "known", evidence: { n: row.n } } };
    },
  });

const usage = { input: null, cached_input: null, output: null, reasoning: null };
const models = (fails: (row: string) => string | undefined = () => undefined): ModelAccess => ({
  forInstance: () => ({
    identity: () => ({ endpoint: "e", model: "m", revision: null }),
    async ask({ row }) {
      const code = fails(row);
      if (code !== undefined) throw new TaskmillError("provider", [{ code, message: `no reply: ${code}` }]);
      return { ok: true, call: "", text: "", reasoning: "", tool_calls: [], usage };
    },
  }),
  recordings: NO_MODELS.recordings,
  rowsAtOnce: (roles) => 8 * roles.length,
  flush: () => {},
});

const graph = (asked: string[], size = 200) => [
  { id: "make", stage: numbers, params: { size, blocks: 3 }, from: [] },
  { id: "enough", stage: enough, params: {}, from: ["make"] },
  { id: "gate", stage: gate(asked), params: {}, from: ["enough"] },
];

describe("gates behind a set stage", () => {
  it("are given as many rows as the target needs, and not all there are", () =>
    inFolder(async (dir) => {
      const asked: string[] = [];
      const { accepted, done } = await runIn(dir, graph(asked), {
        target: { accepted: 20 },
        models: models(),
      });
      expect(accepted).toBeGreaterThanOrEqual(20);
      const { counts } = done.find((d) => d.id === "gate")!;
      expect(new Set(asked).size).toBe(counts.in);
      // A quarter comes through, so 80 rows are needed; what the first guesses at the yield overshoot is small.
      expect(counts.in).toBeGreaterThanOrEqual(77);
      expect(counts.in).toBeLessThan(110);
    }));

  it("keep the rows of a smaller target, and take further blocks where one has too few", () =>
    inFolder(async (dir) => {
      const small = await runIn(dir, graph([]), { target: { accepted: 20 }, models: models() });
      const large = await runIn(dir, graph([]), { target: { accepted: 60 }, models: models() });
      expect(large.accepted).toBeGreaterThanOrEqual(60);
      expect(large.blocks).toBe(2);
      const ids = large.all.map((row) => row.id);
      expect(ids.slice(0, 20)).toEqual(small.all.map((row) => row.id).slice(0, 20));
    }));

  it("end a run that they would empty, before all candidates are paid for", () =>
    inFolder(async (dir) => {
      const asked: string[] = [];
      const none = defineStage<object, NumberRow, NumberRow>({
        ...(gate(asked) as RowStage<object, NumberRow, NumberRow>),
        async run(row, { models }) {
          await models.ask({ role: "r", row: row.id, messages: [] });
          asked.push(row.id);
          return { reject: { reason: "known", evidence: null } };
        },
      });
      const [make, first] = graph([]);
      const instances = [make!, first!, { id: "gate", stage: none, params: {}, from: ["enough"] }];
      const run = await runIn(dir, instances, { target: { accepted: 10 }, models: models() });
      expect(run).toMatchObject({ accepted: 0, hopeless: true, blocks: 1 });
      expect(new Set(asked).size).toBeLessThan(300);
    }));

  it("are run again each time, while what follows from the same replies is found again", () =>
    inFolder(async (dir) => {
      const asked: string[] = [];
      await runIn(dir, graph(asked), { target: { accepted: 20 }, models: models() });
      const first = asked.length;
      const again = await runIn(dir, graph(asked), { target: { accepted: 20 }, models: models() });
      expect(asked.length).toBe(2 * first);
      expect(again.worked).toBe(0);
    }));

  it("go on with other rows when models leave some without a reply, and say each cause once", () =>
    inFolder(async (dir) => {
      const asked: string[] = [];
      const fails = (row: string) =>
        row.endsWith("7") ? "timeout" : row.endsWith("13") ? "malformed" : undefined;
      const failed = runIn(dir, graph(asked, 40), { models: models(fails) });
      await expect(failed).rejects.toMatchObject({
        kind: "provider",
        problems: [
          {
            code: "timeout",
            message: expect.stringMatching(/^12 of 96 rows have no reply: no reply: timeout$/),
          },
          { code: "malformed", message: expect.stringMatching(/^2 of 96 rows have no reply/) },
        ],
      });
      expect(asked).toHaveLength(82);
    }));
});
