import { z } from "zod";
import type { RejectedItem } from "../../stages/stage.js";
import type { Json } from "../base/canonical.js";
import { compareText } from "../base/canonical.js";
import { stream } from "../base/random.js";
import type { Facts } from "../facts.js";
import { canBeNear, closenessOf, type Limits } from "./closeness.js";
import { programText } from "./program-words.js";
import type { Program } from "./reading.js";
import type { Observer } from "./rejections.js";
import type { Rejudge } from "./rejudge.js";
import { Reservoir } from "./reservoir.js";
import { type Class, Classes } from "./tally.js";

/** Rejections for one reason at one stage that came closest to being kept. */
export interface NearMisses {
  readonly stage: string;
  readonly reason: string;
  readonly meaning: string;
  /** All rows that were turned away for it. */
  readonly rows: number;
  /** Kept samples whose distance is known: the closest are the closest of these. */
  readonly measured: number;
  /** The measured ones by closeness: 1 stands on the line. */
  readonly closeness: readonly Class[];
  /** Those that came more than halfway to the line, as far as there are. */
  readonly closest: readonly NearMiss[];
}

export interface NearMiss {
  readonly ref: string | number;
  readonly closeness: number;
  readonly says: string;
  /** The entity that the evidence names. */
  readonly entity: string | null;
  /** The program in words; null where the evidence does not hold it. */
  readonly program: string | null;
  readonly evidence: Json;
}

/** Samples looked at for a reason, and those that are shown. */
const LOOKED_AT = 40;
const SHOWN = 4;
/** Below this nothing is near. */
const NEAR = 0.5;
const TENTHS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

type Stage = Facts["manifest"]["stages"][number];
interface Pool {
  readonly stage: Stage;
  readonly reason: string;
  readonly drawn: Reservoir<RejectedItem>;
}

/** Keeps a sample of rejections that may be near-misses, and looks for the closest among them. */
export class NearMissPool implements Observer {
  readonly #pools = new Map<string, Pool>();

  constructor(private readonly seed: string) {}

  add(stage: Stage, item: RejectedItem): void {
    if (!canBeNear(item.reason)) return;
    const key = `${stage.id}:${item.reason}`;
    const random = () => stream(this.seed, "report", "near-misses", stage.id, item.reason);
    const pool = this.#pools.get(key) ?? {
      stage,
      reason: item.reason,
      drawn: new Reservoir<RejectedItem>(LOOKED_AT, random()),
    };
    this.#pools.set(key, pool);
    pool.drawn.add(item);
  }

  /** @param rejudge looks at an item once more where its evidence tells no distance */
  async result(
    { reasons, cards }: Pick<Facts, "reasons" | "cards">,
    rejudge: Rejudge | undefined,
  ): Promise<NearMisses[]> {
    const all: NearMisses[] = [];
    for (const { stage, reason, drawn } of this.#pools.values()) {
      const found: NearMiss[] = [];
      for (const item of drawn.kept) {
        const near = await nearMiss(stage, item, cards, rejudge);
        if (near !== undefined) found.push(near);
      }
      if (found.length === 0) continue;
      const closeness = new Classes(TENTHS);
      for (const near of found) closeness.add(near.closeness);
      all.push({
        stage: stage.id,
        reason,
        meaning: reasons.get(stage.id)?.[reason] ?? "",
        rows: stage.rejected[reason] ?? found.length,
        measured: found.length,
        closeness: closeness.list(),
        closest: distinct(
          found
            .filter((near) => near.closeness >= NEAR)
            .sort((a, b) => b.closeness - a.closeness || compareText(String(a.ref), String(b.ref))),
        ).slice(0, SHOWN),
      });
    }
    return all.sort((a, b) => b.rows - a.rows || compareText(a.stage + a.reason, b.stage + b.reason));
  }
}

/** A rejected program went through its schema when it was drawn; here only its outline is looked at. */
const isProgram = (value: unknown): value is Program =>
  typeof value === "object" && value !== null && typeof (value as Partial<Program>).table === "string";
const named = z.object({
  entity: z.string().optional(),
  program: z.custom<Program>(isProgram).optional().catch(undefined),
});

async function nearMiss(
  stage: Stage,
  item: RejectedItem,
  cards: Facts["cards"],
  rejudge: Rejudge | undefined,
): Promise<NearMiss | undefined> {
  const limits = limitsOf(stage.params);
  let { evidence } = item;
  let measured = closenessOf(item.reason, evidence, limits);
  const program = named.safeParse(evidence).data?.program;
  if (measured === undefined && rejudge !== undefined) {
    const again = await rejudge(stage, item);
    if (again?.reason !== item.reason) return undefined;
    evidence = again.evidence;
    measured = closenessOf(item.reason, evidence, limits);
  }
  if (measured === undefined) return undefined;
  const entity = named.safeParse(evidence).data?.entity ?? null;
  const text = program === undefined ? null : programText(program, cards);
  return { ref: item.ref, ...measured, entity, program: text, evidence };
}

/** Where stages keep their limits: `compute` and `select` in their params, `enumerate` in a part for each. What is not set is as by default. */
const figure = z.number().positive().optional().catch(undefined);
const own = z.object({ max_tolerance: figure, max_influence: figure });
const part = own.optional().catch(undefined);
const limitParams = own.extend({
  limits: z.object({ compute: part, select: part }).optional().catch(undefined),
});
const DEFAULTS: Limits = { max_tolerance: 0.05, max_influence: 0.5 };

function limitsOf(params: unknown): Limits {
  const { limits, ...here } = limitParams.safeParse(params).data ?? {};
  return {
    max_tolerance: here.max_tolerance ?? limits?.compute?.max_tolerance ?? DEFAULTS.max_tolerance,
    max_influence: here.max_influence ?? limits?.select?.max_influence ?? DEFAULTS.max_influence,
  };
}

/** One of each: candidates that fail at the same pair of entities say the same. */
function distinct(all: readonly NearMiss[]): NearMiss[] {
  const first = new Map<string, NearMiss>();
  for (const near of all) {
    const key = `${near.entity}: ${near.says}`;
    if (!first.has(key)) first.set(key, near);
  }
  return [...first.values()];
}
