import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { run } from "../../pipeline/index.js";
import { tasksOf } from "../../pipeline/tasks.js";
import { findCards } from "../../sources/cards.js";
import type { WordedRow } from "../../stages/task.js";
import { filesOf } from "../server/asking-run.js";
import { startServer } from "../server/index.js";
import { goodWording, memory, reader, type Scene, solver, writer } from "./brains.js";
import { type Story, storiesOf } from "./stories.js";

/** The small dataset that this folder ships. */
const FOLDER = resolve(import.meta.dirname);
export const CONFIG = join(FOLDER, "config.yaml");
export const SHIPPED_CASSETTE = join(FOLDER, "cassette.ndjson");
/** SHA-256 of each file of the dataset. */
export const HASHES = join(FOLDER, "hashes.json");
export const RECORD_AGAIN = "TASKMILL_RECORD=1 npx vitest run test/shipped";
const BENCHMARK = join(FOLDER, "benchmark.jsonl");

/**
 * Records the folder's cassette anew, from scripted models behind a real server, and the hashes of the dataset. To be run by hand, after
 * prompts, stages or bundled sources have changed:
 *
 *     TASKMILL_RECORD=1 npx vitest run test/shipped
 *
 * The tests then replay what was recorded. Where outcomes change, their list in `replay.test.ts` is to be looked at, not only replaced.
 */
export async function record(): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), "taskmill-record-"));
  try {
    const scene = await sceneIn(join(dir, "unasked"));
    writeFileSync(BENCHMARK, benchmarkOf(scene));
    const outDir = join(dir, "asked");
    await ask(scene, outDir);
    copyFileSync(join(outDir, "cassette.ndjson"), SHIPPED_CASSETTE);
    writeFileSync(HASHES, `${JSON.stringify(filesOf(outDir), null, 2)}\n`);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** The tasks as they come to the gates: what a run without models lets through. */
async function sceneIn(outDir: string): Promise<Scene> {
  writeFileSync(BENCHMARK, linesOf(OTHERS));
  await run(CONFIG, { outDir, env: {} });
  const rows: WordedRow[] = [];
  for await (const row of tasksOf(outDir)) rows.push(row as unknown as WordedRow);
  const cards = new Map((await findCards(["planets", "moons"], FOLDER)).map(({ card }) => [card.id, card]));
  return { rows, cards, stories: storiesOf(rows) };
}

async function ask(scene: Scene, outDir: string): Promise<void> {
  const brains = {
    "writer-1": writer(scene),
    "reader-1": reader(scene),
    "memory-1": memory(scene),
    "solver-1": solver(scene),
  };
  const server = await startServer({ brains });
  const env = {
    SHIPPED_URL: server.url,
    SHIPPED_WRITER: "writer-1",
    SHIPPED_READER: "reader-1",
    SHIPPED_MEMORY: "memory-1",
    SHIPPED_SOLVER: "solver-1",
  };
  try {
    await run(CONFIG, { outDir, env });
  } finally {
    await server.close();
  }
}

/** Questions of a benchmark that have nothing to do with ours. */
const OTHERS = [
  "Which planet of the Solar System has the most moons?",
  "How long does light take from the Sun to the Earth? Answer in minutes.",
  "A stone falls from a height of 20 m. How fast is it when it reaches the ground, neglecting the resistance of the air?",
];

/** A benchmark that holds two of our questions: one word for word, the other with another beginning and end. */
function benchmarkOf(scene: Scene): string {
  const [copied, reworded] = (["copied", "reworded"] as const).map((how) => {
    const row = scene.rows.find(({ id }) => (scene.stories.get(id) as Story).leaked === how)!;
    return goodWording(row, scene);
  });
  const words = reworded!.split(" ");
  return linesOf([...OTHERS, copied!, `Here is a nice one. ${words.slice(0, -3).join(" ")}, please.`]);
}

function linesOf(questions: readonly string[]): string {
  return questions.map((question) => `${JSON.stringify({ question })}\n`).join("");
}
