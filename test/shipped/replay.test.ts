import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { canonicalJson } from "../../pipeline/base/canonical.js";
import { type Manifest, run, TaskmillError, verify } from "../../pipeline/index.js";
import { tasksOf } from "../../pipeline/tasks.js";
import { openDatabase } from "../../sources/duckdb.js";
import type { SolveEvidence } from "../../stages/evidence.js";
import type { WordedRow } from "../../stages/task.js";
import { filesOf } from "../server/asking-run.js";
import { CONFIG, HASHES, RECORD_AGAIN, record, SHIPPED_CASSETTE } from "./record.js";

/** A dataset with every gate is made again from its recorded calls, the network closed, byte for byte. */

const BIN = resolve("pipeline/bin.js");
const NO_NETWORK = pathToFileURL(resolve(import.meta.dirname, "no-network.mjs")).href;
const REPLAY = [CONFIG, "--replay", "--cassette"];

let dir: string;
/** The dataset as replayed on one thread. */
let dataset: string;

beforeAll(async () => {
  if (process.env.TASKMILL_RECORD === "1") await record();
  closeNetwork();
  dir = mkdtempSync(join(tmpdir(), "taskmill-shipped-"));
  dataset = join(dir, "one-thread");
  await replay(dataset, { threads: 1 });
});

afterAll(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  rmSync(dir, { recursive: true, force: true });
});

function closeNetwork(): void {
  const closed = () => {
    throw new Error("the network is closed");
  };
  vi.stubGlobal("fetch", closed);
  vi.spyOn(Socket.prototype, "connect").mockImplementation(closed);
}

function replay(outDir: string, options: { threads?: number; cassette?: string } = {}) {
  return run(CONFIG, { outDir, env: {}, mode: "replay", cassette: SHIPPED_CASSETTE, ...options });
}

/** The first file that is not as it was recorded, or undefined. */
function firstDifference(outDir: string): string | undefined {
  const recorded = JSON.parse(readFileSync(HASHES, "utf8")) as Record<string, string>;
  const made = filesOf(outDir);
  const name = [...new Set([...Object.keys(recorded), ...Object.keys(made)])]
    .sort()
    .find((file) => recorded[file] !== made[file]);
  if (name === undefined) return undefined;
  const [then, now] = [recorded[name], made[name]].map((hash) => hash ?? "(absent)");
  return `${name} is not as it was recorded: SHA-256 ${then}, now ${now}; if it is to differ: ${RECORD_AGAIN}`;
}

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** The real command in a process that cannot reach any network, without a variable of ours, its proxies leading nowhere. */
function pipeline(...words: string[]): Promise<Ended> {
  return new Promise((done, failed) => {
    const nowhere = "http://127.0.0.1:9";
    const env = { HTTP_PROXY: nowhere, HTTPS_PROXY: nowhere, ALL_PROXY: nowhere };
    const child = spawn(process.execPath, ["--import", NO_NETWORK, BIN, ...words], { cwd: dir, env });
    const text = { out: "", err: "" };
    child.stdout.setEncoding("utf8").on("data", (piece: string) => {
      text.out += piece;
    });
    child.stderr.setEncoding("utf8").on("data", (piece: string) => {
      text.err += piece;
    });
    child.on("error", failed).on("close", (code) => done({ code, ...text }));
  });
}

describe.concurrent("a shipped cassette", () => {
  it("makes the dataset again on one thread, byte for byte", () => {
    expect(firstDifference(dataset)).toBeUndefined();
  });

  it("makes it on two threads", async () => {
    const outDir = join(dir, "two-threads");
    await replay(outDir, { threads: 2 });
    expect(firstDifference(outDir)).toBeUndefined();
  });

  it("makes it by the command line, in a process of its own", async () => {
    const ended = await pipeline("run", ...REPLAY, SHIPPED_CASSETTE, "--out", "by-hand");
    expect(ended).toMatchObject({ code: 0 });
    expect(firstDifference(join(dir, "by-hand"))).toBeUndefined();
    // Nothing of a replay is a new call.
    expect(existsSync(join(dir, "by-hand", "calls"))).toBe(false);
  });

  it("keeps its dataset from being replaced by one that no model has seen", async () => {
    const before = readFileSync(join(dataset, "manifest.json"), "utf8");
    const again = run(CONFIG, { outDir: dataset, env: {} });
    await expect(again).rejects.toMatchObject({ kind: "usage", problems: [{ code: "models_off" }] });
    expect(readFileSync(join(dataset, "manifest.json"), "utf8")).toBe(before);
  });

  it("is what the dataset ships in its turn", () => {
    expect(readFileSync(join(dataset, "cassette.ndjson")).equals(readFileSync(SHIPPED_CASSETTE))).toBe(true);
    expect(readFileSync(SHIPPED_CASSETTE).length).toBeLessThan(1_500_000);
  });

  it("names no host, no port and no folder", () => {
    const text = readFileSync(SHIPPED_CASSETTE, "utf8");
    expect(text).toContain('"endpoint":"recorded-endpoint"');
    expect(text).not.toMatch(/127\.0\.0\.1|localhost|https?:|\/tmp\/|authorization|bearer/i);
  });

  it("is found whole by `cassette verify`, as the dataset is by `verify`", async () => {
    const [cassette, verification] = await Promise.all([
      pipeline("cassette", "verify", SHIPPED_CASSETTE, "--json"),
      verify(dataset),
    ]);
    expect(cassette).toMatchObject({ code: 0, err: "" });
    expect(JSON.parse(cassette.out)).toMatchObject({ ok: true });
    expect(verification.findings).toEqual([]);
    expect(new Set(verification.checks.map(({ status }) => status))).toEqual(new Set(["passed"]));
  });
});

describe.concurrent("what came of the stories", () => {
  it("is in the ledger, gate by gate", async () => {
    const because = "CASE status WHEN 'not_run' THEN why ELSE reason END AS because";
    expect(await ledger(`gate, status, ${because}`)).toEqual([
      ["closed_book", "not_run", "memory: only 0 of 2 samples could be graded (2 refusal)", 1],
      ["closed_book", "not_run", "memory: only 1 of 2 samples could be graded (1 truncated)", 1],
      ["closed_book", "passed", "", 21],
      ["closed_book", "rejected", "known_by_heart", 2],
      ["contamination", "passed", "", 29],
      ["contamination", "rejected", "exact_match", 1],
      ["contamination", "rejected", "shared_ngram", 1],
      // 32 by the grammar, then 31 behind the model's wording.
      ["lint", "passed", "", 63],
      ["round_trip", "not_run", "the reader gave no reply: truncated", 1],
      ["round_trip", "passed", "", 24],
      ["round_trip", "rejected", "reading_differs", 2],
      ["round_trip", "rejected", "reading_unreadable", 2],
      ["solve", "not_run", "only 1 of 2 solves gave an answer that can be judged", 1],
      ["solve", "passed", "", 20],
      ["solve", "rejected", "solve_disagrees", 2],
      ["twice_computed", "passed", "", 32],
    ]);
  });

  it("is in the wordings: first tries, second tries, and the grammar's own", async () => {
    const wordings: Record<string, number> = {};
    for await (const { wording } of tasks()) {
      const how = `${wording.by} after ${wording.calls?.length}`;
      wordings[how] = (wordings[how] ?? 0) + 1;
    }
    expect(wordings).toEqual({ "model/1 after 1": 18, "model/1 after 2": 2, "grammar/1 after 2": 1 });
  });

  it("keeps out of the RL pool what a gate could not judge", () => {
    const manifest = JSON.parse(readFileSync(join(dataset, "manifest.json"), "utf8")) as Manifest;
    const { rows, kept_out } = manifest.pools.find(({ file }) => file === "pools/rl.parquet")!;
    expect({ rows, kept_out }).toEqual({
      rows: 17,
      kept_out: { "closed_book:not_run": 2, "round_trip:not_run": 1, "solve:not_run": 1 },
    });
  });

  it("rests on a memory that knows famous facts", async () => {
    const power = "json_extract_string(hidden_evidence, '$.probe.power')";
    const where = "gate = 'closed_book' AND status <> 'rejected'";
    expect(await ledger(`${power} AS power`, where)).toEqual([
      ['[{"asked":24,"right":20,"role":"memory"}]', 23],
    ]);
  });
});

/** The tasks of the dataset. */
async function* tasks(): AsyncGenerator<WordedRow & { readonly solve: SolveEvidence }> {
  for await (const row of tasksOf(dataset)) yield row as unknown as WordedRow & { solve: SolveEvidence };
}

/** How many rows of the ledger have the same values in some columns. */
async function ledger(columns: string, where = "true"): Promise<unknown[][]> {
  const database = await openDatabase(":memory:", { folders: [dataset], threads: 1 });
  try {
    const sql = `SELECT ${columns}, count(*)::INTEGER FROM read_parquet($1) WHERE ${where} GROUP BY ALL ORDER BY ALL`;
    return await database.rows(sql, [join(dataset, "ledger.parquet")]);
  } finally {
    database.close();
  }
}

describe.concurrent("a cassette that is not whole", () => {
  it("lacks a call: the stage, the row and the role are named, and nothing is half written", async () => {
    const { cassette, row } = await withoutOneSolve();
    const ended = await pipeline("run", ...REPLAY, cassette, "--out", "lacking");
    expect(ended).toMatchObject({ code: 1, out: "" });
    for (const said of ["stage `solve`", `row ${row}`, "role `solver` (solver-1)", "is not recorded"])
      expect(ended.err).toContain(said);
    expect(ended.err).not.toContain("    at ");
    expect(readdirSync(join(dir, "lacking"))).toEqual(["run.duckdb"]);
    // Given the call, the same directory is finished.
    await replay(join(dir, "lacking"));
    expect(firstDifference(join(dir, "lacking"))).toBeUndefined();
  });

  it("is refused when its header promises more than there is", async () => {
    const [header, , ...records] = linesOf();
    expect(await problemWith([header!, ...records])).toContain("183 calls are announced, 182 are there");
  });

  it.each([
    ["a request", '"temperature":0.7', '"temperature":0.8', "its key is not the hash of what was asked"],
    ["a key", /"key":"./, '"key":"g', "64 hex digits"],
    ["the JSON", '"sampling":', '"sampling";', "it is no JSON"],
  ])("is refused when a byte of %s has changed", async (_what, from, to, why) => {
    const [header, ...records] = linesOf();
    const at = records.findIndex((record) => record.includes('"model":"writer-1"'));
    const changed = records.map((record, i) => (i === at ? record.replace(from, to) : record));
    expect(changed[at]).not.toBe(records[at]);
    const said = await problemWith([header!, ...changed]);
    expect(said).toContain(`line ${at + 2} of the cassette`);
    expect(said).toContain(why);
  });
});

function linesOf(): string[] {
  return readFileSync(SHIPPED_CASSETTE, "utf8").trimEnd().split("\n");
}

let copies = 0;

function cassetteOf(lines: readonly string[]): string {
  const path = join(dir, `copy-${copies++}.ndjson`);
  writeFileSync(path, `${lines.join("\n")}\n`);
  return path;
}

/** What is said of such a cassette; the dataset is not there then. */
async function problemWith(lines: readonly string[]): Promise<string> {
  const outDir = join(dir, `refused-${copies}`);
  const error: unknown = await replay(outDir, { cassette: cassetteOf(lines) }).catch((e: unknown) => e);
  expect(error).toBeInstanceOf(TaskmillError);
  expect(existsSync(join(outDir, "manifest.json"))).toBe(false);
  return (error as TaskmillError).message;
}

/** A copy in good order that lacks a call of `solve`, and the row which that was about. */
async function withoutOneSolve(): Promise<{ cassette: string; row: string }> {
  const { value } = await tasks().next();
  const { id, solve } = value as WordedRow & { solve: SolveEvidence };
  const { call } = solve.samples[1]!;
  const [header, ...records] = linesOf();
  const kept = records.filter((line) => !line.includes(`"key":"${call}"`));
  expect(kept).toHaveLength(records.length - 1);
  const fewer = { ...(JSON.parse(header!) as object), calls: kept.length };
  return { cassette: cassetteOf([canonicalJson(fewer), ...kept]), row: id };
}
