import { z } from "zod";
import { identifier } from "../../sources/card.js";

const text = z.string().min(1);

/**
 * A formula is one declarative record. `expression` is over input and constant names with + - * / ^, parentheses, numbers,
 * sqrt, cbrt, exp, ln, log10, sin, cos, tan, asin, acos, atan, abs, pi. Two evaluators read it: DuckDB (SQL over SI numbers,
 * our own unit factors) and mathjs (its own units, dimensions carried through the arithmetic).
 */
export const formulaSchema = z.strictObject({
  id: identifier,
  version: z.number().int().positive().default(1),
  /** "bulk density", "surface gravity": what the question asks for. */
  noun: text,
  /** Said in the question: "taking the body as a sphere of its mean radius". `{input}` names an input's noun. */
  definition: text.optional(),
  inputs: z.record(
    identifier,
    z.strictObject({
      /** A unit of the right dimension; also the unit in which `valid` and anchors are easiest to read. */
      unit: text,
      /** Column quantities that fit, e.g. ["mean_radius"]: used to bind columns automatically. */
      quantity: z.array(identifier).min(1),
      /** Input read from the followed entity when the formula is used across a hop (e.g. the planet's mass). */
      of: z.enum(["selected", "followed"]).default("selected"),
      /** Validity range in `unit`. */
      valid: z.tuple([z.number().nullable(), z.number().nullable()]).optional(),
      /** "mass", "mean radius": how the definition and chain call it. */
      noun: text,
    }),
  ),
  /** Names in verifiers/constants: G, c, N_A, k_B, h, e, u, R, sigma, au, ... */
  constants: z.array(text).default([]),
  /** Constants whose value the question must state, as the answer depends on it in the digits asked for. */
  state_constants: z.array(text).default([]),
  expression: text,
  output: z.strictObject({
    unit: text,
    quantity: identifier,
    range: z.tuple([z.number().nullable(), z.number().nullable()]).optional(),
  }),
  digits: z.number().int().min(2).max(12).default(3),
  /** A count or other exact integer: no tolerance, all digits asked for. */
  exact: z.boolean().default(false),
  /** Named intermediate quantities, kept as hidden targets: e.g. {volume: {expression: "4/3*pi*radius^3", unit: "m^3"}}. */
  steps: z.record(identifier, z.strictObject({ expression: text, unit: text, noun: text })).default({}),
  /** Other readings of an input that are not the one asked for: the answer must tell them apart or agree with both. */
  variants: z.array(z.strictObject({ input: identifier, quantity: identifier, reason: text })).default([]),
  /** Plain mistakes whose answer must lie outside three tolerances, as expressions over the same names. */
  wrong_routes: z.array(z.strictObject({ expression: text, reason: text })).default([]),
  source: text,
  /** At least two published numbers, for tests. Values with units as text: "5.9722e24 kg". */
  anchors: z
    .array(
      z.strictObject({
        inputs: z.record(identifier, text),
        output: text,
        relative: z.number().positive(),
        source: text,
      }),
    )
    .default([]),
});
export type Formula = z.infer<typeof formulaSchema>;
export type FormulaSpec = z.input<typeof formulaSchema>;
