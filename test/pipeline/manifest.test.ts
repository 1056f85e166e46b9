import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Manifest, manifestSchema, manifestText } from "../../pipeline/manifest.js";
import { readManifest } from "../../pipeline/manifest-file.js";
import { summarise } from "../../pipeline/run.js";
import { inFolder } from "./helpers.js";

const hash = "ab".repeat(32);
const manifest: Manifest = {
  manifest: 1,
  taskmill: "0.1.0",
  name: "small",
  seed: "1",
  config: { sha256: hash, resolved: { name: "small", stages: [{ id: "a" }] } },
  target: { accepted: 3, candidates: null, limit: null },
  reached: true,
  candidates: 7,
  blocks: 1,
  accepted: 3,
  sources: [],
  stages: [
    {
      id: "a",
      stage: "make",
      version: 1,
      params: { b: 1, a: null },
      from: [],
      in: 0,
      created: 7,
      out: 3,
      rejected: { no: 4 },
    },
  ],
  gates: { closed_book: { passed: 0, failed: 0, not_run: 3 } },
  splits: { train: 3 },
  pools: [{ pool: "tasks", file: "pools/tasks.parquet", sha256: hash, bytes: 10, rows: 3 }],
  files: [{ file: "pools/tasks.parquet", sha256: hash, bytes: 10 }],
};

describe("the manifest", () => {
  const again = (edit: Partial<Manifest>) => manifestSchema.safeParse({ ...manifest, ...edit }).success;
  const instance = (id: string, from: string[]) => ({ ...manifest.stages[0]!, id, from });

  it("has one instance and one source to an id, and a graph without circles or loose ends", () => {
    const source = {
      id: "bodies",
      card: { file: "sources/bodies/card.yaml", sha256: hash },
      snapshot: { file: "sources/bodies/bodies.csv", sha256: hash },
      table: hash,
      rows: 1,
      records: 1,
      loaded: 1,
      rejected: {},
      cells: {},
    };
    expect(again({ sources: [source] })).toBe(true);
    expect(again({ sources: [source, source] })).toBe(false);
    expect(again({ stages: [instance("a", []), instance("b", ["a"])] })).toBe(true);
    expect(again({ stages: [instance("a", []), instance("a", [])] })).toBe(false);
    expect(again({ stages: [instance("a", ["a"])] })).toBe(false);
    expect(again({ stages: [instance("a", ["b"]), instance("b", ["a"])] })).toBe(false);
    expect(again({ stages: [instance("a", []), instance("b", ["c"])] })).toBe(false);
  });

  it.skipIf(process.platform === "win32")("is read from a plain file alone: no FIFO, device or folder", () =>
    inFolder(async (dir) => {
      const file = join(dir, "manifest.json");
      for (const make of [
        () => execFileSync("mkfifo", [file]),
        () => symlinkSync("/dev/zero", file),
        () => mkdirSync(file),
      ]) {
        make();
        await expect(readManifest(dir)).rejects.toMatchObject({ problems: [{ code: "no_manifest" }] });
        rmSync(file, { recursive: true });
      }
    }),
  );

  it("is one text for one content, whatever the order of its keys", () => {
    const text = manifestText(manifest);
    expect(manifestSchema.parse(JSON.parse(text))).toEqual(manifest);
    const shuffled = Object.fromEntries(Object.entries(manifest).reverse()) as unknown as Manifest;
    expect(manifestText(shuffled)).toBe(text);
    expect(text.indexOf('"a": null')).toBeLessThan(text.indexOf('"b": 1'));
  });

  it("names no path that leads out of the run directory", () => {
    const paths = ["/etc/passwd", "../up", "a/../../b", "a//b", "C:/x", "a\\b", "", "./a"];
    for (const file of paths) {
      const bad = { ...manifest, files: [{ file, sha256: hash, bytes: 1 }] };
      expect(manifestSchema.safeParse(bad).success, file).toBe(false);
    }
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[a-z0-9_.-]*[a-z0-9]$/), { minLength: 1, maxLength: 4 }),
        (parts) => {
          const fine = { ...manifest, files: [{ file: parts.join("/"), sha256: hash, bytes: 1 }] };
          expect(manifestSchema.safeParse(fine).success).toBe(true);
        },
      ),
    );
  });

  it("that is missing, torn or of another form is named as such", () =>
    inFolder(async (dir) => {
      await expect(readManifest(dir)).rejects.toMatchObject({
        kind: "verification",
        problems: [{ code: "no_manifest" }],
      });
      for (const text of ['{"manifest":1,', "[]", JSON.stringify({ ...manifest, accepted: -1 })]) {
        writeFileSync(join(dir, "manifest.json"), text);
        await expect(readManifest(dir)).rejects.toMatchObject({ problems: [{ code: "manifest_damaged" }] });
      }
      writeFileSync(join(dir, "manifest.json"), JSON.stringify({ ...manifest, splits: { train: "1" } }));
      await expect(readManifest(dir)).rejects.toThrow(
        /does not have the form of a manifest: `train` must be .+, found .+ \(splits\.train\)/,
      );
      writeFileSync(join(dir, "manifest.json"), manifestText(manifest));
      expect(await readManifest(dir)).toEqual(manifest);
    }));

  it("counts gates by status and splits from the rows", () => {
    const gate = (status: string) => ({ gate: "closed_book", status, why: "" });
    const rows = [
      { id: "1", split: "train", gates: [gate("not_run"), { ...gate("passed"), gate: "twice_computed" }] },
      { id: "2", split: "train", gates: [gate("not_run")] },
      { id: "3", split: "test", gates: [] },
      { id: "4" },
    ];
    const { gates, splits } = summarise(rows);
    expect(gates.closed_book).toEqual({ passed: 0, failed: 0, not_run: 3 });
    expect(gates.twice_computed).toEqual({ passed: 1, failed: 0, not_run: 2 });
    expect(gates.admission).toEqual({ passed: 0, failed: 0, not_run: 3 });
    expect(splits).toEqual({ test: 1, train: 2 });
  });
});
