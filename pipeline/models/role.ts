import type { ModelIdentity } from "../../stages/model.js";
import type { ModelSpec } from "./spec.js";

/** A role of the config's `models`, made ready: its variables read, its endpoint named. */
export interface Role {
  readonly name: string;
  readonly spec: ModelSpec;
  readonly identity: ModelIdentity;
  /** Value of the key variable, if the role has one. Leaves the process in the Authorization header only. */
  readonly key: string | undefined;
  /** Has no endpoint here (and no recorded identity to replay under): gates that need it are `not_run`. */
  readonly off: boolean;
}
