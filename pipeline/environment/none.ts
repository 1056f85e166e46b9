import type { Environment } from "../../stages/environment.js";
import { fail } from "../base/errors.js";

/** Where the config has no `environment`. */
export const NO_ENVIRONMENT: Environment = {
  tools: [],
  identity: null,
  audit: () => ({ asked: 0, blocked: 0, served: [] }),
  open: () => fail("internal", "no_environment", "the config has no `environment`"),
};
