import { axolotl } from "./axolotl.js";
import type { Exporter } from "./exporter.js";
import { hub } from "./hub.js";
import { llamaFactory } from "./llama-factory.js";
import { msSwift } from "./ms-swift.js";
import { nemoGym } from "./nemo-gym.js";
import { openInstruct } from "./open-instruct.js";
import { openrlhfRl } from "./openrlhf-rl.js";
import { openrlhfSft } from "./openrlhf-sft.js";
import { primeRl } from "./prime-rl.js";
import { slime } from "./slime.js";
import { trlGrpo } from "./trl-grpo.js";
import { trlSft } from "./trl-sft.js";
import { verifiers } from "./verifiers.js";
import { verlRl } from "./verl-rl.js";
import { verlSft } from "./verl-sft.js";

/** All targets of `pipeline export --to`, in the order of the help. A further one is its file and a line here. */
export const EXPORTERS: readonly Exporter[] = [
  verlRl,
  verlSft,
  trlSft,
  trlGrpo,
  openrlhfSft,
  openrlhfRl,
  axolotl,
  llamaFactory,
  msSwift,
  primeRl,
  verifiers,
  nemoGym,
  slime,
  openInstruct,
  hub,
];
