import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { z } from "zod";
import { RecordedEnvironment } from "../../../pipeline/environment/environment.js";
import { environmentSpec } from "../../../pipeline/environment/spec.js";
import { defineTool, type ToolContext } from "../../../pipeline/environment/tool.js";
import type { Mode } from "../../../pipeline/models/call.js";
import { type FileCassette, openCassette } from "../../../pipeline/models/cassette.js";
import type { Observation } from "../../../stages/environment.js";
import { firewallOf } from "../../../verifiers/firewall/firewall-of.js";

/** Whatever a model writes as a call of a tool is answered, named and recorded: it never ends the run. */

const look = defineTool<{ what: string; page?: number }>({
  name: "look",
  version: 1,
  description: "looks something up",
  args: z.strictObject({ what: z.string().max(1000), page: z.int().optional() }),
  stateful: false,
  identity: () => null,
  open: () => ({
    call: async ({ what }) => ({ text: what, ok: true, urls: [] }),
    close: async () => {},
  }),
});

const context: ToolContext = {
  spec: environmentSpec.parse({}),
  firewall: firewallOf({ rules: [], allow: [], fingerprints: [] }),
  corpus: undefined,
  secret: () => undefined,
  signal: new AbortController().signal,
};

let dir: string;
let cassette: FileCassette;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "taskmill-hostile-calls-"));
  cassette = await openCassette(join(dir, "calls"), { mode: "auto" });
});
afterEach(async () => {
  await cassette.close();
  await rm(dir, { recursive: true });
});

/** One call in a session of its own. */
async function answer(name: string, text: string, mode: Mode = "auto"): Promise<Observation> {
  const environment = new RecordedEnvironment({ kinds: [look], context, store: cassette, mode });
  const session = environment.open({ instance: "rollout", row: "r", sample: 0, tools: ["look"] });
  return (await session.run([{ id: "c", name, arguments: text }]))[0]!;
}

const nested = (open: string, close: string, levels: number) =>
  open.repeat(levels) + (close === "}" ? "1" : "") + close.repeat(levels);

it.each([
  ["lists in lists", nested("[", "]", 1e5), "They nest too deeply."],
  ["objects in objects", nested('{"a":', "}", 1e5), "They nest too deeply."],
  ["a deep value", `{"what":${nested("[", "]", 1e5)}}`, "They nest too deeply."],
  ["a deep key more", `{"what":"a","more":${nested("[", "]", 101)}}`, "They nest too deeply."],
  ["a number beyond doubles", '{"what":"a","page":1e999}', "A number is too large."],
  ["such a number inside", '{"what":"a","page":[[-1e999]]}', "A number is too large."],
  ["a cut text", '{"what":"a', "They are not JSON."],
  ["ten million brackets", "{".repeat(1e7), "They are not JSON."],
])("answers %s with what is wrong, and replays that", async (_, text, what) => {
  const seen = await answer("look", text);
  expect(seen).toMatchObject({
    ok: false,
    fault: "bad_arguments",
    text: `The arguments do not fit. ${what}`,
  });
  expect(await answer("look", text, "replay")).toEqual(seen);
});

it.each(["__proto__", "constructor", "toString", "x".repeat(1e5), "\ud800", "\u001b[2J"])(
  "knows no tool %j",
  async (name) => {
    const seen = await answer(name, "{}");
    expect(seen.fault).toBe("unknown_tool");
    expect(seen.text.length).toBeLessThan(200);
    expect(seen.text.isWellFormed()).toBe(true);
  },
);

it("takes `__proto__` for what it is: a key that the tool does not have", async () => {
  const seen = await answer("look", '{"what":"a","__proto__":{"page":2}}');
  expect(seen).toMatchObject({ fault: "bad_arguments", ok: false });
  expect(seen.text).toContain("__proto__");
});

it("keeps an answer short, however many keys there are too many", async () => {
  const many = JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`k${i}`, 1])));
  expect((await answer("look", many)).text.length).toBeLessThan(8100);
});

it("shows half characters as such", async () => {
  expect((await answer("look", '{"what":"\\ud800 a\\u0000"}')).text).toBe("\ufffd a\u0000");
});

it("answers a thousand calls of one turn in their order", async () => {
  const environment = new RecordedEnvironment({ kinds: [look], context, store: cassette, mode: "auto" });
  const session = environment.open({ instance: "rollout", row: "r", sample: 0, tools: ["look"] });
  const calls = Array.from({ length: 1000 }, (_, i) => {
    return { id: `c${i}`, name: "look", arguments: JSON.stringify({ what: String(i) }) };
  });
  const seen = await session.run(calls);
  expect(seen.map(({ text }) => text)).toEqual(calls.map((_, i) => String(i)));
});
