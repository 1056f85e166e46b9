import { z } from "zod";
import { shapeOf } from "./program/shape.js";
import type { RejectedItem } from "./stage.js";
import { defineStage } from "./stage.js";
import { subjectOf, type WordedRow, wordedRow } from "./task.js";

const share = z.number().positive().max(1);

const params = z.strictObject({
  /** Largest share of the accepted rows that one value of each property may have. */
  formula: share.default(0.2),
  /** Both entities count where two are compared; for a figure of all candidates, their set. */
  entity: share.default(0.02),
  table: share.default(1),
  select_column: share.default(1),
  /** A column that conditions speak of. */
  filter_column: share.default(1),
  /** Number of conditions: 0.5 means at most half of the rows have one condition, half two, and so on. */
  conditions: share.default(1),
  rank: share.default(1),
  /** select, hop, compare or aggregate. */
  form: share.default(1),
  /** A program without its numbers and its formula. */
  shape: share.default(1),
  /** An answer as it is asked for, with its unit. */
  answer: share.default(1),
  /** How many rows of a value are welcome before shares are looked at. */
  floor: z.number().int().positive().default(3),
  /** Tables with a handful of entities, excepted from the entity share by this declaration. */
  tiny_tables: z.array(z.string()).default([]),
});
type Params = z.infer<typeof params>;

const PROPERTIES = [
  "formula",
  "entity",
  "table",
  "select_column",
  "filter_column",
  "conditions",
  "rank",
  "form",
  "shape",
  "answer",
] as const;
type Property = (typeof PROPERTIES)[number];

/**
 * Admits rows in order while every value keeps its share of what was admitted so far, so that each prefix of the dataset is
 * balanced and a grown target only adds rows. A row that is too early waits and is tried again once its share has grown.
 */
export const balance = defineStage<Params, WordedRow, WordedRow>({
  kind: "balance",
  version: 2,
  summary: "keeps formulas, entities and shapes within their shares of the dataset",
  mode: "set",
  params,
  takes: "worded",
  gives: "worded",
  input: wordedRow,
  output: wordedRow,
  reasons: {
    over_share:
      "admitting it would give one formula, entity, table, column, shape, answer or other property more than its share",
    over_target: "the target was reached before it",
  },
  run(rows, context) {
    const admission = new Admission(context.params, context.target ?? Number.POSITIVE_INFINITY);
    for (const row of rows) admission.offer(row);
    return { out: admission.admitted, rejected: admission.rejections() };
  },
});

/** What a row counts under. A property without a bound below 1 turns nobody away and is not counted. */
function valuesOf(row: WordedRow, params: Params): [Property, string][] {
  const { program, selection, difficulty, answer } = row;
  const { table, select, where, other } = program;
  const column = (id: string) => `${table}.${id}`;
  const chosen =
    selection === undefined
      ? []
      : [selection.entity, ...(selection.other === undefined ? [] : [selection.other.entity])];
  const subjects = chosen.length === 0 ? [subjectOf(row)] : chosen.map(({ key }) => `${table}/${key}`);
  const values: { readonly [P in Property]: () => readonly string[] } = {
    formula: () => [program.compute.formula],
    entity: () => (params.tiny_tables.includes(table) ? [] : subjects),
    table: () => [table],
    select_column: () => [select, other?.select].flatMap((s) => (s === undefined ? [] : column(s.column))),
    filter_column: () => [...where, ...(other?.where ?? [])].map((c) => column(c.column)),
    conditions: () => [String(difficulty.conditions)],
    rank: () => [String(difficulty.rank)],
    form: () => [difficulty.form],
    shape: () => [shapeOf(program)],
    answer: () => [`${answer.text} ${answer.unit}`],
  };
  return PROPERTIES.filter((p) => params[p] < 1).flatMap((p) =>
    [...new Set(values[p]())].map((value): [Property, string] => [p, value]),
  );
}

/** Rows queue under the value that blocks them; a queue is tried again when that value's cap has grown. */
class Admission {
  readonly admitted: WordedRow[] = [];
  private readonly beyond: WordedRow[] = [];
  private readonly counts = new Map<string, number>();
  private readonly waiting = new Map<string, { property: Property; value: string; rows: WordedRow[] }>();

  constructor(
    private readonly params: Params,
    private readonly target: number,
  ) {}

  offer(row: WordedRow): void {
    if (this.admitted.length >= this.target) {
      this.beyond.push(row);
      return;
    }
    const block = this.blockOf(row);
    if (block !== undefined) {
      this.wait(row, block);
      return;
    }
    this.admit(row);
    this.wake();
  }

  rejections(): RejectedItem[] {
    const late = this.beyond.map((row) => ({
      ref: row.id,
      reason: "over_target",
      evidence: { target: this.target },
    }));
    const waiting = [...this.waiting.values()].flatMap(({ property, value, rows }) =>
      rows.map((row) => ({
        ref: row.id,
        reason: "over_share",
        evidence: {
          property,
          value,
          share: this.params[property],
          admitted: this.counts.get(`${property}:${value}`) ?? 0,
        },
      })),
    );
    return [...waiting, ...late];
  }

  /** The rows of a value that may be admitted once `total` rows are. */
  private cap(property: Property, total: number): number {
    return Math.max(this.params.floor, Math.floor(this.params[property] * total + 1e-9));
  }

  private blockOf(row: WordedRow): [Property, string] | undefined {
    const total = this.admitted.length + 1;
    return valuesOf(row, this.params).find(
      ([property, value]) => (this.counts.get(`${property}:${value}`) ?? 0) + 1 > this.cap(property, total),
    );
  }

  private admit(row: WordedRow): void {
    this.admitted.push(row);
    for (const [property, value] of valuesOf(row, this.params)) {
      const key = `${property}:${value}`;
      this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
    }
  }

  private wait(row: WordedRow, [property, value]: [Property, string]): void {
    const key = `${property}:${value}`;
    const queue = this.waiting.get(key);
    if (queue === undefined) this.waiting.set(key, { property, value, rows: [row] });
    else queue.rows.push(row);
  }

  /** Admits what has become welcome, oldest queue first, until nothing moves. */
  private wake(): void {
    for (let moved = true; moved && this.admitted.length < this.target; ) {
      moved = false;
      for (const [key, queue] of this.waiting) {
        const free = this.cap(queue.property, this.admitted.length + 1) - (this.counts.get(key) ?? 0);
        if (free <= 0) continue;
        const row = queue.rows.shift()!;
        if (queue.rows.length === 0) this.waiting.delete(key);
        const block = this.blockOf(row);
        if (block !== undefined) {
          this.wait(row, block);
          continue;
        }
        this.admit(row);
        moved = true;
        break;
      }
    }
  }
}
