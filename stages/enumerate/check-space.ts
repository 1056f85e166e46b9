import type { Problem } from "../../pipeline/base/errors.js";
import type { Card, ColumnCard } from "../../sources/card.js";
import type { Formula } from "../formulas/formula.js";
import { GENERIC, isGeneric } from "../formulas/generic.js";
import { checkCondition, notATable, unknownName } from "../program/check.js";
import type { Space } from "../program/space.js";

type Path = (string | number)[];

/** What is wrong with a space, as far as cards and formulas tell; paths are relative to the stage's params. */
export function checkSpace(
  space: Space,
  spaces: readonly Space[],
  i: number,
  cards: ReadonlyMap<string, Card>,
  formulas: ReadonlyMap<string, Formula>,
): Problem[] {
  const at = (...path: Path): Path => ["spaces", i, ...path];
  const problems: Problem[] = [];
  if (spaces.findIndex((other) => other.id === space.id) < i) {
    problems.push({
      code: "duplicate_id",
      message: `two spaces are called \`${space.id}\``,
      hint: "give each its own id",
      path: at("id"),
    });
  }
  space.formulas?.forEach((f, k) => {
    if (formulas.has(f) || isGeneric(f)) return;
    problems.push(unknownName(at("formulas", k), "formula", f, [...formulas.keys(), ...GENERIC]));
  });
  const card = cards.get(space.table);
  if (card === undefined) return [...problems, unknownName(at("table"), "table", space.table, cards.keys())];
  if (card.kind === "problems") return [...problems, notATable(at("table"), space.table)];
  space.derive.forEach((f, k) => {
    problems.push(...checkDerived(f, card, formulas, at("derive", k)));
  });
  space.within?.forEach((c, k) => {
    problems.push(...checkCondition(c, card, at("within", k)));
  });
  for (const role of ["select", "filter"] as const) {
    space[role]?.forEach((name, k) => {
      if (!space.derive.includes(name)) problems.push(...checkColumn(name, role, card, at(role, k)));
    });
  }
  return problems;
}

/** A derived column is computed from the columns of its own row alone, and each must be there. */
function checkDerived(id: string, card: Card, formulas: ReadonlyMap<string, Formula>, path: Path): Problem[] {
  const formula = formulas.get(id);
  if (formula === undefined) return [unknownName(path, "formula", id, formulas.keys())];
  if (Object.hasOwn(card.columns, id)) {
    return [
      {
        code: "duplicate_id",
        message: `\`${card.id}\` has a column \`${id}\` already`,
        hint: "name it without deriving it",
        path,
      },
    ];
  }
  const columns = Object.values(card.columns);
  const missing = Object.values(formula.inputs).find(
    (input) => input.of === "followed" || !columns.some((c) => computes(c, input.quantity)),
  );
  if (missing === undefined) return [];
  return [
    {
      code: "not_a_column",
      message: `\`${id}\` cannot be computed for each row of \`${card.id}\`: no column that may compute gives the ${missing.noun}`,
      hint: `its quantity would be one of ${missing.quantity.join(", ")}`,
      path,
    },
  ];
}

function computes({ quantity, may }: ColumnCard, quantities: readonly string[]): boolean {
  return quantity !== undefined && quantities.includes(quantity) && may.includes("compute");
}

function checkColumn(name: string, role: "select" | "filter", card: Card, path: Path): Problem[] {
  const column = Object.hasOwn(card.columns, name) ? card.columns[name] : undefined;
  if (column === undefined) return [unknownName(path, "column", name, Object.keys(card.columns))];
  if (!column.may.includes(role)) {
    const may = Object.entries(card.columns).filter(([, c]) => c.may.includes(role));
    return [
      {
        code: `may_not_${role}`,
        message: `the card of \`${card.id}\` does not let \`${name}\` ${role}`,
        hint: `columns that may ${role}: ${may.map(([id]) => id).join(", ") || "none"}`,
        path,
      },
    ];
  }
  if (role === "filter" || column.type === "number" || column.type === "integer") return [];
  return [
    {
      code: "not_a_number",
      message: `\`${name}\` is a ${column.type} column and has no extremum`,
      hint: "select by a number column",
      path,
    },
  ];
}
