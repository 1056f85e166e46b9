import { spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sha256 } from "../../pipeline/base/canonical.js";
import { stream } from "../../pipeline/base/random.js";
import type { RunEvent } from "../../pipeline/events.js";
import { manifestSchema } from "../../pipeline/manifest.js";
import { readManifest } from "../../pipeline/manifest-file.js";
import { type RunOptions, type RunResult, runPipeline, TargetMissed } from "../../pipeline/run.js";
import { openRunDir } from "../../pipeline/run-dir.js";
import { smallConfig, smallGraph, writeReadme } from "../fixtures/small-run.js";
import { inFolder } from "./helpers.js";

async function run(
  dir: string,
  out: string,
  options: Partial<RunOptions> = {},
  blocks = 12,
): Promise<RunResult> {
  const config = await smallConfig(join(dir, "sources-of-mine"));
  return runPipeline(config, smallGraph({ blocks }), {
    outDir: join(dir, out),
    threads: 2,
    writers: [writeReadme],
    ...options,
  });
}

/** SHA-256 of every file of a dataset; the run store is private. */
function hashes(dir: string): Record<string, string> {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((f) => f.isFile() && !f.name.startsWith("run.duckdb"))
    .map((f) => join(f.parentPath, f.name));
  return Object.fromEntries(files.sort().map((f) => [f.slice(dir.length + 1), sha256(readFileSync(f))]));
}

describe("a run", () => {
  it("leaves a dataset whose manifest adds up and hashes to what is there", () =>
    inFolder(async (dir) => {
      const { manifest, outDir, unchanged } = await run(dir, "out");
      expect(unchanged).toBe(false);
      const found = hashes(outDir);
      expect(Object.keys(found)).toEqual([
        "README.md",
        "manifest.json",
        "pools/tasks.ndjson",
        "sources/bodies/bodies.csv",
        "sources/bodies/card.yaml",
      ]);
      for (const file of manifest.files) expect(found[file.file]).toBe(file.sha256);
      expect(await readManifest(outDir)).toEqual(manifest);
      for (const stage of manifest.stages) {
        const rejected = Object.values(stage.rejected).reduce((sum, n) => sum + n, 0);
        expect(stage.in + stage.created).toBe(stage.out + rejected);
      }
      const byId = Object.fromEntries(manifest.stages.map((s) => [s.id, s]));
      expect(byId.ingest).toMatchObject({ created: 50, out: 50 });
      expect(byId.make).toMatchObject({ in: 0, created: 240 });
      expect(byId.work!.in).toBe(byId.make!.out);
      expect(byId.lines!.out).toBe(manifest.accepted);
      expect(manifest.splits.train! + manifest.splits.test!).toBe(manifest.accepted);
      expect(readFileSync(join(outDir, "README.md"), "utf8")).toContain(
        `${byId.work!.rejected.third} thirds`,
      );
      expect(readFileSync(join(outDir, "manifest.json"), "utf8")).not.toContain(dir);
    }));

  it("gives the same bytes in another folder, with any number of threads and when run again", () =>
    inFolder(async (dir) => {
      const first = await run(dir, "out", { threads: 1 });
      const other = await run(dir, "elsewhere/deep", { threads: 2 });
      expect(hashes(other.outDir)).toEqual(hashes(first.outDir));
      const events: RunEvent[] = [];
      const again = await run(dir, "out", { threads: 2, onEvent: (e) => events.push(e) });
      expect(again).toMatchObject({ unchanged: true, worked: 0, manifest: first.manifest });
      expect(events.filter((e) => e.type === "stage_start")).toEqual([]);
      expect(events.at(-1)).toMatchObject({ type: "end", unchanged: true, worked: 0 });
      expect(hashes(first.outDir)).toEqual(hashes(other.outDir));
    }));

  it("mends a dataset that somebody changed or cut, without doing stage work twice", () =>
    inFolder(async (dir) => {
      const { outDir } = await run(dir, "out");
      const whole = hashes(outDir);
      writeFileSync(join(outDir, "README.md"), "changed");
      expect(await run(dir, "out")).toMatchObject({ unchanged: false, worked: 0 });
      expect(hashes(outDir)).toEqual(whole);
      writeFileSync(join(outDir, "pools/tasks.ndjson"), "changed");
      expect(await run(dir, "out")).toMatchObject({ unchanged: false, worked: 1 });
      expect(hashes(outDir)).toEqual(whole);
      rmSync(join(outDir, "run.duckdb"));
      expect((await run(dir, "out")).unchanged).toBe(true);
    }));

  it("keeps a person's own files and drops nothing but its own", () =>
    inFolder(async (dir) => {
      const { outDir } = await run(dir, "out");
      writeFileSync(join(outDir, "notes.txt"), "mine");
      await run(dir, "out", { limit: 3 });
      expect(readFileSync(join(outDir, "notes.txt"), "utf8")).toBe("mine");
      expect((await readManifest(outDir)).accepted).toBe(3);
    }));

  it("writes a dataset that misses its target, and then says so with the largest reasons", () =>
    inFolder(async (dir) => {
      const config = await smallConfig(join(dir, "s"), { accepted: 5000 });
      const options = { outDir: join(dir, "out"), writers: [] };
      const error = await runPipeline(config, smallGraph(), options).catch((e: unknown) => e);
      expect(error).toBeInstanceOf(TargetMissed);
      const { kind, problems, result } = error as TargetMissed;
      expect(kind).toBe("target");
      expect(problems[0]!.message).toMatch(
        /accepted \d+ of the 5000 .* from 240 candidates \(most were rejected by make: even \d+, /,
      );
      expect((await readManifest(result.outDir)).reached).toBe(false);
    }));

  it("keeps earlier rows when its target grows", () =>
    inFolder(async (dir) => {
      const lines = (): string[] =>
        readFileSync(join(dir, "out/pools/tasks.ndjson"), "utf8").trim().split("\n");
      const options = { outDir: join(dir, "out"), writers: [] };
      await runPipeline(await smallConfig(join(dir, "s"), { accepted: 10 }), smallGraph(), options);
      const small = lines();
      await runPipeline(await smallConfig(join(dir, "s"), { accepted: 40 }), smallGraph(), options);
      expect(small).toHaveLength(10);
      expect(lines()).toHaveLength(40);
      expect(lines().slice(0, 10)).toEqual(small);
    }));

  it("is interrupted between rows, keeps what it did, and goes on", () =>
    inFolder(async (dir) => {
      const abort = new AbortController();
      const onEvent = (e: RunEvent) => e.type === "round" && e.block === 5 && abort.abort();
      const stopped = run(dir, "out", { signal: abort.signal, onEvent });
      await expect(stopped).rejects.toMatchObject({
        kind: "interrupted",
        problems: [{ hint: expect.stringContaining("same command") }],
      });
      expect(existsSync(join(dir, "out/manifest.json"))).toBe(false);
      const resumed = await run(dir, "out");
      expect(resumed.cached).toBe(12);
      const fresh = await run(dir, "fresh");
      expect(hashes(resumed.outDir)).toEqual(hashes(fresh.outDir));
    }));
});

describe("the directory of a run", () => {
  it("is refused when it is not ours, and nothing in it is touched", () =>
    inFolder(async (dir) => {
      const project = join(dir, "project");
      mkdirSync(project);
      writeFileSync(join(project, "README.md"), "mine");
      await expect(run(dir, "project")).rejects.toMatchObject({
        kind: "usage",
        problems: [{ code: "not_a_run_directory", message: expect.stringContaining('"README.md"') }],
      });
      expect(readdirSync(project)).toEqual(["README.md"]);
      await expect(run(dir, "project/README.md")).rejects.toMatchObject({
        problems: [{ code: "out_is_a_file" }],
      });
      await expect(run(dir, "project/README.md/out")).rejects.toMatchObject({
        problems: [{ code: "out_is_a_file" }],
      });
    }));

  it("may be a link to an empty directory, but its store may not be a link", () =>
    inFolder(async (dir) => {
      mkdirSync(join(dir, "real"));
      symlinkSync(join(dir, "real"), join(dir, "link"));
      await run(dir, "link");
      expect(existsSync(join(dir, "real/manifest.json"))).toBe(true);
      mkdirSync(join(dir, "trap"));
      symlinkSync(join(dir, "elsewhere.duckdb"), join(dir, "trap/run.duckdb"));
      await expect(run(dir, "trap")).rejects.toMatchObject({ problems: [{ code: "store_is_a_link" }] });
      expect(existsSync(join(dir, "elsewhere.duckdb"))).toBe(false);
      mkdirSync(join(dir, "odd/run.duckdb"), { recursive: true });
      await expect(run(dir, "odd")).rejects.toMatchObject({ problems: [{ code: "store_is_no_file" }] });
    }));

  it("must be writable", async (context) => {
    if (process.getuid?.() === 0) context.skip();
    await inFolder(async (dir) => {
      mkdirSync(join(dir, "locked"));
      chmodSync(join(dir, "locked"), 0o555);
      const error = {
        kind: "source",
        problems: [{ code: "no_permission", hint: expect.stringContaining("--out") }],
      };
      await expect(run(dir, "locked")).rejects.toMatchObject(error);
      await expect(run(dir, "locked/below")).rejects.toMatchObject(error);
    });
  });

  it("leaves the dataset in place whole when the disk fills up while the next one is written", () =>
    inFolder(async (dir) => {
      const { outDir } = await run(dir, "out");
      const whole = hashes(outDir);
      const full = () =>
        Promise.reject(Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" }));
      await expect(run(dir, "out", { limit: 2, writers: [full] })).rejects.toMatchObject({
        kind: "source",
        problems: [{ code: "disk_full" }],
      });
      expect(await openRunDir(outDir)).toBe(outDir);
      expect(existsSync(join(outDir, ".next"))).toBe(false);
      expect(hashes(outDir)).toEqual(whole);
      expect((await run(dir, "out")).unchanged).toBe(true);
      expect(hashes(outDir)).toEqual(whole);
    }));

  it("is not made of a snapshot that was changed after it was loaded", () =>
    inFolder(async (dir) => {
      const { outDir } = await run(dir, "out");
      const whole = hashes(outDir);
      const config = await smallConfig(join(dir, "sources-of-mine"));
      const change = (event: RunEvent) => {
        if (event.type === "round") writeFileSync(config.sources[0]!.snapshot, "name,mass\n");
      };
      await expect(run(dir, "out", { limit: 2, onEvent: change })).rejects.toMatchObject({
        kind: "source",
        problems: [{ code: "snapshot_changed" }],
      });
      expect(hashes(outDir)).toEqual(whole);
    }));

  it.skipIf(process.platform === "win32")("cannot stand where no folder can be made", () =>
    inFolder(async (dir) => {
      symlinkSync("loop", join(dir, "loop"));
      symlinkSync(join(dir, "nowhere"), join(dir, "dangling"));
      const names = ["loop", "dangling", "loop/below", "a".repeat(5000), "b/".repeat(4000)];
      const before = readdirSync(dir).length;
      for (const name of names) await expect(run(dir, name)).rejects.toMatchObject({ kind: "usage" });
      // The sources of the fixture, and nothing else.
      expect(readdirSync(dir)).toHaveLength(before + 1);
      await expect(openRunDir(join(dir, "loop"))).rejects.toMatchObject({
        problems: [{ code: "no_run_directory" }],
      });
    }),
  );

  it("is asked for by name when there is none to read", async () => {
    await expect(openRunDir("/nowhere/at/all")).rejects.toMatchObject({
      kind: "usage",
      problems: [{ code: "no_run_directory" }],
    });
  });

  it("takes one run at a time", () =>
    inFolder(async (dir) => {
      let second: unknown;
      const onEvent = async (e: RunEvent) => {
        if (e.type === "round" && e.block === 0)
          second = await run(dir, "out").catch((error: unknown) => error);
      };
      await run(dir, "out", { onEvent: (e) => void onEvent(e) });
      expect(second).toMatchObject({ kind: "source", problems: [{ code: "store_held" }] });
    }));
});

describe("kill -9 at any moment, then the same command", () => {
  const bundle = fileURLToPath(
    new URL(`../../node_modules/.cache/taskmill-test-${process.pid}/`, import.meta.url),
  );

  beforeAll(async () => {
    await build({
      logLevel: "silent",
      configFile: false,
      build: {
        ssr: fileURLToPath(new URL("../fixtures/small-run-child.ts", import.meta.url)),
        outDir: bundle,
        emptyOutDir: true,
        minify: false,
        rollupOptions: { output: { entryFileNames: "child.mjs" } },
      },
    });
  });
  afterAll(() => rmSync(bundle, { recursive: true, force: true }));

  /** Runs the child; kills it after `lines` lines of progress and `ms` more. @returns whether it ended by itself. */
  function child(dir: string, kill?: { lines: number; ms: number }): Promise<boolean> {
    const args = [join(bundle, "child.mjs"), join(dir, "s"), join(dir, "out"), "2", "1"];
    const process_ = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    let seen = 0;
    process_.stdout.setEncoding("utf8").on("data", (text: string) => {
      const before = seen;
      seen += text.split("\n").length - 1;
      if (kill !== undefined && before < kill.lines && seen >= kill.lines)
        setTimeout(() => process_.kill("SIGKILL"), kill.ms);
    });
    return new Promise((resolve) => process_.once("exit", (code) => resolve(code === 0)));
  }

  /** Five kills one after the other, then a run to the end. */
  async function chain(dir: string, name: string): Promise<{ kills: number; found: Record<string, string> }> {
    const random = stream(20261129, "kills", name);
    let kills = 0;
    for (let i = 0; i < 5; i++) {
      if (!(await child(dir, { lines: 1 + random.int(14), ms: random.int(12) }))) kills++;
      const manifest = join(dir, "out/manifest.json");
      if (existsSync(manifest)) manifestSchema.parse(JSON.parse(readFileSync(manifest, "utf8")));
    }
    if (!(await child(dir))) throw new Error("the run after the kills failed");
    return { kills, found: hashes(join(dir, "out")) };
  }

  it(
    "gives the bytes of a run that was never stopped",
    () =>
      inFolder(async (dir) => {
        await run(join(dir, "whole"), "out");
        const whole = hashes(join(dir, "whole/out"));
        const chains = await Promise.all(["a", "b", "c", "d"].map((name) => chain(join(dir, name), name)));
        for (const { found } of chains) expect(found).toEqual(whole);
        expect(chains.reduce((sum, c) => sum + c.kills, 0)).toBeGreaterThan(10);
      }),
    120_000,
  );
});
