import { audit } from "./audit.js";
import { cassette } from "./cassette.js";
import { checkSolvable } from "./check-solvable.js";
import type { Command } from "./command.js";
import { diff } from "./diff.js";
import { doctor } from "./doctor.js";
import { explain } from "./explain.js";
import { exportVerb } from "./export.js";
import { init } from "./init.js";
import { plan } from "./plan.js";
import { retune } from "./retune.js";
import { review } from "./review.js";
import { run } from "./run.js";
import { schema } from "./schema.js";
import { serve } from "./serve.js";
import { sources } from "./sources.js";
import { stages } from "./stages.js";
import { verify } from "./verify.js";

/** Verbs by name, in the order of the help. */
export const COMMANDS: Readonly<Record<string, Command<unknown>>> = {
  init,
  run,
  plan,
  verify,
  audit,
  "check-solvable": checkSolvable,
  retune,
  explain,
  diff,
  review,
  export: exportVerb,
  serve,
  sources,
  stages,
  cassette,
  schema,
  doctor,
};
