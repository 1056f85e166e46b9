import { fail } from "../base/errors.js";
import type { ModelAccess } from "../rounds.js";

/** Where the config names no models. */
export const NO_MODELS: ModelAccess = {
  forInstance: () => ({
    identity: () => undefined,
    ask: ({ role }) => fail("internal", "no_models", `the config has no role \`${role}\``),
  }),
  recordings: { call: () => undefined, observation: () => undefined },
  rowsAtOnce: () => 0,
  flush: () => {},
};
