import { open, readFile, rename, rm, stat } from "node:fs/promises";
import { lives } from "./process.js";

/** Milliseconds after which a lock without a word in it is one whose process ended while it wrote. */
const UNWRITTEN = 10_000;

/**
 * Does something while no other process holds a lock file. One that a killed process left is taken over.
 * @param refuse throws, while another is at work
 */
export async function alone<T>(path: string, refuse: () => never, work: () => Promise<T>): Promise<T> {
  if (!(await take(path))) refuse();
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

async function take(path: string): Promise<boolean> {
  const mine = JSON.stringify({ pid: process.pid, start: await startOf(process.pid) });
  for (let tries = 0; tries < 3; tries++) {
    if (await create(path, mine)) return true;
    const theirs = await readFile(path, "utf8").catch(() => undefined);
    if (theirs === undefined) continue;
    if (await holds(path, theirs)) return false;
    await putAway(path, theirs);
  }
  return false;
}

async function create(path: string, text: string): Promise<boolean> {
  const file = await open(path, "wx").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "EEXIST") return undefined;
    throw error;
  });
  if (file === undefined) return false;
  try {
    await file.writeFile(text);
  } finally {
    await file.close();
  }
  return true;
}

/** Whether the process that wrote this is still at work. */
async function holds(path: string, text: string): Promise<boolean> {
  const { pid, start } = said(text);
  if (pid === undefined) {
    const written = await stat(path).catch(() => undefined);
    return written !== undefined && Date.now() - written.mtimeMs < UNWRITTEN;
  }
  if (!lives(pid)) return false;
  // The number may be another process's by now.
  const now = await startOf(pid);
  return start === null || now === null || start === now;
}

function said(text: string): { pid?: number; start: string | null } {
  try {
    const { pid, start } = JSON.parse(text) as { pid?: unknown; start?: unknown };
    const known = typeof pid === "number" && Number.isInteger(pid) && pid > 0;
    return { ...(known ? { pid } : {}), start: typeof start === "string" ? start : null };
  } catch {
    return { start: null };
  }
}

/** Takes a stale lock out of the way; of several that try, one succeeds. A lock that was new by then is put back. */
async function putAway(path: string, stale: string): Promise<void> {
  const away = `${path}.${process.pid}.stale`;
  const moved = await rename(path, away).then(
    () => true,
    () => false,
  );
  if (!moved) return;
  const text = await readFile(away, "utf8");
  if (text !== stale) await create(path, text);
  await rm(away, { force: true });
}

/** When a process began, in the kernel's own count; null where the system does not tell. */
async function startOf(pid: number): Promise<string | null> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  // The name, in brackets, may hold spaces.
  return text?.slice(text.lastIndexOf(")") + 2).split(" ")[19] ?? null;
}
