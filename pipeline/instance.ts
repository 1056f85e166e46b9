import type { Stage, StageFile } from "../stages/stage.js";

/** A stage instance of the graph; instances stand in topological order. */
export interface Instance {
  readonly id: string;
  readonly stage: Stage;
  /** As parsed by the stage's own schema. */
  readonly params: unknown;
  readonly from: readonly string[];
  /** Model roles that it asks. */
  readonly roles: readonly string[];
  /** Files that its params name. */
  readonly files: ReadonlyMap<string, StageFile>;
}
