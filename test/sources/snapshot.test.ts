import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openDatabase } from "../../sources/duckdb.js";
import { openSnapshot } from "../../sources/snapshot.js";
import { failure, folder } from "./helper.js";

describe.skipIf(process.platform === "win32")("a snapshot that is no file", () => {
  const made: [string, (path: string) => void, RegExp][] = [
    ["a FIFO", (path) => execFileSync("mkfifo", [path]), /not a regular file/],
    ["a folder", (path) => mkdirSync(path), /is a folder/],
    ["a device", (path) => symlinkSync("/dev/zero", path), /not a regular file/],
    ["a link to itself", (path) => symlinkSync(path, path), /ELOOP/],
    ["a dangling link", (path) => symlinkSync(join(folder, "nowhere"), path), /is missing/],
  ];
  it.each(made)("is refused at once: %s", async (what, make, why) => {
    const path = join(folder, what.replaceAll(" ", "-"));
    make(path);
    const { kind, problems } = await failure(openSnapshot(path));
    expect(kind).toBe("source");
    expect(problems).toMatchObject([{ code: "no_snapshot", message: expect.stringMatching(why) }]);
  });

  it.each([
    ["too long", "a".repeat(5000), /ENAMETOOLONG/],
    ["with a NUL", "a\0b", /ERR_INVALID_ARG_VALUE/],
  ])("is refused by a name %s", async (_what, name, why) => {
    const { problems } = await failure(openSnapshot(join(folder, name)));
    expect(problems).toMatchObject([{ code: "no_snapshot", message: expect.stringMatching(why) }]);
    expect(problems[0]!.message.length).toBeLessThan(200);
  });
});

describe("a database", () => {
  it("opens with any number of threads asked for", async () => {
    const database = await openDatabase(":memory:", { threads: 1e14 });
    const [row] = await database.rows("SELECT current_setting('threads')");
    expect(Number(row![0])).toBe(256);
    database.close();
  });
});
