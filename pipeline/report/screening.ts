import { z } from "zod";
import { barrier, completeGates, GATES, type Gate, kindOf } from "../../datasets/admission.js";
import type { GateCount } from "../../datasets/hub-card.js";
import type { TaskRow } from "../../datasets/task-record.js";
import type { Draft } from "../manifest.js";

/** What the gates made of the rows, and the config of the gates. */
export interface Screening {
  readonly gates: Readonly<Record<string, GateCount>>;
  readonly admit_unscreened: readonly string[];
  readonly kept_out: Readonly<Record<string, number>>;
}

const emitParams = z.object({ admit_unscreened: z.array(z.string()).default([]) });

/** Counts every gate of every row, those that no stage ran among them. */
export function screeningOf(manifest: Draft, rows: readonly Pick<TaskRow, "gates">[]): Screening {
  const params = emitParams.safeParse(manifest.stages.find((s) => s.stage === "emit")?.params ?? {});
  const admit_unscreened = params.success ? params.data.admit_unscreened : [];
  const counts = new Map<string, { passed: number; failed: number; not_run: number }>();
  for (const gate of GATES) counts.set(gate, { passed: 0, failed: 0, not_run: 0 });
  const keptOut = new Map<string, number>();
  for (const row of rows) {
    const gates: Gate[] = completeGates(row.gates, kindOf(row));
    for (const { gate, status } of gates) {
      const count = counts.get(gate) ?? { passed: 0, failed: 0, not_run: 0 };
      count[status]++;
      counts.set(gate, count);
    }
    const stop = barrier(gates, admit_unscreened);
    if (stop !== undefined) keptOut.set(stop, (keptOut.get(stop) ?? 0) + 1);
  }
  return { gates: Object.fromEntries(counts), admit_unscreened, kept_out: Object.fromEntries(keptOut) };
}
