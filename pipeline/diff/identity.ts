import { canonicalJson, type Json, sha256 } from "../base/canonical.js";

/**
 * Names of tasks across datasets. A task's id covers its program, its formulas and the hashes of the tables it reads, so that no task keeps
 * its id when a snapshot changes. Its program does.
 */

export interface Program {
  readonly where?: readonly Json[];
  readonly other?: { readonly where?: readonly Json[] };
  readonly [key: string]: unknown;
}

/** Canonical text of a program: the order of conditions means nothing, in it and in its second selection. */
export function programText({ other, ...program }: Program): string {
  return canonicalJson({
    ...program,
    where: sorted(program.where),
    ...(other === undefined ? {} : { other: { ...other, where: sorted(other.where) } }),
  });
}

function sorted(where: readonly Json[] = []): readonly Json[] {
  if (where.length < 2) return where;
  return [...where].sort((a, b) => (canonicalJson(a) < canonicalJson(b) ? -1 : 1));
}

/** Names a program whatever data it reads and however its formula is defined: 32 hex digits. */
export function programKey(program: Program): string {
  // The form of programs has a version; a step that was a word is now a list of one.
  const { version: _, follow, ...rest } = program;
  const path = typeof follow === "string" ? [follow] : follow;
  return sha256(programText({ ...rest, follow: path })).slice(0, 32);
}

/**
 * The id that stages give a task (`stages/program/program.ts`; a test holds the two together).
 * @param program as {@link programText} writes it
 * @param formulas canonical JSON of the formula, or of the formula and those of derived columns
 * @param snapshots hashes of the tables that it reads
 */
export function idOf(program: string, formulas: string, snapshots: Readonly<Record<string, string>>): string {
  return sha256(`${program}\n${formulas}\n${canonicalJson(snapshots)}`).slice(0, 16);
}

/** Names a problem whatever file states it. */
export function problemKey(source: string, question: string): string {
  return sha256(canonicalJson([source, question])).slice(0, 32);
}
