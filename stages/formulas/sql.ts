/**
 * Evaluator A: a formula as one DuckDB expression over DOUBLEs in SI units. Operands are SQL made by the caller from generated
 * identifiers or parameters; nothing of a formula's text gets into the SQL, only its tree, printed from closed lists.
 */
import { parseUnit, type Unit } from "../../verifiers/units.js";
import { type Expression, type FunctionName, parseExpression } from "./expression.js";
import type { Computable } from "./numeric.js";
import { namedValue } from "./numeric.js";

/** An input as SQL (a generated column identifier or a parameter such as `$1`) and the unit of its values. */
export interface SqlOperand {
  readonly sql: string;
  readonly unit: string;
}

const CALLS: Readonly<Record<FunctionName, (x: string) => string>> = {
  sqrt: (x) => `sqrt(${x})`,
  cbrt: (x) => `cbrt(${x})`,
  exp: (x) => `exp(${x})`,
  ln: (x) => `ln(${x})`,
  log10: (x) => `log10(${x})`,
  sin: (x) => `sin(${x})`,
  cos: (x) => `cos(${x})`,
  tan: (x) => `tan(${x})`,
  asin: (x) => `asin(${x})`,
  acos: (x) => `acos(${x})`,
  atan: (x) => `atan(${x})`,
  abs: (x) => `abs(${x})`,
  // NULL for what is no whole number: a cast alone would round it.
  factorial: (x) =>
    `CASE WHEN ${x} = floor(${x}) AND ${x} >= 0 THEN CAST(factorial(CAST(${x} AS INTEGER)) AS DOUBLE) END`,
};

/**
 * The formula as a DuckDB expression that gives a DOUBLE in `outputUnit`, or NULL where it has no finite value (an unknown input,
 * a division by zero, a root of a negative number).
 * @throws ExpressionError, UnitError or RangeError if the formula is not sound; see `checkFormula`.
 */
export function compileSql(
  formula: Pick<Computable, "expression">,
  operands: Readonly<Record<string, SqlOperand>>,
  outputUnit: string,
): string {
  const inputs = new Map(
    Object.entries(operands).map(([name, { sql, unit }]) => [name, inSI(sql, parseUnit(unit))]),
  );
  // TRY: DuckDB raises an error for the root of a negative number; one row without a value must not end the query.
  const value = `TRY(${outOfSI(print(parseExpression(formula.expression), inputs), parseUnit(outputUnit))})`;
  return `CASE WHEN isfinite(${value}) THEN ${value} END`;
}

/** A number as a DOUBLE literal: with an exponent always, or DuckDB takes it for a DECIMAL. */
export function literal(value: number): string {
  const text = value.toExponential();
  return value < 0 ? `(${text})` : text;
}

function inSI(sql: string, { factor, offset }: Unit): string {
  const scaled = `CAST(${sql} AS DOUBLE)${factor === 1 ? "" : ` * ${literal(factor)}`}`;
  return offset === 0 ? `(${scaled})` : `(${scaled} + ${literal(offset)})`;
}

function outOfSI(sql: string, { factor, offset }: Unit): string {
  const shifted = offset === 0 ? sql : `(${sql} - ${literal(offset)})`;
  return factor === 1 ? shifted : `(${shifted} / ${literal(factor)})`;
}

function print(e: Expression, inputs: ReadonlyMap<string, string>): string {
  switch (e.kind) {
    case "number":
      return literal(e.value);
    case "name":
      return inputs.get(e.name) ?? literal(namedValue(e.name));
    case "negate":
      return `(-${print(e.of, inputs)})`;
    case "call":
      return CALLS[e.name](print(e.argument, inputs));
    case "binary": {
      const left = print(e.left, inputs);
      const right = print(e.right, inputs);
      if (e.op === "^") return `pow(${left}, ${right})`;
      if (e.op === "/") return `(${left} / nullif(${right}, 0e0))`;
      return `(${left} ${e.op} ${right})`;
    }
  }
}
