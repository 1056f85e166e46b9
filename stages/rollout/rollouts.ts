import { z } from "zod";
import { type RolloutEvidence, rolloutEvidence } from "../evidence.js";
import type { Row } from "../stage.js";

const withRollouts = z.looseObject({ rollouts: z.array(rolloutEvidence).default([]) });

/** The rollouts that stages left on a row, in their order. */
export function rolloutsOf(row: Row): readonly RolloutEvidence[] {
  return withRollouts.parse(row).rollouts;
}
