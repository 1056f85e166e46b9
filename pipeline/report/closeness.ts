import { z } from "zod";

/** How close a rejected item came to being kept: 1 stands on the line, 0 is far off. */
export interface Closeness {
  readonly closeness: number;
  /** The figures behind it, in a few words. */
  readonly says: string;
}

/** Forms of evidence that let a distance be told; stages differ in what else they say. */
const margin = z.object({ gap: z.number(), required: z.number().positive(), unit: z.string().nullish() });
const answers = z.object({
  how: z.string().optional(),
  value: z.number(),
  other: z.number(),
  tolerance: z.number().positive(),
});
const wide = z.object({ tolerance: z.number().positive() });
const one = z.object({ influence: z.number().positive() });
const threshold = z.object({
  value: z.number(),
  u: z.number().positive(),
  unit: z.string().nullish(),
  condition: z.object({
    value: z.number().optional(),
    low: z.number().optional(),
    high: z.number().optional(),
  }),
});

/** Tolerances that a wrong answer must be away, and standard uncertainties that a threshold must (`verifiers/tolerance.ts`, `margin.ts`). */
const APART = 3;
const READINGS_APART = 2;
const CLEAR = 5;

type Measure = (evidence: unknown, limits: Limits) => Closeness | undefined;

/** What the config allows, as far as a distance needs it. */
export interface Limits {
  readonly max_tolerance: number;
  readonly max_influence: number;
}

/** The reasons for which a distance can be told. */
const MEASURES: Readonly<Record<string, Measure>> = {
  margin: byGap,
  near_threshold: byThreshold,
  rival_answer_close: byAnswers(APART),
  wrong_route_close: byAnswers(APART),
  definition_ambiguous: byAnswers(READINGS_APART),
  tolerance_too_wide: byTolerance,
  dominated_by_one: byInfluence,
};

/** Whether rejections for this reason can be near-misses at all. */
export function canBeNear(reason: string): boolean {
  return Object.hasOwn(MEASURES, reason);
}

/** Reads a distance off a rejection's evidence; undefined where it tells none. */
export function closenessOf(reason: string, evidence: unknown, limits: Limits): Closeness | undefined {
  const found = canBeNear(reason) ? MEASURES[reason]!(evidence, limits) : undefined;
  if (found === undefined || !Number.isFinite(found.closeness)) return undefined;
  return { ...found, closeness: Number(Math.min(1, Math.max(0, found.closeness)).toPrecision(4)) };
}

function byGap(evidence: unknown): Closeness | undefined {
  const { data } = margin.safeParse(evidence);
  if (data === undefined) return undefined;
  const { gap, required } = data;
  return {
    closeness: gap / required,
    says: `a gap of ${short(gap)}${unitOf(data)}, where ${short(required)} is needed`,
  };
}

function byAnswers(needed: number): Measure {
  return (evidence) => {
    const { data } = answers.safeParse(evidence);
    if (data === undefined || data.value === 0) return undefined;
    const { how, value, other, tolerance } = data;
    const away = Math.abs(value - other) / (tolerance * Math.abs(value));
    const route = how === undefined ? "another way" : how;
    return {
      closeness: away / needed,
      says: `${route} gives ${short(other)} for ${short(value)}: ${short(away)} tolerances away, where ${needed} are needed`,
    };
  };
}

function byTolerance(evidence: unknown, { max_tolerance }: Limits): Closeness | undefined {
  const { data } = wide.safeParse(evidence);
  if (data === undefined) return undefined;
  return {
    closeness: max_tolerance / data.tolerance,
    says: `a tolerance of ${percent(data.tolerance)} is needed, ${percent(max_tolerance)} is allowed`,
  };
}

function byInfluence(evidence: unknown, { max_influence }: Limits): Closeness | undefined {
  const { data } = one.safeParse(evidence);
  if (data === undefined) return undefined;
  return {
    closeness: max_influence / data.influence,
    says: `without it the figure moves by ${percent(data.influence)}, ${percent(max_influence)} is allowed`,
  };
}

function percent(share: number): string {
  return `${short(100 * share)} %`;
}

/** Drift, which only the source's card tells, is left aside: with it the line lies further out. */
function byThreshold(evidence: unknown): Closeness | undefined {
  const { data } = threshold.safeParse(evidence);
  if (data === undefined) return undefined;
  const { value, u, condition } = data;
  const bounds = [condition.value, condition.low, condition.high].filter((bound) => bound !== undefined);
  if (bounds.length === 0) return undefined;
  const nearest = bounds.reduce((a, b) => (Math.abs(b - value) < Math.abs(a - value) ? b : a));
  const away = Math.abs(nearest - value) / u;
  const what = `${short(value)} ± ${short(u)}${unitOf(data)} stands at ${short(nearest)}`;
  return { closeness: away / CLEAR, says: `${what}: ${short(away)} u away, where ${CLEAR} are needed` };
}

function unitOf({ unit }: { readonly unit?: string | null | undefined }): string {
  return unit === undefined || unit === null || unit === "1" ? "" : ` ${unit}`;
}

/** Four significant digits, without zeros that say nothing. */
function short(value: number): string {
  return String(Number(value.toPrecision(4)));
}
