import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from "hyparquet";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EXPORTERS } from "../../../datasets/exporters/index.js";
import { TaskmillError } from "../../../pipeline/base/errors.js";
import { type ExportOptions, exportDataset } from "../../../pipeline/export.js";
import { type SampleRun, samplePrompts, sampleRecord, sampleRecords, sampleRun } from "./sample.js";

const rl = samplePrompts(24);
const records = sampleRecords(9);
let run: SampleRun;
beforeAll(async () => {
  run = await sampleRun(records, rl);
});
afterAll(() => run.remove());

const signal = new AbortController().signal;
const out = (name: string) => join(run.out, name);
const exported = (to: string, options: Partial<ExportOptions> = {}) =>
  exportDataset(run.dir, { to, out: out(to), signal, ...options });
const lines = (path: string) =>
  readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, never>);

/** The codes of the problems that a call fails with. */
async function codes(call: Promise<unknown>): Promise<string[]> {
  try {
    await call;
    return [];
  } catch (error) {
    if (!(error instanceof TaskmillError)) throw error;
    return error.problems.map(({ code }) => code);
  }
}

describe("every target", () => {
  it.each(EXPORTERS.map(({ name }) => name))(
    "%s: the same bytes twice, with guide, block list and hashes",
    async (to) => {
      const first = await exported(to);
      expect(first.unchanged).toBe(false);
      expect((await exported(to)).unchanged).toBe(true);
      const again = await exported(to, { out: out(`${to}-again`) });
      expect(again.manifest).toEqual(first.manifest);
      const files = first.manifest.files.map(({ file }) => file);
      expect(files).toContain("network_block.json");
      expect(readFileSync(join(first.out, "README.md"), "utf8")).toMatch(/^(---|# )/);
      expect(readFileSync(join(first.out, "export.json"), "utf8")).not.toContain(run.dir);
      rmSync(again.out, { recursive: true });
    },
  );

  it("gives RL targets the reward, with one text of ground truth per row", async () => {
    for (const { name, pool } of EXPORTERS)
      if (pool === "rl") expect(existsSync(join(out(name), "taskmill_reward.py"))).toBe(true);
    const rows = lines(join(out("slime"), "train.jsonl"));
    const train = rl.filter(({ split }) => split === "train");
    expect(rows.map(({ label }) => label)).toEqual(train.map((row) => row.reward_model.ground_truth));
  });

  it("gives the hub what the manifest lists, and nothing private", async () => {
    const { manifest } = await exported("hub");
    const files = manifest.files.map(({ file }) => file);
    expect(files).toContain("pools/sft.parquet");
    expect(files).toContain("manifest.json");
    expect(files.some((file) => file.startsWith("run.duckdb"))).toBe(false);
  });
});

describe("row forms", () => {
  it("trl-sft: prompt up to the first message to learn from, arguments as objects, no nulls", async () => {
    await exported("trl-sft");
    const rows = lines(join(out("trl-sft"), "train.jsonl")) as unknown as {
      prompt: { role: string }[];
      completion: { role: string; tool_calls?: { function: { arguments: object } }[] }[];
    }[];
    expect(JSON.stringify(rows)).not.toMatch(/:null/);
    for (const { prompt, completion } of rows) {
      expect(prompt.map(({ role }) => role)).toEqual(["system", "user"]);
      expect(typeof completion[0]!.tool_calls![0]!.function.arguments).toBe("object");
    }
  });

  it("keeps the digits of arguments that no double holds", async () => {
    const big = sampleRecord(0, { turns: 1, reasoning: false });
    const calls = JSON.stringify([
      { id: "c", name: "search", arguments: '{"query": "q", "page": 12345678901234567890}' },
    ]);
    const said = {
      role: "assistant",
      content: "",
      reasoning: null,
      name: null,
      tool_calls: calls,
      tool_call_id: null,
      loss: true,
    };
    const answer = {
      ...said,
      role: "tool",
      content: "none",
      name: "search",
      tool_calls: null,
      tool_call_id: "c",
      loss: false,
    };
    const messages = [...big.messages.slice(0, 2), said, answer, ...big.messages.slice(-1)];
    const own = await sampleRun([{ ...big, messages }]);
    try {
      await exportDataset(own.dir, { to: "trl-sft", out: own.out, signal });
      expect(readFileSync(join(own.out, "train.jsonl"), "utf8")).toContain('"page":12345678901234567890');
    } finally {
      own.remove();
    }
  });

  it("axolotl and ms-swift: the mask of each message", async () => {
    await Promise.all([exported("axolotl"), exported("ms-swift")]);
    const train = records.filter(({ split }) => split === "train");
    const flags = (file: string, name: string) =>
      (lines(file) as unknown as { messages: Record<string, boolean>[] }[]).map(({ messages }) =>
        messages.map((m) => m[name] === true),
      );
    const wanted = train.map(({ messages }) => messages.map(({ loss }) => loss));
    expect(flags(join(out("axolotl"), "train.jsonl"), "train")).toEqual(wanted);
    expect(flags(join(out("ms-swift"), "train.jsonl"), "loss")).toEqual(wanted);
  });
});

describe("reports.md", () => {
  it("#39: nested columns come in row groups that a loader takes", async () => {
    const wide = Array.from({ length: 8 }, (_, i) => sampleRecord(i, { turns: 3, huge: true }));
    const big = await sampleRun(wide.map((record) => ({ ...record, split: "train" })));
    try {
      await exportDataset(big.dir, { to: "verl-sft", out: big.out, signal });
      const { row_groups } = await parquetMetadataAsync(
        await asyncBufferFromFile(join(big.out, "train.parquet")),
      );
      expect(row_groups.every(({ total_byte_size }) => total_byte_size <= 100n << 20n)).toBe(true);
      expect(row_groups.reduce((sum, { num_rows }) => sum + num_rows, 0n)).toBe(8n);
    } finally {
      big.remove();
    }
  });

  it("#41: every shard has the declared schema, whatever its rows hold", async () => {
    await exported("verl-rl");
    const schemas = await Promise.all(
      ["train", "validation", "test"].map(async (split) => {
        const file = await asyncBufferFromFile(join(out("verl-rl"), `${split}.parquet`));
        return JSON.stringify((await parquetMetadataAsync(file)).schema);
      }),
    );
    expect(new Set(schemas).size).toBe(1);
    const rows = await parquetReadObjects({
      file: await asyncBufferFromFile(join(out("verl-rl"), "test.parquet")),
    });
    expect(rows.map(({ extra_info }) => extra_info.task_id)).toEqual(
      rl.filter((r) => r.split === "test").map((r) => r.task_id),
    );
  });
});

describe("refusals", () => {
  it("a loss that nobody accepted, until it is accepted by name", async () => {
    const own = await sampleRun([sampleRecord(0, { turns: 3, taught: 2 })]);
    try {
      const to = (name: string, accept?: string[]) =>
        exportDataset(own.dir, { to: name, out: join(own.out, name), accept, signal });
      expect(await codes(to("verl-sft"))).toContain("loss");
      expect(existsSync(join(own.out, "verl-sft"))).toBe(false);
      const { manifest } = await to("verl-sft", ["message_loss"]);
      expect(manifest.losses).toContainEqual(
        expect.objectContaining({ name: "message_loss", rows: 1, accepted: true }),
      );
      expect(readFileSync(join(own.out, "verl-sft", "README.md"), "utf8")).toContain("`message_loss` | 1");
      // Those that can express it lose nothing.
      expect((await to("axolotl")).manifest.losses.map(({ name }) => name)).toEqual(["segments"]);
      expect((await to("trl-sft")).manifest.losses.map(({ name }) => name)).toEqual(["segments"]);
    } finally {
      own.remove();
    }
  });

  it("an unknown target, loss, split or template, and a directory that is no export", async () => {
    expect(await codes(exported("trl"))).toEqual(["unknown_target"]);
    expect(await codes(exported("trl-sft", { accept: ["reasonin"] }))).toEqual(["unknown_loss"]);
    expect(await codes(exported("trl-sft", { splits: ["dev"] }))).toEqual(["unknown_split"]);
    expect(await codes(exported("trl-sft", { templates: ["qwen4"] }))).toEqual(["unknown_template"]);
    expect(await codes(exported("trl-sft", { out: run.dir }))).toEqual(["not_a_place"]);
    const foreign = out("foreign");
    await exported("slime", { out: foreign });
    writeFileSync(join(foreign, "export.json"), "{}");
    expect(await codes(exported("slime", { out: foreign }))).toEqual(["not_an_export"]);
    expect(existsSync(join(foreign, "train.jsonl"))).toBe(true);
  });

  it("an empty pool, and one that is not what the manifest says", async () => {
    const empty = await sampleRun([], rl);
    try {
      const to = (name: string) => exportDataset(empty.dir, { to: name, out: empty.out, signal });
      expect(await codes(to("trl-sft"))).toEqual(["nothing_to_export"]);
      const file = join(empty.dir, "pools/rl/train-00000-of-00001.parquet");
      writeFileSync(file, Buffer.concat([readFileSync(file), Buffer.from("x")]));
      expect(await codes(to("verl-rl"))).toEqual(["file_changed"]);
    } finally {
      empty.remove();
    }
  });

  it("an answer that the Python reward cannot grade, naming the row", async () => {
    const [first] = rl;
    const truth = JSON.stringify({
      version: 1,
      answer: { type: "picture" },
      chain: [],
      question: "",
      language: "en",
    });
    const own = await sampleRun([], [{ ...first!, reward_model: { style: "rule", ground_truth: truth } }]);
    try {
      const call = exportDataset(own.dir, { to: "trl-grpo", out: own.out, signal });
      await expect(call).rejects.toThrow(new RegExp(`rl row 0 \\(${first!.task_id}, split`));
    } finally {
      own.remove();
    }
  });

  it("reasoning that a family asked for by name has no place for", async () => {
    const found = await codes(exported("trl-sft", { templates: ["qwen2_5"], out: out("asked") }));

    expect(found[0]).toBe("lost_reasoning");
  });
});
