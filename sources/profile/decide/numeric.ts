import type { ColumnProfile } from "../column.js";
import { neatAbove, neatBelow, times } from "../decimal.js";
import type { EndValue } from "../extremes.js";
import type { Field } from "../layout/layout.js";
import { readNumber } from "../numbers.js";
import { bracketsIn, unitInName, unitOf } from "../unit-text.js";
import { againstReading, asCommas, hasDecimalCommas } from "./commas.js";
import { check, type Decision, type Note, note } from "./decision.js";
import { nullNote, nullTexts } from "./null-texts.js";
import { isNullSpelling, nullCandidates } from "./nulls.js";
import { scaleWord, writtenAs } from "./number-form.js";
import { guessQuantity } from "./quantity.js";
import { scaleOf } from "./scale.js";
import { type Suspects, suspectsOf } from "./sentinels.js";
import { spreadOf } from "./spread.js";
import type { Base, Task } from "./task.js";

export function numeric(
  { column: asWritten, field, companions, known, places, hint, countries }: Task,
  base: Base,
  before: readonly Note[],
): Decision {
  const commas = hasDecimalCommas(asWritten, hint);
  const column = commas ? asCommas(asWritten) : asWritten;
  const suspects = suspectsOf(column);
  const found = unitOfField(field);
  const written = writtenAs(asWritten, found?.factor, hint);
  const behind = written.unitText === undefined ? undefined : unitOf(written.unitText);
  const factor = found?.factor ?? behind?.factor ?? scaleWord(written.unitText ?? "");
  const unit = degrees(base.noun, found?.unit ?? behind?.unit);
  const real = { ...column, low: suspects.low, high: suspects.high };
  const brackets = found === undefined && behind === undefined ? oddBrackets(field) : undefined;
  const scaled = scaleOf(real, base.noun.toLowerCase(), unit, brackets, places);
  const errors = companions.errors.get(field.name) ?? [];
  const spread = spreadOf(column, scaled, errors, factor);
  const nulls = nullCandidates(column);
  const odd = column.texts - nulls.reduce((n, f) => n + f.count, 0);
  const quantity = guessQuantity(field, scaled.known ? scaled.unit : undefined, known, countries);
  const limit = companions.limits.get(field.name);
  const kind = companions.kinds.get(field.name);
  const notes = [
    ...before,
    ...unitNotes(field, found, behind, factor),
    ...(brackets !== undefined && scaled.known ? [oddUnit(brackets)] : []),
    ...written.notes,
    ...scaled.notes,
    ...(nulls.length > 0 ? [nullNote(nulls)] : []),
    ...(odd > 0 ? [oddNote(column, odd)] : []),
    ...suspectNotes(suspects, column),
    ...spread.notes,
    ...(limit === undefined
      ? []
      : [
          check(
            "limit_flag",
            `${limit} seems to say which values are limits: which of its texts means which?`,
          ),
        ]),
  ];
  return {
    ...base,
    role: scaled.role,
    type: scaled.type,
    scale: scaled.scale,
    unit: scaled.unit,
    ...(written.number === undefined && factor === undefined
      ? {}
      : {
          number: {
            ...(written.number ?? { forms: ["plain"], prefix: [], suffix: [] }),
            ...(factor === undefined ? {} : { factor }),
          },
        }),
    nulls: nullTexts([
      ...nulls.map((f) => f.text),
      ...suspects.sentinels.flatMap((s) => spellingsOf(column, s)),
    ]),
    range: scaled.range ?? rangeOf(suspects, factor ?? 1),
    uncertainty: spread.uncertainty,
    drift: spread.drift,
    ...(limit === undefined ? {} : { limit }),
    ...(kind === undefined ? {} : { kind }),
    may: mayOf(scaled.role, scaled.known),
    ...(quantity === undefined ? {} : { quantity }),
    unreadable: odd + againstReading(asWritten, commas),
    notes,
  };
}

/** "Temperature (C)" is not in coulombs. */
function degrees(noun: string, unit: string | undefined): string | undefined {
  return /temperature|point/.test(noun) && (unit === "C" || unit === "F") ? `deg${unit}` : unit;
}

/** -1 and -1.0 are one value, and two texts. */
function spellingsOf(column: ColumnProfile, { value, text }: EndValue): string[] {
  const same = column.frequent.map((f) => f.text).filter((t) => readNumber(t.trim())?.value === value);
  return [...new Set([text, ...same])];
}

function mayOf(role: "measure" | "year" | "place" | "count", known: boolean): Decision["may"] {
  if (!known) return [];
  if (role === "year") return ["filter", "select"];
  return role === "place" ? ["filter", "compute"] : ["filter", "select", "compute"];
}

function unitOfField(field: Field) {
  // A logarithm's unit is that of its argument: the figure itself is a pure number.
  if (field.unit !== undefined && /^log/i.test(field.unit)) return { unit: "dex" };
  return (field.unit === undefined ? undefined : unitOf(field.unit)) ?? unitInName(field.name);
}

/** What stands in brackets behind a name and is no unit known here: "price (USD)". A year says when, "population (2020)". */
function oddBrackets({ name }: Field): string | undefined {
  const text = bracketsIn(name)?.text;
  return text === undefined || /^\d{4}$/.test(text) ? undefined : text;
}

const oddUnit = (odd: string): Note =>
  check("unit_unknown", `"${odd}", in its name, is no unit that is known here: is it one?`);

function unitNotes(
  field: Field,
  found: ReturnType<typeof unitOfField>,
  behind: ReturnType<typeof unitOf>,
  factor: number | undefined,
): Note[] {
  const notes: Note[] = [];
  if (field.unit !== undefined && unitOf(field.unit) === undefined && found === undefined)
    notes.push(check("unit_unknown", `the file gives the unit as "${field.unit}", which is not known here`));
  if (found !== undefined) {
    const from = field.unit === undefined ? "its name" : "what the file says of it";
    notes.push(
      /[([]/.test(field.name) || field.unit !== undefined
        ? note("unit", `unit ${found.unit}, from ${from}`)
        : check("unit_guessed", `unit ${found.unit}, from ${from}`),
    );
  } else if (behind !== undefined)
    notes.push(check("unit_guessed", `unit ${behind.unit}, from the text behind its numbers`));
  if (factor !== undefined)
    notes.push(check("factor", `its numbers are taken times ${factor}, so that the unit is plain`));
  return notes;
}

function oddNote(column: ColumnProfile, odd: number): Note {
  const listed = column.others
    .filter((o) => !isNullSpelling(o.text))
    .slice(0, 4)
    .map((o) => `"${o.text}"`);
  return check("exceptions", `${odd} cells are no numbers and will be unknown: ${listed.join(", ")}`);
}

function suspectNotes({ sentinels, outliers, low, high }: Suspects, column: ColumnProfile): Note[] {
  const notes = sentinels.map((s) =>
    check("sentinel", `${s.text} stands ${s.count} times, far from all other values: taken for "not known"`),
  );
  for (const o of outliers)
    notes.push(
      check(
        "outlier",
        `${o.text} in record ${o.record} is far beyond all others and would win every time: true? Else narrow \`range\`, or \`exclude\` it`,
      ),
    );
  const ends = [
    ["largest", high[0]],
    ["smallest", low[0]],
  ] as const;
  for (const [which, end] of ends) {
    if (end !== undefined && end.count > 1 && (column.distinct ?? 3) > 2)
      notes.push(
        note(
          "tie_at_extreme",
          `the ${which} value, ${end.text}, stands ${end.count} times: no extremum without conditions`,
        ),
      );
  }
  const unknown = column.records - column.numbers;
  if (unknown * 2 > column.records)
    notes.push(
      note(
        "mostly_unknown",
        `${unknown} of ${column.records} records have no value: one of them may hold the extremum`,
      ),
    );
  return notes;
}

/** The ends of the real values, rounded outwards. */
function rangeOf({ low, high }: Suspects, factor: number): readonly [number, number] | undefined {
  const [bottom, top] = [low[0]?.value, high[0]?.value];
  if (bottom === undefined || top === undefined) return undefined;
  const ends = [
    bottom > 0 ? neatBelow(bottom) : -neatAbove(-bottom),
    top > 0 ? neatAbove(top) : -neatBelow(-top),
  ];
  return [times(ends[0]!, factor) + 0, times(ends[1]!, factor) + 0];
}
