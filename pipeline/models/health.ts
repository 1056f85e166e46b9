import { passes } from "./retry.js";
import type { Fault, ProviderError } from "./transport.js";

/** Faults that every other call would meet as well. */
const EVERYBODYS: ReadonlySet<Fault> = new Set(["auth", "quota", "model"]);
/** So many calls that fail for good, with none that succeeds before or between them, are no accident. */
const MOST_IN_A_ROW = 20;

/** How the calls of one role have gone in this process. Recorded replies say nothing of how the endpoint is now. */
export class Health {
  answered = 0;
  failed = 0;
  /** Something listens there: it has said a word, if only to refuse. */
  alive = false;
  /** Calls that are on their way or wait for their turn. */
  running = 0;
  /** Since the last answer. */
  #passing = 0;
  readonly #faults = new Map<Fault, { count: number; first: ProviderError }>();
  #waiting: (() => void)[] = [];

  begin(): void {
    this.running++;
  }

  answer(): void {
    this.alive = true;
    this.answered++;
    this.#passing = 0;
    this.#tell();
  }

  /** A try failed. */
  notice({ status, reached }: ProviderError): void {
    if (status !== undefined || reached) this.alive = true;
  }

  /** A call failed for good. @returns whether the run should end: the others would fail as well */
  fail(error: ProviderError): boolean {
    this.failed++;
    if (passes(error)) this.#passing++;
    const known = this.#faults.get(error.fault);
    this.#faults.set(error.fault, { count: (known?.count ?? 0) + 1, first: known?.first ?? error });
    const nothing = this.answered === 0;
    return (
      EVERYBODYS.has(error.fault) ||
      (error.fault === "connection" && (!this.alive || (nothing && error.status !== undefined))) ||
      (nothing && this.failed >= MOST_IN_A_ROW) ||
      this.#passing >= MOST_IN_A_ROW
    );
  }

  /** A call is over, one way or another. */
  end(): void {
    this.running--;
    this.#tell();
  }

  /** The fault of most calls, and the first error of it. */
  worst(): ProviderError | undefined {
    const all = [...this.#faults.values()].sort((a, b) => b.count - a.count);
    return all[0]?.first;
  }

  /**
   * Whether the endpoint works at all, so that a failure is its row's own. Waits for the first answer, if one may still come.
   * The caller's own call must have ended.
   */
  async works(): Promise<boolean> {
    while (this.answered === 0 && this.running > 0) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    return this.answered > 0;
  }

  #tell(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }
}
