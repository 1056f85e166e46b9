import { z } from "zod";
import type { Problem } from "../pipeline/base/errors.js";
import { type Card, identifier } from "../sources/card.js";
import { type Formula, formulaSchema } from "./formulas/formula.js";
import { isGeneric } from "./formulas/generic.js";
import { builtinFormulas, checkFormula } from "./formulas/index.js";
import { checkProgram } from "./program/check.js";
import { formulaOf } from "./program/formula-of.js";
import {
  deriveSchema,
  inputRef,
  otherSchema,
  PROGRAM_VERSION,
  type Program,
  selectSchema,
  stepSchema,
  whereSchema,
} from "./program/program.js";
import { programRowOf } from "./program/row.js";
import { defineStage, type StageContext } from "./stage.js";
import { type ProgramRow, programRow } from "./task.js";

/** A program written by hand. `inputs` map formula inputs to columns; unit and digits default to the formula's. */
const recipe = z.strictObject({
  id: identifier,
  table: identifier,
  derive: deriveSchema.optional(),
  where: whereSchema.default([]),
  select: selectSchema.optional(),
  /** One step, or several in a row. */
  follow: z.union([stepSchema, z.array(stepSchema).min(1).max(3)]).optional(),
  other: otherSchema.extend({ where: whereSchema.default([]) }).optional(),
  compute: z.strictObject({
    formula: identifier,
    inputs: z.record(identifier, z.union([identifier, inputRef])),
    unit: z.string().min(1).optional(),
    digits: z.number().int().min(2).max(12).optional(),
  }),
});
type Recipe = z.infer<typeof recipe>;

const params = z.strictObject({
  recipes: z.array(recipe).min(1),
  /** Formulas of the user's own, beside the built-in ones. */
  formulas: z.array(formulaSchema).default([]),
});
type Params = z.infer<typeof params>;

/** Built-in and own formulas by id. */
export function formulasOf(own: readonly Formula[]): ReadonlyMap<string, Formula> {
  return new Map([...builtinFormulas, ...own.map((f) => [f.id, f] as const)]);
}

/** What is wrong with formulas of the user's own; paths are relative to the stage's params. */
export function checkOwnFormulas(own: readonly Formula[]): Problem[] {
  return own.flatMap((formula, i) => {
    const taken =
      builtinFormulas.has(formula.id) ||
      isGeneric(formula.id) ||
      own.findIndex((f) => f.id === formula.id) < i;
    const double: Problem[] = taken
      ? [
          {
            code: "duplicate_id",
            message: `there is already a formula \`${formula.id}\``,
            hint: "give it an id of its own",
            path: ["formulas", i, "id"],
          },
        ]
      : [];
    return [
      ...double,
      ...checkFormula(formula).map((p) => ({ ...p, path: ["formulas", i, ...(p.path ?? [])] })),
    ];
  });
}

function programOf(
  r: Recipe,
  formulas: ReadonlyMap<string, Formula>,
  cards: ReadonlyMap<string, Card>,
): Program {
  const inputs = Object.fromEntries(
    Object.entries(r.compute.inputs).map(([name, ref]) => [
      name,
      typeof ref === "string" ? { of: "selected" as const, column: ref } : ref,
    ]),
  );
  const follow = r.follow === undefined ? undefined : Array.isArray(r.follow) ? r.follow : [r.follow];
  const program: Program = {
    version: PROGRAM_VERSION,
    table: r.table,
    ...(r.derive === undefined ? {} : { derive: r.derive }),
    where: r.where,
    ...(r.select === undefined ? {} : { select: r.select }),
    ...(follow === undefined ? {} : { follow }),
    ...(r.other === undefined ? {} : { other: r.other }),
    compute: {
      formula: r.compute.formula,
      inputs,
      unit: r.compute.unit ?? "1",
      digits: r.compute.digits ?? 3,
    },
  };
  const formula = formulaOf(program, formulas, cards);
  const unit = r.compute.unit ?? formula?.output.unit ?? "1";
  const digits = r.compute.digits ?? formula?.digits ?? 3;
  return { ...program, compute: { ...program.compute, unit, digits } };
}

function rowOf(r: Recipe, { params, catalog, instance }: StageContext<Params>): ProgramRow {
  const formulas = formulasOf(params.formulas);
  const origin = { stage: instance, kind: "recipe" as const, name: r.id };
  const cards = new Map([...catalog.tables].map(([id, { card }]) => [id, card]));
  return programRowOf(programOf(r, formulas, cards), formulas, catalog, origin);
}

/** Programs that a person wrote. */
export const recipes = defineStage<Params, ProgramRow>({
  kind: "recipes",
  version: 2,
  summary: "programs written by hand in the config",
  mode: "source",
  params,
  takes: "tables",
  gives: "program",
  output: programRow,
  reasons: {},
  candidates: ({ recipes }) => recipes.length,
  check({ recipes, formulas: own }, { cards }) {
    const formulas = formulasOf(own);
    const problems = checkOwnFormulas(own);
    recipes.forEach((r, i) => {
      if (recipes.findIndex((other) => other.id === r.id) < i) {
        problems.push({
          code: "duplicate_id",
          message: `two recipes are called \`${r.id}\``,
          hint: "give each its own id",
          path: ["recipes", i, "id"],
        });
      }
      const found = checkProgram(programOf(r, formulas, cards), cards, formulas);
      problems.push(...found.map((p) => ({ ...p, path: ["recipes", i, ...(p.path ?? [])] })));
    });
    return problems;
  },
  run(_block, context) {
    const out = context.params.recipes.map((r) => rowOf(r, context));
    return { out, rejected: [], created: out.length, more: false };
  },
  again(row, context) {
    const { name } = row.origin as ProgramRow["origin"];
    const found = context.params.recipes.find((r) => r.id === name);
    return found === undefined ? undefined : rowOf(found, context);
  },
});
