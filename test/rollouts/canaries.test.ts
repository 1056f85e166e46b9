import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { defineStage, run } from "../../pipeline/index.js";
import type { WordedRow } from "../../stages/task.js";
import { calling, choosing, drawOf } from "../server/agent-manners.js";
import { type AgentPlan, agent } from "../server/agents.js";
import { startServer, type TestServer } from "../server/index.js";
import { CONFIG, type Config, configOf, plansIn, rowsOf, sftOf, trajectoriesOf } from "./scene.js";

/** Marks in what agents must not see: in no request, tool, observation or conversation, however it is spelt. */

const CANARIES = Object.fromEntries(
  ["chain", "alias", "program", "formula", "wrong", "group", "origin", "ranking", "input", "wording"].map(
    (field) => [field, `canary/${field} ${createHash("sha256").update(field).digest("hex").slice(0, 16)}`],
  ),
);

/** A mark as it stands, and as base64 at each offset, hexadecimal, quoted for addresses, and backwards. */
function spellings(mark: string): string[] {
  const bytes = Buffer.from(mark);
  const base64 = [0, 1, 2].map((n) => {
    const text = Buffer.concat([Buffer.alloc(n, "x"), bytes]).toString("base64");
    // Ends depend on what stands beside it.
    return text.slice(n === 0 ? 0 : 4, -4);
  });
  const url = base64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"));
  const quoted = encodeURIComponent(mark);
  const form = quoted.replaceAll("%20", "+");
  const last = mark.split(" ")[1]!;
  return [mark, last, ...base64, ...url, bytes.toString("hex"), quoted, form, [...last].reverse().join("")];
}

const plant = defineStage<unknown, WordedRow, WordedRow>({
  kind: "plant",
  version: 1,
  summary: "puts marks where agents must not look",
  mode: "row",
  params: z.strictObject({}),
  takes: "question",
  gives: "same",
  input: z.custom<WordedRow>(),
  output: z.custom<WordedRow>(),
  reasons: {},
  run: (row) => ({ out: planted(row) }),
});

function planted(row: WordedRow): WordedRow {
  const {
    chain: inChain,
    alias,
    program,
    formula,
    wrong,
    group,
    origin,
    ranking,
    input,
    wording,
  } = CANARIES as Record<string, string>;
  return {
    ...row,
    program: {
      ...row.program,
      where: [...row.program.where, { column: row.program.select!.column, op: "eq", value: program! }],
    },
    formula: { ...row.formula, source: formula! },
    chain: row.chain.map((step) => ({ ...step, label: inChain!, aliases: [...step.aliases, alias!] })),
    wrong_answers: row.wrong_answers.map((answer) => ({ ...answer, how: wrong! })),
    origin: { ...row.origin, name: origin! },
    selection: {
      ...row.selection!,
      // The group is named after it.
      entity: { ...row.selection!.entity, key: group! },
      ranking: row.selection!.ranking.map((ranked) => ({ ...ranked, key: ranking! })),
    },
    inputs: Object.fromEntries(
      Object.entries(row.inputs).map(([id, value]) => [
        id,
        { ...value, entity: { ...value.entity!, key: input! } },
      ]),
    ),
    wording: { ...row.wording, style: { ...row.wording.style, mark: wording! } },
  };
}

let dir: string;
let dataset: string;
let server: TestServer;
let plans: AgentPlan[];

const SNOOP = [
  [
    "python",
    { code: "import os\nprint(dict(os.environ), os.listdir('/'), os.listdir('.'), dir(), globals().keys())" },
  ],
  ["search", { query: "canary" }],
  ["search", { query: "hidden chain answer group" }],
  ["visit", { url: "corpus://solar-system/" }],
  ["canary", {}],
] as const;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "taskmill-canaries-"));
  dataset = join(dir, "dataset");
  plans = await plansIn(join(dir, "unasked"));
  const snoop = calling(SNOOP);
  const right = agent(plans);
  server = await startServer({ brains: { policy: choosing((r) => (drawOf(r) === 1 ? snoop : right)) } });
  await run(config(server.url), { outDir: dataset, stages: [plant] });
});

afterAll(async () => {
  await server.close();
  rmSync(dir, { recursive: true, force: true });
});

/** The default graph with the marks planted in front of the agents. */
function config(url: string): Config {
  const { stages, ...rest } = configOf(CONFIG);
  const order = [
    "recipes",
    "filter",
    "select",
    "compute",
    "verbalize",
    "lint",
    "plant",
    "rollout",
    "admit",
    "curate",
  ];
  const all = ["ingest", ...order, "split", "emit"];
  const params: Record<string, unknown> = { ...stages, rollout: { role: "policy", n: 2 }, admit: { n: 2 } };
  const graph = all.map((id, i) => ({
    id,
    stage: id,
    from: i === 0 ? [] : [all[i - 1]],
    params: params[id] ?? {},
  }));
  return { ...rest, models: { policy: { base_url: url, model: "policy" } }, graph } as unknown as Config;
}

describe("marks in hidden fields", () => {
  it("are there: in the rows that agents worked on", async () => {
    const rows = await rowsOf(dataset);
    const text = JSON.stringify(rows);
    expect(
      Object.entries(CANARIES)
        .filter(([, mark]) => !text.includes(mark))
        .map(([field]) => field),
    ).toEqual([]);
    expect(rows.flatMap(({ rollouts }) => rollouts?.map(({ outcome }) => outcome) ?? [])).toContain("right");
  });

  it("are in no request, tool, observation or conversation", async () => {
    const requests = server.requests.map(({ body }) => JSON.stringify(body));
    expect(requests.length).toBeGreaterThan(30);
    const said = [...(await sftOf(dataset)), ...(await trajectoriesOf(dataset))].map(({ messages, tools }) =>
      JSON.stringify([messages, tools]),
    );
    expect(said.length).toBeGreaterThan(10);
    const cassette = readFileSync(join(dataset, "cassette.ndjson"), "utf8");
    const texts = [...requests, ...said, cassette];
    for (const [field, mark] of Object.entries(CANARIES))
      for (const spelt of spellings(mark))
        expect(`${field}: ${texts.some((text) => text.includes(spelt))}`).toBe(`${field}: false`);
  });

  it("would be found, if they were", () => {
    const mark = CANARIES.chain!;
    const found = (text: string): boolean => spellings(mark).some((spelt) => text.includes(spelt));
    for (const lead of ["", "a", "ab", "abc"]) {
      const text = `${lead}${mark} and more`;
      for (const spelt of [
        text,
        encodeURIComponent(text),
        Buffer.from(text).toString("hex"),
        Buffer.from(text).toString("base64url"),
      ])
        expect(found(spelt)).toBe(true);
    }
    expect(found("canary")).toBe(false);
  });
});
