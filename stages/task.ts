import { z } from "zod";
import { canonicalJson, compareText, sha256 } from "../pipeline/base/canonical.js";
import { formulaSchema } from "./formulas/formula.js";
import { programSchema, STATISTICS } from "./program/program.js";

/** The rows of the main line, each kind adding to the one before. Numbers are stored at 12 significant digits. */

const hash = z.string();

/** A program and where it comes from. */
export const programRow = z.object({
  id: z.string(),
  program: programSchema,
  /** The formula itself, so that a row says all that its answer depends on. */
  formula: formulaSchema.omit({ anchors: true }),
  /** Formulas of derived columns, by column. */
  derived: z.record(z.string(), formulaSchema.omit({ anchors: true })).optional(),
  /** Hashes of the tables it reads, by table id. */
  snapshots: z.record(z.string(), hash),
  /** `recipe` with the recipe's id, or `space` with space id and candidate index. */
  origin: z.object({
    stage: z.string(),
    kind: z.enum(["recipe", "space"]),
    name: z.string(),
    index: z.number().optional(),
  }),
});
export type ProgramRow = z.infer<typeof programRow>;

/** After `filter`: how many entities meet the conditions. */
export const filteredRow = programRow.extend({
  filter: z.object({
    /** Rows of the table, and for each condition (in the program's order) how many it holds for, and for how many it is unknown. */
    rows: z.number(),
    conditions: z.array(z.object({ holds: z.number(), unknown: z.number() })),
    candidates: z.number(),
    unknown: z.number(),
  }),
});
export type FilteredRow = z.infer<typeof filteredRow>;

export const entityRef = z.object({
  table: z.string(),
  key: z.string(),
  name: z.string(),
  record: z.number(),
});
export type EntityRef = z.infer<typeof entityRef>;

/** An entity that was chosen, and the evidence that it is the one. */
const choice = z.object({
  entity: entityRef,
  value: z.number(),
  unit: z.string(),
  /** Best candidates in order, at most 10, the selected one among them. */
  ranking: z.array(
    z.object({ key: z.string(), name: z.string(), value: z.number(), u: z.number().nullable() }),
  ),
  /** The tightest rival: gap and required gap in the column's unit (or exact). */
  margin: z
    .object({ rival: z.string(), gap: z.number(), required: z.number(), relative: z.number() })
    .nullable(),
  /** For each condition, who would be selected without it (another entity, or null if nobody safely). */
  without: z.array(z.string().nullable()),
});
export type Choice = z.infer<typeof choice>;

/** After `select`: whom the program chooses; or, where it chooses nobody, how its candidates bear being aggregated. */
export const selectedRow = filteredRow.extend({
  selection: choice
    .extend({
      /** Entities between the selected and the followed one. */
      via: z.array(entityRef).optional(),
      /** At the end of `follow`. */
      followed: entityRef.optional(),
      /** For each `peers` step of `follow`, in order: how it chose. */
      peers: z.array(choice.extend({ candidates: z.number() })).optional(),
      other: choice.extend({ candidates: z.number() }).optional(),
    })
    .optional(),
  aggregate: z
    .object({
      members: z.array(z.object({ key: z.string(), record: z.number() })),
      /** For each input taken over the candidates: what it would be without the one member that moves it most. */
      leave_one_out: z.record(
        z.string(),
        z.object({ value: z.number(), without: z.string(), left: z.number(), relative: z.number() }),
      ),
    })
    .optional(),
});
export type SelectedRow = z.infer<typeof selectedRow>;

/** One hidden verification target. */
export const chainStep = z.object({
  id: z.string(),
  kind: z.enum(["entity", "attribute", "intermediate", "answer"]),
  label: z.string(),
  text: z.string(),
  /** Other names of an entity; empty for values. */
  aliases: z.array(z.string()),
  value: z.number().nullable(),
  unit: z.string().nullable(),
  /** Relative tolerance within which a solver's value counts as this one. */
  tolerance: z.number().nullable(),
  depends_on: z.array(z.string()),
});
export type ChainStep = z.infer<typeof chainStep>;

/** What a row has been through. Only the stage that ran a gate may say `passed`. */
export const gate = z.object({
  gate: z.string(),
  status: z.enum(["passed", "failed", "not_run"]),
  why: z.string(),
});

/** After `compute`. */
export const computedRow = selectedRow.extend({
  answer: z.object({
    type: z.enum(["quantity", "integer"]),
    /** At 12 significant digits, in `unit`. */
    value: z.number(),
    unit: z.string(),
    digits: z.number(),
    /** The value as asked for: "1.27". */
    text: z.string(),
    /** Relative grading tolerance; 0 for exact integers. */
    tolerance: z.number(),
    /** Standard relative uncertainty that the inputs propagate. */
    uncertainty: z.number(),
    by_duckdb: z.number(),
    by_typescript: z.number(),
    condition_number: z.number(),
  }),
  inputs: z.record(
    z.string(),
    z.object({
      /** Whose attribute it is; absent for a figure of all candidates. */
      entity: entityRef.optional(),
      take: z.enum(STATISTICS).optional(),
      column: z.string(),
      value: z.number(),
      unit: z.string(),
      u: z.number(),
      sensitivity: z.number(),
    }),
  ),
  /** Answers that a solver on a wrong way would give, none within three tolerances. */
  wrong_answers: z.array(z.object({ how: z.string(), value: z.number() })),
  chain: z.array(chainStep),
  gates: z.array(gate),
  difficulty: z.object({
    conditions: z.number(),
    hops: z.number(),
    candidates: z.number(),
    rank: z.number(),
    formula_inputs: z.number(),
    formula_depth: z.number(),
    form: z.enum(["select", "hop", "compare", "aggregate"]),
    /** Hidden targets before the answer: entities, attributes, intermediate quantities. */
    evidence: z.number(),
  }),
});
export type ComputedRow = z.infer<typeof computedRow>;

/** After `verbalize`. */
export const wordedRow = computedRow.extend({
  question: z.string(),
  wording: z.object({
    by: z.string(),
    style: z.record(z.string(), z.string()),
    /** Recorded calls that a model's tries at a wording took, the last one's included. */
    calls: z.array(z.string()).optional(),
  }),
});
export type WordedRow = z.infer<typeof wordedRow>;

/** After `split`. */
export const splitRow = wordedRow.extend({
  split: z.enum(["train", "validation", "test"]),
  /** Rows that share an entity or formula group stay together. */
  group: z.string(),
});
export type SplitRow = z.infer<typeof splitRow>;

/**
 * Who a task is about, as a name for splits and groups of rows that are not independent: the selected entity, the two that are
 * compared (whichever comes first), or for aggregates the set of candidates.
 */
export function subjectOf({
  program,
  selection,
  aggregate,
}: Pick<SelectedRow, "program" | "selection" | "aggregate">): string {
  return `${program.table}/${whoOf(selection, aggregate)}`;
}

function whoOf(selection: SelectedRow["selection"], aggregate: SelectedRow["aggregate"]): string {
  if (selection === undefined) {
    const members = aggregate?.members.map((m) => m.key) ?? [];
    return `{${sha256(canonicalJson(members)).slice(0, 16)}}`;
  }
  const { entity, other } = selection;
  return other === undefined ? entity.key : [entity.key, other.entity.key].sort(compareText).join(" + ");
}
