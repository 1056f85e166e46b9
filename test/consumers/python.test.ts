import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { GATES } from "../../datasets/admission.js";
import { hubCard } from "../../datasets/hub-card.js";
import { rlRecord } from "../../datasets/rl-record.js";
import { taskRecord } from "../../datasets/task-record.js";
import { cards, sources, splitRows } from "../datasets/rows.js";
import { writeSample } from "./sample.js";

/**
 * The Python libraries that trainers load datasets with. They run where they are installed: `pip install datasets pyarrow
 * pandas`, and TASKMILL_PYTHON names an interpreter other than `python3`. Elsewhere these tests are skipped, and say so.
 */
const python = process.env.TASKMILL_PYTHON ?? "python3";
const probe = spawnSync(python, ["-c", "import datasets, pyarrow, pandas"], { encoding: "utf8" });

describe.skipIf(probe.status !== 0)("pyarrow, pandas, datasets", () => {
  it("load every pool and split through the card", { timeout: 120_000 }, async () => {
    const rows = splitRows(24);
    const rl = rows.map((row, index) => rlRecord(row, sources, { agent_name: "tool_agent", index }));
    const sample = await writeSample(
      rows.map((row) => taskRecord(row, sources)),
      rl,
    );
    try {
      const gates = Object.fromEntries(GATES.map((g) => [g, { passed: 0, failed: 0, not_run: rows.length }]));
      const card = hubCard({
        name: "sample",
        seed: "1",
        accepted: rows.length,
        gates,
        admit_unscreened: [...GATES],
        kept_out: {},
        files: sample.files,
        stages: [],
        sources: [...cards.values()].map((c) => ({
          source: c.id,
          ...c.licence,
          id: "CC0-1.0",
          title: c.title,
          domain: c.domain,
          citation: c.citation,
          publisher: c.publisher.name,
          as_of: c.as_of,
          provenance: c.provenance,
          rows: 1,
        })),
      });
      writeFileSync(join(sample.dir, "README.md"), card);
      writeFileSync(
        join(sample.dir, "expected.json"),
        JSON.stringify({ rows, splits: { train: 12, validation: 6, test: 6 } }),
      );
      const script = fileURLToPath(new URL("python/load.py", import.meta.url));
      const run = spawnSync(python, [script, sample.dir], {
        encoding: "utf8",
        env: { ...process.env, HF_HUB_OFFLINE: "1", HF_HOME: join(sample.dir, ".hf") },
      });
      expect(run.stdout + run.stderr).toMatch(/all loaded/);
      expect(run.status).toBe(0);
    } finally {
      sample.remove();
    }
  });
});
