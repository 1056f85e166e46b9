/**
 * The cost of recorded calls, in a fresh process: appends with group commit at 64 calls in flight, against the same bytes appended
 * by plain `appendFile` without any fsync; then opening and replaying all of them, in a random order, in a
 * process of its own, with its peak resident memory. Making a call up costs the same on both sides. Usage: `npx tsc -p . --noEmit false --outDir dist/all && node dist/all/bench/replay.js [calls]`
 */
import { spawnSync } from "node:child_process";
import { appendFile, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { canonicalJson } from "../pipeline/base/canonical.js";
import { type Random, stream } from "../pipeline/base/random.js";
import { type Asker, type CallRecord, callKey } from "../pipeline/models/call.js";
import { openCassette } from "../pipeline/models/cassette.js";

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

/** Milliseconds of `work` over all calls, so many of them at once. */
async function timed(work: (n: number) => Promise<void>): Promise<number> {
  const began = performance.now();
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let n = next++; n < CALLS; n = next++) await work(n);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane));
  return performance.now() - began;
}

const per = (ms: number): string => `${((1000 * ms) / CALLS).toFixed(0)} µs a call`;

async function record(folder: string): Promise<void> {
  const keys: string[] = [];
  const plain = await timed((n) => appendFile(join(folder, "plain"), `${canonicalJson(call(n))}\n`));
  await mkdir(join(folder, "run"));
  const cassette = await openCassette(join(folder, "run", "calls"), { mode: "auto" });
  const kept = await timed(async (n) => {
    const record = call(n);
    keys[n] = record.key;
    await cassette.intend({ ...asker(n), key: record.key, model: "model" });
    await cassette.keep(record, asker(n));
  });
  await cassette.close();
  await writeFile(join(folder, "keys.json"), JSON.stringify(stream(1, "order").shuffle(keys)));
  const { size } = await stat(join(folder, "run", "calls", "log.ndjson"));
  console.log(`${CALLS} calls, ${(size / 1e6).toFixed(0)} MB, ${IN_FLIGHT} in flight`);
  console.log(`plain appendFile, no fsync     ${per(plain)}`);
  console.log(`intent, then a durable reply   ${per(kept)}, ratio ${(kept / plain).toFixed(2)}`);
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
