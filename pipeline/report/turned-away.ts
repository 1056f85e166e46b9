import { z } from "zod";
import type { RejectedItem } from "../../stages/stage.js";
import type { Observer } from "./rejections.js";
import { Counter } from "./tally.js";

/** What `balance` turned away, by the value whose share was full. */
export interface TurnedAway {
  readonly stage: string;
  readonly rows: number;
  /** Values that stood in the way, those that cost most rows first. */
  readonly values: readonly FullValue[];
  /** Values beyond those that are listed, and the rows that they cost. */
  readonly others: { readonly values: number; readonly rows: number };
  /** Rows for which no value is told, by reason. */
  readonly without: Readonly<Record<string, number>>;
}

export interface FullValue {
  readonly property: string;
  readonly value: string;
  /** Allowed share; null where the evidence names none. */
  readonly share: number | null;
  /** Rows of this value that were admitted. */
  readonly admitted: number | null;
  /** Rows that were turned away for it. */
  readonly rows: number;
}

const LISTED = 40;

/** The part of a rejection's evidence that is read; whatever else it says stands in the funnel's samples. */
const full = z.object({
  property: z.string(),
  value: z.union([z.string(), z.number()]).transform(String),
  share: z.number().nullable().catch(null),
  admitted: z.number().nullable().catch(null),
});

/** Counts what stages of the kind `balance` turned away. */
export class BalanceTally implements Observer {
  readonly #stages = new Map<
    string,
    { readonly values: Map<string, FullValue>; readonly without: Counter }
  >();

  add({ id, stage }: { readonly id: string; readonly stage: string }, item: RejectedItem): void {
    if (stage !== "balance") return;
    const of = this.#stages.get(id) ?? { values: new Map<string, FullValue>(), without: new Counter() };
    this.#stages.set(id, of);
    const read = full.safeParse(item.evidence);
    if (!read.success) {
      of.without.add(item.reason);
      return;
    }
    const key = `${read.data.property}:${read.data.value}`;
    const rows = (of.values.get(key)?.rows ?? 0) + 1;
    of.values.set(key, { ...read.data, rows });
  }

  result(): TurnedAway[] {
    return [...this.#stages].map(([stage, { values, without }]) => {
      const all = [...values.entries()]
        .sort(([a, m], [b, n]) => n.rows - m.rows || (a < b ? -1 : 1))
        .map(([, value]) => value);
      const rest = all.slice(LISTED);
      const told = without.shares();
      return {
        stage,
        rows: sum(all) + sum(told),
        values: all.slice(0, LISTED),
        others: { values: rest.length, rows: sum(rest) },
        without: Object.fromEntries(told.map(({ value, rows }) => [value, rows])),
      };
    });
  }
}

function sum(list: readonly { readonly rows: number }[]): number {
  return list.reduce((total, { rows }) => total + rows, 0);
}
