/**
 * How near rollouts come to the ideal rate: 200 rollouts of 8 turns, 32 at a time, against a server on this machine that answers after
 * 200 ms (so 160 turns a second at most). Each agent searches and reads the bundled documents, computes in Python if that is asked
 * for, and is scored; everything is recorded on disk. Prints turns a second, their share of the ideal and of what bare requests reach in
 * the same run, and the resident memory on the way. The server has a process of its own, which is this file too. Usage:
 * `npx tsc -p . --noEmit false --outDir dist/all && node dist/all/bench/rollouts.js [rollouts] [concurrency] [python]`
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
import { RecordedEnvironment } from "../pipeline/environment/environment.js";
import { environmentSpec } from "../pipeline/environment/spec.js";
import { toolKinds } from "../pipeline/environment/tools/index.js";
import { Budget } from "../pipeline/models/budget.js";
import { openCassette } from "../pipeline/models/cassette.js";
import { ModelClient } from "../pipeline/models/client.js";
import { modelSpec } from "../pipeline/models/spec.js";
import { bundledCorpus } from "../sources/corpora.js";
import { openCorpus } from "../sources/corpus/open.js";
import { play } from "../stages/rollout/play.js";
import { judge } from "../stages/rollout/score.js";
import { firewallOf } from "../verifiers/firewall/firewall-of.js";
import { RELAY_RULES } from "../verifiers/firewall/known.js";

const LATENCY_MS = 200;
const TURNS = 8;
const BODIES = ["earth", "mars", "venus", "titan", "io", "callisto", "triton", "saturn"];

/** A call for each turn but the last; no two agents ask for quite the same. */
function saying(question: string, turn: number, python: boolean): object {
  if (turn === TURNS - 1)
    return { role: "assistant", content: "Finding: radius = 531 km\n\nFinal answer: 531 km" };
  const body = BODIES[(question.length + turn) % BODIES.length]!;
  const calls: readonly [string, object][] = [
    ["search", { query: `${body} mean radius ${question}` }],
    ["visit", { url: `corpus://solar-system/planetary-constants/${body}` }],
    python
      ? ["python", { code: `print(${turn} * 4.19 * 531 ** 2)` }]
      : ["search", { query: `${body} ${turn} ${question}` }],
  ];
  const [name, args] = calls[turn % calls.length]!;
  const call = { id: `call_${turn}`, type: "function", function: { name, arguments: JSON.stringify(args) } };
  return { role: "assistant", content: "Let me see.", tool_calls: [call] };
}

async function answer(req: IncomingMessage, res: ServerResponse, python: boolean): Promise<void> {
  const body = JSON.parse((await text(req)) || "{}") as { messages?: { role: string; content: string }[] };
  const { messages = [] } = body;
  const turn = messages.filter(({ role }) => role === "assistant").length;
  const message = saying(messages[1]?.content ?? "", turn, python);
  const finish_reason = "tool_calls" in message ? "tool_calls" : "stop";
  const usage = { prompt_tokens: 1000, completion_tokens: 50, total_tokens: 1050 };
  const choices = [{ index: 0, message, finish_reason }];
  const reply = JSON.stringify({ id: "1", object: "chat.completion", model: "bench", choices, usage });
  setTimeout(() => {
    res.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(reply) });
    res.end(reply);
  }, LATENCY_MS);
}

function serve(python: boolean): void {
  const server = createServer((req, res) => void answer(req, res, python));
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

async function measure(rollouts: number, concurrency: number, python: boolean): Promise<void> {
  const server = fork(fileURLToPath(import.meta.url), python ? ["serve", "python"] : ["serve"]);
  const [port] = (await once(server, "message")) as [number];
  const dir = await mkdtemp(join(tmpdir(), "rollouts-"));
  const { signal } = new AbortController();
  const cassette = await openCassette(join(dir, "calls"), { mode: "auto" });
  const corpus = await openCorpus([{ id: "solar-system", path: bundledCorpus("solar-system") }], {
    cache: dir,
    signal,
  });
  const firewall = firewallOf({ rules: RELAY_RULES, fingerprints: [] });
  const context = { spec: environmentSpec.parse({}), corpus, firewall, secret: () => undefined, signal };
  const environment = new RecordedEnvironment({ kinds: toolKinds, context, store: cassette, mode: "auto" });
  const base_url = `http://127.0.0.1:${port}/v1`;
  const identity = { endpoint: base_url, model: "bench", revision: null };
  const spec = modelSpec.parse({ base_url, model: "bench", limits: { concurrency } });
  const client = new ModelClient({
    roles: new Map([["policy", { name: "policy", spec, identity, key: "none", off: false }]]),
    cassette,
    budget: new Budget(undefined),
    mode: "auto",
    signal,
    onEvent: () => {},
  });
  const models = client.forInstance("rollout");
  const one = async (i: number): Promise<void> => {
    const question = `How large is body ${i}?`;
    const given = { models, environment, instance: "rollout", role: "policy", row: `row-${i}`, sample: 0 };
    const how = {
      system: "Solve it.",
      tools: environment.tools,
      limits: { turns: TURNS },
      context: undefined,
    } as const;
    const options = { ...given, ...how, question, thoughts: "drop" as const };
    const truth = { version: 1 as const, answer: ANSWER, chain: [], question, language: "en" };
    const { outcome } = judge(await play(options), truth, options);
    if (outcome !== "right") throw new Error(`rollout ${i} is ${outcome}`);
    if ((i + 1) % 500 === 0)
      console.log(`  after ${i + 1}: ${megabytes(process.memoryUsage().rss)} MB resident`);
  };
  const lane = pLimit(concurrency);
  const began = performance.now();
  const before = process.cpuUsage();
  await Promise.all(Array.from({ length: rollouts }, (_, i) => lane(one, i)));
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(before);
  const rate = (rollouts * TURNS) / seconds;
  const ideal = (1000 * concurrency) / LATENCY_MS;
  const bare = await bareRate(port, Math.min(1600, rollouts * TURNS), concurrency);
  console.log(
    `${rollouts} rollouts × ${TURNS} turns, ${concurrency} at a time: ${rate.toFixed(1)} turns/s, ` +
      `${((100 * rate) / ideal).toFixed(1)} % of ${ideal}, ${((100 * rate) / bare).toFixed(1)} % of bare requests (${bare.toFixed(1)}/s); ` +
      `${((user + system) / 1000 / rollouts / TURNS).toFixed(2)} ms of processor time a turn`,
  );
  await client.close();
  await environment.close();
  await corpus.close();
  await cassette.close();
  server.kill();
  await rm(dir, { recursive: true });
}

const ANSWER = { type: "quantity", value: 531, unit: "km", tolerance: 0.005 } as const;

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(0);
}

const [first, second, third] = process.argv.slice(2);
if (first === "serve") serve(second === "python");
else await measure(Number(first ?? 200), Number(second ?? 32), third === "python");
