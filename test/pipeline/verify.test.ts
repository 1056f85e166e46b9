import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readPool } from "../../datasets/read.js";
import { type RlRecord, rlPool, type TaskRecord, tasksPool } from "../../datasets/schema/index.js";
import { writePool } from "../../datasets/write.js";
import { sha256 } from "../../pipeline/base/canonical.js";
import { describeTree } from "../../pipeline/files.js";
import { audit, explain, run, verify } from "../../pipeline/index.js";
import type { Instance } from "../../pipeline/instance.js";
import type { Manifest } from "../../pipeline/manifest.js";
import { letIn } from "../../pipeline/verify/set-input.js";

const config = {
  name: "tamper",
  seed: 5,
  sources: ["planets", "moons"],
  target: { accepted: 24, candidates: 60_000 },
  stages: {
    enumerate: { spaces: [{ id: "moons", table: "moons" }] },
    balance: { formula: 0.5, entity: 0.5 },
    emit: { admit_unscreened: ["contamination", "closed_book", "round_trip", "solve", "admission"] },
  },
};

const scratch = mkdtempSync(join(tmpdir(), "taskmill-tamper-"));
const original = join(scratch, "original");
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
beforeAll(async () => {
  await run(config, { outDir: original });
}, 60_000);

let copies = 0;
function copy(): string {
  const dir = join(scratch, `copy-${copies++}`);
  cpSync(original, dir, { recursive: true, filter: (file) => !file.endsWith("run.duckdb") });
  return dir;
}

const manifestOf = (dir: string) => JSON.parse(readFileSync(join(dir, "manifest.json"), "utf8")) as Manifest;
function editManifest(dir: string, edit: (manifest: Manifest) => void): void {
  const manifest = manifestOf(dir);
  edit(manifest);
  writeFileSync(join(dir, "manifest.json"), JSON.stringify(manifest, null, 2));
}

/** Makes every hash and count of the manifest fit what lies in the directory, as a careful forger would. */
async function rehash(dir: string): Promise<void> {
  const files = (await describeTree(dir)).filter((f) => f.file !== "manifest.json");
  editManifest(dir, (manifest) => {
    manifest.files = files;
    for (const pool of manifest.pools)
      Object.assign(
        pool,
        files.find((f) => f.file === pool.file),
      );
    for (const source of manifest.sources) {
      for (const part of [source.card, source.snapshot])
        part.sha256 = files.find((f) => f.file === part.file)!.sha256;
    }
  });
}

async function records<T>(dir: string, pool: typeof tasksPool | typeof rlPool): Promise<T[]> {
  const rows: T[] = [];
  for await (const row of readPool(join(dir, "pools", `${pool.name}.parquet`), pool)) rows.push(row as T);
  return rows;
}

/** Rewrites the tasks pool in all its files. */
async function editTasks(dir: string, edit: (rows: TaskRecord[]) => TaskRecord[] | undefined): Promise<void> {
  const rows = await records<TaskRecord>(dir, tasksPool);
  await writePool(dir, tasksPool, edit(rows) ?? rows);
}

const turned = (program: string) =>
  program.replace(/"order":"(max|min)"/, (_, o) => `"order":"${o === "max" ? "min" : "max"}"`);

const codes = async (dir: string) => {
  const { findings } = await verify(dir);
  return [...new Set(findings.map((f) => f.code))];
};

describe("verify", () => {
  it("passes an untouched dataset, in any folder, with every task derived again", async () => {
    const { findings, checks, rederived } = await verify(copy());
    expect(findings).toEqual([]);
    expect(checks.map((c) => c.status)).toEqual(["passed", "passed", "passed", "passed", "passed", "passed"]);
    expect(rederived).toBe(24);
  });

  it("names a changed file, a missing one and an added one", async () => {
    const dir = copy();
    writeFileSync(join(dir, "README.md"), "other");
    rmSync(join(dir, "pools/sft.arrow"));
    writeFileSync(join(dir, "pools/extra.txt"), "more");
    const { findings } = await verify(dir);
    expect(findings.map((f) => [f.code, f.where])).toEqual(
      expect.arrayContaining([
        ["file_changed", "README.md"],
        ["file_missing", "pools/sft.arrow"],
        ["file_added", "pools/extra.txt"],
      ]),
    );
  });

  it("names a funnel that does not add up, and a flipped gate count", async () => {
    const dir = copy();
    editManifest(dir, (m) => {
      m.stages.find((s) => s.stage === "compute")!.out += 1;
      Object.values(m.gates)[0]!.passed += 1;
    });
    expect(await codes(dir)).toEqual(
      expect.arrayContaining(["funnel_does_not_add_up", "funnel_edge_differs", "gate_does_not_add_up"]),
    );
  });

  it("names gates and splits that say other than the rows", async () => {
    const dir = copy();
    editManifest(dir, (m) => {
      m.gates = { closed_book: { passed: m.accepted, failed: 0, not_run: 0 } };
      m.splits = { train: m.accepted };
      m.name = "other";
    });
    const found = await codes(dir);
    expect(found).toEqual(expect.arrayContaining(["gates_differ", "splits_differ", "name_differ"]));
  });

  it("names tasks about a table that the manifest does not list, as does explain", async () => {
    const dir = copy();
    editManifest(dir, (m) => {
      m.sources = m.sources.filter((s) => s.id !== "moons");
    });
    expect(await codes(dir)).toEqual(expect.arrayContaining(["column_missing"]));
    const [task] = await records<TaskRecord>(dir, tasksPool);
    await expect(explain(dir, task!.task_id)).rejects.toMatchObject({
      kind: "verification",
      problems: [{ code: "source_not_listed" }],
    });
  });

  it.each([null, "x", { unknown: 1 }])("refuses params that no stage has: %j", async (params) => {
    const dir = copy();
    editManifest(dir, (m) => {
      m.stages.find((s) => s.stage === "filter")!.params = params;
    });
    await expect(verify(dir)).rejects.toMatchObject({
      kind: "verification",
      problems: [{ code: "manifest_damaged" }],
    });
  });

  it("refuses a graph whose ways double with every stage", async () => {
    const dir = copy();
    editManifest(dir, (m) => {
      const [filter, enumerate] = ["filter", "enumerate"].map(
        (kind) => m.stages.find((s) => s.stage === kind)!,
      );
      for (let i = 0; i < 40; i++) {
        const from = i === 0 ? [enumerate!.id] : Array.from({ length: i }, (_, j) => `z${j}`);
        m.stages.push({ ...filter!, id: `z${i}`, from });
      }
    });
    expect(await codes(dir)).toEqual(expect.arrayContaining(["too_many_routes"]));
  });

  it.each(["folder", "fifo"])("names a pool that is a %s", async (what) => {
    const dir = copy();
    const file = join(dir, "pools/tasks.parquet");
    rmSync(file);
    if (what === "folder") mkdirSync(file);
    else execFileSync("mkfifo", [file]);
    expect(await codes(dir)).toEqual(expect.arrayContaining(["file_missing", "pool_damaged"]));
  });

  it("says what stands in place of a file", async () => {
    const dir = copy();
    rmSync(join(dir, "README.md"));
    symlinkSync("manifest.json", join(dir, "README.md"));
    const { findings } = await verify(dir);
    expect(findings.find(({ where }) => where === "README.md")?.message).toBe(
      "the manifest lists it, but it is a symbolic link",
    );
  });

  it("names a damaged page, by every verb, without an end of the process", async () => {
    const dir = copy();
    const file = join(dir, "pools/tasks.parquet");
    const bytes = readFileSync(file);
    bytes.fill(0xff, 60, 400);
    writeFileSync(file, bytes);
    await rehash(dir);
    expect(await codes(dir)).toContain("pool_damaged");
    const damaged = { kind: "verification", problems: [{ code: "pool_damaged" }] };
    await expect(explain(dir, "0")).rejects.toMatchObject(damaged);
    // The decoder starts anew.
    await expect(explain(copy(), "no such id")).rejects.toMatchObject({
      problems: [{ code: "unknown_task" }],
    });
  });

  it("names row and column of a text that is no JSON, and goes on", async () => {
    const dir = copy();
    await editTasks(dir, ([first, second, ...rest]) => [
      first!,
      { ...second!, hidden_formula: '{"a" 1}' },
      ...rest,
    ]);
    await rehash(dir);
    const { findings, rederived } = await verify(dir);
    const found = findings.find(({ code }) => code === "row_unreadable");
    expect(found?.message).toMatch(
      /pools\/tasks\.parquet, row 2 \([0-9a-f]+\): column hidden_formula is no JSON$/,
    );
    expect(rederived).toBe(23);
    await expect(explain(dir, "0")).rejects.toMatchObject({ problems: [{ code: "row_unreadable" }] });
  });

  it("says which column of a card is gone that tasks read", async () => {
    const dir = copy();
    const card = join(dir, "sources/moons/card.yaml");
    const task = (await records<TaskRecord>(dir, tasksPool)).find(({ hidden_provenance }) =>
      hidden_provenance.some((cell) => cell.table === "moons" && cell.column === "orbital_period"),
    );
    const column = "orbital_period";
    writeFileSync(card, readFileSync(card, "utf8").replace(`\n  ${column}:`, `\n  ${column}_:`));
    await rehash(dir);
    const message = `card moons has no column ${column}, which task ${task!.task_id} reads`;
    const { findings } = await verify(dir);
    expect(findings.map((f) => f.message)).toContainEqual(message);
    await expect(explain(dir, task!.task_id)).rejects.toMatchObject({ problems: [{ message }] });
    expect((await audit(dir)).findings.map((f) => f.message)).toContainEqual(message);
  });

  it("names a damaged pool", async () => {
    const dir = copy();
    writeFileSync(join(dir, "pools/tasks.parquet"), "not parquet");
    expect(await codes(dir)).toEqual(expect.arrayContaining(["file_changed", "pool_damaged"]));
  });

  it("names a snapshot with one changed digit, by both hashes", async () => {
    const dir = copy();
    const file = join(dir, "sources/moons/moons.csv");
    writeFileSync(file, readFileSync(file, "utf8").replace("1737.4", "1738.4"));
    const { findings } = await verify(dir);
    const changed = findings.find((f) => f.code === "snapshot_changed")!;
    expect(changed.where).toBe("moons");
    expect(changed.message).toContain(sha256(readFileSync(file)));
    expect(changed.message).toContain(sha256(readFileSync(join(original, "sources/moons/moons.csv"))));
  });

  const consistent: [string, (dir: string) => Promise<void>, string][] = [
    [
      "an answer's cell",
      (dir) =>
        editTasks(
          dir,
          (rows) =>
            void Object.assign(rows[3]!.hidden_answer, { value: rows[3]!.hidden_answer.value * 1.0001 }),
        ),
      "answer_differs",
    ],
    [
      "a grading tolerance",
      (dir) =>
        editTasks(
          dir,
          (rows) =>
            void Object.assign(rows[3]!.hidden_answer, { tolerance: rows[3]!.hidden_answer.tolerance * 2 }),
        ),
      "answer_differs",
    ],
    [
      "a hidden chain",
      (dir) => editTasks(dir, (rows) => void Object.assign(rows[2]!.hidden_chain[0]!, { text: "Titan II" })),
      "chain_differs",
    ],
    [
      "a wording",
      (dir) =>
        editTasks(
          dir,
          (rows) => void Object.assign(rows[1]!, { question: rows[1]!.question.replace(/\.$/, ", please.") }),
        ),
      "question_differs",
    ],
    [
      "a split",
      (dir) =>
        editTasks(
          dir,
          (rows) => void Object.assign(rows[0]!, { split: rows[0]!.split === "train" ? "test" : "train" }),
        ),
      "split_differs",
    ],
    [
      "a row put in twice",
      (dir) => editTasks(dir, (rows) => [...rows.slice(0, -1), rows[0]!]),
      "rejected_duplicate_program",
    ],
    ["a row left out", (dir) => editTasks(dir, (rows) => rows.slice(1)), "rows_differ"],
    [
      "a task id",
      (dir) => editTasks(dir, (rows) => void Object.assign(rows[4]!, { task_id: "0123456789abcdef" })),
      "id_differs",
    ],
    [
      "a program",
      (dir) =>
        editTasks(
          dir,
          (rows) => void Object.assign(rows[5]!, { hidden_program: turned(rows[5]!.hidden_program) }),
        ),
      "program_differs",
    ],
    [
      "a gate that did not run",
      (dir) =>
        editTasks(
          dir,
          (rows) =>
            void Object.assign(rows[0]!.gates.find((g) => g.status === "not_run")!, { status: "passed" }),
        ),
      "gates_differs",
    ],
    [
      "a row of the RL pool",
      async (dir) => {
        const rows = await records<RlRecord>(dir, rlPool);
        Object.assign(rows[0]!.reward_model, { ground_truth: rows[1]!.reward_model.ground_truth });
        await writePool(dir, rlPool, rows);
      },
      "pool_differs",
    ],
    [
      "a snapshot, its card and all hashes",
      async (dir) => {
        const file = join(dir, "sources/moons/moons.csv");
        const text = readFileSync(file, "utf8");
        const forged = text.replace("1737.4", "1738.4");
        writeFileSync(file, forged);
        const card = join(dir, "sources/moons/card.yaml");
        writeFileSync(card, readFileSync(card, "utf8").replace(sha256(text), sha256(forged)));
      },
      "table_hash_differs",
    ],
  ];

  it.each(consistent)("sees %s although every hash was rewritten to fit", async (_, tamper, code) => {
    const dir = copy();
    await tamper(dir);
    await rehash(dir);
    const { findings } = await verify(dir);
    expect(findings.filter((f) => f.check === "files")).toEqual([]);
    expect(findings.map((f) => f.code)).toContain(code);
  });
});

describe("what a set stage let in", () => {
  const stage = (mode: string) => ({ mode }) as unknown as Instance["stage"];
  const graph = (...modes: string[]): Instance[] =>
    modes.map((mode, i) => ({
      id: `s${i}`,
      stage: stage(mode),
      params: {},
      from: i === 0 ? [] : [`s${i - 1}`],
    }));
  const manifestOf = (rejected: Record<string, object>) =>
    ({
      stages: graph("set", "row", "row").map(({ id }) => ({ id, rejected: rejected[id] ?? {} })),
    }) as unknown as Manifest;
  const rows = ["a", "c"].map((id) => ({ id }));
  const gone = { id: "b", n: 1 };

  it("are the accepted rows and those that gates behind it turned away, in the order of the gate", () => {
    const [first, ...rest] = graph("set", "row", "row");
    const attended = new Map([
      [
        "s2",
        [
          { id: "a", row: null },
          { id: "b", row: gone },
          { id: "c", row: null },
        ],
      ],
    ]);
    const manifest = manifestOf({ s2: { known_by_heart: 1 } });
    expect(letIn(first!, [first!, ...rest], rows, attended, manifest)).toEqual([rows[0], gone, rows[1]]);
  });

  it("cannot be known where a row stage without a record turned rows away first", () => {
    const [first, ...rest] = graph("set", "row", "row");
    const manifest = manifestOf({ s1: { long: 3 } });
    expect(letIn(first!, [first!, ...rest], rows, new Map(), manifest)).toBeUndefined();
    expect(letIn(first!, [first!, ...rest], rows, new Map(), manifestOf({}))).toEqual(rows);
  });
});
