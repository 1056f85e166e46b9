import { appendFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { cassette as verb } from "../../../pipeline/commands/cassette.js";
import { openCassette } from "../../../pipeline/models/cassette.js";
import { claimRunDir } from "../../../pipeline/run-dir.js";
import type { Io } from "../../../pipeline/terminal.js";
import { inFolder } from "../helpers.js";
import { askerOf, callOf } from "./cassette-fixture.js";

async function run(action: string, path: string, json = true): Promise<{ code: number; out: string }> {
  let out = "";
  const io: Io = {
    out: (text) => {
      out += text;
    },
    err: () => {},
    json,
    quiet: false,
    live: false,
    color: { out: false, err: false },
    columns: 80,
    signal: new AbortController().signal,
    now: () => 0,
  };
  return { code: await verb.run({ action, path }, io), out };
}

async function report(action: string, path: string): Promise<Record<string, unknown> & { code: number }> {
  const { code, out } = await run(action, path);
  return { code, ...JSON.parse(out) };
}

const logOf = (dir: string): string => join(dir, "calls", "log.ndjson");

/** A run that records `calls`, and ships those of `used`. */
async function runOf(
  dir: string,
  calls: readonly (readonly [number, string])[],
  used?: readonly number[],
): Promise<void> {
  const { store } = await claimRunDir(dir);
  const cassette = await openCassette(join(dir, "calls"), { mode: "auto" });
  for (const [n, text] of calls) {
    const call = callOf(n, text);
    await cassette.intend({ ...askerOf(n), key: call.key, model: "m" });
    await cassette.keep(call, askerOf(n));
  }
  for (const n of used ?? []) cassette.use(callOf(n).key);
  if (used !== undefined) {
    const models = { prober: { endpoint: "http://localhost:8000/v1", model: "m", revision: null } };
    await cassette.writeShipped(join(dir, "cassette.ndjson"), { models });
  }
  await cassette.close();
  await store.close();
}

async function textsIn(dir: string, calls: readonly number[]): Promise<(string | undefined)[]> {
  const cassette = await openCassette(join(dir, "calls"), { mode: "replay" });
  const texts = calls.map((n) => cassette.find(callOf(n).key)?.text);
  await cassette.close();
  return texts;
}

describe("cassette stats", () => {
  it("adds up a run's log and the cassette that ships with it", () =>
    inFolder(async (dir) => {
      await runOf(
        dir,
        [
          [0, "a"],
          [1, "b"],
          [1, "c"],
        ],
        [1],
      );
      const cassette = await openCassette(join(dir, "calls"), { mode: "auto" });
      await cassette.intend({ ...askerOf(1), key: callOf(1).key, model: "m" });
      await cassette.intend({ ...askerOf(7), key: callOf(7).key, model: "m" });
      await cassette.close();
      appendFileSync(logOf(dir), "torn");
      const sums = (calls: number) => ({
        calls,
        unknown: 0,
        usage: { input: 10 * calls, cached_input: 4 * calls, output: 3 * calls, reasoning: 0 },
      });
      const log = {
        path: logOf(dir),
        format: "log",
        bytes: readFileSync(logOf(dir)).length,
        calls: 2,
        observations: 0,
        superseded: 1,
        torn: 1,
        groups: [{ instance: "probe", role: "prober", model: "m", ...sums(3) }],
        pending: [
          { ...askerOf(1), key: callOf(1).key, model: "m", again: true },
          { ...askerOf(7), key: callOf(7).key, model: "m", again: false },
        ],
      };
      const shipped = {
        path: join(dir, "cassette.ndjson"),
        format: "shipped",
        bytes: readFileSync(join(dir, "cassette.ndjson")).length,
        calls: 1,
        observations: 0,
        superseded: 0,
        torn: 0,
        groups: [{ instance: null, role: null, model: "m", ...sums(1) }],
        pending: [],
      };
      expect(await report("stats", dir)).toEqual({ code: 0, files: [log, shipped] });
      expect(await report("stats", join(dir, "calls"))).toMatchObject({
        files: [{ calls: 2 }, { calls: 1 }],
      });
      expect(await report("stats", logOf(dir))).toEqual({ code: 0, files: [log] });
      const { out } = await run("stats", dir, false);
      expect(out).toContain("2 calls to replay, 1 replaced record, 1 line torn or damaged");
      expect(out).toContain("2 calls possibly billed");
      expect(out).toContain("probe: prober (m) for row row-1, asked again since");
    }));

  it("says what is no cassette", () =>
    inFolder(async (dir) => {
      writeFileSync(join(dir, "prose"), "Dear reader,\n");
      for (const [path, kind] of [
        ["nowhere", "usage"],
        [".", "usage"],
        ["prose", "source"],
      ]) {
        const error = await run("stats", join(dir, path!)).catch((e: unknown) => e);
        expect(error, path).toMatchObject({ kind, problems: [{ code: "no_cassette" }] });
      }
    }));
});

describe("cassette verify", () => {
  it("finds nothing in what a run wrote", () =>
    inFolder(async (dir) => {
      await runOf(
        dir,
        [
          [0, "the sky risk-assessment-of-2024-plans"],
          [1, "b"],
        ],
        [0],
      );
      const found = await report("verify", dir);
      expect(found).toMatchObject({
        code: 0,
        ok: true,
        files: [
          { records: 2, wrong: 0 },
          { records: 1, wrong: 0 },
        ],
      });
    }));

  it("finds a changed byte, a changed question, and what looks like a secret, and does not show the secret", () =>
    inFolder(async (dir) => {
      const secret = `sk-${"a1".repeat(20)}`;
      await runOf(
        dir,
        [
          [0, "zero"],
          [1, `use ${secret}`],
          [2, "two"],
        ],
        [0, 1, 2],
      );
      const log = readFileSync(logOf(dir), "utf8");
      writeFileSync(logOf(dir), log.replace('"text":"zero"', '"text":"nine"'));
      const shipped = join(dir, "cassette.ndjson");
      writeFileSync(shipped, readFileSync(shipped, "utf8").replace("question 2", "question 8"));
      const { code, files } = (await report("verify", dir)) as unknown as {
        code: number;
        files: { findings: { code: string; line: number }[] }[];
      };
      expect(code).toBe(1);
      expect(files[0]!.findings.map((f) => [f.line, f.code])).toEqual([
        [1, "bad_checksum"],
        [2, "secret"],
      ]);
      expect(files[1]!.findings.map((f) => f.code).sort()).toEqual(["bad_key", "secret"]);
      const { out } = await run("verify", dir, false);
      expect(out).toContain("it holds what looks like an API key [secret]");
      expect(out).not.toContain(secret);
    }));

  it.each([
    "Authorization: Bearer abcdefghijklmnop.qrstuv",
    `ghp_${"A1".repeat(18)}`,
    `hf_${"Ab".repeat(17)}`,
    "AKIAABCDEFGHIJKLMNOP",
    `AIza${"x".repeat(35)}`,
    "-----BEGIN RSA PRIVATE KEY-----",
    "https://user:hunter2@example.org/v1",
    `sk-proj-${"x9_".repeat(10)}`,
  ])("knows the form of a secret: %s", (text) =>
    inFolder(async (dir) => {
      await runOf(dir, [[0, `before ${text} after`]]);
      expect(await report("verify", dir)).toMatchObject({
        code: 1,
        files: [{ findings: [{ line: 1, code: "secret" }] }],
      });
    }),
  );
});

describe("cassette prune", () => {
  it("drops replaced and unused records and damage; keeps sums, possibly billed calls and newer records", () =>
    inFolder(async (dir) => {
      await runOf(
        dir,
        [
          [0, "old"],
          [0, "new"],
          [1, "unused"],
          [2, "used"],
        ],
        [0, 2],
      );
      const shipped = readFileSync(join(dir, "cassette.ndjson"));
      await runOf(dir, [[3, "of a run that is not complete"]]);
      const late = await openCassette(join(dir, "calls"), { mode: "auto" });
      await late.intend({ ...askerOf(2), key: callOf(2).key, model: "m" });
      await late.close();
      appendFileSync(logOf(dir), "damage\n");
      const before = await openCassette(join(dir, "calls"), { mode: "replay" });
      const [spent, pending] = [before.spent(), before.pending];
      await before.close();

      const done = await report("prune", dir);
      expect(done).toMatchObject({ code: 0, kept: 3, superseded: 1, unused: 1, damaged: 1 });
      expect(await textsIn(dir, [0, 1, 2, 3])).toEqual([
        "new",
        undefined,
        "used",
        "of a run that is not complete",
      ]);
      const after = await openCassette(join(dir, "calls"), { mode: "replay" });
      expect(after.spent()).toEqual(spent);
      expect(after.pending).toEqual(pending);
      expect(pending.map((i) => i.row)).toEqual(["row-2"]);
      expect(after.torn).toBe(0);
      await after.close();

      // Once more changes nothing, and the dataset's cassette can still be made.
      const bytes = readFileSync(logOf(dir));
      expect(await report("prune", dir)).toMatchObject({ kept: 3, superseded: 0, unused: 0, damaged: 0 });
      expect(readFileSync(logOf(dir))).toEqual(bytes);
      await runOf(dir, [], [0, 2]);
      expect(readFileSync(join(dir, "cassette.ndjson"))).toEqual(shipped);
      expect(readFileSync(logOf(dir))).toEqual(bytes);
    }));

  it("judges nothing as unused when no dataset, or another one, is in place", () =>
    inFolder(async (dir) => {
      await runOf(dir, [
        [0, "a"],
        [1, "b"],
        [1, "c"],
      ]);
      expect(await report("prune", dir)).toMatchObject({ kept: 2, superseded: 1, unused: null });
      await runOf(dir, [], [0]);
      writeFileSync(
        join(dir, "cassette.ndjson"),
        '{"calls":0,"cassette":"taskmill","models":{},"version":1}\n',
      );
      expect(await report("prune", dir)).toMatchObject({ kept: 2, superseded: 0, unused: null });
      expect(await textsIn(dir, [0, 1])).toEqual(["a", "c"]);
    }));

  it("is refused while a run holds the directory, and for a file alone", () =>
    inFolder(async (dir) => {
      await runOf(dir, [[0, "a"]]);
      const bytes = readFileSync(logOf(dir));
      const { store } = await claimRunDir(dir);
      await expect(run("prune", dir)).rejects.toMatchObject({ problems: [{ code: "store_held" }] });
      await store.close();
      await expect(run("prune", logOf(dir))).rejects.toMatchObject({
        kind: "usage",
        problems: [{ code: "no_log" }],
      });
      expect(readFileSync(logOf(dir))).toEqual(bytes);
    }));

  it("does not write through a link", () =>
    inFolder(async (dir) => {
      for (const name of ["a", "b"]) mkdirSync(join(dir, name));
      await runOf(join(dir, "a"), [
        [0, "old"],
        [0, "new"],
      ]);
      await runOf(join(dir, "b"), []);
      symlinkSync(join(dir, "a", "calls"), join(dir, "b", "calls"));
      const bytes = readFileSync(logOf(join(dir, "a")));
      await expect(run("prune", join(dir, "b"))).rejects.toMatchObject({
        problems: [{ code: "cassette_is_no_file" }],
      });
      expect(readFileSync(logOf(join(dir, "a")))).toEqual(bytes);
      expect(existsSync(`${logOf(join(dir, "a"))}.next`)).toBe(false);
    }));
});
