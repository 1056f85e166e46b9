import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { sandboxCommand } from "../../../../pipeline/environment/python/command.js";
import { within } from "../../../../pipeline/environment/python/interpreter.js";
import { PythonProcess } from "../../../../pipeline/environment/python/process.js";
import { findSandbox } from "../../../../pipeline/environment/python/sandbox.js";
import { seccompFilter } from "../../../../pipeline/environment/python/seccomp.js";
import { SANDBOXED } from "./helpers.js";

const LIMITS = { seconds: 20, memory_mb: 64, processes: 4, disk_mb: 1 };

/** The problem that something fails with. */
async function problem(action: () => Promise<unknown>): Promise<unknown> {
  return action().then(
    () => undefined,
    (error: { problems?: unknown[] }) => error.problems?.[0],
  );
}

async function withPath<T>(path: string, work: () => Promise<T>): Promise<T> {
  const before = process.env.PATH;
  process.env.PATH = path;
  try {
    return await work();
  } finally {
    process.env.PATH = before;
  }
}

describe("looking for the sandbox", () => {
  it.each([
    ["/no/such/python", "cannot be used: it is not there"],
    ["/bin/true", "is no Python interpreter"],
  ])("refuses %s", async (interpreter, why) => {
    expect(await problem(() => findSandbox(interpreter))).toMatchObject({
      code: SANDBOXED ? "no_python" : expect.any(String),
      message: SANDBOXED ? expect.stringContaining(why) : expect.any(String),
      hint: expect.any(String),
    });
  });

  it("tells of an architecture that it does not know", () => {
    expect(() => seccompFilter("s390x")).toThrow("Python cannot be sandboxed on the architecture s390x");
  });

  it.each(["x64", "arm64"])("has a filter of whole instructions for %s, in reach of its jumps", (arch) => {
    const filter = seccompFilter(arch);
    const count = filter.length / 8;
    expect(Number.isInteger(count) && count > 100).toBe(true);
    for (let i = 0; i < count; i++) {
      const code = filter.readUInt16LE(i * 8);
      // A jump ends inside; what is no jump is a load, followed by something, or a return.
      if ((code & 7) === 5) {
        for (const offset of [2, 3]) expect(i + 1 + filter.readUInt8(i * 8 + offset)).toBeLessThan(count);
      } else expect([0x20, 0x06]).toContain(code);
    }
    expect(filter.readUInt32LE((count - 1) * 8 + 4)).toBe(0x7fff0000);
  });

  it("knows what lies in a folder", () => {
    expect(["/a", "/a/b", "/a/..b", "/ab", "/", "/b"].map((path) => within(path, "/a"))).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});

describe.skipIf(!SANDBOXED)("the sandbox of this machine", () => {
  it("covers hidden folders that lie in mounted ones, and never what it needs itself", async () => {
    const plan = await findSandbox();
    const hidden = ["/usr/share", "/usr/bin", "/usr", "/home", plan.interpreter.executable];
    const command = sandboxCommand({ ...plan, hidden }, LIMITS, 61184);
    expect(command.filter((_, i) => command[i - 1] === "--tmpfs")).toEqual(["/usr/share", "/tmp"]);
    const python = await PythonProcess.start({ ...plan, hidden }, LIMITS);
    const { text } = await python.cell("import os\nos.listdir('/usr/share')", undefined);
    await python.kill();
    expect(text).toBe("[]\n");
  });

  it("has fixed variables, and none of ours", async () => {
    const command = sandboxCommand(await findSandbox(), LIMITS, 61184);
    const variables = command.filter((_, i) => command[i - 2] === "--setenv").join(" ");
    expect(variables).toBe(
      "/opt/python/bin:/usr/bin:/bin /opt/python/lib /tmp /tmp agent C.UTF-8 C.UTF-8 UTC 0 1 1 Agg 1 1 1",
    );
    expect(command).toContain("--clearenv");
  });

  it("says what the sandbox says when it does not come up", async () => {
    const plan = await findSandbox();
    const broken = { ...plan, interpreter: { ...plan.interpreter, executable: "/usr/bin/no-python" } };
    expect(await problem(() => PythonProcess.start(broken, LIMITS))).toMatchObject({
      code: "no_sandbox",
      message: expect.stringMatching(/^the Python sandbox did not start: .*no-python/),
    });
    const unstartable = { ...plan, bwrap: "/no/bwrap", setpriv: "/no/setpriv" };
    expect(await problem(() => PythonProcess.start(unstartable, LIMITS))).toMatchObject({
      code: "no_sandbox",
    });
  });

  it.each([
    [
      "network",
      'case "$a" in --unshare-net) ;; *) set -- "$@" "$a";; esac',
      "a server of this machine can be reached",
    ],
    ["filter", 'case "$a" in --seccomp|3) ;; *) set -- "$@" "$a";; esac', "system calls are not filtered"],
    [
      "files",
      'case "$a" in --chdir) set -- "$@" --ro-bind /tmp /tmp;; esac; set -- "$@" "$a"',
      "files of this machine can be seen",
    ],
  ])("refuses a bwrap that leaves a gap: %s", async (_gap, change, why) => {
    const folder = mkdtempSync(join(tmpdir(), "taskmill-gap-"));
    try {
      const { bwrap, interpreter } = await findSandbox();
      const script = `#!/bin/sh\nfor a do shift; ${change}; done\nexec ${bwrap} "$@"\n`;
      writeFileSync(join(folder, "bwrap"), script, { mode: 0o755 });
      chmodSync(folder, 0o755);
      // Under another name than that of the sandbox which has been looked at.
      const name = `${dirname(interpreter.executable)}/./${basename(interpreter.executable)}`;
      const found = await withPath(`${folder}:/usr/bin:/bin`, () =>
        findSandbox(name).catch((e: unknown) => e),
      );
      // One problem for each way in which the sandbox could have been made.
      expect((found as { problems: unknown[] }).problems).toContainEqual({
        code: "no_sandbox",
        message: expect.stringMatching(`^the Python sandbox does not hold: ${why}`),
        hint: expect.stringContaining("user namespaces"),
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("says how to get a bwrap that is missing", async () => {
    const folder = mkdtempSync(join(tmpdir(), "taskmill-path-"));
    // PATH is looked at first, then the usual places: only where those have none is there nothing to be found.
    const found = await withPath(folder, () => problem(() => findSandbox("/usr/bin/../bin/python3")));
    rmSync(folder, { recursive: true });
    if (existsSync("/usr/bin/bwrap")) expect(found).toBeUndefined();
    else expect(found).toMatchObject({ hint: expect.stringContaining("install bubblewrap") });
  });
});
