import { statfsSync } from "node:fs";
import { descendants, resident, residentAtMost } from "./family.js";
import { memoryBytes, type PythonLimits } from "./limits.js";

/** Files in a session's file system; each costs the kernel memory, even when empty. */
const FILES = 50_000;

/**
 * Which of the bounds is passed that the kernel does not hold by itself: it limits the memory of each process, and the bytes of the file
 * system, but neither what all processes hold together nor the number of files.
 * @param sandbox the process outside that holds the sandbox; `main` the interpreter
 */
export function excess(sandbox: number, main: number, limits: PythonLimits): "memory" | "files" | undefined {
  const family = descendants(sandbox);
  const most = memoryBytes(limits);
  if (residentAtMost(family) > most && resident(family) > most) return "memory";
  return filesOf(main) > FILES ? "files" : undefined;
}

function filesOf(pid: number): number {
  try {
    const { files, ffree } = statfsSync(`/proc/${pid}/root/tmp`);
    return files - ffree;
  } catch {
    return 0;
  }
}
