import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { canonicalJson, sha256 } from "../../../pipeline/base/canonical.js";
import { type FileCassette, openCassette } from "../../../pipeline/models/cassette.js";
import { inFolder } from "../helpers.js";
import { askerOf, callOf, identityOf, replyOf } from "./cassette-fixture.js";

const logOf = (dir: string): string => join(dir, "calls", "log.ndjson");
const open = (dir: string, mode: "auto" | "replay" | "refresh" = "auto", also: string[] = []) =>
  openCassette(join(dir, "calls"), { mode, also });

async function record(cassette: FileCassette, n: number, text?: string): Promise<string> {
  const call = callOf(n, text);
  await cassette.intend({ ...askerOf(n), key: call.key, model: "m" });
  await cassette.keep(call, askerOf(n));
  return call.key;
}

/** A directory with calls 0..n-1 recorded. */
async function recorded(dir: string, n: number): Promise<string[]> {
  const cassette = await open(dir);
  const keys = await Promise.all(Array.from({ length: n }, (_, i) => record(cassette, i)));
  await cassette.close();
  return keys;
}

describe("a cassette", () => {
  it("gives what was kept, at once and after opening again", () =>
    inFolder(async (dir) => {
      const cassette = await open(dir);
      const call = callOf(1, 'two\nlines, "quotes", \u2028, \ud800 alone and 10³⁰', {
        finish: "tool_calls",
        tool_calls: [{ id: "a", name: "search", arguments: '{"q":1}' }],
      });
      expect(cassette.find(call.key)).toBeUndefined();
      await cassette.keep(call, askerOf(1));
      expect(cassette.find(call.key)).toEqual(call.reply);
      await cassette.close();
      const again = await open(dir, "replay");
      expect(again.find(call.key)).toEqual(call.reply);
      expect(again.torn).toBe(0);
      await again.close();
    }));

  it("leaves no file and no folder when nothing is asked", () =>
    inFolder(async (dir) => {
      const cassette = await open(dir);
      await cassette.close();
      expect(existsSync(join(dir, "calls"))).toBe(false);
    }));

  it("refuses to keep what could not be read again, and what its key does not name", () =>
    inFolder(async (dir) => {
      const cassette = await open(dir);
      const call = callOf(1);
      const odd = {
        ...call,
        reply: replyOf("x", { usage: { input: 1.5, cached_input: null, output: null, reasoning: null } }),
      };
      await expect(cassette.keep(odd, askerOf(1))).rejects.toThrow("reply.usage.input");
      await expect(cassette.keep({ ...call, key: callOf(2).key }, askerOf(1))).rejects.toThrow("not kept");
      await cassette.close();
      expect(existsSync(logOf(dir))).toBe(false);
    }));

  it("writes nothing when opened for replay", () =>
    inFolder(async (dir) => {
      const [key] = await recorded(dir, 1);
      const before = readFileSync(logOf(dir));
      const cassette = await open(dir, "replay");
      await expect(cassette.keep(callOf(2), askerOf(2))).rejects.toThrow("replay");
      await expect(cassette.intend({ ...askerOf(2), key: callOf(2).key, model: "m" })).rejects.toThrow(
        "replay",
      );
      cassette.use(key!);
      await cassette.writeShipped(join(dir, "out.ndjson"), { models: {} });
      await cassette.close();
      expect(readFileSync(logOf(dir))).toEqual(before);
    }));

  it("asks everything again in `refresh`, and the newer reply stands", () =>
    inFolder(async (dir) => {
      const [key, other] = await recorded(dir, 2);
      const fresh = await open(dir, "refresh");
      expect(fresh.find(key!)).toBeUndefined();
      await record(fresh, 0, "newer");
      expect(fresh.find(key!)?.text).toBe("newer");
      await fresh.close();
      const auto = await open(dir);
      expect(auto.find(key!)?.text).toBe("newer");
      expect(auto.find(other!)?.text).toBe("answer 1");
      expect(auto.spent()[0]?.calls).toBe(3);
      await auto.close();
    }));

  it("keeps many calls at once, each under its own key", () =>
    inFolder(async (dir) => {
      const keys = await recorded(dir, 300);
      const cassette = await open(dir, "replay");
      expect(keys.map((key) => cassette.find(key)?.text)).toEqual(keys.map((_, i) => `answer ${i}`));
      await cassette.close();
    }));
});

describe("what a kill leaves", () => {
  it("never glues the next record to a torn line: only that line is lost, and it is counted", () =>
    inFolder(async (dir) => {
      const [first, second] = await recorded(dir, 2);
      const whole = readFileSync(logOf(dir));
      writeFileSync(logOf(dir), whole.subarray(0, whole.length - 40));
      const resumed = await open(dir);
      expect(resumed.torn).toBe(1);
      expect(resumed.find(first!)?.text).toBe("answer 0");
      expect(resumed.find(second!)).toBeUndefined();
      const third = await record(resumed, 2);
      expect(resumed.find(third)?.text).toBe("answer 2");
      await resumed.close();
      const again = await open(dir, "replay");
      expect(again.torn).toBe(1);
      expect(again.find(first!)?.text).toBe("answer 0");
      expect(again.find(third)?.text).toBe("answer 2");
      expect(again.pending.map((i) => i.row)).toEqual(["row-1"]);
      await again.close();
    }));

  it("reads what stands before and after garbage", () =>
    inFolder(async (dir) => {
      const [first] = await recorded(dir, 1);
      appendFileSync(logOf(dir), Buffer.concat([Buffer.alloc(5000), Buffer.from("\n{}\n\nnot a line\n")]));
      const cassette = await open(dir);
      expect(cassette.torn).toBe(4);
      const second = await record(cassette, 1);
      await cassette.close();
      const again = await open(dir, "replay");
      expect([again.find(first!)?.text, again.find(second)?.text]).toEqual(["answer 0", "answer 1"]);
      await again.close();
    }));

  it("cut at any byte, loses at most the record that was cut", () =>
    inFolder(async (dir) => {
      const keys = await recorded(dir, 3);
      const whole = readFileSync(logOf(dir));
      const ends = [...whole.entries()].filter(([, b]) => b === 10).map(([i]) => i);
      for (let cut = 0; cut <= whole.length; cut += 7) {
        writeFileSync(logOf(dir), whole.subarray(0, cut));
        const cassette = await open(dir, "replay");
        const complete = whole.subarray(0, cut).toString().split("\n").slice(0, -1).join("\n");
        const expected = keys.filter((key) => new RegExp(`"end","identity".*${key}`).test(complete));
        expect(keys.filter((key) => cassette.find(key) !== undefined)).toEqual(expected);
        expect(cassette.torn).toBe(cut === 0 || ends.includes(cut - 1) ? 0 : 1);
        await cassette.close();
      }
    }));

  it("shows intents without an end as possibly billed, also when the call was made again since", () =>
    inFolder(async (dir) => {
      const call = callOf(1);
      const intent = { ...askerOf(1), key: call.key, model: "m" };
      const first = await open(dir);
      await first.intend(intent);
      await first.close();
      const second = await open(dir);
      expect(second.pending).toEqual([intent]);
      await second.intend(intent);
      await second.keep(call, askerOf(1));
      await second.close();
      const third = await open(dir, "replay");
      expect(third.pending).toEqual([intent]);
      expect(third.spent()[0]?.calls).toBe(1);
      await third.close();
    }));
});

describe("a call that came to nothing", () => {
  it("is not listed as possibly billed when it is known to have cost nothing", () =>
    inFolder(async (dir) => {
      const cassette = await open(dir);
      for (const n of [1, 2]) {
        await cassette.intend({ ...askerOf(n), key: callOf(n).key, model: "m" });
      }
      await cassette.unbilled(callOf(1).key);
      await cassette.close();
      const again = await open(dir, "replay");
      expect(again.pending.map((i) => i.row)).toEqual(["row-2"]);
      expect(again.spent()).toEqual([]);
      await again.close();
    }));
});

describe("a log that cannot be written", () => {
  it("is one clear error for every call from then on, and what was recorded before stays", () =>
    inFolder(async (dir) => {
      const cassette = await open(dir);
      writeFileSync(join(dir, "calls"), "");
      for (const n of [1, 2]) {
        await expect(cassette.keep(callOf(n), askerOf(n))).rejects.toMatchObject({
          kind: "source",
          problems: [{ code: "cassette_unwritable" }],
        });
        expect(cassette.find(callOf(n).key)).toBeUndefined();
      }
      expect(cassette.spent()).toEqual([]);
      await cassette.close();
    }));

  it("is not followed to wherever a link points that was put there meanwhile", () =>
    inFolder(async (dir) => {
      const cassette = await open(dir);
      mkdirSync(join(dir, "calls"));
      symlinkSync(join(dir, "elsewhere"), logOf(dir));
      await expect(cassette.keep(callOf(1), askerOf(1))).rejects.toMatchObject({
        problems: [{ code: "cassette_is_no_file" }],
      });
      await cassette.close();
      expect(existsSync(join(dir, "elsewhere"))).toBe(false);
    }));
});

describe("what was spent", () => {
  it("is summed by instance and role; what the endpoint did not say is in no sum", () =>
    inFolder(async (dir) => {
      const cassette = await open(dir);
      const nothing = { input: null, cached_input: 7, output: null, reasoning: null };
      await cassette.keep(callOf(1), askerOf(1));
      await cassette.keep(callOf(2, "", { usage: nothing }), askerOf(2));
      await cassette.keep(
        callOf(3, "", { usage: { input: 5, cached_input: 9, output: 2, reasoning: 1 } }),
        askerOf(3),
      );
      await cassette.keep(callOf(4), askerOf(4, { role: "other" }));
      const expected = [
        {
          instance: "probe",
          role: "other",
          calls: 1,
          unknown: 0,
          usage: { input: 10, cached_input: 4, output: 3, reasoning: 0 },
        },
        {
          instance: "probe",
          role: "prober",
          calls: 3,
          unknown: 1,
          usage: { input: 15, cached_input: 9, output: 5, reasoning: 1 },
        },
      ];
      expect(cassette.spent()).toEqual(expected);
      await cassette.close();
      const again = await open(dir);
      expect(again.spent()).toEqual(expected);
      await again.close();
    }));

  it("does not count the calls of further cassettes", () =>
    inFolder(async (dir) => {
      mkdirSync(join(dir, "a"));
      mkdirSync(join(dir, "b"));
      const [key] = await recorded(join(dir, "a"), 1);
      const cassette = await open(join(dir, "b"), "auto", [logOf(join(dir, "a"))]);
      expect(cassette.find(key!)?.text).toBe("answer 0");
      expect(cassette.spent()).toEqual([]);
      expect(cassette.pending).toEqual([]);
      await cassette.close();
    }));
});

describe("a shipped cassette", () => {
  const models = { prober: { endpoint: "http://localhost:8000/v1", model: "m", revision: null } };

  async function ship(dir: string, order: readonly number[], path: string): Promise<void> {
    const cassette = await open(dir);
    for (const n of order) {
      if (cassette.find(callOf(n).key) === undefined) await record(cassette, n);
      cassette.use(callOf(n).key);
    }
    await cassette.writeShipped(path, { models });
    await cassette.close();
  }

  it("has the same bytes for the same calls, whatever their order, askers and history", () =>
    inFolder(async (dir) => {
      for (const name of ["a", "b"]) mkdirSync(join(dir, name));
      await recorded(join(dir, "b"), 9);
      await ship(join(dir, "a"), [0, 1, 2, 3], join(dir, "a.ndjson"));
      await ship(join(dir, "b"), [3, 1, 0, 2, 1], join(dir, "b.ndjson"));
      const bytes = readFileSync(join(dir, "a.ndjson"), "utf8");
      expect(readFileSync(join(dir, "b.ndjson"), "utf8")).toBe(bytes);
      const lines = bytes
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
      expect(lines[0]).toEqual({ cassette: "taskmill", version: 1, calls: 4, models });
      expect(lines.slice(1).map((l) => l.key)).toEqual([0, 1, 2, 3].map((n) => callOf(n).key).sort());
      expect(Object.keys(lines[1])).toEqual(["identity", "key", "reply"]);
      expect(bytes).not.toContain("row-");
    }));

  it("replays alone, says what its roles were, and ships on unchanged", () =>
    inFolder(async (dir) => {
      const path = join(dir, "cassette.ndjson");
      await ship(dir, [0, 1, 2], path);
      const cassette = await openCassette(join(dir, "elsewhere"), { mode: "replay", also: [path] });
      expect(cassette.shipped).toEqual([{ path, models }]);
      for (const n of [2, 0, 1]) {
        expect(cassette.find(callOf(n).key)?.text).toBe(`answer ${n}`);
        cassette.use(callOf(n).key);
      }
      await cassette.writeShipped(join(dir, "again.ndjson"), { models });
      await cassette.close();
      expect(readFileSync(join(dir, "again.ndjson"))).toEqual(readFileSync(path));
      expect(existsSync(join(dir, "elsewhere"))).toBe(false);
    }));

  it("gives way to the directory's own log, and earlier files go before later ones", () =>
    inFolder(async (dir) => {
      for (const name of ["a", "b", "c"]) mkdirSync(join(dir, name));
      for (const [name, text] of [
        ["a", "from a"],
        ["b", "from b"],
      ] as const) {
        const cassette = await open(join(dir, name));
        for (const n of [0, 1]) cassette.use(await record(cassette, n, text));
        await cassette.writeShipped(join(dir, `${name}.ndjson`), { models });
        await cassette.close();
      }
      const own = await open(join(dir, "c"));
      await record(own, 0, "own");
      await own.close();
      const cassette = await open(join(dir, "c"), "auto", [join(dir, "a.ndjson"), join(dir, "b.ndjson")]);
      expect(cassette.find(callOf(0).key)?.text).toBe("own");
      expect(cassette.find(callOf(1).key)?.text).toBe("from a");
      await cassette.close();
    }));

  it.each<[string, (lines: string[]) => string, RegExp]>([
    ["no header", (l) => l.slice(1).join("\n"), /line 1 .* header|line 1 .*damaged/],
    ["a record that is no JSON", (l) => [l[0], "{", l[2], l[3]].join("\n"), /line 2 .*no JSON/],
    [
      "a wrong type",
      (l) => [l[0], l[1], l[2]!.replace('"finish":"stop"', '"finish":5'), l[3]].join("\n"),
      /line 3 .*reply\.finish/,
    ],
    [
      "an unknown member",
      (l) => [l[0], l[1]!.replace('"key"', '"authorization":"x","key"'), l[2], l[3]].join("\n"),
      /line 2 /,
    ],
    ["a call twice", (l) => [l[0], l[1], l[1], l[3]].join("\n"), /line 3 .*does not follow/],
    ["a lost record", (l) => [l[0], l[1], l[2]].join("\n"), /line 1 .*3 calls are announced, 2 are there/],
    ["nesting without end", (l) => [l[0], l[1], l[2], `${"[".repeat(200_000)}`].join("\n"), /line 4 /],
  ])("is refused with the line: %s", (_, change, message) =>
    inFolder(async (dir) => {
      const path = join(dir, "cassette.ndjson");
      await ship(dir, [0, 1, 2], path);
      writeFileSync(path, `${change(readFileSync(path, "utf8").trimEnd().split("\n"))}\n`);
      const error = await openCassette(join(dir, "x"), { mode: "replay", also: [path] }).catch(
        (e: unknown) => e,
      );
      expect(error).toMatchObject({ kind: "source", problems: [{ code: "cassette_damaged" }] });
      expect(String(error)).toMatch(message);
    }),
  );

  it("is not believed where a call is not what its key names", () =>
    inFolder(async (dir) => {
      const path = join(dir, "cassette.ndjson");
      await ship(dir, [0], path);
      writeFileSync(path, readFileSync(path, "utf8").replace("question 0", "question 9"));
      const cassette = await openCassette(join(dir, "x"), { mode: "replay", also: [path] });
      expect(() => cassette.find(callOf(0).key)).toThrow(/line 2 .*not the hash/);
      await cassette.close();
    }));

  it("may nest what was asked as deeply as it likes: an error, no crash", () =>
    inFolder(async (dir) => {
      const path = join(dir, "deep.ndjson");
      const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
      const line = canonicalJson(callOf(1)).replace('"messages":[', `"messages":[${deep},`);
      writeFileSync(path, `{"calls":1,"cassette":"taskmill","models":{},"version":1}\n${line}\n`);
      const cassette = await openCassette(join(dir, "x"), { mode: "replay", also: [path] });
      expect(() => cassette.find(callOf(1).key)).toThrow(/line 2 .*cannot be hashed/);
      await cassette.close();
    }));

  it("keeps members that other readers drop: `__proto__` in a tool's schema", () =>
    inFolder(async (dir) => {
      const tools = JSON.parse('[{"__proto__":{"x":1},"name":"t"}]');
      const identity = identityOf(1, { tools });
      const key = sha256(canonicalJson(identity));
      const cassette = await open(dir);
      await cassette.keep({ key, identity, reply: replyOf("kept") }, askerOf(1));
      expect(cassette.find(key)?.text).toBe("kept");
      await cassette.close();
    }));
});

describe("files that are none", () => {
  const noFile = { kind: "source", problems: [{ code: "cassette_is_no_file" }] };

  it("a link, a FIFO or a folder in place of the log is refused and not followed", () =>
    inFolder(async (dir) => {
      writeFileSync(join(dir, "target"), "");
      for (const [name, make] of [
        ["link", (path: string) => symlinkSync(join(dir, "target"), path)],
        ["dangling", (path: string) => symlinkSync(join(dir, "nowhere"), path)],
        ["fifo", (path: string) => spawnSync("mkfifo", [path])],
        ["folder", (path: string) => mkdirSync(path)],
      ] as const) {
        mkdirSync(join(dir, name, "calls"), { recursive: true });
        make(logOf(join(dir, name)));
        await expect(open(join(dir, name)), name).rejects.toMatchObject(noFile);
      }
      expect(existsSync(join(dir, "nowhere"))).toBe(false);
      symlinkSync(join(dir, "link"), join(dir, "calls"));
      await expect(open(dir)).rejects.toMatchObject(noFile);
    }));

  it("a further cassette may be a link to a file, but must be there and be one", () =>
    inFolder(async (dir) => {
      mkdirSync(join(dir, "a"));
      const [key] = await recorded(join(dir, "a"), 1);
      symlinkSync(logOf(join(dir, "a")), join(dir, "link"));
      const cassette = await open(dir, "auto", [join(dir, "link")]);
      expect(cassette.find(key!)?.text).toBe("answer 0");
      await cassette.close();
      writeFileSync(join(dir, "prose"), "Dear reader,\nthis is no cassette\n");
      for (const path of ["nowhere", "prose"]) {
        await expect(open(dir, "auto", [join(dir, path)])).rejects.toMatchObject({
          problems: [{ code: "no_cassette" }],
        });
      }
      await expect(open(dir, "auto", [dir])).rejects.toMatchObject(noFile);
    }));
});
