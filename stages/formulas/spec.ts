/** Shorthands that keep the tables of formulas readable; they add nothing to a record. */
import type { FormulaSpec } from "./formula.js";

type InputSpec = FormulaSpec["inputs"][string];
type AnchorSpec = NonNullable<FormulaSpec["anchors"]>[number];
type Options = Partial<Pick<InputSpec, "of" | "valid">>;

/** An input: its unit, how the definition calls it, the column quantities that fit. */
export function input(
  unit: string,
  noun: string,
  quantity: string | readonly string[],
  options: Options = {},
): InputSpec {
  return { unit, noun, quantity: typeof quantity === "string" ? [quantity] : [...quantity], ...options };
}

/** A positive quantity: its validity range excludes negative values. */
export function positive(
  unit: string,
  noun: string,
  quantity: string | readonly string[],
  options: Options = {},
): InputSpec {
  return input(unit, noun, quantity, { valid: [0, null], ...options });
}

/** A published number: what the inputs give, how closely the published figures fit each other, and who published them. */
export function anchor(
  inputs: Record<string, string>,
  output: string,
  relative: number,
  source: string,
): AnchorSpec {
  return { inputs, output, relative, source };
}

/** A plain mistake. */
export function wrong(expression: string, reason: string): { expression: string; reason: string } {
  return { expression, reason };
}
