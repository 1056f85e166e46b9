import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rlRecord } from "../../../datasets/rl-record.js";
import { type RlRecord, rlPool, type SftRecord, SPLITS, sftPool } from "../../../datasets/schema/index.js";
import { writePool } from "../../../datasets/write.js";
import { stream } from "../../../pipeline/base/random.js";
import { describeFile } from "../../../pipeline/files.js";
import { manifestText } from "../../../pipeline/manifest.js";
import { sources, splitRows } from "../rows.js";

type Message = SftRecord["messages"][number];

/** Tools of different arguments: what a typed column would fill up with nulls. */
export const TOOLS = [
  {
    name: "search",
    description: "Full-text search",
    parameters: {
      type: "object",
      properties: { query: { type: "string" }, page: { type: "integer", minimum: 1 } },
      required: ["query"],
    },
  },
  {
    name: "visit",
    description: "Reads a page",
    parameters: { type: "object", properties: { url: { type: "string" } }, required: ["url"] },
  },
  {
    name: "python",
    description: "Runs code",
    parameters: { type: "object", properties: { code: { type: "string" } }, required: ["code"] },
  },
];

const WORDS = [
  "Jupiter",
  "Ø",
  "密度",
  "5 µm",
  "🪐",
  "naïve",
  'a "quoted" word',
  "back\\slash",
  "x < y",
  "tab\there",
  "null",
  "None",
];

export interface Shape {
  readonly turns: number;
  readonly reasoning: boolean;
  readonly huge: boolean;
  readonly empty: boolean;
  /** Assistant messages that an earlier segment has taught. */
  readonly taught: number;
}

/** A conversation of the given shape, from a seed. */
export function sampleRecord(index: number, shape: Partial<Shape> = {}): SftRecord {
  const random = stream("conversations", index);
  const word = () => WORDS[random.int(WORDS.length)]!;
  const phrase = () => Array.from({ length: 1 + random.int(8) }, word).join(" ");
  const full: Shape = {
    turns: 1 + random.int(4),
    reasoning: index % 3 === 0,
    huge: index % 11 === 5,
    empty: index % 5 === 1,
    taught: 0,
    ...shape,
  };
  const messages: Message[] = [
    said("system", "Answer with `Final answer: <answer>`."),
    said("user", `Which one? ${phrase()}`),
  ];
  for (let turn = 0; turn < full.turns; turn++) messages.push(...acted(full, turn, random.int, phrase));
  const last = `Finding: ${phrase()}\nFinal answer: ${random.int(1000)}`;
  messages.push({
    ...said("assistant", last),
    reasoning: full.reasoning ? `so, ${phrase()}` : null,
    loss: true,
  });
  const id = index.toString(16).padStart(16, "0");
  return {
    messages,
    tools: JSON.stringify(TOOLS),
    split: SPLITS[index % 3]!,
    task_id: id,
    rollout: `${id}/rollout/0`,
    segment: full.taught > 0 ? 1 : 0,
    model: "policy-1",
    tokens: null,
    reward: '{"score":1}',
    licences: ["CC0-1.0"],
    gates: [{ gate: "admission", status: "passed", why: "2 of 4 right" }],
  };
}

function said(role: string, content: string): Message {
  return { role, content, reasoning: null, name: null, tool_calls: null, tool_call_id: null, loss: false };
}

/** A turn with one to three calls and their observations. */
function acted(shape: Shape, turn: number, int: (n: number) => number, phrase: () => string): Message[] {
  const calls = Array.from({ length: 1 + int(3) }, (_, i) => {
    const tool = TOOLS[int(TOOLS.length)]!.name;
    const args = {
      search: { query: phrase(), page: 1 + i },
      visit: { url: `https://example.org/${int(99)}?q=${i}` },
      python: { code: `print("${int(99)}")\nx = None` },
    };
    return {
      id: `call_${turn}_${i}`,
      name: tool,
      arguments: JSON.stringify(args[tool as keyof typeof args]).replaceAll('":', '": '),
    };
  });
  const text = shape.empty ? "" : `Let me look: ${phrase()}`;
  return [
    {
      ...said("assistant", text),
      reasoning: shape.reasoning ? `I should ask about ${phrase()}` : null,
      tool_calls: JSON.stringify(calls),
      loss: turn >= shape.taught,
    },
    ...calls.map(({ id, name }) => ({
      ...said("tool", shape.huge ? `${phrase()}\n`.repeat(1500) : shape.empty ? "" : `observed: ${phrase()}`),
      name,
      tool_call_id: id,
    })),
  ];
}

export function sampleRecords(count: number, shape: Partial<Shape> = {}): SftRecord[] {
  return Array.from({ length: count }, (_, index) => sampleRecord(index, shape));
}

export function samplePrompts(count: number): RlRecord[] {
  return splitRows(count).map((row, index) => rlRecord(row, sources, { agent_name: "tool_agent", index }));
}

export interface SampleRun {
  readonly dir: string;
  /** A folder for exports, gone with the run. */
  readonly out: string;
  remove(): void;
}

/** A run directory with SFT and RL pools and a manifest that lists them. */
export async function sampleRun(sft: readonly SftRecord[], rl: readonly RlRecord[] = []): Promise<SampleRun> {
  const root = mkdtempSync(join(tmpdir(), "taskmill-export-"));
  const dir = join(root, "run");
  mkdirSync(dir);
  const pools = [...(await writePool(dir, sftPool, sft)), ...(await writePool(dir, rlPool, rl))];
  writeFileSync(join(dir, "README.md"), "# sample\n");
  writeFileSync(join(dir, "network_block.json"), '{"hosts":["example.org"]}\n');
  writeFileSync(join(dir, "run.duckdb.wal"), "private");
  const extra = ["README.md", "network_block.json"];
  const files = [...pools.map(({ file, sha256, bytes }) => ({ file, sha256, bytes }))];
  for (const file of extra) files.push((await describeFile(dir, file))!);
  const manifest = {
    manifest: 1 as const,
    taskmill: "0.0.0",
    name: "sample",
    seed: "1",
    config: { sha256: "0".repeat(64), resolved: {} },
    target: { accepted: null, candidates: null, limit: null },
    reached: true,
    candidates: 0,
    blocks: 0,
    accepted: 0,
    sources: [],
    stages: [],
    gates: {},
    splits: {},
    pools,
    files,
  };
  writeFileSync(join(dir, "manifest.json"), manifestText(manifest));
  return { dir, out: join(root, "out"), remove: () => rmSync(root, { recursive: true, force: true }) };
}
