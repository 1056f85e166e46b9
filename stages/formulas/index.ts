/** The built-in formulas, and the doors to both evaluators. */

import { AMINO_ACIDS } from "./amino-acids.js";
import { AVIATION } from "./aviation.js";
import { BODIES } from "./bodies.js";
import { COUNTRIES } from "./countries.js";
import { CURVES } from "./curves.js";
import { ELEMENTS } from "./elements.js";
import { type Formula, type FormulaSpec, formulaSchema } from "./formula.js";
import { GENERAL } from "./general.js";
import { GENOMES } from "./genomes.js";
import { GEOLOGY } from "./geology.js";
import { GRAPHS, GROUPS } from "./mathematics.js";
import { NUCLIDES } from "./nuclides.js";
import { ORBITS } from "./orbits.js";
import { PLACES } from "./places.js";

export { checkFormula } from "./check.js";
export { compileNumeric } from "./numeric.js";
export { sensitivities } from "./sensitivity.js";
export { compileSql } from "./sql.js";
export { evaluate, evaluateSteps, type Measured } from "./typescript.js";

const specs: readonly FormulaSpec[] = [
  ...BODIES,
  ...ORBITS,
  ...NUCLIDES,
  ...ELEMENTS,
  ...GROUPS,
  ...GRAPHS,
  ...CURVES,
  ...GENERAL,
  ...PLACES,
  ...COUNTRIES,
  ...AVIATION,
  ...GEOLOGY,
  ...GENOMES,
  ...AMINO_ACIDS,
];

/** All built-in formulas by id. */
export const builtinFormulas: ReadonlyMap<string, Formula> = new Map(
  specs.map((spec) => [spec.id, formulaSchema.parse(spec)]),
);
