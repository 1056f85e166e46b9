import { fail } from "../base/errors.js";
import { NO_ENVIRONMENT } from "../environment/none.js";
import type { ModelAccess } from "../rounds.js";

/** Where the config names no models. */
export const NO_MODELS: ModelAccess = {
  forInstance: () => ({
    identity: () => undefined,
    ask: ({ role }) => fail("internal", "no_models", `the config has no role \`${role}\``),
  }),
  environment: NO_ENVIRONMENT,
  recordings: { call: () => undefined, observation: () => undefined },
  rowsAtOnce: () => 0,
  flush: () => {},
};
