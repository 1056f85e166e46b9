import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findCard } from "../../../sources/cards.js";
import { alone } from "../../../sources/fetch/busy.js";
import { lockSnapshot } from "../../../sources/fetch/lock.js";
import { csv, fetchCard, newFolder, serve, whyNot, writeCard } from "./helper.js";

/** What waits for it goes on once it is opened. */
class Gate {
  open: () => void = () => {};
  readonly opened = new Promise<void>((resolve) => {
    this.open = resolve;
  });
}

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
    const others = new Gate();
    let refused = 0;
    const work = async (): Promise<void> => {
      expect(++inside).toBe(1);
      await others.opened;
      inside--;
    };
    const tries = Array.from({ length: 5 }, () => alone(folder, "x", work));
    for (const one of tries)
      one.catch(() => {
        if (++refused === 4) others.open();
      });
    const ends = await Promise.allSettled(tries);
    expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
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
    const asked = new Gate();
    const answer = new Gate();
    const { url } = await serve((_asked, response) => {
      asked.open();
      void answer.opened.then(() => csv(response, "id\na\n"));
    });
    const path = writeCard(newFolder(), { file: "t.csv", read: { format: "csv" } }, { url });
    const first = fetchCard(path);
    await asked.opened;
    expect(await whyNot(path)).toContain("another process is fetching this");
    await expect(lockSnapshot(await findCard(path, "."))).rejects.toThrow("another process is fetching this");
    answer.open();
    expect((await first).result.records).toBe(1);
    expect((await fetchCard(path)).result.state).toBe("unchanged");
  });
});
