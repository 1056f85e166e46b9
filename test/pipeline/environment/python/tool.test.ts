import { describe, expect, it } from "vitest";
import { environmentSpec } from "../../../../pipeline/environment/spec.js";
import type { ToolContext, ToolRun } from "../../../../pipeline/environment/tool.js";
import { python } from "../../../../pipeline/environment/tools/python.js";
import { SANDBOXED } from "./helpers.js";

function context(limits: object = {}): ToolContext {
  const spec = environmentSpec.parse({
    observation: 600,
    python: { seconds: 20, memory_mb: 64, disk_mb: 2, ...limits },
  });
  // It uses neither a firewall nor a corpus.
  return { spec, signal: new AbortController().signal } as unknown as ToolContext;
}

async function withTool(work: (tool: ToolRun) => Promise<void>): Promise<void> {
  const tool = python.open(context());
  try {
    await work(tool);
  } finally {
    await tool.close();
  }
}

describe("the python tool", () => {
  it("is what its limits are, and not the machine", () => {
    expect(python.identity(context())).toEqual({
      seconds: 20,
      memory_mb: 64,
      processes: 32,
      disk_mb: 2,
      observation: 600,
    });
    expect(python.identity(context({ interpreter: "/usr/bin/python3" }))).toEqual(python.identity(context()));
    expect(python.description).not.toMatch(/numpy|\/|3\.\d/);
    expect(python.stateful).toBe(true);
  });

  it.each([
    [{ code: "1" }, true],
    [{ code: "" }, true],
    [{ code: "x".repeat(100_000) }, true],
    [{ code: "x".repeat(100_001) }, false],
    [{ code: 1 }, false],
    [{}, false],
    [{ code: "1", timeout: 999 }, false],
  ])("takes code and nothing else", (args, fits) => {
    expect(python.args.safeParse(args).success).toBe(fits);
  });

  it("starts nothing before it is called", async () => {
    await python.open(context({ interpreter: "/no/such/python" })).close();
  });
});

describe.skipIf(!SANDBOXED)("the python tool at work", () => {
  it("answers in short", () =>
    withTool(async (tool) => {
      expect(await tool.call({ code: "x = 6\nx * 7" })).toEqual({ text: "42", ok: true, urls: [] });
      expect(await tool.call({ code: "x = 1" })).toEqual({ text: "(no output)", ok: true, urls: [] });
      expect(await tool.call({ code: "1 / 0" })).toMatchObject({
        text: expect.stringMatching(/division by zero$/),
        ok: false,
      });
    }));

  it.each([
    ["letters", "print('a' * 2000 + 'b' * 2000)"],
    ["characters of two code units", "print('\u{1f600}' * 2000)"],
    ["lines", "for i in range(1000): print(i)"],
  ])("shows both ends of long output, and where the middle is: %s", (_what, code) =>
    withTool(async (tool) => {
      const { text } = await tool.call({ code });
      expect(text.length).toBeLessThanOrEqual(600);
      const [, head, from, to, tail] =
        /^([\s\S]*)\n\[cut: _output\[(\d+):(\d+)\] is not shown\]\n([\s\S]*)$/.exec(text)!;
      expect(Buffer.from(text).toString()).toBe(text);
      // What is shown and what is said to be left out make up the whole.
      const check = `_output.rstrip("\\n") == ${JSON.stringify(head)} + _output[${from}:${to}] + ${JSON.stringify(tail)}`;
      expect((await tool.call({ code: check })).text).toBe("True");
    }),
  );

  it("says first that variables are lost, and last how the cell was stopped", () =>
    withTool(async (tool) => {
      await tool.call({ code: "import os\nos._exit(1)" });
      const { text, ok } = await tool.call({ code: "bytearray(10**9)" });
      expect(ok).toBe(false);
      expect(text).toMatch(/^\[A fresh session: [\s\S]*MemoryError\n\[Memory: 64 MB for the session\.\]$/);
    }));
});
