/**
 * Scores a second through `POST /score` in batches: on the clock, and of the server's own processor time, which says more on a busy
 * machine. Rollouts have eight turns with observations of 3,000 characters; ground truths are those of the shared vectors, each met by
 * eight samples, or each of them new to the server. Usage:
 * `npx tsc -p . --noEmit false --outDir dist/all && node dist/all/bench/serve.js [items]`, in the project's folder
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { registryOf } from "../pipeline/index.js";
import { serve } from "../pipeline/serve/serve.js";
import type { GroundTruth } from "../verifiers/reward/reward.js";

const ITEMS = Number(process.argv[2] ?? 4096);
const BATCH = 256;
const SAMPLES = 8;
const TURNS = 8;

interface Vector {
  readonly truth: GroundTruth;
  readonly messages?: readonly { readonly role: string; readonly content: unknown }[];
}

const last = (vector: Vector): string => String(vector.messages!.at(-1)!.content);
const OBSERVATION = "| Uranus | 25,362 km | 8.681e25 kg | a planet of the Solar System |\n".repeat(46);

/** What an agent says and sees, its last turn being that of the vector. */
function conversation(vector: Vector): { readonly role: string; readonly content: string }[] {
  const turns = Array.from({ length: TURNS - 1 }, (_, i) => [
    {
      role: "assistant",
      content: `<think>Where does it say so? ${"I look further. ".repeat(20)}</think>Step ${i}: I look it up.`,
    },
    { role: "tool", content: OBSERVATION },
  ]);
  return [
    { role: "user", content: vector.truth.question },
    ...turns.flat(),
    { role: "assistant", content: last(vector) },
  ];
}

/** The same as a trainer decodes it. */
function decoded(vector: Vector): string {
  const [, ...turns] = conversation(vector);
  return turns
    .map(({ role, content }) =>
      role === "tool"
        ? `<|im_start|>user\n<tool_response>\n${content}</tool_response><|im_end|>\n<|im_start|>assistant\n`
        : `${content}<|im_end|>\n`,
    )
    .join("");
}

function vectors(): Vector[] {
  const all = JSON.parse(readFileSync("test/vectors/reward.json", "utf8")) as Vector[];
  return all.filter(
    (v) =>
      v.truth.chain.length > 0 && typeof v.messages?.at(-1)?.content === "string" && last(v).length < 2000,
  );
}

type Item = Readonly<Record<string, unknown>>;

const KINDS: Readonly<Record<string, (vector: Vector, i: number) => Item>> = {
  "conversations, truths met before": (v) => ({
    ground_truth: JSON.stringify(v.truth),
    messages: conversation(v),
  }),
  "decoded texts, truths met before": (v) => ({
    ground_truth: JSON.stringify(v.truth),
    solution: decoded(v),
  }),
  "conversations, every truth new": (v, i) => ({
    ground_truth: JSON.stringify({ ...v.truth, question: `${v.truth.question} (${i})` }),
    messages: conversation(v),
  }),
};

async function measured(url: string, items: readonly Item[], cpu: () => Promise<number>): Promise<string> {
  const bodies = Array.from({ length: Math.ceil(items.length / BATCH) }, (_, i) =>
    JSON.stringify({ items: items.slice(i * BATCH, (i + 1) * BATCH) }),
  );
  const before = await cpu();
  const start = performance.now();
  for (const body of bodies) {
    const response = await fetch(`${url}/score`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    const { results } = (await response.json()) as { results: { score?: number }[] };
    if (results.some((r) => r.score === undefined)) throw new Error("an item was not scored");
  }
  const wall = (performance.now() - start) / 1000;
  const used = (await cpu()) - before;
  const size = bodies.reduce((sum, b) => sum + b.length, 0) / items.length / 1000;
  return `${Math.round(items.length / wall)}/s on the clock, ${Math.round(items.length / used)} a CPU second (${size.toFixed(0)} kB an item)`;
}

async function main(): Promise<void> {
  const server = fork(fileURLToPath(import.meta.url), ["server"]);
  const [url] = (await once(server, "message")) as [string];
  const cpu = async (): Promise<number> => {
    server.send("cpu");
    return ((await once(server, "message")) as [number])[0];
  };
  const some = vectors();
  for (const [name, item] of Object.entries(KINDS)) {
    const items = Array.from({ length: ITEMS }, (_, i) =>
      item(some[Math.floor(i / SAMPLES) % some.length]!, i),
    );
    await measured(
      url,
      items.slice(0, BATCH).map((_, i) => item(some[i % some.length]!, -1 - i)),
      cpu,
    );
    console.log(`${name}: ${await measured(url, items, cpu)}`);
  }
  server.send("end");
}

async function child(): Promise<void> {
  const serving = await serve("configs/astro.yaml", {
    registry: await registryOf({}),
    only: "score",
    host: "127.0.0.1",
    port: 0,
    sessions: 1,
    idle: 60,
    signal: new AbortController().signal,
    onInternal: console.error,
  });
  process.on("message", async (message) => {
    if (message === "end") {
      await serving.close();
      process.disconnect?.();
    } else {
      const { user, system } = process.cpuUsage();
      process.send!((user + system) / 1e6);
    }
  });
  process.send!(serving.url);
}

await (process.argv[2] === "server" ? child() : main());
