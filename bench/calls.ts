/**
 * How near the client comes to the ideal rate: 10,000 calls, 64 at a time, against a server on this machine that answers after 200 ms
 * (so 320 calls a second at most), with a recording on disk; prints the rate, its share of the ideal
 * and of what bare requests reach in the same run, and the peak resident memory of the
 * client's process. The server has a process of its own, which is this file too. Usage:
 * `npx tsc -p . --noEmit false --outDir dist/all && node dist/all/bench/calls.js [calls] [concurrency] [rows at a time]`
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import pLimit from "p-limit";
import { Budget } from "../pipeline/models/budget.js";
import { openCassette } from "../pipeline/models/cassette.js";
import { ModelClient } from "../pipeline/models/client.js";
import type { Role } from "../pipeline/models/role.js";
import { modelSpec } from "../pipeline/models/spec.js";

const LATENCY_MS = 200;

const reply = JSON.stringify({
  id: "1",
  object: "chat.completion",
  model: "bench",
  choices: [
    {
      index: 0,
      message: { role: "assistant", content: "The final answer is 5.51 g/cm^3. ".repeat(20) },
      finish_reason: "stop",
    },
  ],
  usage: { prompt_tokens: 250, completion_tokens: 150, total_tokens: 400 },
});

async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
  await text(req);
  setTimeout(() => {
    res.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(reply) });
    res.end(reply);
  }, LATENCY_MS);
}

function serve(): void {
  const server = createServer((req, res) => void answer(req, res));
  server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
}

/** Calls a second of bare requests from as many lanes: what this machine, as busy as it is, allows at best. */
async function bareRate(port: number, calls: number, concurrency: number): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  const lane = pLimit(concurrency);
  const one = async (): Promise<void> => {
    const req = request({ port, method: "POST", agent });
    req.end("{}");
    const [res] = (await once(req, "response")) as [IncomingMessage];
    await text(res);
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: calls }, () => lane(one)));
  agent.destroy();
  return (1000 * calls) / (performance.now() - began);
}

async function measure(calls: number, concurrency: number): Promise<void> {
  const server = fork(fileURLToPath(import.meta.url), ["serve"]);
  const [port] = (await once(server, "message")) as [number];
  const base_url = `http://127.0.0.1:${port}/v1`;
  const spec = modelSpec.parse({ base_url, model: "bench", limits: { concurrency } });
  const identity = { endpoint: base_url, model: "bench", revision: null };
  const role: Role = { name: "bench", spec, identity, key: "none", off: false };
  const dir = await mkdtemp(join(tmpdir(), "calls-"));
  const cassette = await openCassette(dir, { mode: "auto" });
  const client = new ModelClient({
    roles: new Map([["bench", role]]),
    cassette,
    budget: new Budget(undefined),
    mode: "auto",
    signal: new AbortController().signal,
    onEvent: () => {},
  });
  const models = client.forInstance("bench");
  const prompt = "A question of some length about the density of a planet. ".repeat(15);
  const began = performance.now();
  const cpu = process.cpuUsage();
  // More rows at work than calls in flight: while a row's reply goes to disk, another row's call takes its place.
  const rows = pLimit(Number(process.argv[4] ?? 2 * concurrency));
  await Promise.all(
    Array.from({ length: calls }, (_, i) =>
      rows(() =>
        models.ask({
          role: "bench",
          row: `row-${i}`,
          messages: [{ role: "user", content: `${i}: ${prompt}` }],
        }),
      ),
    ),
  );
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  await client.drain();
  const peak = Math.round(process.resourceUsage().maxRSS / 1024);
  await cassette.close();
  const bare = await bareRate(port, Math.ceil(calls / 4), concurrency);
  server.kill();
  await rm(dir, { recursive: true });
  const ideal = (concurrency * 1000) / LATENCY_MS;
  const rate = calls / seconds;
  console.log(`${calls} calls, ${concurrency} at a time, in ${seconds.toFixed(2)} s`);
  console.log(`${rate.toFixed(1)} calls/s of ${ideal} at best: ${((100 * rate) / ideal).toFixed(1)} %`);
  console.log(`${((user + system) / 1000 / calls).toFixed(2)} ms of processor time a call`);
  console.log(
    `bare requests: ${bare.toFixed(1)} a second; the client has ${((100 * rate) / bare).toFixed(1)} % of that`,
  );
  console.log(`peak resident memory ${peak} MB`);
}

if (process.argv[2] === "serve") serve();
else await measure(Number(process.argv[2] ?? 10_000), Number(process.argv[3] ?? 64));
