import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import type { Readable, Writable } from "node:stream";
import { fail } from "../../base/errors.js";
import { FILTER_FD, type SandboxPlan, sandboxCommand } from "./command.js";
import { excess } from "./excess.js";
import { descendants, putLast, signalAll } from "./family.js";
import type { PythonLimits } from "./limits.js";
import { CellOutput } from "./output.js";
import { seccompFilter } from "./seccomp.js";
import { nextUid } from "./uids.js";

/** Why a cell was ended from outside. */
export type Stop = "time" | "output" | "memory" | "files";

/** How a cell ended. */
export interface CellEnd {
  /** What it wrote, bounded. */
  readonly text: string;
  readonly ok: boolean;
  /** Whether it ended in a MemoryError. */
  readonly memory: boolean;
  readonly stopped: Stop | undefined;
  /** Whether the session is gone, with its variables. */
  readonly lost: boolean;
}

/** What a cell cannot undo, so that nothing is gained by letting it go on. */
const FATAL: ReadonlySet<Stop> = new Set(["memory", "files"]);
/** From the interrupt, which code may catch, to the end of all processes. */
const GRACE_MS = 2000;
const START_MS = 30_000;
const WATCH_MS = 100;
/** Bytes after which a cell that goes on writing is stopped. */
const FLOOD = 16_000_000;
/** One interpreter in its sandbox. It is stopped while no cell runs, so that what a cell left running costs nothing. */
export class PythonProcess {
  readonly #child: ChildProcess;
  readonly #closed: Promise<void>;
  /** The interpreter's process, as this machine numbers it. */
  #main = 0;
  /** With it, the sandbox's own first process. */
  #own: ReadonlySet<number> = new Set();
  #cells = 0;
  #output = new CellOutput("");
  #onOutput = (): void => {};

  private constructor(
    child: ChildProcess,
    private readonly limits: PythonLimits,
  ) {
    this.#child = child;
    this.#closed = new Promise((resolve) => {
      child.once("close", () => resolve());
    });
    (child.stdout as Readable).on("data", (chunk: Buffer) => {
      this.#output.add(chunk);
      this.#onOutput();
    });
    // A session that ended does not read; that it ended is seen by its closing.
    (child.stdin as Writable).on("error", () => {});
  }

  /** @throws TaskmillError where the sandbox does not come up, with what it says */
  static async start(plan: SandboxPlan, limits: PythonLimits): Promise<PythonProcess> {
    const [program, ...args] = sandboxCommand(plan, limits, nextUid());
    // A group of its own: an interrupt at the terminal is the run's to deal with.
    const child = spawn(program!, args, {
      stdio: ["pipe", "pipe", "pipe", "pipe"],
      env: {},
      cwd: "/",
      detached: true,
    });
    const failed = new Promise<never>((_, reject) => child.once("error", reject));
    const errors = firstBytes(child.stderr as Readable);
    const filter = child.stdio[FILTER_FD] as Writable;
    filter.on("error", () => {});
    filter.end(seccompFilter());
    const started = new PythonProcess(child, limits);
    const up = await Promise.race([failed, started.#come()]).catch(() => false);
    if (!up) {
      await started.kill();
      fail(
        "internal",
        "no_sandbox",
        `the Python sandbox did not start: ${(await errors) || "no reason given"}`,
      );
    }
    return started;
  }

  /** Waits for the interpreter to answer an empty cell. */
  async #come(): Promise<boolean> {
    const { pid } = this.#child;
    if (pid === undefined) return false;
    const { ok } = await this.#run("", undefined, START_MS);
    this.#own = new Set(descendants(pid));
    // The sandbox's first process, and its only child.
    if (!ok || this.#own.size !== 2) return false;
    this.#main = [...this.#own][1]!;
    putLast(this.#own);
    this.#rest();
    return true;
  }

  /**
   * Runs a cell.
   * @param before what the last call of the agent wrote; the cell finds it in `_output`
   */
  cell(code: string, before: string | undefined): Promise<CellEnd> {
    this.#cells++;
    signalAll([this.#main], "SIGCONT");
    return this.#run(code, before, this.limits.seconds * 1000);
  }

  async #run(code: string, before: string | undefined, milliseconds: number): Promise<CellEnd> {
    const token = `\0${randomBytes(16).toString("hex")}`;
    const output = new CellOutput(token);
    this.#output = output;
    const answered = new Promise<false>((resolve) => {
      this.#onOutput = () => {
        if (output.status !== undefined) resolve(false);
        else if (output.total > FLOOD) guard.stop("output");
      };
    });
    const guard = this.#guard(milliseconds);
    const request = { token, cell: this.#cells, code, output: before };
    (this.#child.stdin as Writable).write(`${JSON.stringify(request)}\n`);
    const closed = this.#closed.then(() => true);
    const ended = await Promise.race([answered, closed]);
    const stopped = guard.release();
    this.#onOutput = () => {};
    // It may have answered as it was being killed.
    const lost = ended || (stopped !== undefined && FATAL.has(stopped) && (await closed));
    if (!lost && this.#main !== 0) this.#rest();
    return { text: output.text(), ...statusOf(output.status), stopped, lost };
  }

  /** Watches over a cell until it is released, which tells why the cell was stopped, if it was. */
  #guard(milliseconds: number): { stop(why: Stop): void; release(): Stop | undefined } {
    let stopped: Stop | undefined;
    let killing: NodeJS.Timeout | undefined;
    const stop = (why: Stop): void => {
      if (stopped !== undefined) return;
      stopped = why;
      if (FATAL.has(why) || this.#main === 0) return void this.kill();
      signalAll([this.#main], "SIGINT");
      killing = setTimeout(() => void this.kill(), GRACE_MS);
    };
    const time = setTimeout(() => stop("time"), milliseconds);
    const watch = setInterval(() => {
      const why = this.#main === 0 ? undefined : excess(this.#child.pid!, this.#main, this.limits);
      if (why !== undefined) stop(why);
    }, WATCH_MS);
    const release = (): Stop | undefined => {
      clearTimeout(time);
      clearTimeout(killing);
      clearInterval(watch);
      return stopped;
    };
    return { stop, release };
  }

  /** Ends what the cell started beside the interpreter, and stops that. Again while there is more: one may fork as it is killed. */
  #rest(): void {
    signalAll([this.#main], "SIGSTOP");
    for (let round = 0; round < 10; round++) {
      const others = descendants(this.#child.pid!).filter((pid) => !this.#own.has(pid));
      if (others.length === 0) return;
      signalAll(others, "SIGKILL");
    }
  }

  /**
   * Ends every process of the session: its namespace's first process is killed, and the kernel kills whatever else is in there. The
   * process that waits for it outside goes by itself, and leaves nothing for others to bury; where it is alone yet, it is killed.
   */
  async kill(): Promise<void> {
    const { pid } = this.#child;
    if (pid === undefined) return;
    const first = descendants(pid)[0];
    if (this.#child.exitCode === null && this.#child.signalCode === null)
      signalAll([first ?? pid], "SIGKILL");
    await this.#closed;
  }
}

function statusOf(line: string | undefined): { ok: boolean; memory: boolean } {
  try {
    const status = JSON.parse(line ?? "{}") as Record<string, unknown> | null;
    return { ok: status?.ok === true, memory: status?.memory === true };
  } catch {
    return { ok: false, memory: false };
  }
}

/** The beginning of what a stream gives, on one line. */
function firstBytes(stream: Readable): Promise<string> {
  let text = "";
  stream.on("data", (chunk: Buffer) => {
    if (text.length < 1000) text += chunk.toString("utf8");
  });
  return new Promise((resolve) => {
    stream.once("close", () =>
      resolve(
        text
          .trim()
          .slice(0, 500)
          .replace(/\s*\n\s*/g, "; "),
      ),
    );
  });
}
