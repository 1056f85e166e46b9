import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findCard } from "../../../sources/cards.js";
import { alone } from "../../../sources/fetch/busy.js";
import { lockSnapshot } from "../../../sources/fetch/lock.js";
import { csv, fetchCard, newFolder, serve, whyNot, writeCard } from "./helper.js";

/** A lock with these words, and whether work is done all the same. */
async function takes(text: string, age = 0): Promise<boolean> {
  const folder = newFolder();
  mkdirSync(join(folder, ".fetch"));
  const path = join(folder, ".fetch", "x.busy");
  writeFileSync(path, text);
  const then = Date.now() / 1000 - age;
  utimesSync(path, then, then);
  const done = await alone(folder, "x", async () => true).catch(() => false);
  expect(existsSync(path)).toBe(!done);
  return done;
}

describe("alone", () => {
  it("lets one in at a time", async () => {
    const folder = newFolder();
    let inside = 0;
    const work = async (): Promise<void> => {
      expect(++inside).toBe(1);
      await new Promise((done) => setTimeout(done, 20));
      inside--;
    };
    const tries = await Promise.allSettled(Array.from({ length: 5 }, () => alone(folder, "x", work)));
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await alone(folder, "x", work);
  });

  it("takes over from a process that is gone, or whose number is another's by now", async () => {
    const { pid } = spawnSync(process.execPath, ["-e", ""]);
    expect(await takes(JSON.stringify({ pid, start: null }))).toBe(true);
    expect(await takes(JSON.stringify({ pid: process.pid, start: null }))).toBe(false);
    if (existsSync("/proc/self/stat"))
      expect(await takes(JSON.stringify({ pid: process.pid, start: "1" }))).toBe(true);
    expect(await takes("", 60)).toBe(true);
    expect(await takes("")).toBe(false);
  });

  it("keeps a second download and a lock away from one card", async () => {
    const { url } = await serve((_asked, response) => {
      setTimeout(() => csv(response, "id\na\n"), 150);
    });
    const path = writeCard(newFolder(), { file: "t.csv", read: { format: "csv" } }, { url });
    const first = fetchCard(path);
    await new Promise((done) => setTimeout(done, 50));
    expect(await whyNot(path)).toContain("another process is fetching this");
    await expect(lockSnapshot(await findCard(path, "."))).rejects.toThrow("another process is fetching this");
    expect((await first).result.records).toBe(1);
    expect((await fetchCard(path)).result.state).toBe("unchanged");
  });
});
