import { defineCommand } from "./command.js";

export const doctor = defineCommand<Record<string, never>>({
  usage: "doctor",
  summary: "check whether this machine and this installation are fit to run",
  examples: [["doctor", "one line per check"]],
  exits: [0, 1],
  args: (z) => z.strictObject({}),
  async run(_args, io) {
    const { examine } = await import("../doctor.js");
    const checks = await examine(io);
    const failed = checks.some((check) => check.status === "failed");
    const width = Math.max(...checks.map((c) => c.name.length));
    const text = checks.map((c) => `${c.status.padEnd(6)}  ${c.name.padEnd(width)}  ${c.detail}\n`).join("");
    io.out(io.json ? `${JSON.stringify({ ok: !failed, checks })}\n` : text);
    return failed ? 1 : 0;
  },
});
