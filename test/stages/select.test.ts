import { describe, expect, it } from "vitest";
import { select } from "../../stages/select.js";
import type { FilteredRow } from "../../stages/task.js";
import { tableOf } from "../fixtures/tables.js";

type Context = Parameters<typeof select.run>[1];

describe("the evidence of a refusal", () => {
  it.each([
    ["a required gap", { absolute: 1e308 }, 1e308],
    ["an uncertainty", { relative: 1e300 }, null],
  ])("is JSON also where a card makes %s larger than any double", async (_what, uncertainty, u) => {
    const mass = { type: "number", scale: "ratio", unit: "kg", uncertainty } as const;
    const of = (value: number) => ({ value, u: u ?? Number.POSITIVE_INFINITY });
    const complete = [{ where: [], total: 2, source: "by construction" }];
    const table = tableOf("bodies", { m: mass }, { a: [of(1e24)], b: [of(2e24)] }, { complete });
    const program = {
      version: 2,
      table: "bodies",
      where: [],
      select: { column: "m", order: "max", rank: 1 },
      compute: { inputs: {} },
    };
    const context = {
      catalog: { tables: new Map([["bodies", table]]) },
      params: select.params.parse({}),
    } as unknown as Context;
    const outcome = await select.run({ id: "x", program } as unknown as FilteredRow, context);
    expect(outcome).toMatchObject({ reject: { reason: "margin", evidence: { entity: "a", u } } });
    const { evidence } = (outcome as { reject: { evidence: object } }).reject;
    expect(JSON.parse(JSON.stringify(evidence))).toEqual(evidence);
  });
});
