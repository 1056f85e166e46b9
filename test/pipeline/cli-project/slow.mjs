// A plugin for the tests of the command line: a stage that takes its time, so that a run can be interrupted.
import { setTimeout } from "node:timers/promises";
import { z } from "zod";

const row = z.looseObject({ id: z.string() });

export default [
  {
    kind: "slow",
    version: 1,
    summary: "waits",
    mode: "row",
    params: z.strictObject({ ms: z.number() }),
    takes: "worded",
    gives: "worded",
    input: row,
    output: row,
    reasons: {},
    async run(one, { params, signal }) {
      await setTimeout(params.ms, undefined, { signal }).catch(() => {});
      return { out: one };
    },
  },
];
