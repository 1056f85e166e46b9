import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { bundleOf } from "../../../server/bundle.js";
import { processesWith, SANDBOXED } from "./helpers.js";

describe.skipIf(!SANDBOXED)("kill -9 of the process that opened sessions", () => {
  it("ends every process of theirs, busy or not", async () => {
    const bytes = 2_000_000 + (process.pid % 1_000_000);
    const mark = `"FSIZE":${bytes}`;
    const bundle = await bundleOf("../pipeline/environment/python/killed-child.ts");
    try {
      const child = spawn(process.execPath, [bundle.file, String(bytes / 1e6)], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      await once(child.stdout, "data");
      // The busy one's interpreter and its child: two that run.
      const running = (): number => processesWith(mark).filter(({ state }) => state === "R").length;
      for (let i = 0; i < 500 && running() < 2; i++) await setTimeout(20);
      expect(running()).toBeGreaterThanOrEqual(1);
      child.kill("SIGKILL");
      for (let i = 0; i < 500 && processesWith(mark).length > 0; i++) await setTimeout(20);
      expect(processesWith(mark)).toEqual([]);
    } finally {
      bundle.remove();
    }
  });
});
