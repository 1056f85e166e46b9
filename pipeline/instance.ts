import type { Stage, StageFile } from "../stages/stage.js";

/** A stage instance of the graph; instances stand in topological order. */
export interface Instance {
  readonly id: string;
  readonly stage: Stage;
  /** As parsed by the stage's own schema. */
  readonly params: unknown;
  readonly from: readonly string[];
  /** Files that its params name. */
  readonly files?: ReadonlyMap<string, StageFile>;
}

/** Model roles that an instance asks. */
export function rolesOf({ stage, params }: Instance): readonly string[] {
  return [...new Set(stage.roles?.(params) ?? [])];
}

export function filesOf({ files }: Instance): ReadonlyMap<string, StageFile> {
  return files ?? new Map();
}
