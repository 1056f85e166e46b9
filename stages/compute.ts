import { canonicalJson, type Json } from "../pipeline/base/canonical.js";
import type { Catalog } from "../sources/table.js";
import { formatValue, round12 } from "../verifiers/numbers.js";
import { roundUp } from "../verifiers/tolerance.js";
import { depthOf, parseExpression } from "./formulas/expression.js";
import { evaluate, evaluateSteps } from "./formulas/typescript.js";
import {
  type Assessed,
  askedAndGiven,
  assess,
  type ComputeLimits,
  type ComputeReason,
  type ComputeRefusal,
  computeLimits,
  placesOf,
  wrongChoices,
} from "./program/assess.js";
import { chainOf } from "./program/chain.js";
import { type Choice, type ChooseLimits, type Chosen, choose } from "./program/choose.js";
import { type Computation, computationOf, type Places } from "./program/computation.js";
import { catalogFor } from "./program/derived.js";
import { answerByDuckDB, type Choices } from "./program/duckdb.js";
import { formOf, type Program } from "./program/program.js";
import { indexOf } from "./program/table-index.js";
import { entityOf } from "./select.js";
import { defineStage, type Outcome } from "./stage.js";
import { type ComputedRow, computedRow, type SelectedRow, selectedRow } from "./task.js";

export const computeReasons: Readonly<
  Record<ComputeReason | "asked_and_given" | "evaluators_disagree", string>
> = {
  broken_link: "the selected entity's link leads to no entity",
  column_may_not_compute: "the card does not let this column feed an answer",
  unknown_input: "a value that the formula needs is not known",
  limit_input: "a value that the formula needs is only a bound",
  undeclared_uncertainty: "the uncertainty of an input is not declared, so no tolerance can cover it",
  outside_validity: "an input lies outside the formula's range of validity",
  not_finite: "the answer is zero or not a finite number",
  implausible_answer: "the answer lies outside the formula's plausible range",
  not_an_integer: "an exact count came out as no integer",
  insensitive_input: "one of the inputs hardly moves the answer",
  trivial_answer: "the answer is 1, or one of the formula's inputs",
  asked_and_given: "the quantity asked for is the one that selects the entity or that a condition speaks of",
  tolerance_too_wide: "uncertainty and drift of the inputs ask for a wider tolerance than is allowed",
  rival_answer_close: "choosing wrongly gives an answer within three tolerances",
  wrong_route_close: "a known mistake gives an answer within three tolerances",
  definition_ambiguous:
    "another reading of an input gives an answer that neither agrees nor can be told apart",
  evaluators_disagree: "DuckDB and the TypeScript evaluator do not agree",
};

/** Values that the two evaluators give may differ by this times the formula's condition number. */
const AGREEMENT = 1e-12;

/** Computes the answer twice, sets its tolerance and keeps the chain of hidden targets. */
export const compute = defineStage<ComputeLimits, SelectedRow, ComputedRow>({
  kind: "compute",
  version: 4,
  summary: "computes the answer twice, its tolerance and the chain behind it",
  mode: "row",
  costly: true,
  params: computeLimits,
  takes: "selected",
  gives: "computed",
  gate: "twice_computed",
  input: selectedRow,
  output: computedRow,
  reasons: computeReasons,
  async run(row, { catalog: bare, database, params }): Promise<Outcome<ComputedRow>> {
    const { program, formula } = row;
    const catalog = catalogFor(row, bare);
    const computation = computationOf(catalog, program, formula);
    const chosen = choose(program, catalog, LENIENT);
    if ("reason" in chosen || !sameChoice(chosen, row))
      throw new Error(`row ${row.id} was not selected by its program`);
    const given = askedAndGiven(program, computation);
    if (given !== undefined) {
      const evidence: Json = { column: given, quantity: formula.output.quantity };
      return { reject: { reason: "asked_and_given", evidence } };
    }
    const places = placesOf(chosen);
    const assessed = assess(
      computation,
      program.compute.digits,
      places,
      wrongChoices(chosen, computation.path),
      params,
    );
    if ("reason" in assessed)
      return { reject: { reason: assessed.reason, evidence: evidenceOf(computation, row, assessed) } };
    const inputs = inputsOf(computation, assessed);
    const byTypescript = evaluate(formula, inputs, program.compute.unit);
    const byDuckDB = await answerByDuckDB(database, catalog, row);
    const gap = Math.abs(byTypescript - byDuckDB.value);
    const agreed = gap <= AGREEMENT * assessed.sensitivities.condition * Math.abs(byTypescript);
    const here = choicesOf(chosen, row);
    const there = byDuckDB.choices;
    if (canonicalJson(here) !== canonicalJson(there) || !agreed) {
      const evidence: Json = {
        typescript: { ...here, value: byTypescript },
        duckdb: { ...there, value: Number.isNaN(byDuckDB.value) ? null : byDuckDB.value },
      };
      return { reject: { reason: "evaluators_disagree", evidence } };
    }
    const steps = evaluateSteps(formula, inputs);
    return {
      out: {
        ...row,
        ...computed(row, {
          computation,
          places,
          assessed,
          byTypescript,
          byDuckDB: byDuckDB.value,
          steps,
          catalog,
        }),
      },
    };
  },
});

/** The thresholds that `select` has already applied, in whatever reading: here the same choices must come out once more. */
const LENIENT: ChooseLimits = {
  near_threshold: "must_lose",
  max_influence: Number.POSITIVE_INFINITY,
  max_members: Number.MAX_SAFE_INTEGER,
};

function sameChoice({ selected }: Chosen, { selection }: SelectedRow): boolean {
  if (selected === undefined || selection === undefined)
    return selected === undefined && selection === undefined;
  return selected.table.keys[selected.selected.row] === selection.entity.key;
}

function choicesOf({ selected, steps, other }: Chosen, { filter }: SelectedRow): Choices {
  const keyOf = (choice: Choice | undefined) =>
    choice === undefined ? null : choice.table.keys[choice.selected.row]!;
  return {
    selected: keyOf(selected),
    candidates: filter.candidates,
    steps: steps.map(({ table, row }) => table.keys[row]!),
    peers: steps.flatMap(({ peers }) => (peers === undefined ? [] : [candidatesOf(peers)])),
    other: keyOf(other),
    others: other === undefined ? null : candidatesOf(other),
  };
}

/** At face value, as the first selection's are counted. */
function candidatesOf({ table, where }: Choice): number {
  return indexOf(table).holding(where).count();
}

interface Found {
  readonly computation: Computation;
  readonly places: Places;
  readonly assessed: Assessed;
  readonly byTypescript: number;
  readonly byDuckDB: number;
  readonly steps: Readonly<Record<string, number>>;
  readonly catalog: Catalog;
}

function computed(
  row: SelectedRow,
  { computation, places, assessed, byTypescript, byDuckDB, steps, catalog }: Found,
): Omit<ComputedRow, keyof SelectedRow> {
  const { program, formula, filter } = row;
  const value = round12(byTypescript);
  const answer: ComputedRow["answer"] = {
    type: formula.exact ? "integer" : "quantity",
    value,
    unit: program.compute.unit,
    digits: program.compute.digits,
    text: formula.exact ? String(value) : formatValue(value, program.compute.digits),
    tolerance: assessed.tolerance,
    uncertainty: roundUp(assessed.uncertainty),
    by_duckdb: round12(byDuckDB),
    by_typescript: value,
    condition_number: Number(assessed.sensitivities.condition.toPrecision(4)),
  };
  const chain = chainOf(row, computation, places, answer, assessed.sensitivities, steps, catalog);
  return {
    answer,
    inputs: storedInputs(computation, places, assessed),
    wrong_answers: firstOfEach(assessed.wrong).map((w) => ({ how: w.how, value: round12(w.value) })),
    chain,
    gates: [
      {
        gate: "twice_computed",
        status: "passed",
        why: "DuckDB and the TypeScript evaluator agree on every choice, its candidates and the value",
      },
    ],
    difficulty: {
      conditions: conditionsOf(program),
      hops: program.follow?.length ?? 0,
      candidates: filter.candidates,
      rank: program.select?.rank ?? 0,
      formula_inputs: computation.inputs.length,
      formula_depth: depthOf(parseExpression(formula.expression)),
      form: formOf(program),
      evidence: chain.length - 1 + lookedUp(row, computation),
    },
  };
}

/** One wrong choice may be any of several entities with the same value: all were judged, the first is kept. */
function firstOfEach(wrong: Assessed["wrong"]): Assessed["wrong"] {
  const seen = new Set<string>();
  return wrong.filter(({ how }) => !seen.has(how) && seen.add(how));
}

/** Conditions that the question states: those that both selections share are stated once. */
function conditionsOf({ where, other }: Program): number {
  const shared = other !== undefined && canonicalJson(other.where) === canonicalJson(where);
  return where.length + (shared ? 0 : (other?.where.length ?? 0));
}

/** Values behind figures of all candidates, each of which stands for one in the chain. */
function lookedUp({ aggregate }: SelectedRow, { inputs }: Computation): number {
  const figures = inputs.filter((i) => i.take !== undefined).length;
  return figures * Math.max(0, (aggregate?.members.length ?? 0) - 1);
}

function storedInputs(computation: Computation, places: Places, assessed: Assessed): ComputedRow["inputs"] {
  const stored = computation.inputs.map((input, i) => {
    const from = computation.inputRow(input, places);
    const figures = {
      column: input.column.id,
      value: round12(assessed.args[i]!),
      unit: input.column.card.unit!,
      u: Number(computation.inputU(input, places).toPrecision(6)),
      sensitivity: Number(assessed.sensitivities.relative[input.name]!.toPrecision(4)),
    };
    const whose = input.take === undefined ? { entity: entityOf(input.table, from!) } : { take: input.take };
    return [input.name, { ...whose, ...figures }];
  });
  return Object.fromEntries(stored);
}

function inputsOf(
  computation: Computation,
  assessed: Assessed,
): Record<string, { value: number; unit: string }> {
  return Object.fromEntries(
    computation.inputs.map((input, i) => [
      input.name,
      { value: assessed.args[i]!, unit: input.column.card.unit! },
    ]),
  );
}

function evidenceOf(computation: Computation, { selection }: SelectedRow, refusal: ComputeRefusal): Json {
  const { reason: _, ...figures } = refusal;
  const finite = Object.fromEntries(
    Object.entries(figures).map(([k, v]) => [
      k,
      typeof v === "number" && !Number.isFinite(v) ? String(v) : v,
    ]),
  );
  const input = computation.inputs.find((i) => i.name === refusal.input);
  const place = input === undefined ? {} : { column: input.column.id, table: input.table.id };
  return { entity: selection?.entity.name ?? null, ...place, ...finite };
}
