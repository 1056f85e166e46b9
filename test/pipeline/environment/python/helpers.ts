import { readdirSync, readFileSync } from "node:fs";
import type { PythonLimits } from "../../../../pipeline/environment/python/limits.js";
import { findSandbox } from "../../../../pipeline/environment/python/sandbox.js";
import { openPython, type PythonAnswer } from "../../../../pipeline/environment/python/session.js";

const missing = await findSandbox().then(
  () => undefined,
  (error: Error) => error.message,
);
if (missing !== undefined) console.warn(`Python sandbox: tests are skipped, since ${missing}`);
/** Whether this machine has the sandbox. */
export const SANDBOXED = missing === undefined;

const LIMITS: PythonLimits = { seconds: 20, memory_mb: 128, processes: 12, disk_mb: 8 };
let marks = 0;

/** A session whose processes can be told from those of all others, by a limit that no other has. */
export function session(limits: Partial<PythonLimits> = {}): {
  run(code: string, signal?: AbortSignal): Promise<PythonAnswer>;
  close(): Promise<void>;
  mark: string;
} {
  const own = { ...LIMITS, ...limits };
  const extra = (process.pid % 10_000) * 50 + marks++;
  const bytes = own.disk_mb * 1_000_000 + extra;
  const python = openPython({ limits: { ...own, disk_mb: bytes / 1_000_000 } });
  return {
    run: (code, signal = new AbortController().signal) => python.run(code, signal),
    close: () => python.close(),
    mark: `"FSIZE":${bytes}`,
  };
}

/** Processes of this machine whose command line holds a text, with their states (`R`, `S`, `T`, ...). */
export function processesWith(text: string): { pid: number; state: string }[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      try {
        if (!readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(text)) return [];
        const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
        return [{ pid: Number(pid), state: stat.slice(stat.lastIndexOf(")") + 2)[0]! }];
      } catch {
        return [];
      }
    });
}
