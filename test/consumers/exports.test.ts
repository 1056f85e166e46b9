import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { writeConsumerExports } from "./exports.js";

/**
 * Every export, loaded by the code that it is for. TASKMILL_PYTHON names an interpreter that has pyarrow, pandas and datasets
 * (`test/consumers/requirements.txt`); TASKMILL_CONSUMERS names more of the consumers of `exports.py`, as `npm run consumers` does.
 */
const python = process.env.TASKMILL_PYTHON ?? "python3";
const wanted = (process.env.TASKMILL_CONSUMERS ?? "pyarrow,pandas,datasets").split(",");
const probe = spawnSync(python, ["-c", "import json"], { encoding: "utf8" });
const base = spawnSync(
  python,
  ["-c", "import datasets, pyarrow, pandas; assert int(datasets.__version__.split('.')[0]) >= 5"],
  { encoding: "utf8" },
);
const missing = process.env.TASKMILL_CONSUMERS === undefined ? base.status !== 0 : probe.status !== 0;
if (missing)
  console.log(
    `skipped: ${python} has no datasets 5, pyarrow and pandas (pip install -r test/consumers/requirements.txt)`,
  );

interface Result {
  readonly consumer: string;
  readonly version: string | null;
  readonly loaded: string | null;
  readonly rows: number;
  readonly masked: number | null;
  readonly result: string;
}

describe.skipIf(missing)("consumers", () => {
  it("load every export", { timeout: 1_800_000 }, async () => {
    const dir = mkdtempSync(join(tmpdir(), "taskmill-consumers-"));
    try {
      const exports = join(dir, "exports");
      await writeConsumerExports(exports);
      const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
      const args = [
        at("python/exports.py"),
        exports,
        at("../../datasets/chat-templates"),
        join(dir, "result.json"),
        ...wanted,
      ];
      const env = { ...process.env, HF_HUB_OFFLINE: "1", HF_HOME: join(dir, "hf"), CUDA_VISIBLE_DEVICES: "" };
      const run = spawnSync(python, args, { encoding: "utf8", env, maxBuffer: 2 ** 28 });
      expect(run.status, run.stderr.slice(-4000)).toBe(0);
      const results = JSON.parse(readFileSync(join(dir, "result.json"), "utf8")) as Result[];
      console.log(tableOf(results));
      expect(
        results.filter(({ result }) => result.startsWith("failed")),
        run.stderr.slice(-4000),
      ).toEqual([]);
      if (process.env.TASKMILL_CONSUMERS === undefined)
        expect(results.map(({ result }) => result)).toEqual(["ok", "ok", "ok"]);
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  });
});

/** The closing table: consumer, version, what was loaded, rows, masked tokens, result. */
function tableOf(results: readonly Result[]): string {
  const head =
    "| consumer | version | loaded | rows | masked tokens | result |\n| --- | --- | --- | --- | --- | --- |";
  const cells = ({ consumer, version, loaded, rows, masked, result }: Result) => [
    consumer,
    version ?? "",
    loaded ?? "",
    rows,
    masked ?? "",
    result,
  ];
  return [head, ...results.map((result) => `| ${cells(result).join(" | ")} |`)].join("\n");
}
