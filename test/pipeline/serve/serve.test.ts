import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sha256 } from "../../../pipeline/base/canonical.js";
import { builtins } from "../../../pipeline/builtins.js";
import { COMMANDS } from "../../../pipeline/commands/index.js";
import { run } from "../../../pipeline/index.js";
import { type Part, serve } from "../../../pipeline/serve/serve.js";
import { tasksOf } from "../../../pipeline/tasks.js";
import { gather } from "../../datasets/rows.js";
import { ask, post } from "./helpers.js";

const dir = mkdtempSync(join(tmpdir(), "taskmill-serve-test-"));
const out = join(dir, "out");
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const csv = 'q,a,t\n"How many moons has Mars?","2","integer"\n"What is 17 times 19?","323","integer"\n';
const card = `card: 1
kind: problems
id: quiz
title: Quiz
domain: quiz
entity: { singular: question, plural: questions, public: false }
key: id
name: id
licence: { id: CC0-1.0 }
citation: made for a test
publisher: { name: Nobody, hosts: [blocked.example] }
provenance: made for a test
as_of: "2026"
snapshot: { file: quiz.csv, sha256: ${sha256(csv)}, read: { format: csv } }
problems: { question: q, answer: a, type: t }
columns:
  id: { from: "#record", type: text, scale: nominal }
  q: { from: q, type: text, scale: nominal }
  a: { from: a, type: text, scale: nominal }
  t: { from: t, type: text, scale: nominal }
`;
const config = `name: quiz
seed: 3
sources: [./quiz.yaml]
environment: { tools: [search, visit], corpus: [./documents] }
stages:
  problems: {}
  emit: { admit_unscreened: [contamination, closed_book, solve, admission] }
`;

beforeAll(async () => {
  writeFileSync(join(dir, "quiz.csv"), csv);
  writeFileSync(join(dir, "quiz.yaml"), card);
  writeFileSync(join(dir, "config.yaml"), config);
  mkdirSync(join(dir, "documents"));
  writeFileSync(join(dir, "documents", "mars.md"), "# Mars\n\nMars has two moons, Phobos and Deimos.\n");
  await run(join(dir, "config.yaml"), { outDir: out });
});

const options = (only?: Part) => ({
  registry: builtins(),
  host: "127.0.0.1",
  port: 0,
  sessions: 4,
  idle: 60,
  only,
  corpus: [join(dir, "documents")],
  signal: new AbortController().signal,
  onInternal: (error: unknown) => {
    throw error;
  },
});

describe("a dataset that is served", () => {
  it("scores its tasks by their id, and lets agents search its documents behind its firewall", async () => {
    const serving = await serve(out, options());
    try {
      expect(serving).toMatchObject({ name: "quiz", score: true, tools: ["search", "visit"] });
      const [task] = await gather(tasksOf(out));
      const { json } = await post(serving, "/score", {
        items: [{ task_id: task!.id, solution: "Final answer: 2" }],
      });
      expect(json).toEqual({ results: [{ score: 1, acc: 1, progress: 0, answered: 1 }] });
      const { json: session } = await post(serving, "/sessions", {});
      const calls = [
        { name: "search", arguments: { query: "moons of Mars" } },
        { name: "visit", arguments: { url: "https://blocked.example/quiz" } },
      ];
      const { json: seen } = await post(serving, `/sessions/${session.id}/call`, { calls });
      expect(seen.observations[0]!.text).toContain("Phobos and Deimos");
      expect(seen.observations[1]).toMatchObject({ ok: false, fault: null });
      const ended = await ask(serving, `/sessions/${session.id}`, { method: "DELETE" });
      expect(ended.json.firewall).toMatchObject({ asked: 1, blocked: 1, served: [] });
    } finally {
      await serving.close();
    }
    await expect(ask(serving, "/health")).rejects.toThrow();
    // Nothing is written into the dataset but the index of documents.
    expect(readdirSync(out)).not.toContain("calls");
  });

  it("is served by halves", async () => {
    const tools = await serve(out, options("tools"));
    expect((await post(tools, "/score", { items: [] })).status).toBe(404);
    expect((await ask(tools, "/tools")).json.tools).toHaveLength(2);
    await tools.close();
    const score = await serve(out, options("score"));
    expect((await post(score, "/score", { items: [] })).json).toEqual({ results: [] });
    for (const path of ["/tools", "/sessions", "/mcp"]) expect((await ask(score, path)).status).toBe(404);
    await score.close();
  });

  it("is not served to others without a token, nor with sources that are not its own", async () => {
    await expect(serve(out, { ...options(), host: "0.0.0.0" })).rejects.toMatchObject({
      problems: [{ code: "no_token" }],
    });
    const copy = join(dir, "changed");
    await run(join(dir, "config.yaml"), { outDir: copy });
    writeFileSync(join(copy, "sources", "quiz", "quiz.csv"), csv.replace("323", "324"));
    await expect(serve(copy, options())).rejects.toMatchObject({
      problems: [{ code: "sources_not_loaded" }],
    });
    await expect(serve(join(dir, "nowhere.yaml"), options())).rejects.toMatchObject({
      name: "TaskmillError",
    });
  });
});

describe("a config that is served", () => {
  it("has tools, and scores what brings its ground truth", async () => {
    const serving = await serve(join(dir, "config.yaml"), { ...options(), corpus: undefined });
    try {
      const truth = {
        version: 1,
        question: "?",
        language: "en",
        answer: { type: "integer", value: "2" },
        chain: [],
      };
      const items = [
        { ground_truth: truth, solution: "Final answer: 2" },
        { task_id: "x", solution: "Final answer: 2" },
      ];
      const { json } = await post(serving, "/score", { items });
      expect(json.results[0]!.acc).toBe(1);
      expect(json.results[1]!.error!.code).toBe("no_dataset");
      expect(serving.tools).toEqual(["search", "visit"]);
    } finally {
      await serving.close();
    }
  });
});

describe("pipeline serve", () => {
  const io = () => {
    const stop = new AbortController();
    const lines = new PassThrough();
    const io = {
      out: (text: string) => void lines.write(text),
      err: (text: string) => void lines.write(text),
      quiet: false,
      live: false,
      color: { out: false, err: false },
      columns: 80,
      signal: stop.signal,
      now: () => 0,
    };
    return { io, stop, lines };
  };
  const argsOf = async (given: object) =>
    COMMANDS.serve!.args((await import("zod")).z).parse({
      path: out,
      port: "0",
      corpus: join(dir, "documents"),
      ...given,
    });

  it("says where it is in one line, as JSON for programs, and ends with 130", async () => {
    for (const json of [false, true]) {
      const { io: given, stop, lines } = io();
      const ended = COMMANDS.serve!.run(await argsOf({}), { ...given, json });
      const [line] = (await once(lines, "data")).map(String) as [string];
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)![0];
      if (json)
        expect(JSON.parse(line)).toMatchObject({
          url,
          name: "quiz",
          score: true,
          tools: ["search", "visit"],
        });
      else expect(line).toBe(`serving quiz at ${url} (/score, /tools, /sessions, /mcp); Ctrl-C ends it\n`);
      expect((await fetch(`${url}/health`)).status).toBe(200);
      stop.abort();
      expect(await ended).toBe(130);
    }
  });

  it("takes its token from a variable, and no weak one", async () => {
    const { io: given } = io();
    const run = async (args: object, json = false) =>
      COMMANDS.serve!.run(await argsOf(args), { ...given, json });
    await expect(run({ "token-variable": "TASKMILL_TEST_TOKEN" })).rejects.toMatchObject({
      problems: [{ code: "no_token" }],
    });
    process.env.TASKMILL_TEST_TOKEN = "short";
    await expect(run({ "token-variable": "TASKMILL_TEST_TOKEN" })).rejects.toMatchObject({
      problems: [{ code: "weak_token" }],
    });
    delete process.env.TASKMILL_TEST_TOKEN;
    await expect(run({ stdio: true }, true)).rejects.toMatchObject({ problems: [{ code: "stdio_is_mcp" }] });
    await expect(argsOf({ port: "70000" })).rejects.toThrow();
    await expect(argsOf({ "token-variable": "a b" })).rejects.toThrow();
  });
});
