import type { ColumnProfile } from "../sources/profile/column.js";
import { asCommas } from "../sources/profile/decide/commas.js";
import type { Decisions } from "../sources/profile/decide/decide.js";
import type { Decision } from "../sources/profile/decide/decision.js";
import type { FileProfile } from "../sources/profile/profile.js";
import { counted, grouped } from "./terminal.js";

/** A profile as a page of text: how the file was read, what its columns hold, and what is odd about them. */
export function profileText(profile: FileProfile, { columns, keys }: Decisions): string {
  const { file, layout, records, turnedAway, firstAway } = profile;
  const away = Object.entries(turnedAway).map(
    ([reason, n]) => `  ${grouped(n)} left out: ${reason}, first ${firstAway}`,
  );
  return [
    `${file}: ${counted(records, "record")}, ${counted(profile.columns.length, "column")}`,
    "",
    "read as (guessed from its bytes; --read says otherwise):",
    ...layout.said.map((s) => `  ${s}`),
    ...away,
    "",
    "names:",
    ...keys.said.map((s) => `  ${s}`),
    ...(keys.name === undefined || keys.name === keys.key ? [] : [`  name in prose: \`${keys.name}\``]),
    "",
    "columns:",
    ...columns.flatMap((decision, i) => columnText(decision, profile.columns[i]!)),
    "",
  ].join("\n");
}

/** What is asked of every number stands in the card only. */
const OF_CARD = new Set([
  "drift_guessed",
  "noun_participle",
  "rounding",
  "flag_words",
  "class_words",
  "unit",
]);

function columnText(decision: Decision, column: ColumnProfile): string[] {
  const { field, role, type, scale, unit, notes } = decision;
  const kind = role === "companion" ? "companion of another column" : role === "empty" ? "empty" : type;
  const measured = unit === undefined ? "" : ` in ${unit}, ${scale}`;
  const quantity = decision.quantity?.sure === true ? `, quantity ${decision.quantity.ids[0]}` : "";
  const asRead = decision.number?.decimal === "," ? asCommas(column) : column;
  const listed = notes
    .filter((n) => !OF_CARD.has(n.code))
    .map((n) => `      ${n.check ? "?" : "-"} ${n.text}`);
  return [
    `  ${field}: ${kind}${measured}${quantity}; ${valuesText(asRead, type !== "text" && type !== "flag")}`,
    ...listed,
  ];
}

function valuesText(column: ColumnProfile, numeric: boolean): string {
  const { absent, empty, distinct, texts, quantiles, frequent } = column;
  const unknown = absent + empty;
  const nulls = unknown === 0 ? "" : `, ${grouped(unknown)} empty`;
  const different = distinct === null ? "too many different to count" : `${grouped(distinct)} different`;
  if (numeric) {
    const [min, , low, middle, high, , max] = quantiles;
    const exceptions = texts === 0 ? "" : `, ${grouped(texts)} no numbers`;
    const about = column.quantilesExact ? "" : "about ";
    return `${min} to ${max}, ${about}half of them ${low} to ${high}, median ${middle}${nulls}${exceptions}; ${different}`;
  }
  const shown = frequent
    .slice(0, 3)
    .map(({ text, count }) => `${JSON.stringify(text.slice(0, 30))} (${grouped(count)})`);
  return `${different}${nulls}${shown.length === 0 ? "" : `: ${shown.join(", ")}${frequent.length > 3 ? ", ..." : ""}`}`;
}

/** The same for programs. */
export function profileJson(profile: FileProfile, { columns, keys }: Decisions) {
  const { layout, ...rest } = profile;
  return {
    ...rest,
    read: layout.read,
    said: layout.said,
    key: keys.key ?? null,
    name: keys.name ?? null,
    columns: columns.map((decision, i) => ({ ...profile.columns[i]!, ...layout.fields[i]!, decision })),
  };
}
