import type { Io } from "../terminal.js";
import { defineCommand } from "./command.js";

export const verify = defineCommand<{ readonly dir: string; readonly plugin?: string }>({
  usage: "verify <dir>",
  summary:
    "derive every answer of a dataset again, by both evaluators, and check all hashes, sums and splits",
  positionals: { dir: "the run directory" },
  options: { plugin: { value: "FILE", describe: "as for the run that made it" } },
  examples: [
    ["verify runs/astro", "what was looked at, and what is wrong"],
    ["verify runs/astro --json", "the findings for a program"],
  ],
  exits: [0, 1, 2, 130],
  args: (z) => z.strictObject({ dir: z.string().min(1), plugin: z.string().min(1).optional() }),
  async run({ dir, plugin }, io) {
    const api = await import("../index.js");
    const result = await api.verify(dir, {
      plugins: plugin === undefined ? [] : [plugin],
      signal: io.signal,
      onProgress: verifyProgress(io),
    });
    if (io.live && !io.quiet) io.err("\r\u001b[2K");
    const failed = result.findings.length > 0 || result.checks.some((c) => c.status !== "passed");
    if (io.json) {
      io.out(`${JSON.stringify({ ok: !failed, ...result })}\n`);
      return failed ? 1 : 0;
    }
    for (const { check, status, looked_at } of result.checks)
      io.out(`${status.padEnd(7)}  ${check.padEnd(7)}  ${looked_at}\n`);
    for (const { code, where, message } of result.findings) io.out(`\n${where}: ${message} [${code}]\n`);
    const wrong = `${result.findings.length} finding${result.findings.length === 1 ? "" : "s"}`;
    io.out(`\n${failed ? wrong : "all is as it was made"}; ${result.rederived} tasks derived again\n`);
    return failed ? 1 : 0;
  },
});

/** A redrawn line on a terminal; elsewhere nothing, as verification is short. */
function verifyProgress(io: Io): (done: number, total: number) => void {
  let drawn = 0;
  return (done, total) => {
    if (!io.live || io.quiet || io.now() - drawn < 100) return;
    drawn = io.now();
    io.err(`\r\u001b[2Kderived ${done} of ${total} tasks again`);
  };
}
