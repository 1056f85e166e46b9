import { join } from "node:path";
import { readPool } from "../../../datasets/read.js";
import {
  type LedgerRecord,
  ledgerTable,
  type TaskRecord,
  tasksPool,
} from "../../../datasets/schema/index.js";
import { run, TaskmillError } from "../../../pipeline/index.js";
import type { Card } from "../../../sources/card.js";
import { findCards } from "../../../sources/cards.js";
import { FAMOUS_FACTS } from "../../../stages/screen/facts.js";
import type { Expected } from "../../../verifiers/answer/answer.js";
import { allText, type Brain, guesser, scripted, solver, startServer } from "../../server/index.js";
import { readingOf } from "./reader.js";

/** A small dataset with all gates, made by scripted models: one knows some tasks by heart, a reader misreads some, a solver errs on some. */

/** How many tasks it asks for. */
export const TARGET = 12;
/** How many are worded beforehand, so that the models know what they may be asked. */
const KNOWN = 48;

/** Every so many-th task, in the order of the first run. */
const EVERY = { known: 6, misread: 7, unsolved: 11 };

const config = (more: object, target: number, unscreened: readonly string[]) => ({
  name: "audited",
  seed: 5,
  sources: ["planets", "moons"],
  target: { accepted: target, candidates: 60_000 },
  stages: {
    enumerate: { spaces: [{ id: "moons", table: "moons", weight: 1 }] },
    balance: { formula: 1, entity: 1, table: 1, conditions: 1 },
    ...more,
    emit: { admit_unscreened: unscreened },
  },
});

const ALL = ["contamination", "closed_book", "round_trip", "solve", "admission"];

/** Makes a dataset without models in `<dir>/plain`, and one with all gates in `<dir>/gated`. @returns the directory of the second. */
export async function gatedDataset(dir: string): Promise<{ gated: string; plain: string }> {
  const plain = join(dir, "plain");
  await run(config({}, KNOWN, ALL), { outDir: plain });
  const cards = await findCards(["planets", "moons"], dir);
  const { card } = cards.find((found) => found.card.id === "moons")!;
  const brains = brainsFor(await tasksIn(plain), card);
  const server = await startServer({ brains });
  try {
    const role = (model: string) => ({ base_url: server.url, endpoint: "http://models.test/v1", model });
    const models = { memory: role("knows-some"), reader: role("reads"), solver: role("solves") };
    const stages = {
      round_trip: { role: "reader", worlds: 3 },
      probe: { roles: ["memory"], k: 3 },
      solve: { roles: ["solver"], n: 3 },
    };
    const gated = join(dir, "gated");
    const settings = { ...config(stages, TARGET, ["contamination", "solve", "admission"]), models };
    await run(settings, { outDir: gated }).catch((error: unknown) => {
      if (!(error instanceof TaskmillError && error.kind === "target")) throw error;
    });
    return { gated, plain };
  } finally {
    await server.close();
  }
}

function brainsFor(tasks: readonly TaskRecord[], card: Card): Record<string, Brain> {
  const unit = ({ answer_unit }: TaskRecord) => (answer_unit === "1" ? "" : ` ${answer_unit}`);
  const answerOf = (task: TaskRecord) => `${task.hidden_answer.text}${unit(task)}`;
  const places = new Map(tasks.map((task, i) => [task.question, i]));
  const facts = FAMOUS_FACTS.map(({ question, expected }): [string, string] => [question, textOf(expected)]);
  const byHeart = tasks.filter((_, i) => i % EVERY.known === 1);
  const known = solver(
    new Map([...facts, ...byHeart.map((t): [string, string] => [t.question, answerOf(t)])]),
  );
  const guess = guesser(["1", "2", "3.5", "10", "1000"]);
  const place = (text: string) => [...places].find(([question]) => text.includes(question))?.[1] ?? -1;
  const right = solver(new Map(tasks.map((t): [string, string] => [t.question, answerOf(t)])));
  const isKnown = (text: string) =>
    facts.some(([question]) => text.includes(question)) || place(text) % EVERY.known === 1;
  return {
    "knows-some": (request) => (isKnown(allText(request)) ? known(request) : guess(request)),
    reads: scripted((request) => {
      const at = place(allText(request));
      return at < 0 ? {} : readingOf(tasks[at]!, card, at % EVERY.misread === 2);
    }),
    solves: (request) => (place(allText(request)) % EVERY.unsolved === 3 ? guess(request) : right(request)),
  };
}

function textOf(expected: Expected): string {
  if (expected.type === "quantity") return `${expected.value} ${expected.unit === "1" ? "" : expected.unit}`;
  if (expected.type === "entity") return expected.name;
  return "value" in expected ? String(expected.value) : "";
}

export async function tasksIn(dir: string): Promise<TaskRecord[]> {
  const found: TaskRecord[] = [];
  for await (const task of readPool(join(dir, "pools/tasks.parquet"), tasksPool)) found.push(task);
  return found;
}

export async function ledgerIn(dir: string): Promise<LedgerRecord[]> {
  const found: LedgerRecord[] = [];
  for await (const record of readPool(join(dir, "ledger.parquet"), ledgerTable)) found.push(record);
  return found;
}
