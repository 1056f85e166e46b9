import { describe, expect, it } from "vitest";
import { gather } from "../../../pipeline/report/gather.js";
import { page } from "../../../pipeline/report/page.js";
import type { Row } from "../../../stages/stage.js";
import { splitRows } from "../../datasets/rows.js";
import { factsOf } from "./facts.js";

const select = { column: "mass", order: "min", rank: 2 };
const choice = {
  entity: { table: "planets", key: "mars", name: "Mars", record: 4 },
  value: 6.4e23,
  unit: "kg",
  ranking: [
    { key: "mercury", name: "Mercury", value: 3.3e23, u: 1e20 },
    { key: "mars", name: "Mars", value: 6.4e23, u: 1e20 },
  ],
  margin: { rival: "Mercury", gap: 3.1e23, required: 1e21, relative: 0.48 },
  without: ["Venus"],
  candidates: 3,
};

/** One row of each form that programs may have. */
function rows(): Row[] {
  const [base] = splitRows(1);
  const { selection, ...alone } = base as unknown as Row & { selection: { entity: object }; program: object };
  const program = { ...base!.program, select, follow: undefined };
  const star = { table: "stars", key: "sun", name: "Sun", record: 1 };
  const where = [{ column: "radius", op: "gt", value: 2000 }];
  return [
    {
      ...alone,
      id: "hop",
      program: { ...program, follow: ["planet", { peers: "region", select }] },
      selection: { ...selection, via: [choice.entity], followed: star, peers: [choice] },
    },
    {
      ...alone,
      id: "compare",
      program: { ...program, other: { where, select } },
      selection: { ...selection, other: choice },
    },
    {
      ...alone,
      id: "aggregate",
      program: { ...program, select: undefined },
      inputs: { total: { take: "total", column: "mass", value: 7, unit: "kg", u: 0.1, sensitivity: 1 } },
      aggregate: {
        members: [],
        leave_one_out: { total: { value: 7, without: "Jupiter", left: 5, relative: -0.286 } },
      },
    },
    {
      ...alone,
      id: "unheard-of",
      program: { table: "planets" },
      selection: undefined,
      inputs: {},
      chain: [],
      filter: undefined,
      formula: undefined,
      wording: undefined,
    },
  ];
}

describe("tasks of every form", () => {
  it("are counted and shown step by step", async () => {
    const facts = factsOf(rows() as never);
    const report = await gather(facts);
    const forms = Object.fromEntries(report.coverage.forms.top.map(({ value, rows: n }) => [value, n]));
    expect(forms).toEqual({ hop: 1, compare: 1, aggregate: 2 });
    expect(report.coverage.shapes.distinct).toBe(4);
    expect(report.answers.influence).toEqual([{ low: 0.2, high: null, rows: 1 }]);
    const text = (await page(report)).replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
    expect(text).toContain("planet, then min mass #2 of the same region:");
    expect(text).toContain("Mars (planets) → Sun (stars)");
    expect(text).toMatch(
      /Compare with .*radius &gt; 2000.* The smallest .*mass, rank 2: Mars \. Its tightest rival, Mercury, is 3\.1 × 10²³ kg away: 310 times the 1 × 10²¹ kg that is needed/,
    );
    expect(text).toMatch(/Aggregate What each figure would be without .* total 7 Jupiter 5 -28\.6 %/);
    expect(text).toMatch(/Of all candidates\. .* total .*mass 7 kg/);
  });
});
