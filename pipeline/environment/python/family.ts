import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { setPriority } from "node:os";

/** Reading what Linux tells of a session's processes, from outside. A process that has just ended counts as none. */

/** All descendants of a process, parents before their children. */
export function descendants(pid: number): number[] {
  const all: number[] = [];
  const open = [pid];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const children = childrenOf(next);
    all.push(...children);
    open.push(...children);
  }
  return all;
}

/** Of each thread of it: a child belongs to the thread that forked it. */
function childrenOf(pid: number): number[] {
  return attempt(() => readdirSync(`/proc/${pid}/task`), []).flatMap((thread) => {
    const text = attempt(() => readFileSync(`/proc/${pid}/task/${thread}/children`, "latin1"), "");
    return text.split(" ").filter(Boolean).map(Number);
  });
}

/** Resident memory of processes in bytes, pages that several share counted for each: never too little, and cheap to ask. */
export function residentAtMost(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + kilobytes(pid, "status", /^VmRSS:\s*(\d+)/m) * 1024, 0);
}

/** The same with shared pages in proportion; costs the kernel a walk through each process's memory. */
export function resident(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + kilobytes(pid, "smaps_rollup", /^Pss:\s*(\d+)/m) * 1024, 0);
}

function kilobytes(pid: number, file: string, line: RegExp): number {
  const text = attempt(() => readFileSync(`/proc/${pid}/${file}`, "latin1"), "");
  return Number(line.exec(text)?.[1] ?? 0);
}

/** Signals processes, as far as they are still there. Never 0, -1 or 1, which are no session's: to the kernel the first two are many. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) if (pid > 1) attempt(() => process.kill(pid, signal), false);
}

/** Nicer than others, so that sessions leave the processor to whoever feeds them. */
const NICE = 10;

/** Puts processes, and those they will start, behind all others: for the processor, and first to go when the machine has no memory left. */
export function putLast(pids: Iterable<number>): void {
  for (const pid of pids) {
    attempt(() => setPriority(pid, NICE), undefined);
    attempt(() => writeFileSync(`/proc/${pid}/oom_score_adj`, "1000"), undefined);
  }
}

function attempt<T>(look: () => T, otherwise: T): T {
  try {
    return look();
  } catch {
    return otherwise;
  }
}
