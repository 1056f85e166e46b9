import { z } from "zod";
import { canonicalJson } from "../../pipeline/base/canonical.js";
import {
  gradingTolerance,
  MAX_TOLERANCE,
  OTHER_READING_DISTANCE,
  tooClose,
} from "../../verifiers/tolerance.js";
import type { Sensitivities } from "../formulas/sensitivity.js";
import type { Bits } from "./bits.js";
import type { Choice, Chosen, Members } from "./choose.js";
import type { BoundInput, Computation, Places } from "./computation.js";
import type { Path } from "./path.js";
import { type Program, type Select, STATISTICS } from "./program.js";
import { nthAndAlike } from "./selection.js";
import { indexOf } from "./table-index.js";

/** Thresholds of the compute checks; every default is the strict reading. */
export const computeLimits = z.strictObject({
  /** Widest relative grading tolerance. */
  max_tolerance: z.number().positive().max(MAX_TOLERANCE).default(MAX_TOLERANCE),
  /** Each input must move the answer: least |d ln answer / d ln input|. */
  min_sensitivity: z.number().nonnegative().default(0.01),
});
export type ComputeLimits = z.infer<typeof computeLimits>;

export type ComputeReason =
  | "broken_link"
  | "column_may_not_compute"
  | "unknown_input"
  | "limit_input"
  | "undeclared_uncertainty"
  | "outside_validity"
  | "not_finite"
  | "implausible_answer"
  | "not_an_integer"
  | "insensitive_input"
  | "trivial_answer"
  | "tolerance_too_wide"
  | "rival_answer_close"
  | "wrong_route_close"
  | "definition_ambiguous";

export interface ComputeRefusal {
  readonly reason: ComputeReason;
  readonly input?: string;
  readonly how?: string;
  readonly value?: number;
  readonly other?: number;
  readonly tolerance?: number;
}

/** An answer judged fit to be asked for. Relative figures are relative to `value`. */
export interface Assessed {
  readonly value: number;
  readonly args: readonly number[];
  readonly sensitivities: Sensitivities;
  readonly uncertainty: number;
  readonly tolerance: number;
  readonly wrong: readonly { readonly how: string; readonly value: number }[];
}

/** A choice that a solver on a wrong way would make instead, and the rows that the answer would be read from then. */
export interface WrongChoice {
  readonly how: string;
  readonly places: Places;
}

/** The rows that a program's answer is read from. */
export function placesOf({ selected, steps, other, members }: Chosen): Places {
  return {
    selected: selected?.selected.row,
    followed: steps.at(-1)?.row,
    other: other?.selected.row,
    members: members?.rows,
  };
}

/**
 * Plausible wrong choices: for each entity that is chosen the neighbours in rank, the unconditioned extremum, the winner without each
 * condition and the extremum at the other end; a step left out, where one can do without; for figures of all candidates, each
 * condition overlooked, or another figure.
 * @param path the program's, if it makes any step
 */
export function wrongChoices(chosen: Chosen, path: Path | undefined): WrongChoice[] {
  const right = placesOf(chosen);
  const { selected, steps, other } = chosen;
  const found: WrongChoice[] = [];
  if (selected !== undefined) {
    // Whoever chooses another entity goes on from there.
    for (const { how, row } of wrongRows(selected))
      found.push({ how, places: { ...right, selected: row, followed: undefined } });
  }
  steps.forEach((step, i) => {
    const before = steps[i - 1] ?? { table: selected!.table, row: selected!.selected.row };
    const wrong = step.peers === undefined ? [] : wrongRows(step.peers);
    if (step.table === before.table) wrong.push({ how: "step left out", row: before.row });
    for (const { how, row } of wrong) {
      const followed = path!.end(row, i + 1);
      if (followed !== undefined)
        found.push({ how: steps.length > 1 ? `step ${i + 1}: ${how}` : how, places: { ...right, followed } });
    }
  });
  if (other !== undefined) {
    for (const { how, row } of wrongRows(other))
      found.push({ how: `second: ${how}`, places: { ...right, other: row } });
  }
  return [...found, ...overlooked(chosen), ...wrongMembers(chosen)];
}

/**
 * What both selections, or the selected entity and the members, have in common, overlooked in both places: one condition, or all of
 * them.
 */
function overlooked(chosen: Chosen): WrongChoice[] {
  const { selected, other, members } = chosen;
  const second = other ?? members;
  if (selected === undefined || second === undefined) return [];
  const texts = second.where.map(canonicalJson);
  const found = selected.where.flatMap((condition, i): WrongChoice[] => {
    const j = texts.indexOf(canonicalJson(condition));
    return j < 0 ? [] : without(chosen, `condition ${i + 1} ignored throughout`, i, j);
  });
  const all = Math.max(selected.where.length, second.where.length) > 1;
  return all ? [...found, ...without(chosen, "no condition applied throughout")] : found;
}

/** The choices without condition `i` of the first one and `j` of what goes with it; without both numbers, without any condition. */
function without(chosen: Chosen, how: string, i?: number, j?: number): WrongChoice[] {
  const { selected, other, members } = chosen;
  const rowsOf = ({ table, where }: Choice | Members, at: number | undefined) =>
    indexOf(table).candidates(at === undefined ? [] : where, at).definite;
  const chosenBy = (choice: Choice, at: number | undefined): number[] => {
    const order = indexOf(choice.table).order(choice.select.column);
    return [...nthAndAlike(order, choice.select, rowsOf(choice, at))];
  };
  const seconds = other === undefined ? [undefined] : chosenBy(other, j);
  const common = members === undefined ? {} : { members: rowsOf(members, j) };
  return chosenBy(selected!, i).flatMap((row) =>
    seconds.map((second) => {
      const places = { ...placesOf(chosen), ...common, selected: row, followed: undefined };
      return { how, places: second === undefined ? places : { ...places, other: second } };
    }),
  );
}

interface WrongRow {
  readonly how: string;
  readonly row: number;
}

/** Where several have the value of a wrong choice, each of them may be taken for it. */
function wrongRows({ table, where, select, selected }: Choice): WrongRow[] {
  const index = indexOf(table);
  const order = index.order(select.column);
  const candidates = (skip?: number) => index.candidates(where, skip).definite;
  const found: WrongRow[] = [];
  const seen = new Set([selected.row]);
  const add = (how: string, wanted: Select, rows: Bits) => {
    for (const row of nthAndAlike(order, wanted, rows)) {
      if (seen.has(row)) continue;
      seen.add(row);
      found.push({ how, row });
    }
  };
  add("next in rank", { ...select, rank: select.rank + 1 }, candidates());
  if (select.rank > 1) add("one rank too high", { ...select, rank: select.rank - 1 }, candidates());
  if (where.length > 0) add("no condition applied", select, index.candidates([]).definite);
  for (const i of where.keys()) add(`condition ${i + 1} ignored`, select, candidates(i));
  add("other end", { ...select, order: select.order === "max" ? "min" : "max" }, candidates());
  return found;
}

function wrongMembers(chosen: Chosen): WrongChoice[] {
  const { members } = chosen;
  if (members === undefined) return [];
  const { table, where, takes } = members;
  const right = placesOf(chosen);
  const index = indexOf(table);
  const over = (how: string, skip: number, conditions = where): WrongChoice => ({
    how,
    places: { ...right, members: index.candidates(conditions, skip).definite },
  });
  const found = where.map((_, i) => over(`condition ${i + 1} ignored`, i));
  if (where.length > 1) found.push(over("no condition applied", -1, []));
  const others = STATISTICS.filter((take) => !takes.has(take));
  return [...found, ...others.map((take) => ({ how: `the ${take} instead`, places: { ...right, take } }))];
}

/** Judges the answer that is read from some rows; pure numbers, no evidence, so that enumeration can call it for every survivor. */
export function assess(
  computation: Computation,
  digits: number,
  places: Places,
  wrong: readonly WrongChoice[],
  limits: ComputeLimits,
): Assessed | ComputeRefusal {
  const { formula, inputs } = computation;
  for (const input of inputs) {
    const refusal = judgeInput(computation, input, places);
    if (refusal !== undefined) return refusal;
  }
  const args = computation.args(places);
  const value = computation.answer(places);
  if (!Number.isFinite(value) || value === 0) return { reason: "not_finite", value };
  const [low, high] = formula.output.range ?? [null, null];
  if ((low !== null && value < low) || (high !== null && value > high))
    return { reason: "implausible_answer", value };
  if (formula.exact && !Number.isInteger(value)) return { reason: "not_an_integer", value };
  const same = inputs.find((input, i) => isAnswer(computation, input, args[i]!, value));
  // The Earth's period in years, or its distance in astronomical units, is 1 but for the last digits.
  if (same !== undefined || Number(value.toPrecision(digits)) === 1)
    return { reason: "trivial_answer", value, ...(same === undefined ? {} : { input: same.name }) };
  const sensitivities = computation.sensitivities(places);
  const dull = inputs.find((i) => Math.abs(sensitivities.relative[i.name]!) < limits.min_sensitivity);
  if (dull !== undefined) return { reason: "insensitive_input", input: dull.name, value };
  const { uncertainty, drift } = computation.spread(places, sensitivities);
  // An exact count of what is not exactly known is none.
  if (formula.exact && (uncertainty > 0 || drift > 0))
    return { reason: "tolerance_too_wide", value, tolerance: uncertainty + drift };
  const tolerance = formula.exact ? 0 : gradingTolerance(value, digits, uncertainty, drift);
  if (tolerance > limits.max_tolerance) return { reason: "tolerance_too_wide", value, tolerance };
  const wrongAnswers = wrong
    .map(({ how, places: other }) => ({ how, value: computation.answer(other) }))
    .filter((w) => Number.isFinite(w.value));
  const close = wrongAnswers.find((w) => tooClose(value, w.value, tolerance));
  if (close !== undefined)
    return { reason: "rival_answer_close", how: close.how, value, other: close.value, tolerance };
  const routes = judgeRoutes(computation, places, value, tolerance);
  if ("reason" in routes) return routes;
  return { value, args, sensitivities, uncertainty, tolerance, wrong: [...wrongAnswers, ...routes.wrong] };
}

/** Whether an input is the answer already: |G : G'| of an abelian group is its order. A figure of all candidates has to be found. */
function isAnswer(computation: Computation, input: BoundInput, arg: number, value: number): boolean {
  return input.take === undefined && input.column.card.unit === computation.unit && arg === value;
}

/**
 * What the question names already: "the shortest orbital period" asked for its orbital period. The id of the column, where the
 * asked quantity is that of a selection or of a condition, and belongs to the same entity.
 */
export function askedAndGiven(program: Program, computation: Computation): string | undefined {
  const { quantity } = computation.formula.output;
  const { select, where, other, follow } = program;
  if (computation.inputs.every((input) => input.of === "followed")) {
    const last = follow?.at(-1);
    if (last === undefined || typeof last === "string") return undefined;
    const { column } = last.select;
    const given = computation.path!.tables.at(-1)!.columns.get(column)!.card.quantity === quantity;
    return given ? column : undefined;
  }
  const named = [select, ...where, ...(other === undefined ? [] : [other.select, ...other.where])];
  return named
    .flatMap((n) => n?.column ?? [])
    .find((id) => computation.table.columns.get(id)!.card.quantity === quantity);
}

function judgeInput(computation: Computation, input: BoundInput, places: Places): ComputeRefusal | undefined {
  const { column } = input;
  if (!column.card.may.includes("compute")) return { reason: "column_may_not_compute", input: input.name };
  if (input.take !== undefined) return undefined;
  const at = computation.inputRow(input, places);
  if (at === undefined) return { reason: "broken_link", input: input.name };
  const value = column.values[at]!;
  if (Number.isNaN(value)) return { reason: "unknown_input", input: input.name };
  if (column.limit[at] !== 0) return { reason: "limit_input", input: input.name, value };
  if (Number.isNaN(column.u[at]!)) return { reason: "undeclared_uncertainty", input: input.name, value };
  if (!computation.valid(input, value)) return { reason: "outside_validity", input: input.name, value };
  return undefined;
}

/**
 * Wrong routes must lie outside three tolerances. Another definition of an input (equatorial for mean radius) must either
 * agree within the tolerance, and then does no harm, or lie outside two: in between some answers would be right under both.
 */
function judgeRoutes(
  computation: Computation,
  places: Places,
  value: number,
  tolerance: number,
): ComputeRefusal | { wrong: { how: string; value: number }[] } {
  const wrong: { how: string; value: number }[] = [];
  for (const route of computation.wrongRoutes(places)) {
    if (!Number.isFinite(route.value)) continue;
    if (tooClose(value, route.value, tolerance)) {
      return { reason: "wrong_route_close", how: route.how, value, other: route.value, tolerance };
    }
    wrong.push(route);
  }
  for (const variant of computation.variants(places)) {
    if (!Number.isFinite(variant.value)) continue;
    const agrees = tooClose(value, variant.value, tolerance, 1);
    if (!agrees && tooClose(value, variant.value, tolerance, OTHER_READING_DISTANCE)) {
      return { reason: "definition_ambiguous", how: variant.how, value, other: variant.value, tolerance };
    }
    if (!tooClose(value, variant.value, tolerance)) wrong.push(variant);
  }
  return { wrong };
}
