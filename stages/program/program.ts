import { z } from "zod";
import { canonicalJson, sha256 } from "../../pipeline/base/canonical.js";
import { condition, identifier } from "../../sources/card.js";

/** Raised when the meaning of a program's JSON changes; part of every task id. */
export const PROGRAM_VERSION = 2;

/** What may be taken of a column over all candidates. */
export const STATISTICS = ["total", "mean", "median"] as const;
export type Statistic = (typeof STATISTICS)[number];

/**
 * What a formula reads: an attribute of the selected entity, of the one at the end of `follow`, of the `other` one, or (with `take`)
 * one figure of all candidates.
 */
export const inputRef = z.strictObject({
  of: z.enum(["selected", "followed", "other", "candidates"]).default("selected"),
  column: identifier,
  /** With `of: candidates`, and only there. */
  take: z.enum(STATISTICS).optional(),
});
export type InputRef = z.infer<typeof inputRef>;

export const whereSchema = z.array(condition).max(8);

export const selectSchema = z.strictObject({
  column: identifier,
  order: z.enum(["max", "min"]),
  rank: z.number().int().min(1).max(20).default(1),
});
export type Select = z.infer<typeof selectSchema>;

/**
 * A step from one entity to the next: along a link of its card, or to the extremum among its `peers`, the rows of its own table that
 * share its text in a column (the highest airport of the same country).
 */
export const stepSchema = z.union([identifier, z.strictObject({ peers: identifier, select: selectSchema })]);
export type Step = z.infer<typeof stepSchema>;
export type Peers = Exclude<Step, string>;

/** A column that the table does not have, computed for every row from columns that it has. */
export const deriveSchema = z.record(
  identifier,
  z.strictObject({ formula: identifier, inputs: z.record(identifier, identifier) }),
);
export type Derive = z.infer<typeof deriveSchema>;

/** A second entity of the same table. */
export const otherSchema = z.strictObject({ where: whereSchema, select: selectSchema });

/**
 * A task as a small typed value: among the entities of `table` for which all of `where` hold, take the one with the
 * `rank`-th largest or smallest `column`, go on along `follow` if given, take an `other` entity if given, and compute `formula`.
 * Without `select` the formula reads figures of all candidates.
 */
export const programSchema = z.strictObject({
  version: z.literal(PROGRAM_VERSION).default(PROGRAM_VERSION),
  table: identifier,
  /** Columns computed from others, by the id under which conditions and selections name them. */
  derive: deriveSchema.optional(),
  where: whereSchema,
  select: selectSchema.optional(),
  follow: z.array(stepSchema).min(1).max(3).optional(),
  other: otherSchema.optional(),
  compute: z.strictObject({
    formula: identifier,
    inputs: z.record(identifier, inputRef),
    /** Unit and significant figures that the question asks for. */
    unit: z.string().min(1),
    digits: z.number().int().min(2).max(12),
  }),
});
export type Program = z.infer<typeof programSchema>;

/** A program that selects an entity. */
export type SelectingProgram = Program & { readonly select: Select };

/** What a program does, in a word. */
export type Form = "select" | "hop" | "compare" | "aggregate";

export function formOf({ select, follow, other }: Pick<Program, "select" | "follow" | "other">): Form {
  if (select === undefined) return "aggregate";
  if (other !== undefined) return "compare";
  return follow === undefined ? "select" : "hop";
}

/** Canonical text: conditions sorted, so that two programs that mean the same by order alone are one. */
export function canonicalProgram(program: Program): string {
  const { other } = program;
  return canonicalJson({
    ...program,
    where: sorted(program.where),
    ...(other === undefined ? {} : { other: { ...other, where: sorted(other.where) } }),
  });
}

function sorted(where: Program["where"]): Program["where"] {
  return [...where].sort((a, b) => (canonicalJson(a) < canonicalJson(b) ? -1 : 1));
}

/**
 * 16 hex digits from the program, the definitions of its formulas and the hashes of the tables it reads: the same on any machine.
 */
export function taskId(
  program: Program,
  formulas: object,
  snapshots: Readonly<Record<string, string>>,
): string {
  return sha256(
    `${canonicalProgram(program)}\n${canonicalJson(formulas)}\n${canonicalJson(snapshots)}`,
  ).slice(0, 16);
}
