import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readPool } from "../../datasets/read.js";
import { tasksPool } from "../../datasets/schema/index.js";
import { run, verify } from "../../pipeline/index.js";
import { gather } from "../datasets/rows.js";
import { inFolder } from "./helpers.js";

describe("a row that emit turns away at the last moment", () => {
  it("is counted as rejected, and neither as accepted nor under any gate or split", () =>
    inFolder(async (dir) => {
      const recipe = (id: string, select: object) => ({
        id,
        table: "planets",
        where: [{ column: "rings", op: "is", value: true }],
        select,
        compute: { formula: "bulk_density", inputs: { mass: "mass", radius: "mean_radius" } },
      });
      const config = {
        name: "shown",
        seed: 1,
        sources: ["planets"],
        stages: {
          recipes: {
            recipes: [
              recipe("uranus", { column: "mass", order: "min" }),
              recipe("saturn", { column: "semi_major_axis", order: "min", rank: 2 }),
            ],
          },
          emit: {
            system: "Answer briefly. Uranus is a planet.",
            admit_unscreened: ["closed_book", "round_trip", "contamination", "solve", "admission"],
          },
        },
      };
      const { manifest, outDir } = await run(config, { outDir: join(dir, "out"), env: {} });
      const emit = manifest.stages.find(({ stage }) => stage === "emit")!;
      expect(emit).toMatchObject({ in: 2, out: 1, rejected: { hidden_target_shown: 1 } });
      expect(manifest.accepted).toBe(1);
      expect(Object.values(manifest.splits).reduce((sum, n) => sum + n, 0)).toBe(1);
      expect(manifest.gates.twice_computed).toMatchObject({ passed: 1 });
      const tasks = await gather(readPool(join(outDir, "pools/tasks.parquet"), tasksPool));
      expect(tasks.map((t) => t.hidden_entity_name)).toEqual(["Saturn"]);
      expect((await verify(outDir)).findings).toEqual([]);
    }));
});
