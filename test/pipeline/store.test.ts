import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "duckdb";
import { describe, expect, it } from "vitest";
import { RunStore, rejectionsIn } from "../../pipeline/store.js";
import { inFolder } from "./helpers.js";

const counts = { in: 2, created: 0, out: 1, rejected: { why: 1 } };

async function all(lines: AsyncIterable<string>): Promise<string[]> {
  const out: string[] = [];
  for await (const line of lines) out.push(line);
  return out;
}

async function withStore<T>(dir: string, work: (store: RunStore) => Promise<T>): Promise<T> {
  const store = await RunStore.open(join(dir, "run.duckdb"), { threads: 1 });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

describe("the run store", () => {
  it("gives results back, rows in order, also after it was closed", () =>
    inFolder(async (dir) => {
      const rows = Array.from({ length: 5000 }, (_, i) => `{"id":"${i}","text":"${"β\\n".repeat(i % 50)}"}`);
      const rejections = ['{"evidence":{"n":1},"reason":"why","ref":"1"}'];
      await withStore(dir, async (store) => {
        await store.save({ key: "k", instance: "s", counts, more: true, rows, rejections });
        await store.save({ key: "light", instance: "s", counts, more: false, rows: null, rejections: [] });
        expect(await all(store.rows(store.find("k")!.id))).toEqual(rows);
      });
      await withStore(dir, async (store) => {
        const found = store.find("k")!;
        expect(found).toMatchObject({ key: "k", instance: "s", counts, more: true, hasRows: true });
        expect(await all(store.rows(found.id))).toEqual(rows);
        expect(await all(store.rejections(found.id))).toEqual(rejections);
        expect(store.find("light")).toMatchObject({ hasRows: false });
        expect(store.find("other")).toBeUndefined();
      });
    }));

  it("keeps 100,000 rows of 2 KB in bounded memory", () =>
    inFolder(async (dir) => {
      const filler = "x".repeat(1900);
      function* rows(): Generator<string> {
        for (let i = 0; i < 100_000; i++)
          yield `{"id":"${i}","n":${(i * 2654435761) % 4294967296},"text":"${filler}"}`;
      }
      await withStore(dir, async (store) => {
        const before = process.memoryUsage().rss;
        const { id } = await store.save({
          key: "k",
          instance: "s",
          counts,
          more: false,
          rows: rows(),
          rejections: [],
        });
        let n = 0;
        for await (const line of store.rows(id)) if (line.startsWith(`{"id":"${n}"`)) n++;
        expect(n).toBe(100_000);
        expect(process.memoryUsage().rss - before).toBeLessThan(400e6);
      });
    }));

  it("remembers outcomes of a costly stage by row, and notes", () =>
    inFolder(async (dir) => {
      await withStore(dir, async (store) => {
        await store.saveRow("stage", "h1", "+{}");
        await store.saveRow("other", "h2", "=");
        await store.setNote("n", "1");
        await store.setNote("n", "2");
      });
      await withStore(dir, async (store) => {
        expect(await store.cachedRows("stage", ["h0", "h1", "h2"])).toEqual(new Map([["h1", "+{}"]]));
        expect(await store.note("n")).toBe("2");
        expect(await store.note("m")).toBeUndefined();
      });
    }));

  it("drops what the last five runs did not use", () =>
    inFolder(async (dir) => {
      const save = (store: RunStore, key: string) =>
        store.save({ key, instance: "s", counts, more: false, rows: ['{"id":"a"}'], rejections: [] });
      await withStore(dir, async (store) => {
        await save(store, "kept");
        await save(store, "left");
      });
      for (let run = 0; run < 5; run++) {
        await withStore(dir, async (store) => {
          expect(store.find("kept")).toBeDefined();
          await store.prune();
        });
      }
      await withStore(dir, async (store) => {
        expect(store.find("left")).toBeUndefined();
        expect(await all(store.rows(store.find("kept")!.id))).toEqual(['{"id":"a"}']);
      });
    }));

  it("shows what the last run turned away, and nothing of runs before it", () =>
    inFolder(async (dir) => {
      const save = (store: RunStore, key: string) =>
        store.save({ key, instance: key, counts, more: false, rows: [], rejections: [`{"ref":"${key}"}`] });
      await withStore(dir, (store) => save(store, "old"));
      await withStore(dir, async (store) => {
        await save(store, "a");
        await save(store, "b");
      });
      const found: unknown[] = [];
      for await (const item of rejectionsIn(join(dir, "run.duckdb"))) found.push(item);
      expect(found).toEqual([
        { instance: "b", line: '{"ref":"b"}' },
        { instance: "a", line: '{"ref":"a"}' },
      ]);
    }));

  it("begins afresh when its version is another", () =>
    inFolder(async (dir) => {
      await withStore(dir, (store) =>
        store.save({ key: "k", instance: "s", counts, more: false, rows: [], rejections: [] }),
      );
      const instance = await DuckDBInstance.create(join(dir, "run.duckdb"));
      const connection = await instance.connect();
      await connection.run("UPDATE meta SET version = 0");
      connection.closeSync();
      instance.closeSync();
      await withStore(dir, async (store) => expect(store.find("k")).toBeUndefined());
    }));

  it("makes nothing of pages whose record was never committed", () =>
    inFolder(async (dir) => {
      await withStore(dir, async (store) => {
        await store.database.run("INSERT INTO pages VALUES (1, 0, 'torn'::BLOB)");
      });
      await withStore(dir, async (store) => {
        await store.save({
          key: "k",
          instance: "s",
          counts,
          more: false,
          rows: ['{"id":"a"}'],
          rejections: [],
        });
        expect(await all(store.rows(store.find("k")!.id))).toEqual(['{"id":"a"}']);
      });
    }));

  it("says that another run holds it, in this process and in another", () =>
    inFolder(async (dir) => {
      await withStore(dir, async () => {
        await expect(RunStore.open(join(dir, "run.duckdb"))).rejects.toMatchObject({
          kind: "source",
          problems: [{ code: "store_held" }],
        });
      });
      const script = `import("duckdb").then(async ({ DuckDBInstance }) => { await DuckDBInstance.create(process.argv[1]); console.log("open"); setInterval(() => {}, 1000); })`;
      const child = spawn(process.execPath, ["-e", script, join(dir, "run.duckdb")], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      await new Promise((resolve) => child.stdout.once("data", resolve));
      await expect(RunStore.open(join(dir, "run.duckdb"))).rejects.toMatchObject({
        problems: [{ code: "store_held", hint: expect.stringContaining("--out") }],
      });
      const gone = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGKILL");
      await gone;
      await withStore(dir, async (store) => expect(store.find("k")).toBeUndefined());
    }));

  it("replaces a file that was killed while being made, and names one that is damaged", () =>
    inFolder(async (dir) => {
      for (const size of [0, 4096, 12_288]) {
        writeFileSync(join(dir, "run.duckdb"), new Uint8Array(size));
        await withStore(dir, async (store) => expect(store.find("k")).toBeUndefined());
      }
      writeFileSync(join(dir, "run.duckdb"), "x".repeat(100_000));
      await expect(RunStore.open(join(dir, "run.duckdb"))).rejects.toMatchObject({
        kind: "source",
        problems: [{ code: "store_damaged", hint: expect.stringContaining("delete") }],
      });
    }));
});
