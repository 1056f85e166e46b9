import type { Row, SetStage } from "../../stages/stage.js";
import { describeFile } from "../files.js";
import type { Manifest } from "../manifest.js";
import type { Finding } from "./finding.js";
import { type Bench, contextOf } from "./rederive.js";

/** Writes the pools once more from the tasks and compares every file with the one in the dataset. */
export async function checkPools(
  dir: string,
  manifest: Manifest,
  rows: readonly Row[],
  bench: Bench,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const say = (code: string, where: string, message: string) =>
    findings.push({ check: "pools", code, where, message });
  for (const instance of bench.instances.filter((i) => i.stage.gives === "pools")) {
    await (instance.stage as SetStage).run(rows, contextOf(bench, instance));
  }
  for (const { file, pool } of manifest.pools) {
    const [made, stored] = await Promise.all([describeFile(bench.outDir, file), describeFile(dir, file)]);
    if (stored === undefined) continue;
    if (made === undefined) say("pool_not_made", file, "the tasks do not give this pool");
    else if (made.sha256 !== stored.sha256)
      say("pool_differs", file, `it does not follow from the tasks: ${pool} has other rows or values`);
  }
  return findings;
}
