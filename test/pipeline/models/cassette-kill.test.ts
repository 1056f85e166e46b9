import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stream } from "../../../pipeline/base/random.js";
import { openCassette } from "../../../pipeline/models/cassette.js";
import { inFolder } from "../helpers.js";
import { callOf } from "./cassette-fixture.js";

describe("kill -9 while calls are being kept", () => {
  const bundle = fileURLToPath(
    new URL(`../../../node_modules/.cache/taskmill-cassette-${process.pid}/`, import.meta.url),
  );
  beforeAll(async () => {
    await build({
      logLevel: "silent",
      configFile: false,
      build: {
        ssr: fileURLToPath(new URL("./cassette-child.ts", import.meta.url)),
        outDir: bundle,
        emptyOutDir: true,
        minify: false,
        rollupOptions: { output: { entryFileNames: "child.mjs" } },
      },
    });
  });
  afterAll(() => rmSync(bundle, { recursive: true, force: true }));

  /** Kills the child `ms` after its cassette is open, or every second time after its first call was kept. @returns the calls that it said were kept. */
  function killed(dir: string, first: number, ms: number): Promise<number[]> {
    const args = [join(bundle, "child.mjs"), dir, String(first)];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    let said = "";
    let armed = false;
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      const lines = said.split("\n").length - 1;
      if (!armed && lines > (first % 2_000_000 === 0 ? 1 : 0)) {
        armed = true;
        setTimeout(() => child.kill("SIGKILL"), ms);
      }
    });
    // `close` comes when all that it said has been read.
    return new Promise((resolve) =>
      child.once("close", () => resolve(said.split("\n").slice(1, -1).map(Number))),
    );
  }

  it("loses no call that was said to be kept, and knows each that was sent", () =>
    inFolder(async (dir) => {
      const random = stream(20261129, "kills");
      const kills = 20;
      const kept: number[] = [];
      for (let kill = 0; kill < kills; kill++) {
        kept.push(...(await killed(join(dir, "calls"), kill * 1_000_000, random.int(40))));
      }
      expect(kept.length).toBeGreaterThanOrEqual(kills / 2);
      const cassette = await openCassette(join(dir, "calls"), { mode: "replay" });
      const lost = kept.filter((n) => !cassette.find(callOf(n).key)?.text.startsWith(`${n} `));
      expect(lost).toEqual([]);
      expect(cassette.torn).toBeLessThanOrEqual(kills);
      // Sent and not said to be kept: at most those that were in flight, and none of those that were kept.
      const open = cassette.pending.map((intent) => Number(intent.row.slice("row-".length)));
      expect(open.filter((n) => kept.includes(n))).toEqual([]);
      expect(open.length).toBeLessThanOrEqual(kills * 16);
      await cassette.close();
    }));
});
