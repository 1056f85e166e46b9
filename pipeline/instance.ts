import type { Stage } from "../stages/stage.js";

/** A stage instance of the graph; instances stand in topological order. */
export interface Instance {
  readonly id: string;
  readonly stage: Stage;
  /** As parsed by the stage's own schema. */
  readonly params: unknown;
  readonly from: readonly string[];
}
