import { describe, expect, it } from "vitest";
import { sfc32, stream } from "../../pipeline/base/random.js";
import type { ColumnCard } from "../../sources/card.js";
import type { Catalog, Table } from "../../sources/table.js";
import { Judge, type Limits } from "../../stages/enumerate/judge.js";
import { enumerate } from "../../stages/enumerate.js";
import { filterLimits, judgeConditions } from "../../stages/filter.js";
import { builtinFormulas } from "../../stages/formulas/index.js";
import { askedAndGiven, assess, computeLimits, placesOf, wrongChoices } from "../../stages/program/assess.js";
import { checkProgram } from "../../stages/program/check.js";
import { choose, chooseLimits } from "../../stages/program/choose.js";
import { computationOf } from "../../stages/program/computation.js";
import { catalogFor } from "../../stages/program/derived.js";
import { drawMember, drawScene } from "../../stages/program/draw.js";
import { programOf } from "../../stages/program/drawn-program.js";
import { formOf, type Program } from "../../stages/program/program.js";
import { programRowOf } from "../../stages/program/row.js";
import { openSpace, type Space, spaceSchema } from "../../stages/program/space.js";
import { indexOf } from "../../stages/program/table-index.js";
import { judgeSelection } from "../../stages/select.js";
import type { SourceStage, StageContext } from "../../stages/stage.js";
import type { ProgramRow } from "../../stages/task.js";
import { tableOf } from "../fixtures/tables.js";

type CardColumn = Pick<ColumnCard, "type" | "scale"> & Partial<ColumnCard>;

const number = (unit: string, quantity: string): CardColumn => ({
  type: "number",
  scale: "ratio",
  unit,
  quantity,
  uncertainty: { absolute: 0.0001 },
});

/** Bodies about stars: with unknowns, texts that several share, a link on, and a class that not all belong to. */
function bodies(count: number, stars: number): Catalog {
  const random = sfc32(7, count, stars, 1);
  const value = (scale: number) => ({
    value: Number((scale * (0.1 + random.next())).toPrecision(9)),
    u: scale * 1e-6,
  });
  const star = tableOf(
    "stars",
    {
      mass: number("kg", "mass"),
      mean_radius: number("km", "mean_radius"),
      type: { type: "text", scale: "nominal" },
    },
    Object.fromEntries(
      Array.from({ length: stars }, (_, i) => [`s${i}`, [value(2e30), value(7e5), random.pick(["G", "K"])]]),
    ),
  );
  const cells = Array.from({ length: count }, (_, i) => [
    `b${String(i).padStart(3, "0")}`,
    [
      value(1e24),
      random.int(40) === 0 ? null : value(6000),
      value(2),
      random.int(3) === 0,
      random.pick(["rock", "ice", "gas"]),
      random.int(50) === 0 ? null : `s${random.int(stars)}`,
    ],
  ]);
  const body = tableOf(
    "bodies",
    {
      mass: number("kg", "mass"),
      radius: number("km", "mean_radius"),
      axis: number("au", "semi_major_axis"),
      ringed: { type: "flag", scale: "flag" },
      kind: { type: "text", scale: "nominal" },
      star: { type: "text", scale: "nominal" },
    },
    Object.fromEntries(cells),
    { links: { star: { column: "star", to: "stars", phrase: "the star of {it}" } } },
  );
  // The card must count what there is, or no class is complete.
  const complete = (table: Table): Table => ({
    ...table,
    card: { ...table.card, complete: [{ where: [], total: table.rows, source: "by construction" }] },
  });
  return { tables: new Map([star, body].map((t) => [t.id, complete(t)])) };
}

const catalog = bodies(300, 12);
const limits: Limits = {
  filter: filterLimits.parse({ min_candidates: 3 }),
  select: chooseLimits.parse({}),
  compute: computeLimits.parse({}),
};
const everything = { hops: 40, compare: 25, aggregates: 25, derive: ["bulk_density"] };

function space(extra: object): Space {
  return spaceSchema.parse({ id: "s", table: "bodies", ...extra });
}

/** The stages' own readings, one after the other; undefined for a program that all let pass. */
function slowly(program: Program): string | undefined {
  const row = programRowOf(program, builtinFormulas, catalog, {
    stage: "x",
    kind: "space",
    name: "s",
    index: 0,
  });
  const seen = catalogFor(row, catalog);
  const table = seen.tables.get(program.table)!;
  const index = indexOf(table);
  const byConditions = judgeConditions(table.card, program);
  if (byConditions !== undefined) return byConditions.reason;
  if (index.holding(program.where).count() < limits.filter.min_candidates) return "too_few_candidates";
  const bySelection = judgeSelection(table, program, seen);
  if (bySelection !== undefined) return bySelection.reason;
  const chosen = choose(program, seen, limits.select);
  if ("reason" in chosen) return chosen.reason;
  const computation = computationOf(seen, program, row.formula);
  if (askedAndGiven(program, computation) !== undefined) return "asked_and_given";
  const assessed = assess(
    computation,
    program.compute.digits,
    placesOf(chosen),
    wrongChoices(chosen, computation.path),
    limits.compute,
  );
  return "reason" in assessed ? assessed.reason : undefined;
}

describe("drawn programs", () => {
  const cards = new Map([...catalog.tables].map(([id, t]) => [id, t.card]));

  it("are sound, of every form, and judged as by the stages that follow", () => {
    const open = openSpace(space(everything), catalog, builtinFormulas, limits.select);
    const judge = new Judge(open, limits);
    const kept = new Map<string, number>();
    const features = new Set<string>();
    for (let g = 0; g < 400; g++) {
      const random = stream("draw", g);
      const scene = drawScene(open, random)!;
      for (let m = 0; m < 5; m++) {
        const member = drawMember(open, scene, m, random);
        if (member === undefined) continue;
        const program = programOf(open, scene, member);
        expect(checkProgram(program, cards, builtinFormulas)).toEqual([]);
        const slow = slowly(program);
        const quick = judge.quick(scene, member);
        // What is quick to see is seen for the same reason, unless more is to be said; of the rest, the verdict is the same.
        const isBoth = member.ask.members && member.ask.selects;
        if (quick !== undefined && !isBoth) expect([program, quick]).toEqual([program, slow]);
        const verdict = quick === undefined ? judge.thorough(scene, member, new Set()) : { reason: quick };
        expect([program, slow === undefined]).toEqual([program, "program" in verdict]);
        for (const step of program.follow ?? []) features.add(typeof step === "string" ? "link" : "peers");
        if (program.derive !== undefined) features.add("derived");
        if (program.compute.formula === "share") features.add("share");
        if (program.other !== undefined)
          features.add(
            JSON.stringify(program.other.where) === JSON.stringify(program.where) ? "same" : "own",
          );
        if ("program" in verdict) kept.set(formOf(program), (kept.get(formOf(program)) ?? 0) + 1);
      }
    }
    for (const form of ["select", "hop", "compare", "aggregate"]) expect(kept.get(form)).toBeGreaterThan(10);
    expect([...features].sort()).toEqual(["derived", "link", "own", "peers", "same", "share"]);
  });

  it("leave from a handful of candidates to half of the table", () => {
    const open = openSpace(space({ conditions: [1, 2, 3] }), catalog, builtinFormulas, limits.select);
    const counts = Array.from({ length: 300 }, (_, g) => {
      drawScene(open, stream("counts", g));
      return open.scene.count();
    }).sort((a, b) => a - b);
    expect(counts[60]!).toBeLessThan(20);
    expect(counts[150]!).toBeGreaterThan(15);
    expect(counts[150]!).toBeLessThan(60);
    expect(counts[280]!).toBeGreaterThan(70);
  });
});

describe("enumerate", () => {
  const stage = enumerate as SourceStage<unknown, ProgramRow>;
  const params = stage.params.parse({
    spaces: [
      { id: "s", table: "bodies", ...everything, weight: 2 },
      { id: "stars", table: "stars" },
    ],
    limits: { filter: { min_candidates: 3 } },
    candidates: 5_000,
  });
  const context = {
    params,
    catalog,
    instance: "enumerate",
    random: (...names: (string | number)[]) => stream("seed", "enumerate", ...names),
  } as unknown as StageContext<unknown>;

  it("counts exactly, samples by reason, and says when it has no more", async () => {
    const blocks = await Promise.all([0, 1].map((b) => stage.run(b, context)));
    expect(blocks.map((b) => b.created)).toEqual([4000, 1000]);
    expect(blocks.map((b) => b.more)).toEqual([true, false]);
    for (const { created, out, rejected, rejectedCounts } of blocks) {
      const counts = Object.entries(rejectedCounts!);
      expect(created).toBe(out.length + counts.reduce((sum, [, n]) => sum + n, 0));
      for (const [reason, n] of counts) {
        expect(stage.reasons[reason]).toBeDefined();
        expect(rejected.filter((r) => r.reason === reason)).toHaveLength(Math.min(n, 100));
      }
    }
    expect(new Set(blocks[0]!.out.map((row) => row.id)).size).toBe(blocks[0]!.out.length);
    expect(blocks[0]!.out.length).toBeGreaterThan(100);
  });

  it("makes every row once more, and every sampled refusal, whatever was drawn before", async () => {
    const { out, rejected } = await stage.run(1, context);
    // A catalog of its own: nothing that was computed for the block is at hand.
    const fresh = { ...context, catalog: bodies(300, 12) } as StageContext<unknown>;
    for (const row of out.slice().reverse()) expect(stage.again!(row, fresh)).toEqual(row);
    for (const { ref, evidence } of rejected.filter((_, i) => i % 7 === 0)) {
      if (evidence === null) continue;
      const [name, index] = String(ref).split("#");
      const origin = { stage: "enumerate", kind: "space", name, index: Number(index) };
      const again = stage.again!({ id: "", origin }, fresh)!;
      expect({ program: again.program }).toEqual(evidence);
    }
  });

  it("gives the same block again, alone", async () => {
    const fresh = { ...context, catalog: bodies(300, 12) } as StageContext<unknown>;
    expect(await stage.run(1, fresh)).toEqual(await stage.run(1, context));
  });

  it("refuses spaces that name what is not there", () => {
    const given = {
      spaces: [
        { id: "s", table: "bodies", formulas: ["bulk_densty"], derive: ["escape_sped"], select: ["kind"] },
      ],
    };
    const found = stage.check!(stage.params.parse(given), {
      cards: new Map([...catalog.tables].map(([id, t]) => [id, t.card])),
      kinds: new Set(),
    });
    expect(found.map((p) => [p.code, p.hint])).toMatchObject([
      ["unknown_formula", "did you mean `bulk_density`?"],
      ["unknown_formula", "did you mean `escape_speed`?"],
      ["not_a_number", "select by a number column"],
    ]);
  });
});
