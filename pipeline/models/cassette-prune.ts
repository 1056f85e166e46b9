import { constants } from "node:fs";
import { type FileHandle, open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { fileSha256 } from "../../sources/snapshot.js";
import type { Usage } from "../../stages/model.js";
import { canonicalJson } from "../base/canonical.js";
import { fail } from "../base/errors.js";
import { diskProblem } from "../fs.js";
import { claimRunDir } from "../run-dir.js";
import { counted, grouped } from "../terminal.js";
import type { Asker } from "./call.js";
import { intentsBeside, scanIntents } from "./cassette.js";
import type { LogEvent } from "./cassette-events.js";
import { Ledger, type OpenIntent, type SpentCalls } from "./cassette-ledger.js";
import { type Line, linesOf, refuseOddFolder, sealed, withPlain } from "./cassette-lines.js";
import { syncFolder } from "./cassette-log.js";
import type { CassettePlace } from "./cassette-place.js";
import { misnamed, readShipped, scanLog } from "./cassette-read.js";

/** What pruning did to a log. */
export interface Pruned {
  readonly path: string;
  readonly kept: number;
  /** Records that a later one replaces. */
  readonly superseded: number;
  /** Records that the dataset does not use; null when the log does not say which those are. */
  readonly unused: number | null;
  /** Lines that could not be read. */
  readonly damaged: number;
  readonly bytes: { readonly before: number; readonly after: number };
}

/** What is to become of a log, found out in a first reading. */
interface Plan {
  /** Numbers of the lines that stay, byte for byte. */
  readonly stay: ReadonlySet<number>;
  /** Written anew before them: sums of what is dropped, here or by an earlier pruning. */
  readonly first: readonly SpentCalls[];
  /** Intents without an end: all that stays of those. */
  readonly pending: readonly OpenIntent[];
  readonly counts: Pick<Pruned, "kept" | "superseded" | "unused" | "damaged">;
}

/**
 * Drops from a run's log what no dataset needs: records that a later one replaces, damaged lines, and records that the dataset in
 * place does not use, judged by its `cassette.ndjson`. What was recorded after that dataset was written stays: it belongs to a
 * run that is not complete. Sums of what was paid stay, and so do the calls that were possibly billed.
 *
 * A kill leaves the old log or the new one.
 * @throws TaskmillError: `usage` without a run's log, `source` while a run holds the directory.
 */
export async function pruneCassette({ run, log, shipped }: CassettePlace): Promise<Pruned> {
  if (run === undefined || log === undefined) {
    fail(
      "usage",
      "no_log",
      "only the log of a run can be pruned",
      "give a run directory that holds calls/log.ndjson",
    );
  }
  const claimed = await claimRunDir(run);
  try {
    await refuseOddFolder(dirname(log));
    return await withPlain(log, true, async (file) => {
      const plan = await planOf(file, log, shipped);
      const before = (await file.stat()).size;
      // First the intents: one whose end is dropped must not be taken for a call that was lost.
      await rewriteIntents(intentsBeside(log), plan);
      const after = await rewrite(file, log, plan);
      return { path: log, ...plan.counts, bytes: { before, after } };
    });
  } finally {
    await claimed.store.close();
  }
}

/** A record, without what it holds. */
interface End {
  readonly line: number;
  readonly key: string;
  /** Null for what a tool answered: nothing was paid for it. */
  readonly paid: { readonly asker: Asker; readonly usage: Usage } | null;
}

async function planOf(file: FileHandle, log: string, shipped: string | undefined): Promise<Plan> {
  const used = shipped === undefined ? undefined : await usedIn(shipped);
  const all = new Ledger();
  const gone = new Ledger();
  const ends: End[] = [];
  const latest = new Map<string, number>();
  let marker = 0;
  let damaged = 0;
  const onEvent = (event: LogEvent, { number: line }: Line): void => {
    all.add(event);
    if (event.event === "spent") gone.add(event);
    if (event.event === "shipped" && event.sha256 === used?.sha256) marker = line;
    if (event.event !== "end" && event.event !== "observed") return;
    const { key } = event;
    const paid = event.event === "end" ? { asker: event.asker, usage: event.reply.usage } : null;
    if (misnamed(event) === undefined) {
      ends.push({ line, key, paid });
      latest.set(key, line);
    } else {
      damaged++;
      if (paid !== null) gone.ended(paid.asker, paid.usage);
    }
  };
  await scanIntents(
    intentsBeside(log),
    (event) => all.add(event),
    () => damaged++,
  );
  await scanLog(file, onEvent, () => damaged++);
  const stay = new Set<number>();
  let superseded = 0;
  let unused = 0;
  for (const { line, key, paid } of ends) {
    const replaced = latest.get(key) !== line;
    if (!replaced && (line > marker || used?.keys.has(key))) stay.add(line);
    else {
      if (paid !== null) gone.ended(paid.asker, paid.usage);
      if (replaced) superseded++;
      else unused++;
    }
  }
  const kept = stay.size;
  if (marker > 0) stay.add(marker);
  const counts = { kept, superseded, unused: marker > 0 ? unused : null, damaged };
  return { stay, first: gone.spent(), pending: all.pending(), counts };
}

function usedIn(path: string): Promise<{ sha256: string; keys: ReadonlySet<string> }> {
  return withPlain(path, true, async (file) => {
    const keys = new Set<string>();
    await readShipped(file, path, ({ key }) => void keys.add(key));
    return { sha256: await fileSha256(path), keys };
  });
}

/** @returns the new size in bytes. */
async function rewrite(file: FileHandle, path: string, { stay, first }: Plan): Promise<number> {
  await replace(path, async (out) => {
    await out.writeFile(first.map((spent) => textOf({ event: "spent", ...spent })).join(""));
    for await (const lines of linesOf(file)) {
      const staying = lines.filter((line) => stay.has(line.number)).flatMap((l) => [l.bytes!, NEWLINE]);
      if (staying.length > 0) await out.writeFile(Buffer.concat(staying));
    }
  });
  return (await stat(path)).size;
}

async function rewriteIntents(path: string, { pending }: Plan): Promise<void> {
  const lines = pending.map((intent) => textOf({ event: "intent", ...intent }));
  await replace(path, (out) => out.writeFile(lines.join("")));
}

/** Puts a new file in the place of another: a kill leaves the old one or the new one. */
async function replace(path: string, write: (out: FileHandle) => Promise<void>): Promise<void> {
  const next = `${path}.next`;
  try {
    await rm(next, { force: true });
    const { O_WRONLY, O_CREAT, O_EXCL } = constants;
    const out = await open(next, O_WRONLY | O_CREAT | O_EXCL, 0o644);
    try {
      await write(out);
      await out.sync();
    } finally {
      await out.close();
    }
    await rename(next, path);
    await syncFolder(dirname(path));
  } catch (error) {
    throw diskProblem(error, path) ?? error;
  }
}

const NEWLINE = Buffer.from("\n");

function textOf(event: LogEvent): string {
  return sealed(canonicalJson(event));
}

export function prunedText({ path, kept, superseded, unused, damaged, bytes }: Pruned): string {
  const which =
    unused === null
      ? "what the dataset does not use is not known: complete a run, then prune again"
      : `${counted(unused, "record")} that the dataset does not use`;
  return [
    `${path}: ${counted(kept, "record")} kept, ${grouped(bytes.before)} → ${counted(bytes.after, "byte")}\n`,
    `dropped: ${counted(superseded, "replaced record")}, ${counted(damaged, "damaged line")}; ${which}\n`,
  ].join("");
}
