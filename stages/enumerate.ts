import { z } from "zod";
import { canonicalJson } from "../pipeline/base/canonical.js";
import type { Problem } from "../pipeline/base/errors.js";
import type { Random } from "../pipeline/base/random.js";
import type { Card } from "../sources/card.js";
import type { Catalog } from "../sources/table.js";
import { computeReasons } from "./compute.js";
import { filterLimits, filterReasons, judgeConditions } from "./filter.js";
import { type Formula, formulaSchema } from "./formulas/formula.js";
import { askedAndGiven, assess, computeLimits, wrongRows } from "./program/assess.js";
import { checkCondition, notATable, unknownName } from "./program/check.js";
import { computationOf } from "./program/computation.js";
import { canonicalProgram, type Program } from "./program/program.js";
import { programRowOf } from "./program/row.js";
import { selectLimits, select as selectRow } from "./program/selection.js";
import { draw, type OpenSpace, openSpace, type Space, spaceSchema } from "./program/space.js";
import { indexOf } from "./program/table-index.js";
import { checkOwnFormulas, formulasOf } from "./recipes.js";
import { judgeSelection, selectReasons } from "./select.js";
import { defineStage, type RejectedItem } from "./stage.js";
import { type ProgramRow, programRow } from "./task.js";

/** Candidates in a block: small enough for prompt progress, large enough that a block's overhead does not show. */
const BLOCK = 4_000;
/** Survivors of a block that ask the same of the same entity: `dedup` would turn away more, after all the work. */
const SAME_ANSWERS = 1;
/** Rejected candidates kept as samples, per reason and block. */
const SAMPLES = 100;

const params = z.strictObject({
  spaces: z.array(spaceSchema).min(1),
  /** Candidates drawn at most. */
  candidates: z.number().int().positive().max(1_000_000_000).default(400_000),
  formulas: z.array(formulaSchema).default([]),
  /** Limits of the checks made on the way; the stages that follow make them again, with theirs. */
  limits: z
    .strictObject({
      filter: filterLimits.default(filterLimits.parse({})),
      select: selectLimits.default(selectLimits.parse({})),
      compute: computeLimits.default(computeLimits.parse({})),
    })
    .default({
      filter: filterLimits.parse({}),
      select: selectLimits.parse({}),
      compute: computeLimits.parse({}),
    }),
});
type Params = z.infer<typeof params>;

/**
 * Draws programs from declared spaces and keeps those that pass the checks of filter, select and compute on the numbers in
 * memory. Candidate `i` depends on the seed, its space and `i` alone. Rejected candidates are counted exactly and sampled.
 */
export const enumerate = defineStage<Params, ProgramRow>({
  kind: "enumerate",
  version: 1,
  summary: "programs drawn from declared spaces: columns × conditions × formulas × hops × ranks",
  mode: "source",
  params,
  takes: "tables",
  gives: "program",
  output: programRow,
  reasons: {
    ...filterReasons,
    ...selectReasons,
    ...computeReasons,
    empty_space: "the space has no formula that fits its table, or no column to select by",
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
    const spaces = params.spaces.map((space) => opened(space, catalog, formulas));
    const pick = wheel(params.spaces);
    const first = block * BLOCK;
    const last = Math.min(first + BLOCK, params.candidates);
    const tally = new Tally((reason) => context.random("samples", block, reason));
    const out: ProgramRow[] = [];
    const seen = new Seen();
    for (let i = first; i < last; i++) {
      const { space: s, index } = pick(i);
      const space = spaces[s]!;
      const program = draw(space, context.random(space.space.id, index));
      const reason = program === undefined ? "empty_space" : judge(program, catalog, formulas, params, seen);
      if (reason !== undefined) {
        tally.reject(reason, `${space.space.id}#${index}`, program);
        continue;
      }
      const origin = { stage: context.instance, kind: "space" as const, name: space.space.id, index };
      out.push(programRowOf(program!, formulas.get(program!.compute.formula)!, catalog, origin));
    }
    const created = Math.max(0, last - first);
    return {
      out,
      created,
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
    const program = draw(opened(space, catalog, formulas), context.random(space.id, index));
    if (program === undefined) return undefined;
    const origin = { stage: instance, kind: "space" as const, name, index };
    return programRowOf(program, formulas.get(program.compute.formula)!, catalog, origin);
  },
});

const open = new WeakMap<Catalog, Map<string, OpenSpace>>();

/** A space made ready, once per catalog. */
function opened(space: Space, catalog: Catalog, formulas: ReadonlyMap<string, Formula>): OpenSpace {
  const known = open.get(catalog) ?? new Map<string, OpenSpace>();
  open.set(catalog, known);
  const name = canonicalJson(space);
  const found = known.get(name) ?? openSpace(space, catalog, formulas);
  known.set(name, found);
  return found;
}

/** The first reason against a program, or undefined when it may go on. */
function judge(
  program: Program,
  catalog: Catalog,
  formulas: ReadonlyMap<string, Formula>,
  { limits }: Params,
  seen: Seen,
): string | undefined {
  if (!seen.program(program)) return "repeated";
  const table = catalog.tables.get(program.table)!;
  const byCard = judgeConditions(table.card, program);
  if (byCard !== undefined) return byCard.reason;
  const index = indexOf(table);
  const count = index.holding(program.where).count();
  if (count < limits.filter.min_candidates) return "too_few_candidates";
  if (count > limits.filter.max_candidates) return "too_many_candidates";
  const bySelection = judgeSelection(table, program);
  if (bySelection !== undefined) return bySelection.reason;
  const selected = selectRow(index, program.where, program.select, limits.select);
  if ("reason" in selected) return selected.reason;
  const computation = computationOf(catalog, program, formulas.get(program.compute.formula)!);
  if (program.follow !== undefined && computation.followedRow(selected.row) === undefined)
    return "broken_link";
  if (askedAndGiven(program, computation) !== undefined) return "asked_and_given";
  const wrong = wrongRows(index, program, selected);
  const assessed = assess(computation, program.compute.digits, selected.row, wrong, limits.compute);
  if ("reason" in assessed) return assessed.reason;
  return seen.answer(program, selected.row) ? undefined : "repeated_answer";
}

/** What a block has given already. Each call says whether its subject is welcome, and remembers it. */
class Seen {
  private readonly programs = new Set<string>();
  private readonly answers = new Map<string, number>();

  program(program: Program): boolean {
    const name = canonicalProgram(program);
    if (this.programs.has(name)) return false;
    this.programs.add(name);
    return true;
  }

  answer({ table, follow, compute }: Program, row: number): boolean {
    const path = JSON.stringify([table, row, follow, compute.formula, compute.inputs]);
    const count = (this.answers.get(path) ?? 0) + 1;
    this.answers.set(path, count);
    return count <= SAME_ANSWERS;
  }
}

/** Deals candidate numbers to spaces by weight, each space counting its own from 0. */
function wheel(spaces: readonly Space[]): (i: number) => { space: number; index: number } {
  const slots = spaces.flatMap((space, s) =>
    Array.from({ length: space.weight }, (_, k) => ({ space: s, k, weight: space.weight })),
  );
  return (i) => {
    const { space, k, weight } = slots[i % slots.length]!;
    return { space, index: Math.floor(i / slots.length) * weight + k };
  };
}

/** Exact counts and a seeded reservoir sample (algorithm R) of what was turned away, by reason. */
class Tally {
  private readonly byReason = new Map<string, { count: number; random: Random; kept: RejectedItem[] }>();

  constructor(private readonly open: (reason: string) => Random) {}

  reject(reason: string, ref: string, program: Program | undefined): void {
    let entry = this.byReason.get(reason);
    if (entry === undefined) {
      entry = { count: 0, random: this.open(reason), kept: [] };
      this.byReason.set(reason, entry);
    }
    entry.count++;
    const place = entry.kept.length < SAMPLES ? entry.kept.length : entry.random.int(entry.count);
    if (place < SAMPLES)
      entry.kept[place] = {
        ref,
        reason,
        evidence: program === undefined ? null : ({ program } as RejectedItem["evidence"]),
      };
  }

  counts(): Record<string, number> {
    return Object.fromEntries([...this.byReason].map(([reason, { count }]) => [reason, count]).sort());
  }

  samples(): RejectedItem[] {
    return [...this.byReason.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, { kept }]) => kept);
  }
}

function checkSpace(
  space: Space,
  spaces: readonly Space[],
  i: number,
  cards: ReadonlyMap<string, Card>,
  formulas: ReadonlyMap<string, Formula>,
): Problem[] {
  const problems: Problem[] = [];
  const unknown = (path: (string | number)[], what: string, name: string, known: Iterable<string>) => {
    problems.push(unknownName(["spaces", i, ...path], what, name, known));
  };
  if (spaces.findIndex((other) => other.id === space.id) < i) {
    problems.push({
      code: "duplicate_id",
      message: `two spaces are called \`${space.id}\``,
      hint: "give each its own id",
      path: ["spaces", i, "id"],
    });
  }
  space.formulas?.forEach((f, k) => {
    if (!formulas.has(f)) unknown(["formulas", k], "formula", f, formulas.keys());
  });
  const card = cards.get(space.table);
  if (card === undefined) {
    unknown(["table"], "table", space.table, cards.keys());
    return problems;
  }
  if (card.kind === "problems") return [...problems, notATable(["spaces", i, "table"], space.table)];
  space.within?.forEach((c, k) => {
    problems.push(...checkCondition(c, card, ["spaces", i, "within", k]));
  });
  for (const role of ["select", "filter"] as const) {
    space[role]?.forEach((name, k) => {
      const column = card.columns[name];
      if (column === undefined) unknown([role, k], "column", name, Object.keys(card.columns));
      else if (!column.may.includes(role)) {
        problems.push({
          code: `may_not_${role}`,
          message: `the card of \`${space.table}\` does not let \`${name}\` ${role}`,
          hint: `columns that may ${role}: ${
            Object.entries(card.columns)
              .filter(([, c]) => c.may.includes(role))
              .map(([id]) => id)
              .join(", ") || "none"
          }`,
          path: ["spaces", i, role, k],
        });
      }
    });
  }
  return problems;
}
