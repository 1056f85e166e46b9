import { describe, expect, it } from "vitest";
import type { Instance } from "../../pipeline/instance.js";
import type { Manifest } from "../../pipeline/manifest.js";
import { unreachable } from "../../pipeline/reachable.js";
import type { GraphRun } from "../../pipeline/rounds.js";
import { overfullOf, shortfallOf } from "../../pipeline/shortfall.js";
import type { Card } from "../../sources/card.js";

const done = (id: string, kind: string, counts: object) => ({ id, kind, version: 1, results: [], counts });
const run = (...list: object[]) => ({ done: list, hopeless: false }) as unknown as GraphRun;
const manifest = {
  ...{ reached: false, accepted: 36, candidates: 5000 },
  target: { accepted: 200, candidates: 5000, limit: null },
} as unknown as Manifest;
const over = (value: string, property = "formula") => ({
  ...{ ref: "x", reason: "over_share" },
  evidence: { property, value, share: 0.2, admitted: 12 },
});
async function* stream(items: readonly object[]) {
  yield* items;
}
const BALANCED = [
  done("enumerate", "enumerate", { in: 0, created: 5000, out: 448, rejected: { margin: 4552 } }),
  done("balance", "balance", { in: 448, created: 0, out: 36, rejected: { over_share: 412 } }),
];

describe("a run that fell short", () => {
  it("is put down to the shares where enough rows came to them", async () => {
    const rejections = [
      ...Array(300).fill(over("total")),
      ...Array(90).fill(over("share")),
      over("e", "entity"),
    ];
    const overfull = await overfullOf("balance", stream(rejections));
    expect(overfull.map(({ property, rows, values }) => [property, rows, values])).toEqual([
      ["formula", 390, ["total", "share"]],
      ["entity", 1, ["e"]],
    ]);
    const { hint } = shortfallOf(manifest, run(...BALANCED), new Set(), overfull)!;
    expect(hint).toContain("448 rows came to `balance`, which lets one `formula` be 0.2 of the dataset");
    expect(hint).toContain("390 rows wait for it (total, share)");
  });

  it("is put down to candidates where too few came", async () => {
    const overfull = await overfullOf("balance", stream([over("total")]));
    const few = [
      BALANCED[0]!,
      done("balance", "balance", { in: 40, created: 0, out: 36, rejected: { over_share: 4 } }),
    ];
    expect(shortfallOf(manifest, run(...few), new Set(), overfull)!.hint).toContain(
      "raise target.candidates",
    );
    expect(shortfallOf({ ...manifest, reached: true }, run(), new Set(), [])).toBeUndefined();
  });

  it.each([
    ["private_entity", "public: false"],
    ["incomplete_catalogue", "do not count as complete"],
  ])("is put down to a card where most of it is %s", (reason, hint) => {
    const rejected = { [reason]: 4000, margin: 900 };
    const refused = done("enumerate", "enumerate", { in: 0, created: 5000, out: 100, rejected });
    expect(shortfallOf(manifest, run(refused), new Set(), [])!.hint).toContain(hint);
  });
});

describe("a target that can never be met", () => {
  const instance = (kind: string, mode: string, params: object) =>
    ({ id: kind, stage: { kind, mode, gives: "programs" }, params }) as unknown as Instance;
  const card = (id: string, known: boolean) => ({ id, entity: { public: known } }) as unknown as Card;
  const spaces = (...formulas: string[]) =>
    instance("enumerate", "source", { spaces: [{ table: "cars", formulas }] });
  const balance = instance("balance", "set", { formula: 0.2, floor: 3 });

  it("is told of where the formulas are too few for their share", () => {
    const why = unreachable([spaces("a", "b", "c"), balance], [card("cars", true)], 60)!;
    expect(why).toContain(
      "there are 3 (a, b, c): at most 9 of 60 rows can pass. Set its `formula` to 0.34 or more",
    );
    expect(unreachable([spaces("a", "b", "c"), balance], [card("cars", true)], 9)).toBeUndefined();
    expect(unreachable([spaces("a", "b", "c", "d", "e"), balance], [card("cars", true)], 60)).toBeUndefined();
    const open = instance("enumerate", "source", { spaces: [{ table: "cars" }] });
    expect(unreachable([open, balance], [card("cars", true)], 60)).toBeUndefined();
  });

  it("is told of where nobody knows the entities", () => {
    expect(unreachable([spaces("a")], [card("cars", false)], 60)).toMatch(/public: false.*: cars$/);
  });
});
