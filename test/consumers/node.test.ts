import { readFileSync } from "node:fs";
import { join } from "node:path";
import { tableFromIPC } from "apache-arrow";
import { DuckDBInstance } from "duckdb";
import { asyncBufferFromFile, parquetReadObjects } from "hyparquet";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rlRecord } from "../../datasets/rl-record.js";
import { POOLS, rlPool, tasksPool } from "../../datasets/schema/index.js";
import { taskRecord } from "../../datasets/task-record.js";
import { sources, splitRows } from "../datasets/rows.js";
import { writeSample } from "./sample.js";

/** Readers that share no code with our writers or reader. */

const rows = splitRows(24);
const records = rows.map((row) => taskRecord(row, sources));
const prompts = rows.map((row, index) => rlRecord(row, sources, { agent_name: "tool_agent", index }));
let sample: Awaited<ReturnType<typeof writeSample>>;
beforeAll(async () => {
  sample = await writeSample(records, prompts);
});
afterAll(() => sample.remove());

const at = (file: string) => join(sample.dir, "pools", file);

/** Integers come as BigInt from some readers. */
function plain(value: unknown): unknown {
  if (typeof value === "bigint") return Number(value);
  if (Array.isArray(value)) return value.map(plain);
  if (value !== null && typeof value === "object")
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, plain(v)]));
  return value;
}

describe("hyparquet", () => {
  const read = async (file: string) =>
    plain(await parquetReadObjects({ file: await asyncBufferFromFile(at(file)) }));

  it("reads every value of the tasks and RL pools", async () => {
    expect(await read("tasks.parquet")).toEqual(records);
    expect(await read("rl.parquet")).toEqual(prompts);
    expect(await read("rl/validation-00000-of-00001.parquet")).toEqual(
      prompts.filter((p) => p.split === "validation"),
    );
    expect(await read("sft.parquet")).toEqual([]);
  });
});

describe("DuckDB", () => {
  it("reads nested columns and filters by them", async () => {
    const connection = await (await DuckDBInstance.create(":memory:")).connect();
    const query = async (sql: string) =>
      (await connection.runAndReadAll(sql, [at("tasks.parquet")])).getRowsJson();
    const [[count, sum]] = (await query(
      "SELECT count(*), sum(hidden_answer.value ORDER BY task_id) FROM read_parquet($1)",
    )) as [[string, number]];
    expect(Number(count)).toBe(rows.length);
    expect(sum).toBeCloseTo(
      rows.reduce((s, r) => s + r.answer.value, 0),
      -Math.floor(Math.log10(sum)) + 10,
    );
    const json = await query(
      "SELECT task_id FROM read_parquet($1) WHERE json_extract_string(hidden_program, '$.select.order') = 'max' ORDER BY 1",
    );
    expect(json.flat()).toEqual(rows.filter((r) => r.program.select?.order === "max").map((r) => r.id));
    const steps = await query("SELECT sum(len(hidden_chain))::INT FROM read_parquet($1)");
    expect(Number(steps[0]![0])).toBe(rows.reduce((s, r) => s + r.chain.length, 0));
    const types = await query(
      "SELECT name, logical_type FROM parquet_schema($1) WHERE name = 'hidden_program'",
    );
    expect(types[0]![1]).toMatch(/String|UTF8/i);
  });
});

describe("apache-arrow", () => {
  it("reads the IPC files with the declared schema", () => {
    const table = tableFromIPC(readFileSync(at("tasks.arrow")));
    expect(table.schema.fields.map((f) => f.name)).toEqual(Object.keys(tasksPool.columns));
    expect(table.numRows).toBe(rows.length);
    expect(table.get(3)!.toJSON().question).toBe(rows[3]!.question);
    const rl = tableFromIPC(readFileSync(at("rl.arrow")));
    const first = rl.get(0)!.toJSON() as { reward_model: { ground_truth: string } };
    const truth = JSON.parse(first.reward_model.ground_truth) as { answer: { value: string | number } };
    expect(Number(truth.answer.value)).toBe(rows[0]!.answer.value);
    expect(rl.schema.fields.map((f) => f.name)).toEqual(Object.keys(rlPool.columns));
    const empty = tableFromIPC(readFileSync(at("sft.arrow")));
    expect([empty.numRows, empty.schema.fields.length]).toEqual([0, Object.keys(POOLS[2]!.columns).length]);
  });
});
