import { convert } from "../../../verifiers/units.js";
import type { ColumnCard } from "../../card.js";
import type { KnownQuantity } from "../decide/quantity.js";
import { suspectsOf } from "../decide/sentinels.js";
import { neatBelow } from "../decimal.js";
import type { EndValue } from "../extremes.js";
import { type Objection, remark, warning } from "./objection.js";
import type { Values } from "./values.js";

/** Objections to a column as its values are. */
export function dataObjections(
  id: string,
  column: ColumnCard,
  values: Values,
  quantity: KnownQuantity | undefined,
): Objection[] {
  if (values.known === 0)
    return column.may.length === 0
      ? []
      : [
          warning(
            "no_values",
            id,
            "no row has a value",
            "it can do nothing",
            "mend `nulls`, `number` or `range`, or leave it out",
          ),
        ];
  return [
    ...scaleObjections(id, column, values),
    ...selectObjections(id, column, values),
    ...rangeObjections(id, column, values),
    ...unitObjections(id, column, values, quantity),
  ];
}

function scaleObjections(id: string, { scale, uncertainty, may }: ColumnCard, values: Values): Objection[] {
  const exact = scale === "exact" || (uncertainty !== undefined && "exact" in uncertainty);
  if (exact && values.whole < values.known)
    return [
      warning(
        "exact_decimals",
        id,
        `it is declared exact, and ${values.known - values.whole} of its values have decimals`,
        "a decimal is mostly rounded: no margin would be asked for, and a rival could be larger",
        "`uncertainty: { rounding: true }`, unless the decimals are all there are",
      ),
    ];
  if (!exact && may.includes("select") && values.relativeU > 0 && values.relativeU < 1e-11)
    return [
      warning(
        "float_digits",
        id,
        `its values count as known to ${values.relativeU.toExponential(0)} of themselves`,
        "no measurement is; digits of a computer are no rounding step",
        "`uncertainty: { relative: ... }` as the publisher knows it",
      ),
    ];
  return [];
}

function selectObjections(id: string, { may, scale }: ColumnCard, values: Values): Objection[] {
  if (!may.includes("select")) return [];
  const found: Objection[] = [];
  if (values.distinct < 3)
    found.push(
      warning(
        "few_values",
        id,
        `it may select, and has ${values.distinct} different values`,
        "every extremum is a tie",
        "let it filter only",
      ),
    );
  const tied = tiedEnds(values);
  if (values.distinct >= 3 && tied.length > 0) {
    const make = tied.length === 2 ? warning : remark;
    found.push(
      make(
        "tie_at_extreme",
        id,
        tied.join(", and "),
        "there is no such extremum but under conditions that leave one of them",
        tied.length === 2 ? "let it filter only, or accept few tasks" : "nothing, if the other end will do",
      ),
    );
  }
  const { outliers } = suspectsOf({ low: values.low, high: values.high, numbers: values.known });
  for (const o of outliers)
    found.push(
      warning(
        "outlier",
        id,
        `${o.text} has ${o.value}, far beyond all others`,
        "it wins every such task with a huge margin, right or wrong",
        "look it up; if wrong, `exclude` it or narrow `range`",
      ),
    );
  const unknown = values.rows - values.known;
  if (unknown * 2 > values.rows)
    found.push(
      warning(
        "mostly_unknown",
        id,
        `${unknown} of ${values.rows} rows have no value`,
        "one of them may hold the extremum: tasks over classes with such rows are refused",
        "declare a class in which all are known, or let it filter only",
      ),
    );
  const cut = scale === "ratio" || scale === "count" ? suspectedCut(values) : undefined;
  if (cut !== undefined)
    found.push(
      warning(
        "cutoff_suspected",
        id,
        `its values begin at ${values.low[0]!.value}, just above ${cut}`,
        "the table seems cut off there: the smallest here is not the smallest there is",
        `\`cutoffs: [{ column: ${id}, keeps: above, at: ${cut} }]\`, if so`,
      ),
    );
  return found;
}

function tiedEnds({ low, high }: Values): string[] {
  const say = (which: string, end: EndValue | undefined): string[] =>
    end !== undefined && end.count > 1 ? [`${end.count} share the ${which} value, ${end.value}`] : [];
  return [...say("largest", high[0]), ...say("smallest", low[0])];
}

/** A round number that many values lie just above, and none below. */
function suspectedCut({ known, low, quantiles }: Values): number | undefined {
  const [min = 0, five = 0, , middle = 0] = quantiles;
  if (known < 100 || min <= 0 || five > min * 1.2 || middle < five * 1.1) return undefined;
  const round = neatBelow(min);
  return round >= 10 && min - round <= round * 0.01 && (low[0]?.count ?? 0) < known * 0.05
    ? round
    : undefined;
}

function rangeObjections(id: string, { range, may, scale }: ColumnCard, values: Values): Objection[] {
  const acts = may.includes("select") || may.includes("compute");
  if (range === undefined && acts && scale !== "exact")
    return [
      remark(
        "no_range",
        id,
        "no plausible range is declared",
        "a misprint or a code such as 9999 would win every maximum",
        `\`range\`; the values run from ${values.low[0]!.value} to ${values.high[0]!.value}`,
      ),
    ];
  const [low, high] = range ?? [null, null];
  const top = Math.max(Math.abs(values.low[0]!.value), Math.abs(values.high[0]!.value));
  if (low !== null && high !== null && top > 0 && Math.max(Math.abs(low), Math.abs(high)) > top * 1000)
    return [
      remark(
        "idle_range",
        id,
        `the plausible range, ${low} to ${high}, is over a thousand times wider than the values`,
        "it would let a unit mistaken by a thousand through",
        "narrow it",
      ),
    ];
  return [];
}

/** A formula's published anchors show how large a quantity usually is. */
function unitObjections(
  id: string,
  { unit, quantity }: ColumnCard,
  values: Values,
  known: KnownQuantity | undefined,
): Objection[] {
  if (known?.typical === undefined || unit === undefined) return [];
  const middle = Math.abs(convert(values.quantiles[3]!, unit, known.unit));
  const [low, high] = known.typical;
  if (middle === 0 || low <= 0 || (middle < high * FAR && middle > low / FAR)) return [];
  const times = middle >= high ? middle / high : low / middle;
  const what = `half of its values are beyond ${values.quantiles[3]} ${unit}, ${times.toPrecision(1)} times ${middle >= high ? "above" : "below"} what is usual for ${quantity}`;
  return [
    remark(
      "unit_suspected",
      id,
      what,
      "a unit mistaken by a thousand, or a missing `factor`, gives every answer wrong",
      "hold one value against another source",
    ),
  ];
}
const FAR = 300;
