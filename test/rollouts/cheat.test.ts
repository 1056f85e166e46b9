import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TrajectoryRecord } from "../../datasets/schema/index.js";
import { run, verify } from "../../pipeline/index.js";
import type { RolloutEvidence } from "../../stages/evidence.js";
import { loadBundled, numbers } from "../facts/load.js";
import { SANDBOXED } from "../pipeline/environment/python/helpers.js";
import { calling, choosing, drawOf } from "../server/agent-manners.js";
import { type AgentPlan, planFor } from "../server/agents.js";
import { type Brain, startServer, type TestServer } from "../server/index.js";
import { type Attempt, addresses, inside, type Place, searches, words } from "./attempts.js";
import { pythons } from "./attempts-python.js";
import {
  type AttemptedRow,
  CONFIG,
  type Config,
  configOf,
  plansIn,
  rowsOf,
  trajectoriesOf,
} from "./scene.js";

/** An agent that cheats: each way is a rollout of a real run, with the real tools behind it. */

const DRAWS = 14;
/** Whatever of these an agent is shown, it has got through. */
const SECRETS = [
  "copied-table-mark",
  "answer-of-the-engine",
  "cheat-env-secret",
  "cheat-model-key",
  '"owned_by":"test"',
  "root:x:0:0",
  "hidden_answer",
];

let dir: string;
let web: Server;
let server: TestServer;
let place: Place;
let attempts: readonly Attempt[];
let plans: AgentPlan[];
/** What came of each way. */
let made: Map<string, { readonly evidence: RolloutEvidence; readonly record: TrajectoryRecord }>;
let dataset: string;

describe.skipIf(!SANDBOXED)("an agent that cheats", () => {
  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), "taskmill-cheat-"));
    process.env.TASKMILL_CHEAT = "cheat-env-secret";
    process.env.TASKMILL_CHEAT_KEY = "cheat-model-key";
    plans = await plansIn(join(dir, "unasked"));
    web = await openWeb();
    server = await startServer({ brains: { policy: cheat }, key: "cheat-model-key" });
    dataset = join(dir, "dataset");
    place = { models: server.port, web: portOf(web), run: dataset, project: resolve(".") };
    attempts = ways(place);
    await run(config(await copies()), { outDir: dataset });
    const rows = await rowsOf(dataset);
    made = cameOf(rows, await trajectoriesOf(dataset));
  }, 300_000);

  afterAll(async () => {
    delete process.env.TASKMILL_CHEAT;
    delete process.env.TASKMILL_CHEAT_KEY;
    web.close();
    await server.close();
    rmSync(dir, { recursive: true, force: true });
  });

  const names = ways({ models: 1, web: 2, run: "run", project: "project" }).map(({ what }) => what);
  it("tries many ways", () => {
    expect(attempts.map(({ what }) => what)).toEqual(names);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThanOrEqual(40);
    expect(plans.length * DRAWS).toBeGreaterThanOrEqual(names.length);
  });

  it.each(names)("gets nothing by: %s", (what) => {
    const { kept, says, calls } = attempts.find((attempt) => attempt.what === what)!;
    const { evidence, record } = made.get(what)!;
    const told = record.messages.filter(({ role }) => role === "tool").map(({ content }) => content);
    expect(told.length).toBeGreaterThanOrEqual(calls.length);
    for (const secret of SECRETS) expect(told.join("\n")).not.toContain(secret);
    if (says !== undefined) expect(told.filter((text) => !says.test(text))).toEqual([]);
    expect(evidence.firewall.served).toEqual([]);
    if (kept === "firewall") expect(evidence.firewall.blocked).toBeGreaterThanOrEqual(calls.length);
    expect(evidence.outcome).not.toBe("right");
    expect(evidence.reward).toMatchObject({ acc: 0, progress: 0, score: 0 });
    expect(evidence.unselected).not.toBe("");
  });

  it("leaves nothing in what is published, and no secret on the disk", async () => {
    const files = readdirSync(dataset, { recursive: true, withFileTypes: true }).filter((file) =>
      file.isFile(),
    );
    for (const file of files) {
      const text = readFileSync(join(file.parentPath, file.name), "latin1");
      for (const secret of ["cheat-env-secret", "cheat-model-key"])
        expect(`${file.name}: ${text.includes(secret)}`).toBe(`${file.name}: false`);
    }
    expect((await verify(dataset)).findings).toEqual([]);
  });
});

function ways(where: Place): readonly Attempt[] {
  return [...addresses(where), ...searches, ...inside(where), ...words, ...pythons(where)];
}

const cheat: Brain = choosing((request) => {
  const plan = planFor(request, plans)!;
  const attempt = attempts[plans.indexOf(plan) * DRAWS + drawOf(request)];
  if (attempt === undefined) return () => "Final answer: unknown";
  const brain = calling(attempt.calls);
  return async (asked) => {
    const reply = await brain(asked);
    return typeof reply === "string" && attempt.claims ? `${attempt.claims}\n\nFinal answer: unknown` : reply;
  };
});

function cameOf(rows: readonly AttemptedRow[], records: readonly TrajectoryRecord[]): typeof made {
  const found = rows.flatMap(({ id, rollouts }) => (rollouts ?? []).map((evidence) => ({ id, evidence })));
  return new Map(
    attempts.map(({ what }, i) => {
      const { id, evidence } = found[i]!;
      const record = records.find(({ rollout }) => rollout === `${id}/rollout/${evidence.sample}`)!;
      return [what, { evidence, record }];
    }),
  );
}

function config(copied: string): Config {
  const changed = configOf(CONFIG);
  const own = `http://127.0.0.1:${place.web}`;
  changed.models = {
    policy: {
      base_url: server.url,
      model: "policy",
      key_variable: "TASKMILL_CHEAT_KEY",
      sampling: { temperature: 1 },
    },
  };
  changed.environment = {
    corpus: ["solar-system", copied],
    search: { backend: "searxng", base_url: own },
    visit: { from: ["corpus", "web"], private_hosts: [`127.0.0.1:${place.web}`], timeout: 10 },
    python: { seconds: 4, memory_mb: 128, processes: 12, disk_mb: 8 },
    observation: 4000,
  };
  delete changed.stages.demonstrate;
  changed.stages.rollout = { role: "policy", n: DRAWS };
  return changed;
}

/** A page that shows the table of moons, in a corpus of its own. */
async function copies(): Promise<string> {
  const path = join(dir, "copies.jsonl");
  const page = { url: "https://copies.example/moons", title: "Moons", text: await tableText() };
  writeFileSync(path, `${JSON.stringify(page)}\n`);
  return path;
}

async function tableText(): Promise<string> {
  const table = (await loadBundled(["planets", "moons"])).tables.get("moons")!;
  const columns = ["mean_radius", "orbital_period", "semi_major_axis"].map((id) => numbers(table, id).values);
  const rows = table.names.map((name, i) => `| ${[name, ...columns.map((c) => c[i])].join(" | ")} |`);
  return `copied-table-mark\n\n| moon | a | b | c |\n| --- | --- | --- | --- |\n${rows.join("\n")}`;
}

/** A web server that redirects anywhere, and a search service that lists blocked hosts. */
async function openWeb(): Promise<Server> {
  const rows = await tableText();
  const results = (query: string): object[] =>
    query.startsWith("long")
      ? [{ url: "https://example.org/list", title: "All moons", content: rows.slice(20) }]
      : [
          "https://ssd.jpl.nasa.gov/sats/",
          "https://web.archive.org/web/2020/https://ssd.jpl.nasa.gov/sats/",
        ].map((url) => ({ url, title: "Moons", content: "copied-table-mark: Tethys 531.0 km" }));
  const opened = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    const to = decodeURIComponent(url.search.slice(1));
    if (url.pathname === "/to") response.writeHead(302, { location: to }).end();
    else if (url.pathname === "/hop") response.writeHead(307, { location: `/to?${to}` }).end();
    else if (url.pathname === "/search") {
      const answers = ["answer-of-the-engine: 531.0 km"];
      const infoboxes = [{ infobox: "Tethys", content: "answer-of-the-engine" }];
      const body = { results: results(url.searchParams.get("q") ?? ""), answers, infoboxes };
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
    } else response.writeHead(404).end();
  });
  await new Promise<void>((done) => opened.listen(0, "127.0.0.1", done));
  return opened;
}

function portOf(opened: Server): number {
  return (opened.address() as AddressInfo).port;
}
