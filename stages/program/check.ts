import { type Problem, suggest } from "../../pipeline/base/errors.js";
import type { Card, ColumnCard, Condition } from "../../sources/card.js";
import { parseUnit, sameDimension } from "../../verifiers/units.js";
import type { Formula } from "../formulas/formula.js";
import type { InputRef, Program } from "./program.js";

type Path = (string | number)[];

/** A problem at a path of the program. */
function problem(path: Path, code: string, message: string, hint?: string): Problem {
  return hint === undefined ? { code, message, path } : { code, message, hint, path };
}

/** A name that nothing carries, and which it may have meant. */
export function unknownName(path: Path, what: string, name: string, known: Iterable<string>): Problem {
  return problem(path, `unknown_${what}`, `unknown ${what} \`${name}\``, suggest(name, known));
}

/** A card of questions and answers has no entities to filter and select. */
export function notATable(path: Path, id: string): Problem {
  const hint = "programs are made from tables; problems enter by the stage `problems`";
  return problem(path, "not_a_table", `\`${id}\` is a source of problems`, hint);
}

/** All that the cards and the formula say against a program, before any data is read. */
export function checkProgram(
  program: Program,
  cards: ReadonlyMap<string, Card>,
  formulas: ReadonlyMap<string, Formula>,
): Problem[] {
  const card = cards.get(program.table);
  if (card === undefined) return [unknownName(["table"], "table", program.table, cards.keys())];
  if (card.kind === "problems") return [notATable(["table"], program.table)];
  const problems = program.where.flatMap((c, i) => checkCondition(c, card, ["where", i]));
  problems.push(...checkSelect(program, card));
  const followed = program.follow === undefined ? undefined : card.links[program.follow];
  if (program.follow !== undefined && followed === undefined) {
    problems.push(unknownName(["follow"], "link", program.follow, Object.keys(card.links)));
  }
  if (followed !== undefined && !cards.has(followed.to)) {
    problems.push(
      problem(
        ["follow"],
        "missing_source",
        `\`${program.follow}\` leads to the table \`${followed.to}\`, which is no source of this config`,
        `add ${followed.to} to \`sources\``,
      ),
    );
  }
  const formula = formulas.get(program.compute.formula);
  if (formula === undefined) {
    problems.push(unknownName(["compute", "formula"], "formula", program.compute.formula, formulas.keys()));
  } else {
    problems.push(
      ...checkCompute(program, formula, card, followed === undefined ? undefined : cards.get(followed.to)),
    );
  }
  return problems;
}

/** Operators by column type. */
const OPERATORS: Readonly<Record<ColumnCard["type"], readonly Condition["op"][]>> = {
  number: ["lt", "le", "gt", "ge", "between", "eq", "in", "known"],
  integer: ["lt", "le", "gt", "ge", "between", "eq", "in", "known"],
  text: ["eq", "in", "starts_with", "known"],
  flag: ["is", "known"],
};

export function checkCondition(condition: Condition, card: Card, path: Path): Problem[] {
  const column = card.columns[condition.column];
  if (column === undefined)
    return [unknownName([...path, "column"], "column", condition.column, Object.keys(card.columns))];
  if (!OPERATORS[column.type].includes(condition.op)) {
    const right = OPERATORS[column.type].join(", ");
    return [
      problem(
        [...path, "op"],
        "wrong_operator",
        `\`${condition.op}\` does not fit the ${column.type} column \`${condition.column}\``,
        `use one of ${right}`,
      ),
    ];
  }
  if (condition.op === "eq" || condition.op === "in") return checkEquality(condition, column, path);
  if (condition.op === "between" && condition.low > condition.high) {
    return [
      problem(
        [...path, "low"],
        "empty_range",
        `no value is between ${condition.low} and ${condition.high}`,
        "put the smaller number in `low`",
      ),
    ];
  }
  return [];
}

type Equality = Extract<Condition, { op: "eq" | "in" }>;

function checkEquality(condition: Equality, column: ColumnCard, path: Path): Problem[] {
  if (column.type === "number" && column.scale !== "exact") {
    return [
      problem(
        [...path, "op"],
        "equality_of_measured",
        `\`${condition.column}\` is measured; equality of measured values means nothing`,
        "use lt, gt or between",
      ),
    ];
  }
  const wanted = column.type === "text" ? "text" : "number";
  const values = condition.op === "eq" ? [condition.value] : condition.values;
  const wrong = values.find((v) => (typeof v === "string") !== (wanted === "text"));
  if (wrong === undefined) return [];
  return [
    problem(
      [...path, condition.op === "eq" ? "value" : "values"],
      "wrong_value_type",
      `\`${condition.column}\` holds ${wanted}s, and ${JSON.stringify(wrong)} is none`,
      wanted === "text" ? `quote it: "${wrong}"` : "write a number, without quotes",
    ),
  ];
}

function checkSelect(program: Program, card: Card): Problem[] {
  const name = program.select.column;
  const column = card.columns[name];
  if (column === undefined)
    return [unknownName(["select", "column"], "column", name, Object.keys(card.columns))];
  if (column.type !== "number" && column.type !== "integer") {
    return [
      problem(
        ["select", "column"],
        "not_a_number",
        `\`${name}\` is a ${column.type} column and has no extremum`,
        "select by a number column",
      ),
    ];
  }
  return [];
}

function checkCompute(program: Program, formula: Formula, card: Card, followed: Card | undefined): Problem[] {
  const { inputs, unit } = program.compute;
  const problems: Problem[] = [];
  for (const name of Object.keys(formula.inputs)) {
    if (inputs[name] === undefined) {
      problems.push(
        problem(
          ["compute", "inputs"],
          "missing_input",
          `the formula \`${formula.id}\` needs the input \`${name}\` (${formula.inputs[name]!.noun})`,
          `add \`${name}: <column>\``,
        ),
      );
    }
  }
  for (const [name, ref] of Object.entries(inputs)) {
    const path: Path = ["compute", "inputs", name];
    if (formula.inputs[name] === undefined) {
      problems.push(unknownName(path, "input", name, Object.keys(formula.inputs)));
    } else {
      problems.push(
        ...checkInput(ref, formula.inputs[name]!.unit, name, ref.of === "followed" ? followed : card, path),
      );
    }
  }
  problems.push(
    ...checkUnit(unit, formula.output.unit, ["compute", "unit"], `the answer of \`${formula.id}\``),
  );
  return problems;
}

function checkInput(
  ref: InputRef,
  unit: string,
  name: string,
  card: Card | undefined,
  path: Path,
): Problem[] {
  if (card === undefined) {
    return [
      problem(
        path,
        "nothing_followed",
        `\`${name}\` is read from the followed entity, but the program follows no link`,
        "add `follow: <link>`",
      ),
    ];
  }
  const column = card.columns[ref.column];
  if (column === undefined) return [unknownName(path, "column", ref.column, Object.keys(card.columns))];
  if (column.unit === undefined) {
    return [
      problem(
        path,
        "not_a_number",
        `\`${ref.column}\` is a ${column.type} column and cannot be computed with`,
        "give a number column",
      ),
    ];
  }
  return checkUnit(column.unit, unit, path, `the input \`${name}\``);
}

function checkUnit(given: string, needed: string, path: Path, what: string): Problem[] {
  try {
    if (sameDimension(parseUnit(given), parseUnit(needed))) return [];
    return [
      problem(
        path,
        "wrong_dimension",
        `${what} is in ${needed}; ${given} has another dimension`,
        `give something that converts to ${needed}`,
      ),
    ];
  } catch (error) {
    return [problem(path, "unknown_unit", error instanceof Error ? error.message : String(error))];
  }
}
