import type { Catalog } from "../../sources/table.js";
import { driftOf } from "../../verifiers/margin.js";
import { formatValue, round12 } from "../../verifiers/numbers.js";
import { COVERAGE, halfDigit } from "../../verifiers/tolerance.js";
import type { ChainStep, ComputedRow, EntityRef, SelectedRow } from "../task.js";
import { aliasesOf } from "./aliases.js";
import type { BoundInput, Computation } from "./computation.js";

/** Significant digits at which an intermediate value is compared. */
const STEP_DIGITS = 3;

/**
 * The hidden verification targets of a task in dependency order: the entity, the followed entity, each attribute, each
 * intermediate quantity, the answer.
 */
export function chainOf(
  row: SelectedRow,
  computation: Computation,
  at: number,
  answer: ComputedRow["answer"],
  steps: Readonly<Record<string, number>>,
  { tables }: Catalog,
): ChainStep[] {
  const { entity, followed } = row.selection;
  const step = (id: string, label: string, of: EntityRef, depends: string[]): ChainStep => {
    const table = tables.get(of.table)!;
    return entityStep(id, label, of.name, aliasesOf(table, table.rowOf(of.key)!), depends);
  };
  const chain: ChainStep[] = [step("selected", "selected entity", entity, [])];
  if (followed !== undefined) chain.push(step("followed", "entity it leads to", followed, ["selected"]));
  for (const input of computation.inputs) chain.push(attributeStep(row, computation, input, at));
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
      tolerance: Math.max(halfDigit(value, STEP_DIGITS), answer.tolerance),
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
  return chain.map((step) => ({
    ...step,
    tolerance: step.tolerance === null ? null : Number(step.tolerance.toPrecision(3)),
  }));
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

function attributeStep(row: SelectedRow, computation: Computation, input: BoundInput, at: number): ChainStep {
  const from = computation.inputRow(input, at)!;
  const value = input.column.values[from]!;
  const spread = COVERAGE * input.column.u[from]! + driftOf(value, input.column.card.drift);
  const tolerance =
    input.column.card.scale === "exact"
      ? 0
      : Math.max(halfDigit(value, STEP_DIGITS), value === 0 ? 0 : spread / Math.abs(value));
  return {
    id: `input:${input.name}`,
    kind: "attribute",
    label: row.formula.inputs[input.name]!.noun,
    text: withUnit(String(value), input.column.card.unit!),
    aliases: [],
    value: round12(value),
    unit: input.column.card.unit!,
    tolerance,
    depends_on: [input.of],
  };
}

function namesIn(expression: string, inputs: readonly BoundInput[]): string[] {
  const words = new Set(expression.match(/[A-Za-z_][A-Za-z0-9_]*/g) ?? []);
  return inputs.map((i) => i.name).filter((name) => words.has(name));
}
