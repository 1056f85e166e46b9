import { z } from "zod";
import { canonicalJson, sha256 } from "../../pipeline/base/canonical.js";
import { condition, identifier } from "../../sources/card.js";

/** Raised when the meaning of a program's JSON changes; part of every task id. */
export const PROGRAM_VERSION = 1;

/** An attribute that a formula reads: of the selected entity, or of the one reached by `follow`. */
export const inputRef = z.strictObject({
  of: z.enum(["selected", "followed"]).default("selected"),
  column: identifier,
});
export type InputRef = z.infer<typeof inputRef>;

export const whereSchema = z.array(condition).max(8);

export const selectSchema = z.strictObject({
  column: identifier,
  order: z.enum(["max", "min"]),
  rank: z.number().int().min(1).max(20).default(1),
});

/**
 * A task as a small typed value: among the entities of `table` for which all of `where` hold, take the one with the
 * `rank`-th largest or smallest `column`, hop along `follow` if given, and compute `formula`.
 */
export const programSchema = z.strictObject({
  version: z.literal(PROGRAM_VERSION).default(PROGRAM_VERSION),
  table: identifier,
  where: whereSchema,
  select: selectSchema,
  /** A link declared on the table's card. */
  follow: identifier.optional(),
  compute: z.strictObject({
    formula: identifier,
    inputs: z.record(identifier, inputRef),
    /** Unit and significant figures that the question asks for. */
    unit: z.string().min(1),
    digits: z.number().int().min(2).max(12),
  }),
});
export type Program = z.infer<typeof programSchema>;

/** Canonical text: conditions sorted, so that two programs that mean the same by order alone are one. */
export function canonicalProgram(program: Program): string {
  const where = [...program.where].sort((a, b) => (canonicalJson(a) < canonicalJson(b) ? -1 : 1));
  return canonicalJson({ ...program, where });
}

/**
 * 16 hex digits from the program, the formula's definition and the hashes of the tables it reads: the same on any machine.
 */
export function taskId(
  program: Program,
  formula: object,
  snapshots: Readonly<Record<string, string>>,
): string {
  return sha256(`${canonicalProgram(program)}\n${canonicalJson(formula)}\n${canonicalJson(snapshots)}`).slice(
    0,
    16,
  );
}
