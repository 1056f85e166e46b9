import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openCassette } from "../../../pipeline/models/cassette.js";
import { BatchServer } from "./batch-server.js";

/** Within the project, where the packages are found that the child leaves outside. */
const outDir = fileURLToPath(
  new URL(`../../../node_modules/.cache/taskmill-batch-${process.pid}/`, import.meta.url),
);

beforeAll(async () => {
  await build({
    logLevel: "silent",
    configFile: false,
    build: {
      ssr: fileURLToPath(new URL("./batch-child.ts", import.meta.url)),
      outDir,
      emptyOutDir: true,
      minify: false,
      rolldownOptions: { output: { entryFileNames: "child.mjs" } },
    },
  });
}, 60_000);
afterAll(() => rmSync(outDir, { recursive: true, force: true }));

const CALLS = 6;

it("a run that is killed at any request it makes hands no call in twice", { timeout: 60_000 }, async () => {
  const server = await new BatchServer().start();
  const dir = mkdtempSync(join(tmpdir(), "batch-kill-"));
  const calls = join(dir, "calls");
  let child: ChildProcess | undefined;
  const run = (): Promise<number | null> => {
    const args = [join(outDir, "child.mjs"), server.url, calls, String(CALLS)];
    child = spawn(process.execPath, args, { stdio: ["ignore", "inherit", "inherit"] });
    return new Promise((resolve) => child!.once("exit", resolve));
  };
  // Each process is killed by its first request of a kind, when the server has done what was asked but before it answers.
  const fatal = [
    "POST /v1/files",
    "POST /v1/batches",
    "GET /v1/batches",
    "GET /v1/batches/batch_0",
    "GET /v1/files/batch_0-output/content",
  ];
  for (const request of fatal) {
    let killed = false;
    server.odd = (method, path) => {
      if (killed || `${method} ${path}` !== request) return undefined;
      killed = true;
      child!.kill("SIGKILL");
      return "hang up";
    };
    expect(await run(), request).toBeNull();
    expect(killed, request).toBe(true);
  }
  server.odd = () => undefined;
  expect(await run()).toBe(0);
  expect(server.jobs.map((job) => job.requests.length)).toEqual([CALLS]);
  const cassette = await openCassette(calls, { mode: "replay" });
  const kept = server.jobs[0]!.requests.map((r) => cassette.find(r.custom_id)?.text);
  expect(kept).toEqual(server.jobs[0]!.requests.map((r) => `about ${r.custom_id.slice(0, 4)}`));
  await cassette.close();
  await server.close();
  rmSync(dir, { recursive: true });
});
