/**
 * Writes 100,000 rows of 2 KB into the tasks pool (Parquet, Arrow IPC and the split files) in a fresh process; prints rows,
 * bytes, seconds and peak resident memory. Usage:
 * `npx tsc -p . --noEmit false --outDir dist/all && node dist/all/bench/write.js [rows]`
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TaskRecord, tasksPool } from "../datasets/schema/index.js";
import { writePool } from "../datasets/write.js";
import { type Random, sfc32 } from "../pipeline/base/random.js";

const ROWS = Number(process.argv[2] ?? 100_000);

/** Words drawn anew for each row: no encoder finds the same text twice. */
function prose(random: Random, words: readonly string[], characters: number): string {
  let text = "";
  while (text.length < characters) text += `${random.pick(words)} `;
  return text.slice(0, characters);
}

function record(i: number, random: Random, words: readonly string[]): TaskRecord {
  const number = () => random.next() * 1000;
  const json = (characters: number) => JSON.stringify({ text: prose(random, words, characters) });
  const step = (id: string) => ({
    id,
    kind: "attribute",
    label: prose(random, words, 30),
    text: String(number()),
    aliases: [],
    value: number(),
    unit: "kg",
    tolerance: 0.01,
    depends_on: ["entity"],
  });
  const cell = { table: "bodies", key: `k${i}`, record: i, column: "mass", snapshot_sha256: "0".repeat(64) };
  return {
    task_id: i.toString(16).padStart(16, "0"),
    split: i % 10 === 0 ? "test" : i % 10 === 1 ? "validation" : "train",
    domain: "astronomy",
    table: "bodies",
    formula: "density",
    question: prose(random, words, 300),
    answer_type: "quantity",
    answer_unit: "g/cm^3",
    answer_digits: 3,
    conditions: 2,
    hops: 0,
    candidates: 17,
    difficulty: {
      conditions: 2,
      hops: 0,
      candidates: 17,
      rank: 1,
      formula_inputs: 2,
      formula_depth: 3,
      form: "select",
      evidence: 4,
    },
    gates: [{ gate: "lint", status: "passed", why: "every condition is stated" }],
    licences: ["CC0-1.0"],
    snapshots: [{ table: "bodies", hash: "0".repeat(64) }],
    origin: { stage: "enumerate", kind: "space", name: "s", index: i },
    wording: json(40),
    hidden_group: `entity=bodies/k${i}`,
    hidden_entity_key: `k${i}`,
    hidden_entity_name: prose(random, words, 12),
    hidden_answer: {
      value: number(),
      text: "1.27",
      tolerance: 0.01,
      uncertainty: 0.001,
      by_duckdb: number(),
      by_typescript: number(),
      condition_number: 3,
    },
    hidden_chain: [step("entity"), step("mass"), step("answer")],
    hidden_wrong_answers: [{ how: "runner-up", value: number() }],
    hidden_program: json(200),
    hidden_formula: json(200),
    hidden_filter: json(60),
    hidden_selection: json(200),
    hidden_inputs: json(120),
    hidden_provenance: [cell, { ...cell, column: "radius" }],
    hidden_rest: "{}",
  };
}

let characters = 0;
function* rows(): Generator<TaskRecord> {
  const random = sfc32(1, 2, 3, 4);
  const words = Array.from({ length: 5000 }, () => random.int(2 ** 30).toString(36));
  for (let i = 0; i < ROWS; i++) {
    const row = record(i, random, words);
    if (i < 100) characters += JSON.stringify(row).length;
    yield row;
  }
}

const folder = await mkdtemp(join(tmpdir(), "taskmill-bench-"));
try {
  const start = process.hrtime.bigint();
  const files = await writePool(folder, tasksPool, rows());
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  console.log(`rows     ${ROWS} of about ${Math.round(characters / Math.min(ROWS, 100))} characters of JSON`);
  for (const { file, bytes, rows } of files)
    console.log(`${file}: ${rows} rows, ${(bytes / 1e6).toFixed(1)} MB`);
  console.log(`seconds  ${seconds.toFixed(1)}`);
  console.log(`peak RSS ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MiB`);
} finally {
  await rm(folder, { recursive: true });
}
