import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openPlain } from "../../pipeline/models/cassette-lines.js";
import { findCassettes } from "../../pipeline/models/cassette-place.js";
import { type Io, Progress } from "../../pipeline/terminal.js";
import { ndjson } from "../../sources/adapters/ndjson.js";
import { openSnapshot } from "../../sources/snapshot.js";
import { inFolder } from "./helpers.js";

describe("an endpoint's words in the progress", () => {
  it.each([true, false])("do not act on the terminal (live: %s)", (live) => {
    let text = "";
    let now = 0;
    const io: Io = {
      out: () => {},
      err: (part) => {
        text += part;
      },
      json: false,
      quiet: false,
      live,
      color: { out: false, err: false },
      columns: 200,
      signal: new AbortController().signal,
      now: () => now,
    };
    const progress = new Progress(io);
    progress.listen({ type: "stage_start", instance: "probe", stage: "probe", block: null, rows: 1 });
    now = 1000;
    const why = "HTTP 429: \u001b]0;owned\u0007 slow\ndown \u202e";
    progress.listen({ type: "waiting", endpoint: "http://h/v1", seconds: 60, why });
    const shown = text.replaceAll("\r\u001b[2K", "");
    expect(shown).toContain("HTTP 429: \\u001b]0;owned\\u0007 slow\\u000adown \\u202e");
    expect(shown.trimEnd()).toMatch(/^[\x20-\x7e]+$/);
  });
});

describe("a file named as a cassette", () => {
  it("that is empty is none", () =>
    inFolder(async (dir) => {
      const path = join(dir, "empty.ndjson");
      writeFileSync(path, "");
      await expect(findCassettes(path)).rejects.toMatchObject({
        kind: "usage",
        problems: [{ code: "no_cassette", message: `${path} is empty` }],
      });
    }));

  it("and is a folder or a device is not asked to be removed", () =>
    inFolder(async (dir) => {
      for (const path of [dir, "/dev/null"]) {
        const error: unknown = await openPlain(path, false).catch((thrown: unknown) => thrown);
        expect(error).toMatchObject({ problems: [{ message: `${path} is not a regular file` }] });
        expect(JSON.stringify(error)).not.toContain("remove");
      }
    }));
});

describe("lines of JSON", () => {
  it("end with an error where one has no end, before it fills the memory", () =>
    inFolder(async (dir) => {
      const path = join(dir, "long.jsonl");
      writeFileSync(path, `{"q":"a"}\n{"q":"${"x".repeat(17 * 2 ** 20)}`);
      const read = async (): Promise<void> => {
        const options = { format: "ndjson" } as const;
        for await (const _ of ndjson.read({ snapshot: await openSnapshot(path), wanted: ["q"], options }));
      };
      await expect(read()).rejects.toMatchObject({
        kind: "source",
        problems: [{ code: "too_long", message: "long.jsonl, line 2 is longer than 16777216 characters" }],
      });
    }));
});
