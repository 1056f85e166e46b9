import { z } from "zod";
import { type ProblemRow, problemRow } from "./problem.js";
import { defineStage } from "./stage.js";
import { type SplitRow, splitRow, subjectOf, type WordedRow, wordedRow } from "./task.js";

const share = z.number().min(0).max(1);

const params = z.strictObject({
  /** Expected shares; what a dataset really holds depends on the size of its groups and is counted in the report. */
  shares: z
    .strictObject({ train: share, validation: share, test: share })
    .refine((s) => Math.abs(s.train + s.validation + s.test - 1) < 1e-9, "the three shares must add up to 1")
    .default({ train: 0.8, validation: 0.1, test: 0.1 }),
  /** Rows that agree in all of these stay together. */
  group: z
    .array(z.enum(["entity", "formula", "followed", "table", "select_column"]))
    .min(1)
    .default(["entity", "formula"]),
  /** What keeps problems together, which have no entity: each stands alone (without it), or those of a topic and source go together. */
  problems: z.enum(["problem", "topic"]).optional(),
});
type Params = z.infer<typeof params>;

/** A problem with its split. */
export const splitProblemRow = problemRow.extend(splitRow.pick({ split: true, group: true }).shape);
export type SplitProblemRow = z.infer<typeof splitProblemRow>;

/**
 * Puts each group of rows into train, validation or test by a number drawn for the group's name: a row's split depends on the
 * seed and its group alone, so a grown dataset never moves one.
 */
export const split = defineStage<Params, WordedRow | ProblemRow, SplitRow | SplitProblemRow>({
  kind: "split",
  version: 2,
  summary: "puts rows into train, validation and test, groups kept together",
  mode: "set",
  params,
  takes: "question",
  gives: "split",
  input: z.union([wordedRow, problemRow]),
  output: z.union([splitRow, splitProblemRow]),
  reasons: {},
  run(rows, { params, random }) {
    const out = rows.map((row) => {
      const group = "problem" in row ? problemGroup(row, params.problems) : groupOf(row, params.group);
      return { ...row, group, split: splitAt(random("group", group).next(), params.shares) };
    });
    return { out, rejected: [] };
  },
});

/** e.g. `topic=quiz/orbits`, or `problem=quiz/0123456789abcdef`; problems without topic stand alone. */
export function problemGroup({ id, problem }: ProblemRow, by: Params["problems"]): string {
  const { source, topic } = problem;
  const name =
    by === "topic" && topic !== undefined ? `topic=${source}/${encodeURIComponent(topic)}` : undefined;
  return name ?? `problem=${source}/${id}`;
}

/** A readable name, e.g. `entity=planets/uranus formula=bulk_density`; values are escaped, so that no two groups share one. */
export function groupOf(row: WordedRow, fields: Params["group"]): string {
  const { program, selection } = row;
  const followed = selection?.followed;
  const values = {
    entity: escaped(subjectOf(row)),
    followed: followed === undefined ? "none" : `${followed.table}/${encodeURIComponent(followed.key)}`,
    formula: program.compute.formula,
    table: program.table,
    select_column: `${program.table}.${program.select?.column ?? "none"}`,
  };
  return fields.map((field) => `${field}=${values[field]}`).join(" ");
}

/** All but the table's id, which needs none. */
function escaped(subject: string): string {
  const at = subject.indexOf("/") + 1;
  return subject.slice(0, at) + encodeURIComponent(subject.slice(at));
}

function splitAt(drawn: number, shares: Params["shares"]): SplitRow["split"] {
  if (drawn < shares.train) return "train";
  return drawn < shares.train + shares.validation ? "validation" : "test";
}
