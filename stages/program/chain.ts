import type { Catalog } from "../../sources/table.js";
import { formatValue, round12 } from "../../verifiers/numbers.js";
import { COVERAGE, gradingTolerance, halfDigit, roundUp } from "../../verifiers/tolerance.js";
import type { Sensitivities } from "../formulas/sensitivity.js";
import type { ChainStep, ComputedRow, EntityRef, SelectedRow } from "../task.js";
import { aliasesOf } from "./aliases.js";
import type { BoundInput, Computation, Places } from "./computation.js";

/** Significant digits at which an intermediate value is compared. */
const STEP_DIGITS = 3;

/**
 * The hidden verification targets of a task in dependency order: the entities, each attribute or figure of all candidates, each
 * intermediate quantity, the answer.
 */
export function chainOf(
  row: SelectedRow,
  computation: Computation,
  places: Places,
  answer: ComputedRow["answer"],
  { relative }: Sensitivities,
  steps: Readonly<Record<string, number>>,
  { tables }: Catalog,
): ChainStep[] {
  const chain: ChainStep[] = entitiesOf(row).map(({ id, label, of, depends }) => {
    const table = tables.get(of.table)!;
    return entityStep(id, label, of.name, aliasesOf(table, table.rowOf(of.key)!), depends);
  });
  for (const input of computation.inputs) {
    // A mass number is no atomic mass where the answer is the difference of the two.
    const most = answer.tolerance / Math.max(Math.abs(relative[input.name]!), Number.MIN_VALUE);
    chain.push(attributeStep(row, computation, input, places, most));
  }
  const attributes = computation.inputs.map((i) => `input:${i.name}`);
  for (const [name, spec] of Object.entries(row.formula.steps)) {
    const value = round12(steps[name]!);
    chain.push({
      id: `step:${name}`,
      kind: "intermediate",
      label: spec.noun,
      text: withUnit(formatValue(value, STEP_DIGITS), spec.unit),
      aliases: [],
      value,
      unit: spec.unit,
      tolerance: stepTolerance(computation, places, spec, value),
      depends_on: namesIn(spec.expression, computation.inputs).map((n) => `input:${n}`),
    });
  }
  chain.push({
    id: "answer",
    kind: "answer",
    label: row.formula.noun,
    text: withUnit(answer.text, answer.unit),
    aliases: [],
    value: answer.value,
    unit: answer.unit,
    tolerance: answer.tolerance,
    depends_on: [...attributes, ...Object.keys(row.formula.steps).map((s) => `step:${s}`)],
  });
  return chain;
}

/** Covers what the inputs propagate to an intermediate quantity, as a grading tolerance does for the answer. */
function stepTolerance(
  computation: Computation,
  places: Places,
  { expression, unit }: { readonly expression: string; readonly unit: string },
  value: number,
): number {
  const { uncertainty, drift } = computation.spreadOf(places, expression, unit);
  return gradingTolerance(value, STEP_DIGITS, uncertainty, drift);
}

interface ChainEntity {
  readonly id: string;
  readonly label: string;
  readonly of: EntityRef;
  readonly depends: string[];
}

/** The entities that a program comes by, in the order in which they are found. */
function entitiesOf({ selection }: SelectedRow): ChainEntity[] {
  if (selection === undefined) return [];
  const { entity, via = [], followed, other } = selection;
  const found: ChainEntity[] = [{ id: "selected", label: "selected entity", of: entity, depends: [] }];
  via.forEach((of, i) => {
    found.push({ id: `via:${i + 1}`, label: "entity on the way", of, depends: [found.at(-1)!.id] });
  });
  if (followed !== undefined)
    found.push({ id: "followed", label: "entity it leads to", of: followed, depends: [found.at(-1)!.id] });
  if (other !== undefined) found.push({ id: "other", label: "second entity", of: other.entity, depends: [] });
  return found;
}

function withUnit(number: string, unit: string): string {
  return unit === "1" ? number : `${number} ${unit}`;
}

function entityStep(
  id: string,
  label: string,
  name: string,
  aliases: string[],
  depends: string[],
): ChainStep {
  return {
    id,
    kind: "entity",
    label,
    text: name,
    aliases,
    value: null,
    unit: null,
    tolerance: null,
    depends_on: depends,
  };
}

function attributeStep(
  row: SelectedRow,
  computation: Computation,
  input: BoundInput,
  places: Places,
  rounding: number,
): ChainStep {
  const { column, take, of } = input;
  const value = computation.args(places)[computation.inputs.indexOf(input)]!;
  const relative = (spread: number) => (value === 0 ? 0 : spread / Math.abs(value));
  const uncertainty = relative(computation.inputU(input, places));
  const drift = relative(computation.inputDrift(input, places, value));
  const isExact = column.card.scale === "exact" && take === undefined;
  const noun = row.formula.inputs[input.name]!.noun;
  return {
    id: `input:${input.name}`,
    kind: take === undefined ? "attribute" : "intermediate",
    label: noun,
    text: withUnit(String(take === undefined ? value : round12(value)), column.card.unit!),
    aliases: [],
    value: round12(value),
    unit: column.card.unit!,
    tolerance: isExact
      ? 0
      : roundUp(Math.min(halfDigit(value, STEP_DIGITS), rounding) + COVERAGE * uncertainty + drift),
    depends_on: of === "candidates" ? [] : [of],
  };
}

function namesIn(expression: string, inputs: readonly BoundInput[]): string[] {
  const words = new Set(expression.match(/[A-Za-z_][A-Za-z0-9_]*/g) ?? []);
  return inputs.map((i) => i.name).filter((name) => words.has(name));
}
