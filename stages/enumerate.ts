import { z } from "zod";
import { canonicalJson } from "../pipeline/base/canonical.js";
import type { Catalog } from "../sources/table.js";
import { computeReasons } from "./compute.js";
import { checkSpace } from "./enumerate/check-space.js";
import { Judge } from "./enumerate/judge.js";
import { Tally } from "./enumerate/tally.js";
import { filterLimits, filterReasons } from "./filter.js";
import { type Formula, formulaSchema } from "./formulas/formula.js";
import { computeLimits } from "./program/assess.js";
import { chooseLimits } from "./program/choose.js";
import { type DrawnScene, drawMember, drawScene, type Member } from "./program/draw.js";
import { programOf } from "./program/drawn-program.js";
import type { Program } from "./program/program.js";
import { programRowOf } from "./program/row.js";
import { type OpenSpace, openSpace, type Space, spaceSchema } from "./program/space.js";
import { checkOwnFormulas, formulasOf } from "./recipes.js";
import { selectReasons } from "./select.js";
import { defineStage, type StageContext } from "./stage.js";
import { type ProgramRow, programRow } from "./task.js";

/** Scenes in a block: few enough for prompt progress, so many that a block's overhead does not show. */
const SCENES = 1_000;

const params = z.strictObject({
  spaces: z.array(spaceSchema).min(1),
  /** Programs drawn of one conjunction: the more, the quicker, and the more alike. */
  members: z.number().int().min(1).max(1_000).default(4),
  /** Candidates drawn at most. */
  candidates: z.number().int().positive().max(1_000_000_000).default(400_000),
  formulas: z.array(formulaSchema).default([]),
  /** Limits of the checks made on the way; the stages that follow make them again, with theirs. */
  limits: z
    .strictObject({
      filter: filterLimits.default(filterLimits.parse({})),
      select: chooseLimits.default(chooseLimits.parse({})),
      compute: computeLimits.default(computeLimits.parse({})),
    })
    .default({
      filter: filterLimits.parse({}),
      select: chooseLimits.parse({}),
      compute: computeLimits.parse({}),
    }),
});
type Params = z.infer<typeof params>;

/**
 * Draws programs from declared spaces and keeps those that pass the checks of filter, select and compute on the numbers in
 * memory. They are drawn in scenes: a conjunction and `members` programs under it, as the conjunction is what costs. Candidate `i` of a
 * space is member `i mod members` of scene `⌊i / members⌋` and depends on the seed, its space and `i` alone. Rejected candidates are
 * counted exactly and sampled.
 */
export const enumerate = defineStage<Params, ProgramRow>({
  kind: "enumerate",
  version: 4,
  summary: "programs drawn from declared spaces: columns × conditions × formulas × forms × ranks",
  mode: "source",
  params,
  takes: "tables",
  gives: "program",
  output: programRow,
  reasons: {
    ...filterReasons,
    ...selectReasons,
    ...computeReasons,
    empty_space: "the space has no formula that fits its table, or no column left to select by",
    repeated: "the same program was drawn before in this block",
    repeated_answer: "enough programs of this block ask the same formula of the same entity",
  },
  candidates: ({ candidates }) => candidates,
  check({ spaces, formulas: own }, { cards }) {
    const formulas = formulasOf(own);
    return [
      ...checkOwnFormulas(own),
      ...spaces.flatMap((space, i) => checkSpace(space, spaces, i, cards, formulas)),
    ];
  },
  run(block, context) {
    const { params, catalog } = context;
    const formulas = formulasOf(params.formulas);
    const spaces = params.spaces.map((space) => opened(space, params, catalog, formulas));
    const deal = wheel(params.spaces);
    const first = block * SCENES * params.members;
    const last = Math.min(first + SCENES * params.members, params.candidates);
    const tally = new Tally((reason) => context.random("samples", block, reason));
    const out: ProgramRow[] = [];
    const seen: Seen = { programs: new Set(), answers: new Set() };
    for (let i = first; i < last; i += params.members) {
      const { space: s, scene } = deal(i / params.members);
      const { open, judge } = spaces[s]!;
      const { id } = open.space;
      const random = context.random(id, scene);
      const drawn = drawScene(open, random);
      for (let m = 0; m < params.members && i + m < last; m++) {
        const index = scene * params.members + m;
        const member = drawn === undefined ? undefined : drawMember(open, drawn, m, random);
        const judged = judgeMember(judge, drawn, member, seen);
        if ("reason" in judged) {
          const program = member === undefined ? undefined : (): Program => programOf(open, drawn!, member);
          tally.reject(judged.reason, () => ({ ref: `${id}#${index}`, program }));
          continue;
        }
        const origin = { stage: context.instance, kind: "space" as const, name: id, index };
        out.push(programRowOf(judged.program, formulas, catalog, origin));
      }
    }
    return {
      out,
      created: Math.max(0, last - first),
      rejected: tally.samples(),
      rejectedCounts: tally.counts(),
      more: last < params.candidates,
    };
  },
  again(row, context) {
    const { params, catalog, instance } = context;
    const { name, index } = row.origin as ProgramRow["origin"];
    const space = params.spaces.find((s) => s.id === name);
    if (space === undefined || index === undefined) return undefined;
    const formulas = formulasOf(params.formulas);
    const program = drawAgain(opened(space, params, catalog, formulas).open, index, context);
    if (program === undefined) return undefined;
    const origin = { stage: instance, kind: "space" as const, name, index };
    return programRowOf(program, formulas, catalog, origin);
  },
});

/** Candidate `index` of a space, made once more. */
function drawAgain(open: OpenSpace, index: number, context: StageContext<Params>): Program | undefined {
  const { members } = context.params;
  const random = context.random(open.space.id, Math.floor(index / members));
  const drawn = drawScene(open, random);
  if (drawn === undefined) return undefined;
  let member: Member | undefined;
  for (let m = 0; m <= index % members; m++) member = drawMember(open, drawn, m, random);
  return member === undefined ? undefined : programOf(open, drawn, member);
}

/** What a block has given already, by names (see program/identity.ts). */
interface Seen {
  readonly programs: Set<number>;
  /** What was asked about whom, of programs that passed: `dedup` would turn a second one away, after all the work. */
  readonly answers: Set<number>;
}

function judgeMember(
  judge: Judge,
  drawn: DrawnScene | undefined,
  member: Member | undefined,
  { programs, answers }: Seen,
): ReturnType<Judge["thorough"]> {
  if (drawn === undefined || member === undefined) return { reason: "empty_space" };
  if (programs.has(member.name)) return { reason: "repeated" };
  programs.add(member.name);
  const reason = judge.quick(drawn, member);
  return reason === undefined ? judge.thorough(drawn, member, answers) : { reason };
}

interface Opened {
  readonly open: OpenSpace;
  readonly judge: Judge;
}

const spacesOf = new WeakMap<Catalog, Map<string, Opened>>();

/** A space made ready, once per catalog. */
function opened(
  space: Space,
  { formulas: own, limits }: Params,
  catalog: Catalog,
  formulas: ReadonlyMap<string, Formula>,
): Opened {
  const known = spacesOf.get(catalog) ?? new Map<string, Opened>();
  spacesOf.set(catalog, known);
  const name = canonicalJson([space, own, limits]);
  let found = known.get(name);
  if (found === undefined) {
    const open = openSpace(space, catalog, formulas, limits.select);
    found = { open, judge: new Judge(open, limits) };
    known.set(name, found);
  }
  return found;
}

/** Deals scenes to spaces by weight, each space counting its own from 0. */
function wheel(spaces: readonly Space[]): (t: number) => { space: number; scene: number } {
  const slots = spaces.flatMap((space, s) =>
    Array.from({ length: space.weight }, (_, k) => ({ space: s, k, weight: space.weight })),
  );
  return (t) => {
    const { space, k, weight } = slots[t % slots.length]!;
    return { space, scene: Math.floor(t / slots.length) * weight + k };
  };
}
