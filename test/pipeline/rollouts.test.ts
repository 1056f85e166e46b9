import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { readPool } from "../../datasets/read.js";
import { sftPool, type TrajectoryRecord, trajectoriesPool } from "../../datasets/schema/index.js";
import { type Dataset, readDataset } from "../../pipeline/audit/dataset.js";
import { rolloutsOf } from "../../pipeline/audit/rollouts.js";
import { auditText } from "../../pipeline/audit/text.js";
import { audit, type Explanation, explain, explanationText, TaskmillError } from "../../pipeline/index.js";
import { readManifest } from "../../pipeline/manifest-file.js";
import { recordedModels } from "../../pipeline/models/access.js";
import type { Report } from "../../pipeline/report/gather.js";
import type { Rollout } from "../../pipeline/rollouts.js";
import type { ModelAccess } from "../../pipeline/rounds.js";
import { reloadSources } from "../../pipeline/verify/sources.js";
import type { Recorded } from "../../stages/recordings.js";
import { BLOCKED, rolloutRun } from "../fixtures/rollout-run.js";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 });

/** One dataset with real rollouts, seen by all that shows or checks it. */
let folder: string;
let dir: string;
let trajectories: TrajectoryRecord[];
let report: Report;
let page: string;
const text = (file: string) => readFileSync(join(dir, file), "utf8");

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "taskmill-rollouts-"));
  dir = await rolloutRun(folder);
  trajectories = [];
  for await (const record of readPool(join(dir, "pools/trajectories.parquet"), trajectoriesPool))
    trajectories.push(record);
  report = JSON.parse(text("report.json")) as Report;
  page = text("report.html");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const isAccepted = (e: Explanation): e is Extract<Explanation, { kind: "accepted" }> => e.kind === "accepted";

describe("explain", () => {
  it("gives each rollout a line, and says what admission was decided by", async () => {
    const shown = explanationText(await explain(dir, trajectories[0]!.task_id));
    const lines = shown.split("\n").filter((line) => /^ {2}\d {2}(rollout|demonstrate)\/\d/.test(line));
    expect(lines).toHaveLength(5);
    expect(lines[1]).toMatch(
      /rollout\/1 +policy \(policy\) +answered +wrong \(wrong_value\) +score 0\.\d+, P 0\.\d+ +3 turns .*not selected: wrong/,
    );
    expect(lines[2]).toMatch(/1 asked, 1 blocked/);
    expect(lines[3]).toMatch(/turns +no_reply .*not selected: stopped: turns; faults: unknown_tool/);
    expect(lines[4]).toMatch(/demonstrate\/0 +teacher .*selected$/);
    expect(shown).toMatch(/admitted: [12] of 4 by `rollout` right \(n = 4; 95 %: \d+ % to \d+ %\), rewards /);
    expect(shown).not.toContain("turn 1");
  });

  it("prints the conversation that is asked for, and no order to the terminal in it", async () => {
    const { task_id } = trajectories[0]!;
    const shown = explanationText(await explain(dir, task_id, { rollout: "rollout/1" }));
    expect(shown).toContain(`rollout ${task_id}/rollout/1, segment 0: answered, wrong: wrong_value`);
    expect(shown).toContain('→ search {"query":"moons planets"}');
    expect(shown).toContain("~ I should use visit.");
    expect(shown).toMatch(/\[900 of [\d,]+ characters; --json has all\]/);
    expect(shown).toMatch(/► Finding: selected entity = /);
    expect(shown).toMatch(/► Final answer: 0\.000123/);
    expect(shown).toMatch(/✓ selected entity: .* \(verified\)/);
    expect(shown).toMatch(/✗ .* \(not said\)/);
    expect(shown).toContain("\\u202e\\u001b[31m");
    expect(shown).not.toContain("\u001b");
    expect(shown).not.toContain("\u202e");
  });

  it("takes a number, a whole id, or all, and names those that there are", async () => {
    const { task_id } = trajectories[0]!;
    const ids = async (rollout: string) => {
      const explained = await explain(dir, task_id, { rollout });
      return isAccepted(explained) ? explained.conversations!.map((c) => c.rollout) : [];
    };
    expect(await ids("5")).toEqual([`${task_id}/demonstrate/0`]);
    expect(await ids(`${task_id}/rollout/3`)).toEqual([`${task_id}/rollout/3`]);
    expect(await ids("all")).toHaveLength(5);
    await expect(ids("6")).rejects.toMatchObject({
      kind: "usage",
      problems: [{ code: "unknown_rollout", hint: expect.stringContaining("5 (demonstrate/0)") }],
    });
  });
});

describe("the report on rollouts", () => {
  it("counts each agent's rollouts from drawn to selected", () => {
    const { agents, tasks } = report.rollouts!;
    expect(tasks).toBe(4);
    expect(agents.map(({ by, drawn, valid, selected }) => [by, drawn, valid, selected])).toEqual([
      ["rollout", 16, 16, 0],
      ["demonstrate", 4, 4, 4],
    ]);
    const [policy] = agents;
    const right = trajectories.filter((t) => t.by === "rollout" && t.hidden_outcome.startsWith("right"));
    expect(policy!.right).toBe(right.length);
    expect(policy!.stops).toEqual([
      { value: "answered", rows: 12 },
      { value: "turns", rows: 4 },
    ]);
    expect(policy!.faults).toEqual([{ value: "unknown_tool", rows: 4 }]);
    expect(policy!.tools.map(({ value, rows }) => [value, rows])).toEqual([
      ["search", 16],
      ["fly", 12],
      ["visit", 12],
    ]);
    expect(policy!.spreads[0]).toEqual({ what: "turns", known: 16, least: 3, median: 3, p90: 5, most: 5 });
    expect(policy!.firewall).toEqual({ asked: 8 + 4, blocked: 4, rollouts: 4, served: [] });
    expect(policy!.progress.wrong).toBe(16 - right.length);
    const entities = policy!.progress.kinds.find(({ kind }) => kind === "entity")!;
    expect(entities.verified).toBeLessThan(entities.steps);
    expect(policy!.drift).toEqual({ rollouts: 0, drifted: 0, turns: 0 });
  });

  it("tells admissions with their intervals, and how far four attempts reach", () => {
    const { decisions, rates, chances, n } = report.rollouts!.admission!;
    expect([n, decisions.admitted, rates.reduce((sum, r) => sum + r.tasks, 0)]).toEqual([4, 4, 4]);
    expect(rates[2]).toMatchObject({ successes: 2, trials: 4, estimate: 0.5 });
    expect(rates[2]!.low).toBeCloseTo(0.15, 2);
    // 1 - 0.95^4 - 0.05^4, at either end.
    for (const p of [0.05, 0.95]) expect(chances.find((c) => c.p === p)!.chance).toBeCloseTo(0.1855, 4);
    expect(page).toContain("5 % of cases is admitted with 18.5 %, one of 95 % with 18.5 % too");
  });

  it("shows a right conversation, a wrong one and one that met the wall, as text", () => {
    const { samples } = report.rollouts!;
    expect(samples.map(({ shows }) => shows)).toEqual(["right", "wrong", "blocked"]);
    expect(samples[2]!.messages.some(({ calls }) => calls.some((c) => c.arguments.includes(BLOCKED)))).toBe(
      true,
    );
    expect(page).toContain("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&lt;/details&gt;");
    for (const raw of ["<script", "<img", "\u202e", "\u001b"]) expect(page).not.toContain(raw);
    expect(page.match(/<details/g)!.length).toBe(page.match(/<\/details>/g)!.length);
    expect(page).toContain("<mark>Final answer: ");
  });
});

describe("the card", () => {
  it("says how rollouts were made, and loads the pools of conversations", () => {
    const card = text("README.md");
    expect(card).toContain("| `demonstrate` | `teacher` | `teacher` | 4 | 4 | 4 | 4 |");
    expect(card).toContain("the tools `search`, `visit`. Their documents were **notes.jsonl**.");
    expect(card).toContain("`network_block.json` is that list");
    expect(card).not.toContain("The SFT pool is empty");
    expect(card).not.toContain(folder);
    expect(card).toMatch(/config_name: trajectories/);
    expect(card).toMatch(/- name: logprobs\n +list: float64/);
  });
});

describe("an audit of rollouts", () => {
  it("finds nothing in a dataset that is as it was made", async () => {
    const { findings, details, ...rest } = await audit(dir);
    expect(findings).toEqual([]);
    expect(details.rollouts).toEqual({
      rollouts: 20,
      conversations: 20,
      observations: 5,
      addresses: 5,
      served: 0,
    });
    expect(auditText({ findings, details, ...rest })).toContain("20 rollouts followed again");
  });

  it("finds blocked content that was served, in whatever rollout it was shown", async () => {
    const copy = join(folder, "served");
    cpSync(dir, copy, { recursive: true });
    const cassette = readFileSync(join(copy, "cassette.ndjson"), "utf8");
    const said = '"blocked":';
    const lines = cassette.split("\n").map((line) => {
      if (!line.includes(`"url":"${BLOCKED}"`) || !line.includes(said)) return line;
      const record = JSON.parse(line) as {
        observation: { urls: { url: string; how: string; blocked: null }[] };
      };
      record.observation.urls = [{ url: BLOCKED, how: "served", blocked: null }];
      return JSON.stringify(record);
    });
    writeFileSync(join(copy, "cassette.ndjson"), lines.join("\n"));
    const { findings, details } = await audit(copy);
    expect(details.rollouts!.served).toBe(1);
    const served = findings.filter(({ code }) => code === "blocked_content_served");
    expect(served.map(({ where }) => where)).toEqual(
      trajectories.filter((t) => t.rollout.endsWith("rollout/2")).map((t) => t.rollout),
    );
    expect(served[0]!.message).toContain(`${BLOCKED} (`);
    // Not worth anything any more, whatever its evidence says.
    expect(findings.filter(({ code }) => code === "scored_otherwise").length).toBeGreaterThan(0);
  });
});

describe("evidence that its recorded calls contradict", () => {
  let opened: { dataset: Dataset; models: ModelAccess; close(): Promise<void> };
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened.close());

  async function open() {
    const manifest = await readManifest(dir);
    const { reloaded } = await reloadSources(dir, manifest, new Map());
    const models = await recordedModels(dir, manifest.config.resolved, new AbortController().signal);
    const close = async () => {
      await models.close();
      reloaded!.database.close();
    };
    return { dataset: await readDataset(dir, manifest, reloaded!.catalog), models, close };
  }

  /** What is found when rows are changed like this. */
  async function found(change: (row: Changed, at: number) => void, recordings = opened.models.recordings) {
    const tasks = opened.dataset.tasks.map((task, at) => {
      const row = structuredClone(task.row) as unknown as Changed;
      change(row, at);
      return { ...task, question: row.question, gates: row.gates, row: row as never };
    });
    const models = { ...opened.models, recordings };
    const { findings } = await rolloutsOf({ ...opened.dataset, tasks }, { models });
    return [...new Set(findings.map(({ code }) => code))].sort();
  }

  it("is none where nothing was changed", async () => {
    expect(await found(() => {})).toEqual([]);
  });

  it.each<[string, (row: Changed) => void, string[]]>([
    [
      "a better score",
      (r) => {
        r.rollouts[1]!.reward.score = 1;
      },
      ["admitted_otherwise", "scored_otherwise", "trajectory_differs"],
    ],
    [
      "a step that was not said",
      (r) => {
        r.rollouts[1]!.reward.steps.at(-1)!.verified = true;
      },
      ["scored_otherwise", "trajectory_differs"],
    ],
    [
      "another verdict",
      (r) => {
        r.rollouts[1]!.outcome = "right";
      },
      ["graded_otherwise", "trajectory_differs"],
    ],
    [
      "another answer",
      (r) => {
        r.rollouts[1]!.answer = "7";
      },
      ["graded_otherwise", "trajectory_differs"],
    ],
    [
      "another end",
      (r) => {
        r.rollouts[1]!.stop = "turns";
      },
      ["ended_otherwise", "graded_otherwise", "trajectory_differs"],
    ],
    [
      "an end that was not reached",
      (r) => {
        r.rollouts[3]!.stop = "answered";
      },
      ["ended_otherwise", "trajectory_differs"],
    ],
    [
      "a rollout that is said not to count",
      (r) => {
        r.rollouts[1]!.valid = false;
      },
      ["admitted_otherwise", "ended_otherwise", "trajectory_differs"],
    ],
    [
      "blocked addresses that were not counted",
      (r) => {
        r.rollouts[2]!.firewall.blocked = 0;
      },
      ["addresses_otherwise", "trajectory_differs"],
    ],
    [
      "a wrong one that was selected",
      (r) => {
        r.rollouts[1]!.unselected = "";
      },
      ["selected_unfit", "trajectory_differs", "trajectory_missing"],
    ],
    [
      "one that was taken out of the SFT pool",
      (r) => {
        r.rollouts[4]!.unselected = "wrong";
      },
      ["sft_unknown", "trajectory_differs"],
    ],
    ["a rollout that is gone", (r) => void r.rollouts.splice(4, 1), ["sft_unknown", "trajectory_unknown"]],
    [
      "one that never was",
      (r) => void r.rollouts.push({ ...r.rollouts[1]!, sample: 9 }),
      ["trajectory_missing"],
    ],
    [
      "a turn that is gone",
      (r) => void r.rollouts[1]!.turns.splice(1, 1),
      ["addresses_otherwise", "talk_differs", "trajectory_differs"],
    ],
    [
      "turns of another draw",
      (r) => {
        r.rollouts[1]!.turns = r.rollouts[0]!.turns;
      },
      ["conversation_differs", "trajectory_differs"],
    ],
    [
      "a call that is not recorded",
      (r) => {
        r.rollouts[1]!.turns[0]!.call = "0".repeat(64);
      },
      ["call_missing", "trajectory_differs"],
    ],
    [
      "an observation of another call",
      (r) => {
        r.rollouts[1]!.turns[1]!.tools[0]!.call = r.rollouts[1]!.turns[0]!.tools[0]!.call;
      },
      ["addresses_otherwise", "talk_differs", "trajectory_differs"],
    ],
    [
      "no turn",
      (r) => {
        r.rollouts[1]!.turns = [];
      },
      ["rollout_empty", "trajectory_differs"],
    ],
    [
      "a question that was never asked",
      (r) => {
        r.question = "How old is the Moon?";
      },
      ["other_question"],
    ],
    [
      "a gate that says otherwise",
      (r) => {
        r.gates.find((g) => g.gate === "admission")!.status = "failed";
      },
      ["admitted_otherwise"],
    ],
    [
      "admission without evidence",
      (r) => void delete (r as Partial<Changed>).admission,
      ["admitted_otherwise"],
    ],
    [
      "what cannot be read",
      (r) => {
        r.rollouts[1]!.turns = "none" as never;
      },
      ["rollouts_unreadable", "sft_unknown", "trajectory_unknown"],
    ],
  ])("is found: %s", async (_what, change, codes) => {
    const changed = await found((row, at) => {
      if (at === 1) change(row);
    });
    expect(changed).toEqual(expect.arrayContaining(codes));
  });

  it("is found where a call is damaged or no conversation, and the audit goes on", async () => {
    const { recordings } = opened.models;
    const named = opened.dataset.tasks[0]!.row.rollouts as Rollout[];
    const lost = named[0]!.turns[0]!.call;
    const broken = (call: () => Recorded | undefined) =>
      found(() => {}, { ...recordings, call: (name) => (name === lost ? call() : recordings.call(name)) });
    const damaged = new TaskmillError("source", [{ code: "cassette_damaged", message: "damaged" }]);
    const codes = await broken(() => {
      throw damaged;
    });
    expect(codes).toEqual(["call_missing"]);
    const call = recordings.call(lost)!;
    expect(await broken(() => ({ ...call, messages: { role: "user" } as never }))).toEqual(["call_missing"]);
    expect(await broken(() => ({ ...call, messages: [{ role: "user", content: null }] }))).toEqual([
      "call_missing",
    ]);
  });

  it("is found in what agents were told: a prompt or a tool that shows a hidden target", async () => {
    const { recordings } = opened.models;
    const [task] = opened.dataset.tasks;
    const told = (change: (call: Recorded) => Recorded) =>
      found(() => {}, {
        ...recordings,
        call: (name) => {
          const call = recordings.call(name);
          return call === undefined ? undefined : change(call);
        },
      });
    const { name } = task!.task!.selection!.entity;
    const prompt = `Solve it. It is about ${name}.`;
    const messages = (call: Recorded) => [{ role: "system", content: prompt }, ...call.messages.slice(1)];
    expect(await told((call) => ({ ...call, messages: messages(call) }))).toContain("hidden_target_told");
    const value = `about ${task!.task!.answer.value} ${task!.task!.answer.unit}`;
    const tool = { type: "function", function: { name: "search", description: value } };
    expect(await told((call) => ({ ...call, tools: [tool] }))).toContain("hidden_target_told");
  });
});

interface Changed {
  question: string;
  gates: { gate: string; status: string; why: string }[];
  admission: object;
  rollouts: Mutable<Rollout>[];
}
type Mutable<T> = { -readonly [K in keyof T]: Mutable<T[K]> };

describe("the SFT pool", () => {
  it("holds what was selected, as the trajectories pool has it", async () => {
    const chosen = trajectories.filter(({ selected }) => selected);
    const rows = [];
    for await (const record of readPool(join(dir, "pools/sft.parquet"), sftPool)) rows.push(record);
    expect(rows.map(({ rollout, messages }) => [rollout, messages])).toEqual(
      chosen.map(({ rollout, messages }) => [rollout, messages]),
    );
  });
});
