import { appendFileSync, cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtins } from "../../../pipeline/builtins.js";
import type { Cause } from "../../../pipeline/diff/cause.js";
import { diff } from "../../../pipeline/diff/diff.js";
import type { Difference, RowDifference } from "../../../pipeline/diff/difference.js";
import { differenceText } from "../../../pipeline/diff/text.js";
import { describeTree } from "../../../pipeline/files.js";
import { heavier, make, planetsWith, RECIPES, tooClose } from "./datasets.js";

const root = mkdtempSync(join(tmpdir(), "taskmill-diff-test-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let first = "";
let heavy = "";
beforeAll(async () => {
  first = await make(join(root, "first"));
  heavy = await make(join(root, "heavy"), { planets: planetsWith(join(root, "heavier"), heavier) });
}, 60_000);

interface Compared {
  readonly difference: Difference;
  readonly rows: RowDifference[];
}

async function compare(a: string, b: string): Promise<Compared> {
  const rows: RowDifference[] = [];
  const difference = await diff(a, b, { registry: builtins(), onRow: (row) => rows.push(row) });
  return { difference, rows };
}

type Absent = Extract<RowDifference, { kind: "lost" | "gained" }>;
type Changed = Extract<RowDifference, { kind: "changed" }>;
const absent = ({ rows }: Compared) => rows.filter((row): row is Absent => row.kind !== "changed");
const changed = ({ rows }: Compared) => rows.filter((row): row is Changed => row.kind === "changed");
const codes = (causes: readonly Cause[]) => causes.map(({ code }) => code);

describe("a dataset and itself", () => {
  it("are the same, and nothing is written", async () => {
    const before = await describeTree(first);
    const { difference, rows } = await compare(first, first);
    expect(difference).toMatchObject({ same: true, ordered: true, settings: [], causes: [], limits: [] });
    expect(difference.rows).toEqual({ same: RECIPES.length, changed: 0, lost: 0, gained: 0 });
    expect(rows).toEqual([]);
    expect(differenceText(difference, [])).toContain("the same 6 rows");
    expect(await describeTree(first)).toEqual(before);
  });

  it("are the same in another place, without run store and calls", async () => {
    const moved = join(root, "mo'v[e]d *?");
    cpSync(first, moved, { recursive: true, filter: (file) => !file.endsWith("run.duckdb") });
    expect((await compare(first, moved)).difference.same).toBe(true);
  });
});

describe("a changed snapshot", () => {
  it("shows as changed answers with the cells that changed, not as rows lost and gained", async () => {
    const compared = await compare(first, heavy);
    const { difference } = compared;
    // Three tasks are about planets; one of them is about Uranus.
    expect(difference.rows).toEqual({ same: 3, changed: 3, lost: 0, gained: 0 });
    expect(difference.aspects).toMatchObject({ answer: 1, source: 3 });
    const [uranus] = changed(compared).filter(({ aspects }) => aspects[0]!.aspect === "answer");
    expect(uranus!.id).not.toBe(uranus!.id_b);
    const [answer] = uranus!.aspects;
    expect(answer!.changes).toContainEqual({ path: "hidden_answer.text", a: "1.27", b: "1.29" });
    expect(answer!.causes[0]).toMatchObject({
      code: "cells_changed",
      cells: [
        {
          table: "planets",
          key: "Uranus",
          column: "mass",
          a: { value: 8.68099e25 },
          b: { value: 8.79099e25 },
        },
      ],
    });
    expect(
      difference.settings.filter(({ part }) => part === "source").map(({ of, path }) => `${of} ${path}`),
    ).toEqual(["planets card", "planets snapshot"]);
  });

  it("says which stage now rejects a row, with its evidence and the cell behind it", async () => {
    const close = await make(join(root, "close"), { planets: planetsWith(join(root, "closer"), tooClose) });
    for (const stored of [true, false]) {
      if (!stored) rmSync(join(close, "run.duckdb"));
      const compared = await compare(first, close);
      const [lost, ...more] = absent(compared);
      expect(more).toEqual([]);
      expect(lost!.causes[0]).toMatchObject({
        code: "rejected",
        stage: "select",
        instance: "select",
        found_in: stored ? "store" : "trial",
      });
      expect(JSON.stringify(lost!.causes[0]!.evidence)).toContain("Neptune");
      expect(lost!.causes[1]).toMatchObject({ code: "cells_changed" });
      expect(lost!.causes[1]!.cells!.map(({ key, column }) => `${key} ${column}`)).toEqual(["Uranus mass"]);
      // The other way round the same row is gained.
      const [gained] = absent(await compare(close, first));
      expect(gained!.kind).toBe("gained");
    }
  });
});

describe("a changed config", () => {
  it("finds recipes that went, came and changed", async () => {
    const [ringed, bare, rocky, big, near] = RECIPES;
    const wider = { ...big!, where: [{ column: "mean_radius", op: "gt", value: 1600 }] };
    const other = await make(join(root, "recipes"), { recipes: [ringed!, bare!, rocky!, wider, near!] });
    const compared = await compare(first, other);
    const causes = new Map(
      absent(compared).map(({ kind, causes: [cause] }) => [`${kind} ${cause!.text}`, cause!.code]),
    );
    expect(causes.get("lost B has no recipe far")).toBe("recipe_missing");
    expect([...causes.values()].filter((code) => code === "recipe_changed")).toHaveLength(2);
    expect([...causes.keys()].find((text) => text.startsWith("lost recipe big changed"))).toContain("1700");
  });

  it("names the parameter behind a rejection", async () => {
    const strict = await make(join(root, "strict"), { stages: { filter: { min_candidates: 5 } } });
    const compared = await compare(first, strict);
    const lost = absent(compared);
    expect(lost.length).toBeGreaterThan(0);
    for (const { causes } of lost) {
      expect(causes[0]).toMatchObject({ code: "rejected", instance: "filter", reason: "too_few_candidates" });
      expect(causes[1]).toMatchObject({
        code: "settings_changed",
        settings: [{ path: "params.min_candidates", b: 5 }],
      });
    }
  });

  it("tells a new seed by wording and split, and pools by what admits rows to them", async () => {
    const seeded = await compare(first, await make(join(root, "seeded"), { seed: 6 }));
    expect(seeded.difference).toMatchObject({ rows: { lost: 0, gained: 0 }, aspects: { wording: 6 } });
    expect(seeded.difference.aspects.answer).toBeUndefined();
    for (const { aspects } of changed(seeded))
      for (const { causes } of aspects) expect(codes(causes)).toEqual(["seed_changed"]);

    const closed = await compare(first, await make(join(root, "closed"), { unscreened: [] }));
    expect(closed.difference.aspects).toEqual({ pools: RECIPES.length });
    const [row] = changed(closed);
    expect(row!.aspects[0]).toMatchObject({
      changes: [{ path: "rl rows", a: 1, b: 0 }],
      causes: [{ code: "settings_changed", text: expect.stringMatching(/^stage emit changed/) }],
    });
  });
});

describe("a formula that is made for its column", () => {
  const meanOf = (column: string) => ({
    id: column,
    table: "moons",
    where: [{ column: "mean_radius", op: "gt", value: 1000 }],
    compute: { formula: "mean", inputs: { values: { of: "candidates", column, take: "mean" } } },
  });
  const three = ["mean_radius", "semi_major_axis", "orbital_period"].map(meanOf);

  it("is compared with the one made for the same column alone", async () => {
    const all = await make(join(root, "three"), { recipes: three });
    const one = await make(join(root, "one"), { recipes: three.slice(0, 1), seed: 6 });
    const other = await make(join(root, "other"), { recipes: three.slice(1), seed: 6 });
    const [few, apart] = [await compare(all, one), await compare(one, other)];
    expect(few.difference.rows).toEqual({ same: 0, changed: 1, lost: 2, gained: 0 });
    expect(apart.difference.rows).toEqual({ same: 0, changed: 0, lost: 1, gained: 2 });
    for (const { difference, rows } of [few, apart]) {
      expect(difference.settings.filter(({ part }) => part === "formula")).toEqual([]);
      expect(JSON.stringify(rows)).not.toMatch(/formula_changed|"rejected"/);
    }
  });
});

describe("what is no dataset, or not as its run wrote it", () => {
  it("is refused with a reason", async () => {
    const empty = mkdtempSync(join(root, "empty-"));
    await expect(compare(first, empty)).rejects.toMatchObject({ problems: [{ code: "no_manifest" }] });
    await expect(compare(join(root, "nowhere"), first)).rejects.toMatchObject({
      problems: [{ code: "no_run_directory" }],
    });
    const copy = (name: string): string => {
      const dir = join(root, name);
      cpSync(heavy, dir, { recursive: true });
      return dir;
    };
    const pool = copy("pool");
    appendFileSync(join(pool, "pools/tasks.parquet"), "x");
    await expect(compare(first, pool)).rejects.toMatchObject({ problems: [{ code: "file_changed" }] });
    const snapshot = copy("snapshot");
    appendFileSync(join(snapshot, "sources/planets/planets.csv"), "\n");
    await expect(compare(first, snapshot)).rejects.toMatchObject({ problems: [{ code: "file_changed" }] });
    const store = copy("store");
    writeFileSync(join(store, "run.duckdb"), "no database");
    const { difference } = await compare(
      store,
      await make(join(root, "fewer"), { recipes: RECIPES.slice(0, 3) }),
    );
    expect(difference.rows.lost).toBe(3);
  });
});
