import type { Decision, NumberDraft } from "./decide/decision.js";
import { comment, flow, flowOf, oneLine, scalar, WIDTH } from "./yaml-text.js";

/** A line of a column's entry: its key, its value (undefined leaves it out), and the notes that belong to it. */
type Entry = readonly [key: string, value: string | undefined, notes?: RegExp];

/** The entry of a column in a draft card, its notes above or behind the lines that they are about. */
export function columnLines(c: Decision): string[] {
  const numeric = c.type === "number" || c.type === "integer";
  const acts = c.may.length > 0;
  const entries: readonly Entry[] = [
    ["from", scalar(c.field)],
    ["type", c.type, OF_ALL],
    ["scale", c.scale, /^scale_guessed$/],
    ["unit", numeric ? scalar(c.unit ?? "1") : undefined, /^(?:unit|unit_guessed|unit_unknown|no_unit)$/],
    ["number", c.number === undefined ? undefined : numberFlow(c.number), WRITTEN],
    ["flag", flowOf(c.flag), /^(?:flag_guessed|flag_exception)$/],
    ["trim", c.trim ? "true" : undefined],
    ["nulls", c.nulls.some((n) => n !== "") ? flow(c.nulls) : undefined, UNKNOWN],
    ["range", flowOf(c.range), /^outlier$/],
    ["uncertainty", flowOf(c.uncertainty), /^(?:rounding|heaped|float_digits|point_zero|uncertainty_from)$/],
    ["drift", flowOf(c.drift), /^drift_guessed$/],
    [
      "limit",
      c.limit === undefined ? undefined : flow({ from: c.limit, upper: ["<"], lower: [">"] }),
      /^limit_flag$/,
    ],
  ];
  const last: readonly Entry[] = [
    ["may", acts ? flow(c.may) : undefined],
    ["phrase", acts ? flow({ noun: c.noun }) : undefined, /^(?:class_words|flag_words|noun_participle)$/],
  ];
  const put = (entry: Entry): string[] => entryLines(c, entry);
  return [`  ${c.id}:`, ...entries.flatMap(put), ...quantityLines(c), ...last.flatMap(put)];
}

const OF_ALL =
  /^(?:padded|empty|constant|mixed|reference|leading_zeros|tie_at_extreme|mostly_unknown|year|place)$/;
const WRITTEN =
  /^(?:grouped|dot_groups|dot_thousands|mixed_marks|decimal_comma|spaced|plus_minus|parenthesis|sexagesimal|affix|factor)$/;
const UNKNOWN = /^(?:null_spelling|null_or_value|null_or_name|sentinel|exceptions)$/;

/** A short note stands behind its line, others above it. */
function entryLines(c: Decision, [key, value, codes]: Entry): string[] {
  const notes = codes === undefined ? [] : c.notes.filter((n) => codes.test(n.code));
  const texts = notes.map((n) => (n.check ? `CHECK: ${n.text}` : n.text));
  const line = value === undefined ? undefined : `    ${key}: ${value}`;
  if (line !== undefined && texts.length === 1 && line.length + texts[0]!.length + 4 <= WIDTH)
    return [`${line}  # ${oneLine(texts[0]!)}`];
  return [...texts.flatMap((text) => comment(text, 2)), ...(line === undefined ? [] : [line])];
}

function quantityLines({ quantity }: Decision): string[] {
  if (quantity === undefined) return [];
  const { ids, sure, warning } = quantity;
  if (sure) return [`    quantity: ${ids[0]}`];
  if (warning !== undefined) return [...comment(`CHECK: ${warning}`, 2), `    # quantity: ${ids[0]}`];
  return [
    ...comment(`CHECK: formulas know ${ids.join(", ")}: is it one of them?`, 2),
    `    # quantity: ${ids[0]}`,
  ];
}

function numberFlow(number: NumberDraft): string {
  const { forms, decimal, group, prefix, suffix, factor } = number;
  return flow({
    ...(forms.length === 1 && forms[0] === "plain" ? {} : { forms }),
    ...(decimal === undefined ? {} : { decimal }),
    ...(group === undefined ? {} : { group }),
    ...(prefix.length === 0 ? {} : { prefix }),
    ...(suffix.length === 0 ? {} : { suffix }),
    ...(factor === undefined ? {} : { factor }),
  });
}
