import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { TaskmillError } from "../../../pipeline/base/errors.js";
import { exportDataset } from "../../../pipeline/export.js";
import { type SampleRun, samplePrompts, sampleRecords, sampleRun } from "./sample.js";

/** Where an export may go: what is somebody else's stays as it is, and nothing is written into a run directory. */

let run: SampleRun;
beforeAll(async () => {
  run = await sampleRun(sampleRecords(3), samplePrompts(3));
  mkdirSync(run.out, { recursive: true });
});
afterAll(() => run.remove());

async function codes(out: string | undefined, templates?: string[]): Promise<string[]> {
  try {
    await exportDataset(run.dir, { to: "trl-sft", out, templates, signal: new AbortController().signal });
    return [];
  } catch (error) {
    if (!(error instanceof TaskmillError)) throw error;
    return error.problems.map(({ code }) => code);
  }
}
const place = (name: string) => join(run.out, name);

it("takes an empty folder, and refuses a place that a link leads into the dataset", async () => {
  mkdirSync(place("empty"));
  expect(await codes(place("empty"))).toEqual([]);
  symlinkSync(run.dir, place("link"));
  expect(await codes(place("link/inside"))).toEqual(["not_a_place"]);
  expect(existsSync(join(run.dir, "inside"))).toBe(false);
});

it("replaces an export only where nothing else is in it", async () => {
  expect(await codes(place("own"))).toEqual([]);
  writeFileSync(place("own/notes.txt"), "mine");
  expect(await codes(place("own"))).toEqual(["not_an_export"]);
  expect(readFileSync(place("own/notes.txt"), "utf8")).toBe("mine");
});

it("says why a place cannot be", async () => {
  writeFileSync(place("file"), "");
  expect(await codes(place("file/below"))).toEqual(["not_a_place"]);
  expect(await codes(place("x".repeat(300)))).toEqual(["not_a_place"]);
});

it("says which chat template is none", async () => {
  writeFileSync(place("cut.jinja"), "{% for %}{{");
  expect(await codes(place("t"), [place("cut.jinja")])).toEqual(["bad_template"]);
  writeFileSync(place("deep.jinja"), `{{${"(".repeat(1e5)}1${")".repeat(1e5)}}}`);
  expect(await codes(place("t"), [place("deep.jinja")])).toEqual(["bad_template"]);
  expect(existsSync(place("t"))).toBe(false);
});

it("does not take a way out of the working directory from a manifest", async () => {
  const path = join(run.dir, "manifest.json");
  const before = readFileSync(path, "utf8");
  writeFileSync(path, JSON.stringify({ ...JSON.parse(before), name: "../../evil" }));
  expect(await codes(undefined)).toEqual(["bad_name"]);
  writeFileSync(path, before);
});

it("follows no link out of the dataset, and copies nothing that was changed", async () => {
  const own = await sampleRun(sampleRecords(3), samplePrompts(3));
  try {
    const file = join(own.dir, "network_block.json");
    const why = () =>
      exportDataset(own.dir, { to: "slime", out: own.out, signal: new AbortController().signal }).then(
        () => "",
        (error: Error) => error.message.split("\n")[0]!,
      );
    rmSync(file);
    expect(await why()).toContain("network_block.json is not there");
    writeFileSync(file, "{}");
    expect(await why()).toContain("network_block.json is not what manifest.json says");
    rmSync(file);
    symlinkSync("/dev/zero", file);
    expect(await why()).toContain("network_block.json is a symbolic link");
  } finally {
    own.remove();
  }
});

it("lets one export at a time into a place, and clears what a killed one left", async () => {
  mkdirSync(place(".one.next"));
  writeFileSync(place(".one.busy"), JSON.stringify({ pid: 2 ** 22 + 1, start: null }));
  const both = (await Promise.all([codes(place("one")), codes(place("one"))])).flat();
  expect(both).toEqual(["exporting"]);
  expect(await codes(place("one"))).toEqual([]);
  expect(existsSync(place(".one.next")) || existsSync(place(".one.busy"))).toBe(false);
});
