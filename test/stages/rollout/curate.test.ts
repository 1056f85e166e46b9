import { describe, expect, it } from "vitest";
import { admit } from "../../../stages/admit.js";
import { curate } from "../../../stages/curate.js";
import type { RolloutEvidence } from "../../../stages/evidence.js";
import type { Recordings } from "../../../stages/recordings.js";
import type { Row, RowStage, StageContext } from "../../../stages/stage.js";

/** A rollout of so many turns, each with one call of a tool whose arguments are the turn's action. */
function rollout(
  sample: number,
  actions: readonly string[],
  more: Partial<RolloutEvidence> = {},
): RolloutEvidence {
  const acc = more.outcome === undefined || more.outcome === "right" ? 1 : 0;
  return {
    by: "rollout",
    role: "policy",
    model: "m",
    sample,
    turns: [...actions, ""].map((action) => ({
      call: `call of ${action}`,
      tools: [],
      segment: 0,
      input: 100,
      output: 10,
    })),
    digest: "",
    stop: "answered",
    valid: true,
    answer: "5 kg",
    outcome: "right",
    reason: "equal",
    reward: { score: acc, acc, progress: 0, answered: 1, steps: [] },
    firewall: { asked: 0, blocked: 0, served: [] },
    faults: [],
    drift: null,
    ...more,
  };
}
const wrong = (sample: number, score: number, more: Partial<RolloutEvidence> = {}) =>
  rollout(sample, [`w${sample}`], {
    outcome: "wrong",
    reward: { score, acc: 0, progress: score / 0.3, answered: 1, steps: [] },
    ...more,
  });

const usage = { input: null, cached_input: null, output: null, reasoning: null };
const recordings: Recordings = {
  call(name) {
    const action = name.replace("call of ", "");
    const tool_calls = action === "" ? [] : [{ id: "c", name: "search", arguments: action }];
    return {
      messages: [],
      tools: [],
      reply: { ok: true, call: name, text: "", reasoning: "", tool_calls, usage },
    };
  },
  observation: () => undefined,
};

async function ran(stage: unknown, params: object, rollouts: readonly RolloutEvidence[]): Promise<Row> {
  const kind = stage as RowStage;
  const context = { params: kind.params.parse(params), recordings } as unknown as StageContext<unknown>;
  const outcome = await kind.run(
    { id: "r", question: "?", gates: [], rollouts: [...rollouts] } as Row,
    context,
  );
  if (!("out" in outcome)) throw new Error("rejected");
  return outcome.out;
}
const reasons = async (params: object, rollouts: readonly RolloutEvidence[]) =>
  ((await ran(curate, params, rollouts)).rollouts as RolloutEvidence[]).map(({ unselected }) => unselected);

describe("curate", () => {
  it("says of each rollout why it is nothing to learn from", async () => {
    expect(
      await reasons({ per_task: 9 }, [
        rollout(0, ["a"]),
        rollout(1, ["b"], { valid: false, stop: "unavailable", outcome: "no_reply" }),
        rollout(2, ["c"], {
          firewall: { asked: 1, blocked: 0, served: [{ url: "http://x/", rule: "publisher" }] },
        }),
        rollout(3, ["d"], { stop: "turns", outcome: "no_reply" }),
        wrong(4, 0.1),
        rollout(5, ["e"], { outcome: "undecided" }),
        rollout(6, ["f"], { faults: ["bad_arguments"] }),
        rollout(7, ["a"]),
        rollout(8, ["g"], { by: "demonstrate" }),
      ]),
    ).toEqual([
      "",
      "not_valid",
      "firewall",
      "stopped: turns",
      "wrong",
      "not_graded",
      "form: bad_arguments",
      "same_actions",
      "",
    ]);
  });

  it("takes the shortest first", async () => {
    const all = [rollout(0, ["a", "b", "c"]), rollout(1, ["d"]), rollout(2, ["e", "f"])];
    expect(await reasons({}, all)).toEqual(["over_per_task", "", "over_per_task"]);
    expect(await reasons({ per_task: 2 }, all)).toEqual(["over_per_task", "", ""]);
  });

  it("takes fewer tokens where turns are equal, then the earlier draw", async () => {
    const [a, b, c] = [rollout(0, ["a"]), rollout(1, ["b"]), rollout(2, ["c"])];
    b.turns[0]!.output = 5;
    expect(await reasons({}, [a, b, c])).toEqual(["over_per_task", "", "over_per_task"]);
    b.turns[0]!.output = 10;
    expect(await reasons({}, [a, b, c])).toEqual(["", "over_per_task", "over_per_task"]);
  });

  it("takes what differs most from those chosen, where variety is asked for", async () => {
    const all = [rollout(0, ["a"]), rollout(1, ["a", "b"]), rollout(2, ["x", "y", "z"])];
    expect(await reasons({ per_task: 2, prefer: "diverse" }, all)).toEqual(["", "over_per_task", ""]);
  });

  it("knows the same action by its meaning and not by its spaces", async () => {
    const all = [rollout(0, ['{"q":1}']), rollout(1, ['{ "q" : 1 }'])];
    expect(await reasons({ per_task: 2 }, all)).toEqual(["", "same_actions"]);
  });

  it("looks at the rollouts of the instances that it is given alone", async () => {
    const all = [rollout(0, ["a"]), rollout(0, ["b", "c"], { by: "demonstrate" })];
    expect(await reasons({ from: ["demonstrate"] }, all)).toEqual(["of_another_stage", ""]);
  });
});

describe("admit", () => {
  const gateOf = async (params: object, rollouts: readonly RolloutEvidence[]) => {
    const { status, why } = (
      (await ran(admit, params, rollouts)).gates as { status: string; why: string }[]
    )[0]!;
    return `${status}: ${why}`;
  };
  const rights = (n: number) => Array.from({ length: n }, (_, i) => rollout(i, [`a${i}`]));

  it("admits what succeeds sometimes", async () => {
    expect(await gateOf({}, [...rights(1), wrong(1, 0), wrong(2, 0.1), wrong(3, 0)])).toBe(
      "passed: some attempts are right and rewards differ: 1 of 4 right",
    );
  });

  it("keeps out what always or never succeeds, even where wrong attempts are rewarded differently", async () => {
    expect(await gateOf({}, rights(4))).toBe("failed: every attempt is right: 4 of 4 right");
    const varied = [0, 0.1, 0.2, 0.3].map((score, i) => wrong(i, score));
    expect(await gateOf({}, varied)).toBe("failed: no attempt is right: 0 of 4 right");
  });

  it("does not decide from fewer attempts than asked for, and draws by order", async () => {
    const invalid = rollout(9, ["x"], { valid: false, stop: "unavailable", outcome: "no_reply" });
    expect(await gateOf({}, [...rights(1), invalid, wrong(2, 0)])).toBe(
      "not_run: too few attempts came to an end: 1 of 2 right",
    );
    expect(await gateOf({ n: 2 }, [invalid, ...rights(2), wrong(3, 0)])).toBe(
      "failed: every attempt is right: 2 of 2 right",
    );
  });

  it("says that it did not run where nobody attempted anything", async () => {
    expect(await gateOf({}, [rollout(0, ["a"], { by: "demonstrate" })])).toBe(
      "not_run: no rollouts of `rollout` were made",
    );
  });

  it("keeps what it was decided from, draw by draw", async () => {
    const row = await ran(admit, { n: 2 }, [
      ...rights(1),
      wrong(1, 0.1, { answer: "7 kg", stop: "answered" }),
    ]);
    expect(row.admission).toEqual({
      by: "rollout",
      n: 2,
      rewards: [1, 0.1],
      accs: [1, 0],
      answers: ["5 kg", "7 kg"],
      stops: ["answered", "answered"],
      input: [200, 200],
      output: [20, 20],
      low: expect.closeTo(0.0945, 3),
      high: expect.closeTo(0.9055, 3),
    });
  });
});
