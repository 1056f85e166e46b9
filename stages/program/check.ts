import { type Problem, suggest } from "../../pipeline/base/errors.js";
import type { Card, ColumnCard, Condition } from "../../sources/card.js";
import { parseUnit, sameDimension } from "../../verifiers/units.js";
import type { Formula } from "../formulas/formula.js";
import { GENERIC, type GenericId, genericRefusal, isGeneric } from "../formulas/generic.js";
import { derivedCard } from "./derived.js";
import { formulaOf } from "./formula-of.js";
import { cardOf } from "./path.js";
import type { Derive, InputRef, Peers, Program, Select, Statistic } from "./program.js";
import { derivedOf } from "./row.js";

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

/** All that the cards and the formulas say against a program, before any data is read. */
export function checkProgram(
  program: Program,
  cards: ReadonlyMap<string, Card>,
  formulas: ReadonlyMap<string, Formula>,
): Problem[] {
  const bare = cards.get(program.table);
  if (bare === undefined) return [unknownName(["table"], "table", program.table, cards.keys())];
  if (bare.kind === "problems") return [notATable(["table"], program.table)];
  const underived = checkDerive(program.derive ?? {}, bare, formulas);
  if (underived.length > 0) return underived;
  const card = derivedCard(bare, program.derive, derivedOf(program, formulas) ?? {});
  const problems = [
    ...checkConditions(program.where, card, ["where"]),
    ...(program.select === undefined ? [] : checkSelect(program.select, card, ["select"])),
    ...checkOther(program, card),
  ];
  const astray = checkFollow(program, new Map([...cards, [program.table, card]]));
  // Where a step leads nowhere, nothing beyond it can be judged.
  if (astray.length > 0) return [...problems, ...astray];
  return [...problems, ...checkCompute(program, formulas, new Map([...cards, [program.table, card]]))];
}

function checkConditions(where: Program["where"], card: Card, path: Path): Problem[] {
  return where.flatMap((c, i) => checkCondition(c, card, [...path, i]));
}

function checkDerive(derive: Derive, card: Card, formulas: ReadonlyMap<string, Formula>): Problem[] {
  return Object.entries(derive).flatMap(([id, { formula: name, inputs }]) => {
    const path: Path = ["derive", id];
    if (Object.hasOwn(card.columns, id))
      return [
        problem(
          path,
          "duplicate_id",
          `\`${card.id}\` has a column \`${id}\` already`,
          "give it an id of its own",
        ),
      ];
    const formula = formulas.get(name);
    if (formula === undefined) return [unknownName([...path, "formula"], "formula", name, formulas.keys())];
    const mixed = Object.entries(formula.inputs).find(([, spec]) => spec.of === "followed");
    if (mixed !== undefined) {
      const message = `\`${name}\` reads \`${mixed[0]}\` of another entity, and a column is computed from its own row alone`;
      return [problem([...path, "formula"], "not_a_column", message)];
    }
    const refs = Object.fromEntries(
      Object.entries(inputs).map(([input, column]) => [input, { of: "selected" as const, column }]),
    );
    const kinds = new Set(Object.values(inputs).flatMap((column) => card.columns[column]?.kind ?? []));
    if (kinds.size > 1) {
      const message = `\`${name}\` would mix values whose kinds stand in different columns: ${[...kinds].join(", ")}`;
      return [problem([...path, "inputs"], "mixed_kinds", message)];
    }
    return checkInputs(formula, refs, () => card, [...path, "inputs"]);
  });
}

function checkOther({ select, other, follow }: Program, card: Card): Problem[] {
  if (select === undefined && (other !== undefined || follow !== undefined)) {
    const path: Path = [other === undefined ? "follow" : "other"];
    return [problem(path, "nothing_selected", "the program selects no entity to go on from", "add `select`")];
  }
  if (other === undefined) return [];
  if (follow !== undefined) {
    const message = "a program that compares two entities goes on to no third one";
    return [problem(["follow"], "two_ways", message, "leave out `follow` or `other`")];
  }
  return [
    ...checkConditions(other.where, card, ["other", "where"]),
    ...checkSelect(other.select, card, ["other", "select"]),
  ];
}

function checkFollow(program: Program, cards: ReadonlyMap<string, Card>): Problem[] {
  const { follow = [], table } = program;
  let here = cards.get(table)!;
  for (const [i, step] of follow.entries()) {
    const path: Path = ["follow", i];
    if (typeof step !== "string") {
      const problems = checkPeers(step, here, path);
      if (problems.length > 0) return problems;
      continue;
    }
    if (!Object.hasOwn(here.links, step)) return [unknownName(path, "link", step, Object.keys(here.links))];
    const { to, column } = here.links[step]!;
    const before = follow[i - 1];
    if (typeof before === "object" && before.peers === column) {
      const message = `peers that share \`${column}\` share what \`${step}\` leads to: the step before it changes nothing`;
      return [problem(path, "idle_step", message, "leave out the step among peers, or end with it")];
    }
    const next = cards.get(to);
    if (next === undefined) {
      const message = `\`${step}\` leads to the table \`${to}\`, which is no source of this config`;
      return [problem(path, "missing_source", message, `add ${to} to \`sources\``)];
    }
    if (!next.entity.public) {
      const message = `\`${to}\` says that its single entities have no public identity`;
      return [problem(path, "private_entity", message, "lead to a table whose entities the public knows")];
    }
    here = next;
  }
  return [];
}

function checkPeers({ peers, select }: Peers, card: Card, path: Path): Problem[] {
  const at: Path = [...path, "peers"];
  if (!Object.hasOwn(card.columns, peers))
    return [unknownName(at, "column", peers, Object.keys(card.columns))];
  const { type } = card.columns[peers]!;
  if (type !== "text") {
    const message = `\`${peers}\` is a ${type} column, and peers share a text`;
    return [problem(at, "not_a_text", message, "name a text column, say of a country or a class")];
  }
  const linked = Object.values(card.links).some((link) => link.column === peers);
  if (!linked && !card.columns[peers]!.may.includes("filter")) {
    const message = `the card of \`${card.id}\` lets \`${peers}\` neither filter nor link, so nobody may be sought by it`;
    return [problem(at, "may_not_filter", message, "add `filter` to its `may`, or name another column")];
  }
  return checkSelect(select, card, [...path, "select"]);
}

/** Operators by column type. */
const OPERATORS: Readonly<Record<ColumnCard["type"], readonly Condition["op"][]>> = {
  number: ["lt", "le", "gt", "ge", "between", "eq", "in", "known"],
  integer: ["lt", "le", "gt", "ge", "between", "eq", "in", "known"],
  text: ["eq", "in", "starts_with", "known"],
  flag: ["is", "known"],
};

export function checkCondition(condition: Condition, card: Card, path: Path): Problem[] {
  const column = Object.hasOwn(card.columns, condition.column) ? card.columns[condition.column] : undefined;
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

function checkSelect({ column: name }: Select, card: Card, path: Path): Problem[] {
  const column = Object.hasOwn(card.columns, name) ? card.columns[name] : undefined;
  if (column === undefined)
    return [unknownName([...path, "column"], "column", name, Object.keys(card.columns))];
  if (column.type !== "number" && column.type !== "integer") {
    return [
      problem(
        [...path, "column"],
        "not_a_number",
        `\`${name}\` is a ${column.type} column and has no extremum`,
        "select by a number column",
      ),
    ];
  }
  return [];
}

function checkCompute(
  program: Program,
  formulas: ReadonlyMap<string, Formula>,
  cards: ReadonlyMap<string, Card>,
): Problem[] {
  const { formula: name, inputs, unit } = program.compute;
  const formula = formulaOf(program, formulas, cards);
  const path: Path = ["compute", "formula"];
  if (formula === undefined) {
    if (!isGeneric(name)) return [unknownName(path, "formula", name, [...formulas.keys(), ...GENERIC])];
    return [misfit(name, program, cards, path)];
  }
  const places = Object.entries(inputs).flatMap(([input, ref]) => [
    ...checkPlace(ref, program, ["compute", "inputs", input], input),
    ...checkFigure(name, input, ref, ["compute", "inputs", input, "take"]),
  ]);
  if (places.length > 0) return places;
  return [
    ...checkInputs(formula, inputs, (of) => cardOf(program, of, cards), ["compute", "inputs"]),
    ...checkUnit(unit, formula.output.unit, ["compute", "unit"], `the answer of \`${name}\``),
  ];
}

/** Why a generic formula cannot be asked of its first input's column. */
function misfit(name: GenericId, program: Program, cards: ReadonlyMap<string, Card>, path: Path): Problem {
  const [first] = Object.values(program.compute.inputs);
  const card = first === undefined ? undefined : cardOf(program, first.of, cards);
  if (first === undefined || card === undefined)
    return problem(["compute", "inputs"], "missing_input", `the formula \`${name}\` needs an input`);
  if (!Object.hasOwn(card.columns, first.column))
    return unknownName(["compute", "inputs"], "column", first.column, Object.keys(card.columns));
  const why = genericRefusal(name, first.column, card.columns[first.column]!)!;
  return problem(path, "wrong_column", `\`${name}\` cannot be asked of \`${first.column}\`: ${why}`);
}

/** Whether the program has what an input is read from. */
function checkPlace(
  { of, take }: InputRef,
  { select, follow, other }: Program,
  path: Path,
  name: string,
): Problem[] {
  const lacking = {
    selected: select === undefined && "selects no entity",
    followed: follow === undefined && "follows no link",
    other: other === undefined && "takes no second entity",
    candidates: false,
  }[of];
  if (lacking !== false) {
    const message = `\`${name}\` is read from the ${of} entity, but the program ${lacking}`;
    const hint = {
      selected: "add `select`",
      followed: "add `follow: [<link>]`",
      other: "add `other`",
      candidates: "",
    }[of];
    return [problem(path, "nothing_followed", message, hint)];
  }
  if ((take !== undefined) === (of === "candidates")) return [];
  const message =
    take === undefined
      ? `\`${name}\` is read of all candidates, and does not say which figure of them`
      : `\`${name}\` takes the ${take} of one entity`;
  return [problem(path, "wrong_take", message, "`take` belongs to `of: candidates`, and to that alone")];
}

/** Which figure of all candidates the inputs of generic formulas are. */
const FIGURES: Readonly<Partial<Record<GenericId, Readonly<Record<string, Statistic>>>>> = {
  total: { values: "total" },
  mean: { values: "mean" },
  median: { values: "median" },
  share: { whole: "total" },
  times_mean: { mean: "mean" },
};

/** A total over the candidates' mean would be called a total and be none. */
function checkFigure(formula: string, input: string, { of, take }: InputRef, path: Path): Problem[] {
  const figure = isGeneric(formula) ? FIGURES[formula]?.[input] : undefined;
  if (figure === take || !isGeneric(formula) || (take === undefined && of === "candidates")) return [];
  const message =
    figure === undefined
      ? `\`${input}\` of \`${formula}\` is read of one entity`
      : `\`${input}\` of \`${formula}\` is the candidates' ${figure}`;
  const hint =
    figure === undefined ? "leave `take` out" : `write \`{ of: candidates, column: ..., take: ${figure} }\``;
  return [problem(path, "wrong_take", message, hint)];
}

function checkInputs(
  formula: Formula,
  inputs: Readonly<Record<string, InputRef>>,
  cardAt: (of: InputRef["of"]) => Card | undefined,
  at: Path,
): Problem[] {
  const problems: Problem[] = [];
  for (const name of Object.keys(formula.inputs)) {
    if (inputs[name] !== undefined) continue;
    const message = `the formula \`${formula.id}\` needs the input \`${name}\` (${formula.inputs[name]!.noun})`;
    problems.push(problem(at, "missing_input", message, `add \`${name}: <column>\``));
  }
  for (const [name, ref] of Object.entries(inputs)) {
    const path: Path = [...at, name];
    if (!Object.hasOwn(formula.inputs, name)) {
      problems.push(unknownName(path, "input", name, Object.keys(formula.inputs)));
    } else {
      problems.push(...checkInput(ref, formula.inputs[name]!.unit, name, cardAt(ref.of)!, path));
    }
  }
  return problems;
}

function checkInput(ref: InputRef, unit: string, name: string, card: Card, path: Path): Problem[] {
  const column = Object.hasOwn(card.columns, ref.column) ? card.columns[ref.column] : undefined;
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
