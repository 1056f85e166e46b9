import { admit } from "../stages/admit.js";
import { balance } from "../stages/balance.js";
import { compute } from "../stages/compute.js";
import { curate } from "../stages/curate.js";
import { decontaminate } from "../stages/decontaminate.js";
import { dedup } from "../stages/dedup.js";
import { emit } from "../stages/emit.js";
import { enumerate } from "../stages/enumerate.js";
import { filter } from "../stages/filter.js";
import { ingest } from "../stages/ingest.js";
import { lint } from "../stages/lint.js";
import { probe } from "../stages/probe.js";
import { problems } from "../stages/problems.js";
import { recipes } from "../stages/recipes.js";
import { rollout } from "../stages/rollout.js";
import { roundTrip } from "../stages/round-trip.js";
import { select } from "../stages/select.js";
import { solve } from "../stages/solve.js";
import { split } from "../stages/split.js";
import { verbalize } from "../stages/verbalize.js";
import { Registry } from "./registry.js";

/** The stage kinds that come with Taskmill: the one place that imports each of them. */
export function builtins(): Registry {
  return new Registry([
    ingest,
    recipes,
    enumerate,
    problems,
    filter,
    select,
    compute,
    verbalize,
    lint,
    dedup,
    balance,
    decontaminate,
    roundTrip,
    probe,
    solve,
    rollout,
    admit,
    curate,
    split,
    emit,
  ]);
}
