import type { Json } from "../pipeline/base/canonical.js";
import type { Catalog } from "../sources/table.js";
import { formatValue, round12 } from "../verifiers/numbers.js";
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
  wrongRows,
} from "./program/assess.js";
import { chainOf } from "./program/chain.js";
import { type Computation, computationOf } from "./program/computation.js";
import { answerByDuckDB } from "./program/duckdb.js";
import { select as selectRow } from "./program/selection.js";
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
  version: 2,
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
  async run(row, { catalog, database, params }): Promise<Outcome<ComputedRow>> {
    const { program, formula } = row;
    const table = catalog.tables.get(program.table)!;
    const index = indexOf(table);
    const at = table.rowOf(row.selection.entity.key)!;
    const computation = computationOf(catalog, program, formula);
    const selected = selectRow(index, program.where, program.select, { near_threshold: "must_lose" });
    if ("reason" in selected || selected.row !== at)
      throw new Error(`row ${row.id} was not selected by its program`);
    const given = askedAndGiven(program, computation);
    if (given !== undefined) {
      const evidence: Json = { column: given, quantity: formula.output.quantity };
      return { reject: { reason: "asked_and_given", evidence } };
    }
    const assessed = assess(
      computation,
      program.compute.digits,
      at,
      wrongRows(index, program, selected),
      params,
    );
    if ("reason" in assessed)
      return { reject: { reason: assessed.reason, evidence: evidenceOf(computation, at, assessed) } };
    const inputs = inputsOf(computation, assessed);
    const byTypescript = evaluate(formula, inputs, program.compute.unit);
    const byDuckDB = await answerByDuckDB(database, catalog, program, formula);
    const gap = Math.abs(byTypescript - byDuckDB.value);
    const agreed = gap <= AGREEMENT * assessed.sensitivities.condition * Math.abs(byTypescript);
    if (
      byDuckDB.key !== row.selection.entity.key ||
      byDuckDB.candidates !== row.filter.candidates ||
      !agreed
    ) {
      const evidence: Json = {
        typescript: { key: row.selection.entity.key, candidates: row.filter.candidates, value: byTypescript },
        duckdb: { key: byDuckDB.key, candidates: byDuckDB.candidates, value: byDuckDB.value },
      };
      return { reject: { reason: "evaluators_disagree", evidence } };
    }
    const steps = evaluateSteps(formula, inputs);
    return {
      out: { ...row, ...computed(row, computation, assessed, byTypescript, byDuckDB.value, steps, catalog) },
    };
  },
});

function computed(
  row: SelectedRow,
  computation: Computation,
  assessed: Assessed,
  byTypescript: number,
  byDuckDB: number,
  steps: Readonly<Record<string, number>>,
  catalog: Catalog,
): Omit<ComputedRow, keyof SelectedRow> {
  const { program, formula, filter } = row;
  const at = computation.table.rowOf(row.selection.entity.key)!;
  const value = round12(byTypescript);
  const answer: ComputedRow["answer"] = {
    type: formula.exact ? "integer" : "quantity",
    value,
    unit: program.compute.unit,
    digits: program.compute.digits,
    text: formula.exact ? String(value) : formatValue(value, program.compute.digits),
    tolerance: roundUp(assessed.tolerance),
    uncertainty: roundUp(assessed.uncertainty),
    by_duckdb: round12(byDuckDB),
    by_typescript: value,
    condition_number: Number(assessed.sensitivities.condition.toPrecision(4)),
  };
  const inputs: ComputedRow["inputs"] = Object.fromEntries(
    computation.inputs.map((input, i) => {
      const from = computation.inputRow(input, at)!;
      return [
        input.name,
        {
          entity: entityOf(input.table, from),
          column: input.column.id,
          value: round12(assessed.args[i]!),
          unit: input.column.card.unit!,
          u: Number(input.column.u[from]!.toPrecision(6)),
          sensitivity: Number(assessed.sensitivities.relative[input.name]!.toPrecision(4)),
        },
      ];
    }),
  );
  return {
    answer,
    inputs,
    wrong_answers: assessed.wrong.map((w) => ({ how: w.how, value: round12(w.value) })),
    chain: chainOf(row, computation, at, answer, steps, catalog),
    gates: [
      {
        gate: "twice_computed",
        status: "passed",
        why: "DuckDB and the TypeScript evaluator agree on candidates, entity and value",
      },
    ],
    difficulty: {
      conditions: program.where.length,
      hops: program.follow === undefined ? 0 : 1,
      candidates: filter.candidates,
      rank: program.select.rank,
      formula_inputs: computation.inputs.length,
      formula_depth: depthOf(parseExpression(formula.expression)),
    },
  };
}

/** Three significant digits, never less than the figure: a tolerance may not shrink by being stored. */
function roundUp(figure: number): number {
  const rounded = Number(figure.toPrecision(3));
  return rounded >= figure ? rounded : Number((figure * 1.005).toPrecision(3));
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

function evidenceOf(computation: Computation, row: number, refusal: ComputeRefusal): Json {
  const { reason: _, ...figures } = refusal;
  const finite = Object.fromEntries(
    Object.entries(figures).map(([k, v]) => [
      k,
      typeof v === "number" && !Number.isFinite(v) ? String(v) : v,
    ]),
  );
  const input = computation.inputs.find((i) => i.name === refusal.input);
  const place = input === undefined ? {} : { column: input.column.id, table: input.table.id };
  return { entity: computation.table.names[row]!, ...place, ...finite };
}
