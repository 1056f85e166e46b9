import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { hashOf } from "../../pipeline/base/canonical.js";
import { TaskmillError } from "../../pipeline/base/errors.js";
import type { Instance } from "../../pipeline/instance.js";
import type { Mode } from "../../pipeline/models/call.js";
import type { Role } from "../../pipeline/models/role.js";
import { modelSpec } from "../../pipeline/models/spec.js";
import { type RunConfig, type RunOptions, type RunResult, runPipeline } from "../../pipeline/run.js";
import type { Reply } from "../../stages/model.js";
import { defineStage } from "../../stages/stage.js";
import { smallConfig } from "../fixtures/small-run.js";

/** A whole run that does little but ask models: for each row some draws of a solver, and for some one structured reading. */

const row = z.object({ id: z.string(), question: z.string() });
type QuestionRow = z.infer<typeof row>;
const answered = row.extend({
  split: z.literal("train"),
  draws: z.array(z.object({ call: z.string(), text: z.string(), why: z.string().nullable() })),
  reading: z.object({ about: z.string(), size: z.number() }).nullable(),
});
type AnsweredRow = z.infer<typeof answered>;

const ingest = defineStage<unknown, QuestionRow>({
  kind: "ingest",
  version: 1,
  summary: "tables",
  mode: "source",
  params: z.strictObject({}),
  takes: "tables",
  gives: "tables",
  output: row,
  reasons: { not_kept: "not kept" },
  run: () => ({ out: [], rejected: [], more: false }),
});

const questions = defineStage<{ rows: number }, QuestionRow>({
  kind: "questions",
  version: 1,
  summary: "rows with a question",
  mode: "source",
  params: z.strictObject({ rows: z.number() }),
  takes: "tables",
  gives: "program",
  output: row,
  reasons: {},
  run: (_block, { params }) => ({
    out: Array.from({ length: params.rows }, (_, i) => ({
      id: `row-${i}`,
      question: `How heavy is body ${i}?`,
    })),
    rejected: [],
    created: params.rows,
    more: false,
  }),
});

const reading = z.object({ about: z.string(), size: z.number() });

const ask = defineStage<{ draws: number; readings: number }, QuestionRow, AnsweredRow>({
  kind: "ask",
  version: 1,
  summary: "asks",
  mode: "row",
  params: z.strictObject({ draws: z.number(), readings: z.number() }),
  takes: "program",
  gives: "split",
  roles: () => ["solver", "reader"],
  input: row,
  output: answered,
  reasons: { unread: "the reader gave no reading" },
  async run(given, { params, models }) {
    const messages = [{ role: "user" as const, content: given.question }];
    const draws = await Promise.all(
      Array.from({ length: params.draws }, (_, sample) =>
        models.ask({ role: "solver", row: given.id, messages, sample }),
      ),
    );
    if (Number(given.id.slice("row-".length)) % params.readings !== 0) return outcome(given, draws, null);
    const schema = { name: "reading", type: reading };
    const read = await models.ask({ role: "reader", row: given.id, messages, schema });
    if (!read.ok) return { reject: { reason: "unread", evidence: { why: read.why } } };
    return outcome(given, draws, read.value!);
  },
});

function outcome(given: QuestionRow, draws: readonly Reply[], reading: AnsweredRow["reading"]) {
  return { out: { ...given, split: "train" as const, draws: draws.map(drawOf), reading } };
}

function drawOf(reply: Reply): AnsweredRow["draws"][number] {
  return { call: reply.call, text: reply.text, why: reply.ok ? null : reply.why };
}

const lines = defineStage<unknown, AnsweredRow, z.infer<typeof poolRow>>({
  kind: "lines",
  version: 1,
  summary: "writes lines",
  mode: "set",
  params: z.strictObject({}),
  takes: "split",
  gives: "pools",
  input: answered,
  output: z.looseObject({ id: z.string() }),
  reasons: {},
  run(rows, { outDir }) {
    const text = rows.map((r) => `${JSON.stringify(r)}\n`).join("");
    mkdirSync(join(outDir, "pools"), { recursive: true });
    writeFileSync(join(outDir, "pools/tasks.ndjson"), text);
    const sha256 = createHash("sha256").update(text).digest("hex");
    const file = "pools/tasks.ndjson";
    const pool = {
      id: "tasks",
      pool: "tasks",
      file,
      sha256,
      bytes: Buffer.byteLength(text),
      rows: rows.length,
    };
    return { out: [pool], rejected: [] };
  },
});
const poolRow = z.looseObject({ id: z.string() });

function askingGraph(rows: number, draws: number, readings: number): Instance[] {
  return [
    { id: "ingest", stage: ingest, params: {}, from: [] },
    { id: "questions", stage: questions, params: { rows }, from: ["ingest"] },
    { id: "ask", stage: ask, params: { draws, readings }, from: ["questions"] },
    { id: "lines", stage: lines, params: {}, from: ["ask"] },
  ];
}

export interface AskingRun {
  /** Folder for the sources and `out/`. */
  readonly dir: string;
  readonly url: string;
  readonly rows: number;
  readonly draws?: number;
  /** One row of so many is read: each by default. */
  readonly readings?: number;
  readonly mode?: Mode;
  readonly cassette?: string;
  readonly threads?: number;
  readonly key?: string;
  readonly models?: Readonly<Record<"solver" | "reader", string>>;
  /** Beside what all roles have. */
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly limits?: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal;
  readonly onEvent?: RunOptions["onEvent"];
}

/** Runs it, under a name for the endpoint that stays the same whatever its port is. */
export async function askingRun(run: AskingRun): Promise<RunResult> {
  const { rows, draws = 1, readings = 1, models = { solver: "solver", reader: "reader" } } = run;
  const config: RunConfig = {
    ...(await smallConfig(join(run.dir, "sources"))),
    resolved: { name: "asking", rows, draws, readings },
    sha256: hashOf({ rows, draws, readings }),
    roles: new Map(Object.entries(models).map(([name, model]) => [name, roleOf(name, model, run)])),
  };
  const { mode, cassette, threads = 2, signal, onEvent } = run;
  return runPipeline(config, askingGraph(rows, draws, readings), {
    outDir: join(run.dir, "out"),
    threads,
    mode,
    cassette,
    signal,
    onEvent,
    writers: [],
  });
}

function roleOf(name: string, model: string, { url, key, spec, limits }: AskingRun): Role {
  const identity = { endpoint: "http://models.test/v1", model, revision: null };
  const waits = { max_wait: 0.02, ...limits };
  // The one role streams, the other does not.
  const stream = name === "solver";
  return {
    name,
    spec: modelSpec.parse({ base_url: url, model, stream, limits: waits, ...spec }),
    identity,
    key,
    off: false,
  };
}

/** SHA-256 of each file of a dataset: of all that is in the run directory but what is private to it: store, log of calls, index. */
export function filesOf(dir: string): Record<string, string> {
  const found = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = found.map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1)).sort();
  return Object.fromEntries(
    paths
      .filter((path) => !/^(?:run\.duckdb|calls\/|index\/)/.test(path))
      .map((path) => [
        path,
        createHash("sha256")
          .update(readFileSync(join(dir, path)))
          .digest("hex"),
      ]),
  );
}

/** The error that a run ends with. */
export async function errorOf(run: Promise<unknown>): Promise<TaskmillError> {
  const error = await run.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof TaskmillError) return error;
  throw error ?? new Error("the run did not fail");
}
