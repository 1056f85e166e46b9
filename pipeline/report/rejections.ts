import type { RejectedItem } from "../../stages/stage.js";
import type { Facts } from "../facts.js";

type Stage = Facts["manifest"]["stages"][number];

/** Looks at every rejected item that the run kept. */
export interface Observer {
  add(stage: Stage, item: RejectedItem): void;
}

/** Shows all kept rejections to each observer, stage by stage, in one pass. */
export async function observe(facts: Facts, observers: readonly Observer[]): Promise<void> {
  for (const stage of facts.manifest.stages) {
    if (stage.stage === "ingest" || Object.keys(stage.rejected).length === 0) continue;
    for await (const item of facts.rejections(stage.id))
      for (const observer of observers) observer.add(stage, item);
  }
}
