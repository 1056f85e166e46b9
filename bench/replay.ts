/**
 * The cost of recorded calls: an intent and a durable reply each with 64 calls in flight, against the same bytes appended by plain
 * `appendFile` without any fsync, and against other stores; then, in a fresh process, opening and replaying all of them in a
 * random order, with peak resident memory. Usage:
 * `npx tsc -p . --noEmit false --outDir dist/all && node dist/all/bench/replay.js [calls]`
 */
import { spawnSync } from "node:child_process";
import { appendFile, mkdir, mkdtemp, open, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { canonicalJson } from "../pipeline/base/canonical.js";
import { type Random, stream } from "../pipeline/base/random.js";
import { type Asker, type CallRecord, callKey } from "../pipeline/models/call.js";
import { openCassette } from "../pipeline/models/cassette.js";
import { openDatabase } from "../sources/duckdb.js";

const CALLS = Number(process.argv[2] ?? 100_000);
const IN_FLIGHT = 64;

function prose(random: Random, characters: number): string {
  let text = "";
  while (text.length < characters) text += `${random.int(2 ** 31).toString(36)} `;
  return text.slice(0, characters);
}

/** A probe: 1 KB of prompt, 600 characters of reply. */
function call(n: number): CallRecord {
  const random = stream(1, "call", n);
  const identity = {
    endpoint: "http://localhost:8000/v1",
    model: "model",
    revision: null,
    messages: [
      { role: "system", content: prose(random, 600) },
      { role: "user", content: `${n} ${prose(random, 400)}` },
    ],
    tools: [],
    sampling: { max_tokens: 1024, seed: 0, temperature: 1 },
    response_format: null,
    sample: 0,
  };
  const usage = { input: 300, cached_input: 0, output: 150, reasoning: null };
  const reply = { text: prose(random, 600), reasoning: "", tool_calls: [], note: "", model: "model", usage };
  return { key: callKey(identity), identity, reply: { ...reply, finish: "stop" } };
}

const asker = (n: number): Asker => ({ role: "prober", instance: "probe", row: `row-${n}`, sample: 0 });

/** Microseconds that each of `calls` takes, {@link IN_FLIGHT} of them at once. */
async function timed(calls: number, work: (n: number) => unknown): Promise<number> {
  const began = performance.now();
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let n = next++; n < calls; n = next++) await work(n);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane));
  return (1000 * (performance.now() - began)) / calls;
}

const textOf = (n: number): string => `${canonicalJson(call(n))}\n`;

/** What else could hold the calls; fewer of them, as it takes long. */
const OTHERS: Readonly<Record<string, (folder: string, calls: number) => Promise<number>>> = {
  "one fsync a call": async (folder, calls) => {
    const file = await open(join(folder, "each"), "a");
    const took = await timed(calls, async (n) => {
      await file.appendFile(textOf(n));
      await file.datasync();
    });
    await file.close();
    return took;
  },
  "one file a call": (folder, calls) =>
    timed(calls, async (n) => {
      const file = await open(join(folder, `${n}.json`), "w");
      await file.writeFile(textOf(n));
      await file.datasync();
      await file.close();
    }),
  "DuckDB, a transaction a call": async (folder, calls) => {
    const database = await openDatabase(join(folder, "calls.duckdb"));
    await database.run("CREATE TABLE calls (key VARCHAR, line VARCHAR)");
    const took = await timed(calls, (n) =>
      database.run("INSERT INTO calls VALUES ($1, $2)", [String(n), textOf(n)]),
    );
    database.close();
    return took;
  },
};

async function record(folder: string): Promise<void> {
  const keys: string[] = [];
  const made = await timed(CALLS, textOf);
  const plain = (await timed(CALLS, (n) => appendFile(join(folder, "plain"), textOf(n)))) - made;
  await mkdir(join(folder, "run"));
  const cassette = await openCassette(join(folder, "run", "calls"), { mode: "auto" });
  const kept = await timed(CALLS, async (n) => {
    const record = call(n);
    keys[n] = record.key;
    await cassette.intend({ ...asker(n), key: record.key, model: "model" });
    await cassette.keep(record, asker(n));
  });
  await cassette.close();
  await writeFile(join(folder, "keys.json"), JSON.stringify(stream(1, "order").shuffle(keys)));
  const { size } = await stat(join(folder, "run", "calls", "log.ndjson"));
  console.log(
    `${CALLS} calls, ${(size / 1e6).toFixed(0)} MB, ${IN_FLIGHT} in flight; each without making it up:`,
  );
  const line = (what: string, took: number): void =>
    console.log(`  ${what.padEnd(30)} ${took.toFixed(0)} µs, ratio ${(took / plain).toFixed(2)}`);
  line("plain appendFile, no fsync", plain);
  line("intent, then a durable reply", kept - made);
  for (const [what, work] of Object.entries(OTHERS)) line(what, (await work(folder, CALLS / 50)) - made);
}

async function replay(folder: string): Promise<void> {
  const keys = JSON.parse(await readFile(join(folder, "keys.json"), "utf8")) as string[];
  const rate = (ms: number): string => `${Math.round((1000 * CALLS) / ms)} calls/s`;
  const began = performance.now();
  const cassette = await openCassette(join(folder, "run", "calls"), { mode: "replay" });
  const opened = performance.now();
  for (const key of keys) if (cassette.find(key)?.finish !== "stop") throw new Error(`${key} is lost`);
  const done = performance.now();
  await cassette.close();
  console.log(`opening                        ${(opened - began).toFixed(0)} ms`);
  console.log(`finding all, in random order   ${rate(done - opened)}`);
  console.log(`both                           ${rate(done - began)} (at least 5000)`);
  console.log(`peak resident memory           ${Math.round(process.resourceUsage().maxRSS / 1024)} MB`);
}

const given = process.argv[3];
if (given !== undefined) await replay(given);
else {
  const folder = await mkdtemp(join(tmpdir(), "taskmill-bench-"));
  try {
    await record(folder);
    spawnSync(process.execPath, [process.argv[1]!, String(CALLS), folder], { stdio: "inherit" });
  } finally {
    await rm(folder, { recursive: true });
  }
}
