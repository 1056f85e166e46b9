import { z } from "zod";
import { canonicalJson, compareText } from "../pipeline/base/canonical.js";
import { shapeOf } from "./program/shape.js";
import { defineStage, type RejectedItem } from "./stage.js";
import { type WordedRow, wordedRow } from "./task.js";

const count = z.number().int().positive();

const params = z.strictObject({
  /** How many tasks may ask the same formula of the same entity from the same inputs: the answer is one, the way there differs. */
  per_answer: count.default(3),
  /** How many of them may differ in the numbers of their conditions only. */
  per_shape: count.default(1),
});
type Params = z.infer<typeof params>;

/** Keeps the first of tasks that are the same, so that what it decides about a row never depends on later ones. */
export const dedup = defineStage<Params, WordedRow, WordedRow>({
  kind: "dedup",
  version: 2,
  summary: "keeps the first of tasks that are the same, or the same but for a number",
  mode: "set",
  params,
  takes: "worded",
  gives: "worded",
  input: wordedRow,
  output: wordedRow,
  reasons: {
    duplicate_program: "the same program came before",
    duplicate_question: "the same question, but for case, spaces and punctuation, came before",
    duplicate_shape:
      "a task that differs in the numbers of its conditions only came before, with the same answer",
    duplicate_answer_path: "enough tasks that ask the same of the same entity came before",
  },
  run(rows, { params }) {
    const seen = new Seen();
    const out: WordedRow[] = [];
    const rejected: RejectedItem[] = [];
    for (const row of rows) {
      const double = seen.doubleOf(row, params);
      if (double === undefined) {
        seen.add(row);
        out.push(row);
      } else {
        rejected.push({
          ref: row.id,
          reason: double.reason,
          evidence: { first: double.first, question: row.question },
        });
      }
    }
    return { out, rejected };
  },
});

class Seen {
  private readonly programs = new Map<string, string[]>();
  private readonly questions = new Map<string, string[]>();
  private readonly shapes = new Map<string, string[]>();
  private readonly answers = new Map<string, string[]>();

  doubleOf(row: WordedRow, limits: Params): { reason: string; first: string } | undefined {
    const checks: [string, Map<string, string[]>, string, number][] = [
      ["duplicate_program", this.programs, row.id, 1],
      ["duplicate_question", this.questions, normalQuestion(row.question), 1],
      ["duplicate_shape", this.shapes, sameShape(row), limits.per_shape],
      ["duplicate_answer_path", this.answers, answerPathOf(row), limits.per_answer],
    ];
    for (const [reason, map, key, most] of checks) {
      const ids = map.get(key) ?? [];
      if (ids.length >= most) return { reason, first: ids[0]! };
    }
    return undefined;
  }

  add(row: WordedRow): void {
    append(this.programs, row.id, row.id);
    append(this.questions, normalQuestion(row.question), row.id);
    append(this.shapes, sameShape(row), row.id);
    append(this.answers, answerPathOf(row), row.id);
  }
}

function append(map: Map<string, string[]>, key: string, id: string): void {
  const ids = map.get(key);
  if (ids === undefined) map.set(key, [id]);
  else ids.push(id);
}

/**
 * A question without what does not change its meaning: case, compatibility forms, runs of spaces, punctuation. Signs and points
 * inside numbers stay: "-5" is not "5", "1.5" not "15".
 */
export function normalQuestion(question: string): string {
  return question
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[.,;:!?](?=\s|$)|["'“”‘’()]/gu, "")
    .replace(/\s+/gu, " ")
    .trim();
}

/** Entities, formula and the values it reads: all that the answer depends on. */
function answerPathOf({ program, selection, aggregate, formula }: WordedRow): string {
  const { table, compute } = program;
  return canonicalJson({
    table,
    // Which of two comes first changes neither a difference nor, but for its inverse, a ratio.
    entities: [selection?.entity.key, selection?.other?.entity.key]
      .filter((key) => key !== undefined)
      .sort(compareText),
    followed: selection?.followed?.key,
    members: aggregate?.members.map((m) => m.key),
    formula: formula.id,
    inputs: compute.inputs,
  });
}

/** The answer path with the way to it, numbers of conditions left out. */
function sameShape(row: WordedRow): string {
  return canonicalJson([answerPathOf(row), shapeOf(row.program)]);
}
