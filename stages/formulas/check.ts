/** Everything about a formula that can be judged before any value is known. */
import { type Problem, suggest } from "../../pipeline/base/errors.js";
import { CONSTANT_SYMBOLS, constantOf } from "../../verifiers/constants.js";
import { type Dimension, dimensionText, parseUnit, UnitError } from "../../verifiers/units.js";
import { dimensionOf } from "./dimension.js";
import {
  type Expression,
  ExpressionError,
  FUNCTIONS,
  namesIn,
  parseExpression,
  RESERVED,
} from "./expression.js";
import type { Computable } from "./numeric.js";

type Path = readonly (string | number)[];

/** A formula as far as it has been read, and what is wrong with it so far. */
interface Reading {
  readonly formula: Computable;
  readonly problems: Problem[];
  /** Dimensions of inputs and declared constants; undefined for an input whose unit cannot be read. */
  readonly names: Map<string, Dimension | undefined>;
}

/**
 * What is wrong with a formula: expressions outside the language, unknown names, units and constants, dimensions that do not fit
 * the declared output unit (in steps and wrong routes too), unused inputs. Paths are inside the formula; positions in an
 * expression are given in characters from 1.
 */
export function checkFormula(formula: Computable): Problem[] {
  const reading: Reading = { formula, problems: [], names: new Map() };
  readInputs(reading);
  readConstants(reading);
  const output = readUnit(reading, formula.output.unit, ["output", "unit"]);
  const main = readExpression(reading, formula.expression, output, ["expression"]);
  if (main !== undefined) checkUse(reading, main);
  for (const [id, step] of Object.entries(formula.steps)) {
    const unit = readUnit(reading, step.unit, ["steps", id, "unit"]);
    readExpression(reading, step.expression, unit, ["steps", id, "expression"]);
  }
  formula.wrong_routes.forEach((route, i) => {
    readExpression(reading, route.expression, output, ["wrong_routes", i, "expression"]);
  });
  formula.variants.forEach((variant, i) => {
    if (Object.hasOwn(formula.inputs, variant.input)) return;
    const path = ["variants", i, "input"];
    push(
      reading,
      "unknown_input",
      `the formula has no input \`${variant.input}\``,
      path,
      suggestSymbol(variant.input, formula),
    );
  });
  checkRange(reading, formula.output.range, ["output", "range"]);
  return reading.problems;
}

function push({ problems }: Reading, code: string, message: string, path: Path, hint?: string): void {
  problems.push(hint === undefined ? { code, message, path } : { code, message, path, hint });
}

function readInputs(reading: Reading): void {
  const inputs = Object.entries(reading.formula.inputs);
  if (inputs.length === 0) push(reading, "no_inputs", "a formula needs at least one input", ["inputs"]);
  for (const [name, input] of inputs) {
    if (RESERVED.has(name) || FUNCTIONS.some((f) => f === name)) {
      push(reading, "reserved_name", `an input cannot be called \`${name}\``, ["inputs", name]);
    }
    reading.names.set(name, readUnit(reading, input.unit, ["inputs", name, "unit"]));
    checkRange(reading, input.valid, ["inputs", name, "valid"]);
  }
}

function readConstants(reading: Reading): void {
  const { formula, names } = reading;
  formula.constants.forEach((symbol, i) => {
    const constant = constantOf(symbol);
    const path = ["constants", i];
    if (constant === undefined) {
      const hint = suggest(symbol, CONSTANT_SYMBOLS, "constants");
      push(reading, "unknown_constant", `there is no constant \`${symbol}\``, path, hint);
    } else if (names.has(symbol)) {
      push(
        reading,
        "duplicate_name",
        `\`${symbol}\` is both an input and a constant`,
        path,
        "rename the input",
      );
    }
    // An unknown constant is known by name from here on: one problem is enough.
    if (!names.has(symbol)) names.set(symbol, constant && parseUnit(constant.unit).dimension);
  });
  formula.state_constants.forEach((symbol, i) => {
    if (formula.constants.includes(symbol)) return;
    const message = `\`${symbol}\` is to be stated but is not among the constants`;
    push(reading, "unknown_constant", message, ["state_constants", i], "list it under `constants`");
  });
}

function readUnit(reading: Reading, unit: string, path: Path): Dimension | undefined {
  try {
    return parseUnit(unit).dimension;
  } catch (error) {
    if (!(error instanceof UnitError)) throw error;
    push(reading, "bad_unit", error.what, path, error.suggestion);
    return undefined;
  }
}

/** Parses an expression and compares its dimension with the one declared; undefined if it is not of the language. */
function readExpression(
  reading: Reading,
  text: string,
  declared: Dimension | undefined,
  path: Path,
): Expression | undefined {
  let expression: Expression | undefined;
  try {
    expression = parseExpression(text);
    const missing = [...namesIn(expression)].find((n) => !reading.names.has(n));
    if (missing !== undefined) throw unknownName(reading, text, missing);
    const names = new Map<string, Dimension>();
    for (const [name, dimension] of reading.names) if (dimension !== undefined) names.set(name, dimension);
    // A unit that could not be read is a problem already: its dimension is not guessed.
    if (declared === undefined || [...namesIn(expression)].some((n) => !names.has(n))) return expression;
    const found = dimensionOf(expression, names);
    if (found.some((d, i) => Math.abs(d - declared[i]!) > 1e-9)) {
      const message = `the expression gives ${dimensionText(found)}, its unit measures ${dimensionText(declared)}`;
      push(
        reading,
        "dimension_mismatch",
        `${message}: \`${text}\``,
        path,
        "correct the expression or the unit",
      );
    }
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const code = expression === undefined ? "bad_expression" : codeOf(error);
    push(reading, code, `${error.message}, at character ${error.at + 1} of \`${text}\``, path, error.hint);
  }
  return expression;
}

function codeOf(error: ExpressionError): string {
  return error.message.includes("neither an input nor") ? "unknown_name" : "dimension_mismatch";
}

function unknownName({ formula }: Reading, text: string, name: string): ExpressionError {
  const at = new RegExp(`\\b${name}\\b`).exec(text)!.index;
  const isConstant = constantOf(name) !== undefined;
  const hint = isConstant ? `list \`${name}\` under \`constants\`` : suggestSymbol(name, formula);
  return new ExpressionError(`\`${name}\` is neither an input nor a declared constant`, at, hint);
}

function suggestSymbol(name: string, formula: Computable): string {
  return suggest(name, [...Object.keys(formula.inputs), ...formula.constants], "known here");
}

function checkUse(reading: Reading, main: Expression): void {
  const used = namesIn(main);
  for (const name of Object.keys(reading.formula.inputs)) {
    if (used.has(name)) continue;
    push(
      reading,
      "unused_input",
      `the expression does not use the input \`${name}\``,
      ["inputs", name],
      "remove it",
    );
  }
}

function checkRange(
  reading: Reading,
  range: readonly [number | null, number | null] | undefined,
  path: Path,
): void {
  const [low, high] = range ?? [null, null];
  if (low !== null && high !== null && low > high) {
    push(
      reading,
      "empty_range",
      `the range from ${low} to ${high} is empty`,
      path,
      "write the smaller number first",
    );
  }
}
