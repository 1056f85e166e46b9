import { z } from "zod";
import type { Card } from "../sources/card.js";
import type { Instance } from "./instance.js";

const shares = z.object({ formula: z.number(), floor: z.number() });
const spaces = z.object({ spaces: z.array(z.object({ table: z.string(), formulas: z.array(z.string()) })) });
const tables = z.object({ spaces: z.array(z.object({ table: z.string() })) });
const recipes = z.object({
  recipes: z.array(z.object({ table: z.string(), compute: z.object({ formula: z.string() }) })),
});

/** Why a target can never be met, as far as the config alone says it; undefined where nothing speaks against it. */
export function unreachable(
  instances: readonly Instance[],
  cards: readonly Card[],
  wanted: number,
): string | undefined {
  return privateOnly(instances, cards) ?? beyondShare(instances, wanted);
}

/** With fewer formulas than shares make a whole, `balance` stops at the rows that are welcome before shares are looked at. */
function beyondShare(instances: readonly Instance[], wanted: number): string | undefined {
  const formulas = formulasOf(instances);
  if (formulas === undefined) return undefined;
  for (const { id, stage, params } of instances) {
    const found = stage.kind === "balance" ? shares.safeParse(params).data : undefined;
    if (found === undefined || formulas.size * found.formula >= 1) continue;
    const most = formulas.size * found.floor;
    if (most >= wanted) continue;
    const enough = Math.ceil(100 / formulas.size) / 100;
    return `\`${id}\` lets no formula be more than ${found.formula} of the dataset, and there are ${formulas.size} (${[...formulas].join(", ")}): at most ${most} of ${wanted} rows can pass. Set its \`formula\` to ${enough} or more, or add formulas`;
  }
  return undefined;
}

/** Every formula that the config names; undefined where a source of rows takes what fits. */
function formulasOf(instances: readonly Instance[]): ReadonlySet<string> | undefined {
  const named = new Set<string>();
  for (const { stage, params } of instances.filter((i) => i.stage.mode === "source")) {
    if (stage.gives === "tables") continue;
    const ids =
      spaces.safeParse(params).data?.spaces.flatMap((s) => s.formulas) ??
      recipes.safeParse(params).data?.recipes.map((r) => r.compute.formula);
    if (ids === undefined) return undefined;
    for (const id of ids) named.add(id);
  }
  return named.size === 0 ? undefined : named;
}

function privateOnly(instances: readonly Instance[], cards: readonly Card[]): string | undefined {
  const asked = instances.flatMap(({ params }) => [
    ...(tables.safeParse(params).data?.spaces ?? []),
    ...(recipes.safeParse(params).data?.recipes ?? []),
  ]);
  const ids = [...new Set(asked.map((a) => a.table))];
  const isPrivate = (id: string): boolean => cards.find((c) => c.id === id)?.entity.public === false;
  if (ids.length === 0 || !ids.every(isPrivate)) return undefined;
  return `${PRIVATE}: ${ids.join(", ")}`;
}

/** Also of a run whose rows were mostly refused for it. */
export const PRIVATE =
  "no task asks for an entity that the public does not know (`entity: { public: false }` of its card), however many candidates there are";
