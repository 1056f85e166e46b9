import { describe, expect, it } from "vitest";
import { gather } from "../../../pipeline/report/gather.js";
import { page } from "../../../pipeline/report/page.js";
import type { RejectedItem } from "../../../stages/stage.js";
import type { SplitRow } from "../../../stages/task.js";
import { splitRows } from "../../datasets/rows.js";
import { factsOf } from "./facts.js";

/** Rows again and again, each under an id and an entity of its own. */
function many(count: number): SplitRow[] {
  const base = splitRows(60);
  return Array.from({ length: count }, (_, i) => {
    const row = base[i % base.length]!;
    const id = i.toString(16).padStart(16, "0");
    const entity = { ...row.selection!.entity, name: `${row.selection!.entity.name} ${i % 30_000}` };
    return { ...row, id, selection: { ...row.selection!, entity } };
  });
}

describe("a report on 100,000 tasks", () => {
  it("is no longer than one on a few hundred, and counts them all", async () => {
    const large = factsOf(many(100_000));
    async function* rejections(id: string): AsyncIterable<RejectedItem> {
      if (id !== "select") return;
      for (let i = 0; i < 100_000; i++)
        yield {
          ref: `r${i}`,
          reason: i % 2 === 0 ? "margin" : "tie",
          evidence: { gap: i, required: 200_000 },
        };
    }
    const report = await gather({ ...large, rejections });
    expect(report.coverage.tables.rows).toBe(100_000);
    expect(report.coverage.entities.distinct).toBeGreaterThan(20_000);
    const html = await page(report);
    const small = await page(await gather(factsOf(many(600))));
    expect(html.length).toBeLessThan(2_000_000);
    expect(html.length).toBeLessThan(1.2 * small.length);
    // Never a mark for each row: a few thousand elements in all.
    expect(html.match(/<(?:path|text|rect|line|circle)\b/g)!.length).toBeLessThan(4000);
    expect(JSON.stringify(report).length).toBeLessThan(1_000_000);
  });
});
