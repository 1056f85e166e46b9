import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { run } from "../../../pipeline/index.js";

/** Small datasets made from a handful of recipes, each a little different from the first. */

type Json = Readonly<Record<string, unknown>>;

const recipe = (id: string, table: string, where: Json[], select: Json, formula: string, inputs: Json) => ({
  id,
  table,
  where,
  select,
  compute: { formula, inputs },
});
const body = { mass: "mass", radius: "mean_radius" };
const is = (column: string, value: boolean) => ({ column, op: "is", value });
const above = (column: string, value: number) => ({ column, op: "gt", value });

export const RECIPES = [
  recipe("ringed", "planets", [is("rings", true)], { column: "mass", order: "min" }, "bulk_density", body),
  recipe(
    "bare",
    "planets",
    [is("rings", false)],
    { column: "mean_radius", order: "max", rank: 2 },
    "surface_orbit_period",
    body,
  ),
  recipe(
    "rocky",
    "planets",
    [is("giant", false)],
    { column: "mean_radius", order: "max", rank: 3 },
    "heliocentric_axis",
    {
      period: "orbital_period",
    },
  ),
  recipe(
    "big",
    "moons",
    [above("mean_radius", 1700)],
    { column: "mean_radius", order: "min", rank: 3 },
    "sphere_volume",
    {
      radius: "mean_radius",
    },
  ),
  recipe(
    "near",
    "moons",
    [above("mean_radius", 1700)],
    { column: "semi_major_axis", order: "min" },
    "mass_from_gm",
    { gm: "gm" },
  ),
  recipe(
    "far",
    "moons",
    [above("mean_radius", 1000)],
    { column: "semi_major_axis", order: "max", rank: 2 },
    "surface_area",
    {
      radius: "mean_radius",
    },
  ),
];

const UNSCREENED = ["contamination", "closed_book", "round_trip", "solve", "admission"];

export interface Changes {
  readonly recipes?: readonly Json[];
  readonly planets?: string;
  readonly seed?: number;
  readonly stages?: Readonly<Record<string, Json>>;
  readonly unscreened?: readonly string[];
}

/** Makes a dataset in `dir`. */
export async function make(dir: string, changes: Changes = {}): Promise<string> {
  const { recipes = RECIPES, planets = "planets", seed = 5, stages = {}, unscreened = UNSCREENED } = changes;
  await run(
    {
      name: "compared",
      seed,
      sources: [planets, "moons"],
      stages: {
        recipes: { recipes },
        balance: { formula: 1, entity: 1 },
        ...stages,
        emit: { admit_unscreened: unscreened },
      },
    },
    { outDir: dir },
  );
  return dir;
}

/** A copy of the planets' card whose snapshot was edited. @returns the card's path */
export function planetsWith(folder: string, edit: (csv: string) => string): string {
  mkdirSync(folder, { recursive: true });
  cpSync(resolve("sources/snapshots/planets"), folder, { recursive: true });
  const csv = join(folder, "planets.csv");
  const edited = edit(readFileSync(csv, "utf8"));
  writeFileSync(csv, edited);
  const card = join(folder, "card.yaml");
  const hash = createHash("sha256").update(edited).digest("hex");
  writeFileSync(card, readFileSync(card, "utf8").replace(/sha256: [0-9a-f]{64}/, `sha256: ${hash}`));
  return card;
}

/** Uranus becomes a little heavier. */
export const heavier = (csv: string): string => csv.replace("86.8099", "87.9099");
/** Uranus becomes nearly as heavy as Neptune: neither is safely the lightest. */
export const tooClose = (csv: string): string => csv.replace("86.8099", "102.4090");
