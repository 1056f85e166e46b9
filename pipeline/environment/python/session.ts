import pLimit from "p-limit";
import { fail } from "../../base/errors.js";
import type { PythonLimits } from "./limits.js";
import { type Pooled, SessionPool } from "./pool.js";
import { type CellEnd, PythonProcess, type Stop } from "./process.js";
import { findSandbox } from "./sandbox.js";

/** A stateful Python session of one agent. */
export interface PythonSession {
  /**
   * Runs a cell of code after those before it.
   * @returns `ok: false` for an error, a limit, or a session that was lost
   * @throws TaskmillError without a sandbox, or when `signal` is aborted
   */
  run(code: string, signal: AbortSignal): Promise<PythonAnswer>;
  close(): Promise<void>;
}

export interface PythonAnswer {
  /** What the cell wrote, at most some 1 MB: what the next one finds in `_output`. */
  readonly text: string;
  readonly ok: boolean;
  /** Notes to the agent, before and after it: whether an earlier session was lost, how this cell was ended. Often empty. */
  readonly before: string;
  readonly after: string;
}

export interface PythonOptions {
  readonly limits: PythonLimits;
  /** A path, or a name on PATH; `python3` by default. */
  readonly interpreter?: string | undefined;
  readonly pool?: SessionPool;
}

const POOL = new SessionPool();

/**
 * Opens a session; nothing is started before the first call. Under many sessions an idle one gives its processes up, and what it had run
 * is run again before its next call: who uses it need not know.
 */
export function openPython(options: PythonOptions): PythonSession {
  return new Session(options);
}

class Session implements PythonSession, Pooled {
  readonly #pool: SessionPool;
  readonly #inOrder = pLimit(1);
  #process: PythonProcess | undefined;
  /** The cells that made the variables, with what they wrote. */
  #history: { readonly code: string; readonly text: string }[] = [];
  #lastText: string | undefined;
  /** Whether a session was lost that the agent has not been told of since. */
  #lost = false;
  #closed = false;

  constructor(private readonly options: PythonOptions) {
    this.#pool = options.pool ?? POOL;
  }

  get alive(): boolean {
    return this.#process !== undefined;
  }

  run(code: string, signal: AbortSignal): Promise<PythonAnswer> {
    return this.#inOrder(() => this.#pool.turn(this, () => this.#run(code, signal)));
  }

  async #run(code: string, signal: AbortSignal): Promise<PythonAnswer> {
    this.#mayRun(signal);
    const end = (): void => void this.rest();
    signal.addEventListener("abort", end);
    try {
      const python = await this.#ready(signal);
      this.#mayRun(signal);
      const fresh = this.#lost;
      const ended = await this.#cell(python, code);
      this.#mayRun(signal);
      const after = noteOf(ended, this.options.limits);
      return { text: ended.text, ok: ended.ok && !ended.lost, before: fresh ? FRESH : "", after };
    } finally {
      signal.removeEventListener("abort", end);
      // What was on its way up when the end came.
      if (signal.aborted || this.#closed) await this.rest();
    }
  }

  /** Whether aborted before, meanwhile or after, nothing of it counts. */
  #mayRun(signal: AbortSignal): void {
    if (signal.aborted || this.#closed) {
      fail(
        "interrupted",
        "interrupted",
        "the run was interrupted",
        "the same command goes on where it stopped",
      );
    }
  }

  /** The interpreter, with the variables that the agent knows of. */
  async #ready(signal: AbortSignal): Promise<PythonProcess> {
    this.#mayRun(signal);
    if (this.#process !== undefined) return this.#process;
    const plan = await findSandbox(this.options.interpreter);
    const python = await PythonProcess.start(plan, this.options.limits);
    this.#process = python;
    const history = this.#history;
    this.#history = [];
    let before: string | undefined;
    for (const { code, text } of history) {
      const ended = await python.cell(code, before);
      if (ended.lost) {
        this.#process = undefined;
        this.#lost = true;
        return this.#ready(signal);
      }
      before = text;
      this.#history.push({ code, text });
    }
    return python;
  }

  async #cell(python: PythonProcess, code: string): Promise<CellEnd> {
    const ended = await python.cell(code, this.#lastText);
    this.#lastText = ended.text;
    this.#lost = ended.lost;
    if (ended.lost) {
      this.#process = undefined;
      this.#history = [];
    } else {
      this.#history.push({ code, text: ended.text });
    }
    return ended;
  }

  async rest(): Promise<void> {
    const python = this.#process;
    this.#process = undefined;
    await python?.kill();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#pool.forget(this);
    await this.rest();
  }
}

const FRESH = "[A fresh session: the variables of earlier calls are lost.]";
const GONE = "The session ended with it: its variables are lost, and the next call starts a fresh one.";

const STOPS: Readonly<Record<Stop, (limits: PythonLimits) => string>> = {
  time: ({ seconds }) => `Stopped after ${seconds} s.`,
  output: () => "Stopped: it wrote more than 16 MB.",
  memory: ({ memory_mb }) => `Stopped: it used more than ${memory_mb} MB of memory.`,
  files: () => "Stopped: it made more than 50,000 files.",
};

/** How a cell was ended, where it was not by itself. */
function noteOf({ stopped, lost, memory }: CellEnd, limits: PythonLimits): string {
  if (stopped !== undefined) return `[${STOPS[stopped](limits)} ${lost ? GONE : "Variables are kept."}]`;
  if (lost) return `[The interpreter ended. ${GONE}]`;
  return memory ? `[Memory: ${limits.memory_mb} MB for the session.]` : "";
}
