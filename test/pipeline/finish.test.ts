import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { TaskmillError } from "../../pipeline/base/errors.js";
import { type FinishFs, finish, foreign, isUnfinished, nodeFs, recover } from "../../pipeline/finish.js";
import { inFolder } from "./helpers.js";

type Tree = Record<string, string>;

function write(dir: string, tree: Tree): void {
  for (const [path, text] of Object.entries(tree)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
}

function read(dir: string, below = ""): Tree {
  const tree: Tree = {};
  for (const entry of readdirSync(join(dir, below), { withFileTypes: true })) {
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) Object.assign(tree, read(dir, path));
    else tree[path] = readFileSync(join(dir, path), "utf8");
  }
  return tree;
}

const OLD: Tree = {
  "manifest.json": '{"taskmill":"old"}',
  "pools/tasks.parquet": "old tasks",
  "pools/gone.parquet": "old only",
  "report.html": "old report",
  "sources/planets/card.yaml": "old card",
};
const NEW: Tree = {
  "manifest.json": '{"taskmill":"new"}',
  "pools/tasks.parquet": "new tasks",
  "README.md": "new card",
  "sources/planets/card.yaml": "new card",
};
const OTHERS: Tree = { "run.duckdb": "store", "notes.txt": "a person's own" };

/** `nodeFs` that dies at step `at`: before it, or in the midst of a removal or a write. */
function dying(at: number): { fs: FinishFs; steps: () => number } {
  let step = 0;
  const die = (): void => {
    if (step++ >= at) throw new Error("killed");
  };
  const wrap =
    <A extends unknown[], R>(name: keyof FinishFs, f: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      const last = step === at;
      if (last && name === "remove" && existsSync(join(String(args[0]), "pools"))) {
        await nodeFs.remove(join(String(args[0]), "pools"));
      }
      if (last && name === "write") writeFileSync(String(args[0]), String(args[1]).slice(0, 5));
      die();
      return f(...args);
    };
  const fs: FinishFs = {
    list: wrap("list", nodeFs.list),
    kind: wrap("kind", nodeFs.kind),
    makeDirectory: wrap("makeDirectory", nodeFs.makeDirectory),
    rename: wrap("rename", nodeFs.rename),
    remove: wrap("remove", nodeFs.remove),
    write: wrap("write", nodeFs.write),
    read: wrap("read", nodeFs.read),
    sync: wrap("sync", nodeFs.sync),
  };
  return { fs, steps: () => step };
}

function prepared(dir: string): void {
  write(dir, { ...OLD, ...OTHERS });
  write(join(dir, ".next"), NEW);
}

async function countSteps(): Promise<number> {
  return inFolder(async (dir) => {
    prepared(dir);
    const { fs, steps } = dying(Number.POSITIVE_INFINITY);
    await finish(dir, fs);
    return steps();
  });
}

describe("finish", () => {
  it("puts the new dataset in place, drops what only the old one had, and touches nothing else", () =>
    inFolder(async (dir) => {
      prepared(dir);
      await finish(dir);
      expect(read(dir)).toEqual({ ...NEW, ...OTHERS });
    }));

  it("leaves the old or the new dataset whole after a kill at any step, and the next command sees to the rest", async () => {
    const steps = await countSteps();
    expect(steps).toBeGreaterThan(40);
    const ends = { old: 0, new: 0 };
    for (let at = 0; at < steps; at++) {
      await inFolder(async (dir) => {
        prepared(dir);
        await expect(finish(dir, dying(at).fs)).rejects.toThrow("killed");
        const journal = isUnfinished(dir);
        await recover(dir);
        const fresh = read(dir)["manifest.json"] === NEW["manifest.json"];
        expect(read(dir)).toEqual({ ...(fresh ? NEW : OLD), ...OTHERS });
        if (journal) expect(fresh).toBe(true);
        ends[fresh ? "new" : "old"]++;
      });
    }
    expect(ends.old).toBeGreaterThan(10);
    expect(ends.new).toBeGreaterThan(10);
  });

  it("survives kills of the recovery itself", async () => {
    const steps = await countSteps();
    for (let at = 22; at < steps; at += 3) {
      await inFolder(async (dir) => {
        prepared(dir);
        await finish(dir, dying(at).fs).catch(() => {});
        const fresh = isUnfinished(dir) || read(dir)["manifest.json"] === NEW["manifest.json"];
        for (let again = 0; again < 60; again++) {
          const { fs } = dying(again);
          if ((await recover(dir, fs).catch(() => "killed")) !== "killed") break;
        }
        expect(read(dir)).toEqual({ ...(fresh ? NEW : OLD), ...OTHERS });
      });
    }
  });

  it("says that the disk is full, and leaves the old dataset whole", () =>
    inFolder(async (dir) => {
      prepared(dir);
      const full: FinishFs = {
        ...nodeFs,
        write: () =>
          Promise.reject(
            Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" }),
          ),
      };
      const error = await finish(dir, full).catch((e: unknown) => e);
      expect(error).toBeInstanceOf(TaskmillError);
      expect((error as TaskmillError).problems[0]).toMatchObject({ code: "disk_full" });
      expect((error as TaskmillError).problems[0]!.hint).toMatch(/free some space/);
      expect(await recover(dir)).toBe("discarded");
      expect(read(dir)).toEqual({ ...OLD, ...OTHERS });
    }));

  it("removes links that stand where it works, never what they point to", () =>
    inFolder(async (dir) => {
      const treasure = join(dir, "treasure");
      write(treasure, { "a.txt": "precious" });
      const run = join(dir, "run");
      write(run, { "run.duckdb": "store" });
      symlinkSync(treasure, join(run, ".next"));
      expect(await recover(run)).toBe("discarded");
      symlinkSync(treasure, join(run, "pools"));
      write(join(run, ".next"), NEW);
      await finish(run);
      expect(read(treasure)).toEqual({ "a.txt": "precious" });
      expect(read(run)).toEqual({ ...NEW, "run.duckdb": "store" });
    }));
});

describe("foreign", () => {
  const cases: [string, Tree, string | undefined][] = [
    ["an empty directory", {}, undefined],
    ["a run directory with a person's notes", { ...OLD, ...OTHERS }, undefined],
    ["a run killed before its first dataset", { "run.duckdb": "", ".next/pools/a": "" }, undefined],
    ["somebody's project", { "README.md": "mine" }, "README.md"],
    ["a project with a manifest of its own", { "manifest.json": '{"name":"app"}' }, "manifest.json"],
    ["a broken manifest", { "manifest.json": "{" }, "manifest.json"],
    ["a database among other things", { "run.duckdb": "", "thesis.tex": "" }, "thesis.tex"],
  ];
  for (const [name, tree, strange] of cases) {
    it(name, () =>
      inFolder(async (dir) => {
        write(dir, tree);
        expect(await foreign(dir)).toBe(strange);
      }),
    );
  }
});
