import { setImmediate } from "node:timers/promises";
import pLimit from "p-limit";
import type { Outcome, Row, RowStage, StageContext } from "../stages/stage.js";
import { type Problem, TaskmillError } from "./base/errors.js";

/** Synchronous stages never give way by themselves: after so many rows signals and timers get their turn. */
const BREATHE_EVERY = 32;

/** Where the rows of a stage are worked on. The local executor is the default; another one may spread them out. */
export interface Executor {
  /**
   * Runs a row stage on these rows, at most `concurrency` at a time. The outcomes come back in the order of the rows,
   * whatever the order in which they were done. `onOutcome` sees each as soon as it is there.
   * A row that no model answered (TaskmillError `provider`) stops no other row.
   * @throws TaskmillError (interrupted) once `context.signal` is aborted and the rows at work have ended;
   *   whatever `onOutcome` throws; a {@link RowError} for the first row that the stage failed on; TaskmillError (provider) after all
   *   rows, if models left some without a reply.
   */
  run(
    stage: RowStage,
    rows: readonly Row[],
    context: StageContext<unknown>,
    options: { readonly concurrency: number; readonly onOutcome?: OnOutcome },
  ): Promise<Outcome<Row>[]>;
}

export type OnOutcome = (index: number, outcome: Outcome<Row>) => void | Promise<void>;

/** A stage failed on a row. */
export class RowError extends Error {
  override readonly name = "RowError";
  constructor(
    readonly row: Row,
    options: ErrorOptions,
  ) {
    super(`failed on row ${row.id}`, options);
  }
}

/** Throws when the run was cancelled. */
export function stopIfAborted(signal: AbortSignal): void {
  if (!signal.aborted) return;
  throw new TaskmillError("interrupted", [
    {
      code: "interrupted",
      message: "the run was interrupted",
      hint: "the same command goes on where it stopped",
    },
  ]);
}

/** Works in this process. */
export const localExecutor: Executor = {
  async run(stage, rows, context, { concurrency, onOutcome }) {
    const limit = pLimit(Math.max(1, concurrency));
    const outcomes: Outcome<Row>[] = new Array(rows.length);
    let failure: { index: number; error: unknown } | undefined;
    const unanswered = new Map<number, TaskmillError>();
    const work = async (row: Row, index: number): Promise<void> => {
      if (failure !== undefined || context.signal.aborted) return;
      if (index % BREATHE_EVERY === BREATHE_EVERY - 1) await setImmediate();
      const outcome = await attempt(stage, row, context);
      outcomes[index] = outcome;
      await onOutcome?.(index, outcome);
    };
    await Promise.all(
      rows.map((row, index) =>
        limit(() =>
          work(row, index).catch((error: unknown) => {
            const cause = error instanceof RowError ? error.cause : error;
            if (cause instanceof TaskmillError && cause.kind === "provider") unanswered.set(index, cause);
            else if (failure === undefined || index < failure.index) failure = { index, error };
          }),
        ),
      ),
    );
    stopIfAborted(context.signal);
    if (failure !== undefined) throw failure.error;
    if (unanswered.size > 0) throw withoutReply(unanswered, rows.length);
    return outcomes;
  },
};

/** One problem for each cause, not for each row; the cause of the most rows first. */
function withoutReply(unanswered: ReadonlyMap<number, TaskmillError>, rows: number): TaskmillError {
  const causes = new Map<string, { problem: Problem; rows: number }>();
  for (const [, error] of [...unanswered].sort(([a], [b]) => a - b)) {
    const problem = error.problems[0]!;
    const cause = causes.get(problem.code);
    causes.set(problem.code, { problem: cause?.problem ?? problem, rows: (cause?.rows ?? 0) + 1 });
  }
  const problems = [...causes.values()]
    .sort((a, b) => b.rows - a.rows)
    .map(({ problem, rows: hit }) => ({
      ...problem,
      message: `${hit} of ${rows} rows have no reply: ${problem.message}`,
    }));
  return new TaskmillError("provider", problems);
}

async function attempt(stage: RowStage, row: Row, context: StageContext<unknown>): Promise<Outcome<Row>> {
  try {
    return await stage.run(row, context);
  } catch (cause) {
    throw new RowError(row, { cause });
  }
}
