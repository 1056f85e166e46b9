import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { readPool } from "../../../datasets/read.js";
import { type TaskRecord, tasksPool } from "../../../datasets/schema/index.js";
import { run, verify } from "../../../pipeline/index.js";
import { FAMOUS_FACTS } from "../../../stages/screen/facts.js";
import type { Expected } from "../../../verifiers/answer/answer.js";
import { filesOf } from "../../server/asking-run.js";
import {
  allText,
  type Brain,
  confident,
  copier,
  guesser,
  type ServerOptions,
  seededFaults,
  solver,
  startServer,
  type TestServer,
} from "../../server/index.js";
import { inFolder } from "../helpers.js";

/** The real graph with its gates, against scripted models. */

let servers: TestServer[] = [];
afterEach(async () => {
  await Promise.all(servers.map((server) => server.close()));
  servers = [];
});

async function serve(options: ServerOptions): Promise<TestServer> {
  const server = await startServer(options);
  servers.push(server);
  return server;
}

const WITHOUT_MODELS = ["contamination", "closed_book", "round_trip", "solve", "admission"];

const ROWS = 12;

/** Tasks about moons: what `tasks` says they are made from, and the gates they meet. */
function config(tasks: Readonly<Record<string, unknown>>, more: Readonly<Record<string, unknown>> = {}) {
  return {
    name: "gated",
    seed: 5,
    sources: ["planets", "moons"],
    ...more,
    stages: {
      ...tasks,
      balance: { formula: 1, entity: 1, table: 1, conditions: 1 },
      emit: { admit_unscreened: WITHOUT_MODELS },
    },
  };
}

function models(server: TestServer, roles: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    Object.entries(roles).map(([role, model]) => [
      role,
      { base_url: server.url, endpoint: "http://models.test/v1", model, limits: { max_wait: 0.02 } },
    ]),
  );
}

async function tasksIn(dir: string): Promise<TaskRecord[]> {
  const found: TaskRecord[] = [];
  for await (const task of readPool(join(dir, "pools/tasks.parquet"), tasksPool)) found.push(task);
  return found;
}

function textOf(expected: Expected): string {
  if (expected.type === "quantity") return `${expected.value} ${expected.unit === "1" ? "" : expected.unit}`;
  if (expected.type === "entity") return expected.name;
  return "value" in expected ? String(expected.value) : "";
}

const facts = new Map(FAMOUS_FACTS.map(({ question, expected }) => [question, textOf(expected)]));

/** Has been to school: knows the famous facts, and for all else is like `otherwise`. */
function schooled(otherwise: Brain): Brain {
  const school = solver(facts);
  return (request) => {
    const asked = [...facts.keys()].some((question) => allText(request).includes(question));
    return asked ? school(request) : otherwise(request);
  };
}

describe("the gates against models of known character", () => {
  let answers: Map<string, string>;
  /** The same tasks once more, without the search for them. */
  let recipes: { readonly recipes: readonly object[] };

  beforeAll(() =>
    inFolder(async (dir) => {
      const enumerate = { spaces: [{ id: "moons", table: "moons" }] };
      await run(config({ enumerate }, { target: { accepted: ROWS } }), { outDir: join(dir, "out") });
      const tasks = await tasksIn(join(dir, "out"));
      expect(tasks).toHaveLength(ROWS);
      const unit = ({ answer_unit }: TaskRecord) => (answer_unit === "1" ? "" : ` ${answer_unit}`);
      answers = new Map(tasks.map((task) => [task.question, `${task.hidden_answer.text}${unit(task)}`]));
      recipes = { recipes: tasks.map((task, i) => recipeOf(task, `task-${i}`)) };
    }),
  );

  const brains = (): ServerOptions["brains"] => ({
    knows: schooled(solver(answers)),
    guesses: schooled(guesser()),
    copies: schooled(copier),
    insists: schooled(confident()),
    unschooled: guesser(),
  });

  /** The tasks that a run with these gates and roles leaves. */
  async function gated(
    dir: string,
    server: TestServer,
    gates: Readonly<Record<string, unknown>>,
    roles: readonly string[],
  ) {
    const named = Object.fromEntries(roles.map((model) => [model, model]));
    const outDir = join(dir, roles.join("-"));
    await run(config({ recipes, ...gates }, { models: models(server, named) }), { outDir });
    return tasksIn(outDir);
  }

  it("probe passes what is guessed, copied or made up, drops what is known, and believes no role without schooling", () =>
    inFolder(async (dir) => {
      const server = await serve({ brains: brains() });
      const left = (...roles: string[]) => gated(dir, server, { probe: { roles, k: 2 } }, roles);
      const statuses = (tasks: readonly TaskRecord[]) =>
        new Set(tasks.map((task) => task.gates.find((g) => g.gate === "closed_book")!.status));
      const unknown = await left("guesses", "copies", "insists");
      expect(unknown).toHaveLength(ROWS);
      expect(statuses(unknown)).toEqual(new Set(["passed"]));
      expect(await left("knows")).toEqual([]);
      const unsure = await left("unschooled");
      expect(unsure).toHaveLength(ROWS);
      expect(statuses(unsure)).toEqual(new Set(["not_run"]));
    }));

  it("solve keeps what solvers of the open book agree on with the reference, and nothing of the others", () =>
    inFolder(async (dir) => {
      const server = await serve({ brains: brains() });
      const left = (...roles: string[]) => gated(dir, server, { solve: { roles, n: 3 } }, roles);
      const kept = await left("knows");
      expect(kept.length).toBeGreaterThan(ROWS / 2);
      for (const { gates } of kept) {
        const { status, why } = gates.find((g) => g.gate === "solve")!;
        // Without tools nobody can look through a large table.
        if (status !== "passed") expect(why).toContain("needs tools");
      }
      const passed = (tasks: readonly TaskRecord[]) =>
        tasks.filter((task) => task.gates.some((g) => g.gate === "solve" && g.status === "passed"));
      expect(passed(kept).length).toBeGreaterThan(0);
      expect(passed(await left("knows", "copies", "insists"))).toEqual([]);
    }));

  it("30 % faults change no byte; nor does a replay without network, on 1 and 2 threads", () =>
    inFolder(async (dir) => {
      const gates = {
        probe: { roles: ["prober"], k: 3 },
        solve: { roles: ["solver"], n: 3, mode: "open_book" },
      };
      const roles = { prober: "guesses", solver: "knows" };
      const settings = (server: TestServer) =>
        config({ recipes, ...gates }, { models: models(server, roles) });
      const good = await serve({ brains: brains() });
      await run(settings(good), { outDir: join(dir, "good") });
      const files = filesOf(join(dir, "good"));
      await good.close();
      // The config, which the manifest has the hash of, names the port.
      const faults = seededFaults("gates", 0.3);
      const bad = await serve({ brains: brains(), faults, port: good.port });
      await run(settings(bad), { outDir: join(dir, "bad") });
      expect(filesOf(join(dir, "bad"))).toEqual(files);
      expect(bad.twice()).toEqual([]);
      expect(bad.requests.length).toBeGreaterThan(good.requests.length);
      await bad.close();
      const sent = bad.paths.length;
      for (const threads of [1, 2]) {
        const outDir = join(dir, `replay-${threads}`);
        const cassette = join(dir, "bad/cassette.ndjson");
        await run(settings(bad), { outDir, threads, mode: "replay", cassette });
        expect(filesOf(outDir)).toEqual(files);
      }
      expect(bad.paths).toHaveLength(sent);
      expect((await verify(join(dir, "bad"))).findings).toEqual([]);
    }));
});

/** A program is a recipe without a name. */
function recipeOf(task: TaskRecord, id: string): object {
  const { version: _version, ...program } = JSON.parse(task.hidden_program) as Record<string, unknown>;
  return { id, ...program };
}
