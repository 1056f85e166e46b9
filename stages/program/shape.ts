import { canonicalJson } from "../../pipeline/base/canonical.js";
import type { Condition } from "../../sources/card.js";
import type { Program } from "./program.js";

/**
 * A program without its numbers and its formula: the same question at another threshold has the same shape. Ranks stay, and texts, as
 * they say another thing.
 */
export function shapeOf({ table, derive, where, select, follow, other }: Program): string {
  const choices = [{ where, select: select ?? null }, ...(other === undefined ? [] : [other])].map((choice) =>
    canonicalJson({ where: choice.where.map(conditionShape).sort(), select: choice.select }),
  );
  return canonicalJson({
    table,
    // Which of two comes first is no matter of shape.
    choices: choices.sort(),
    ...(derive === undefined ? {} : { derive: Object.keys(derive).sort() }),
    ...(follow === undefined ? {} : { follow }),
  });
}

function conditionShape(c: Condition): string {
  if (c.op === "lt" || c.op === "le") return `${c.column} below`;
  if (c.op === "gt" || c.op === "ge") return `${c.column} above`;
  return c.op === "between" ? `${c.column} between` : canonicalJson(c);
}
