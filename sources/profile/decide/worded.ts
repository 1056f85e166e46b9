import type { ColumnProfile } from "../column.js";
import { flow } from "../yaml-text.js";
import { check, type Decision, type Note, note } from "./decision.js";
import { flagTexts } from "./kind.js";
import { nullNote, nullTexts } from "./null-texts.js";
import { isNullSpelling, nullCandidates } from "./nulls.js";
import type { Base } from "./task.js";

export function textual(base: Base & Pick<Decision, "role" | "notes">, column: ColumnProfile): Decision {
  const nulls = column.empty > 0 ? [""] : [];
  return { ...base, type: "text", scale: "nominal", nulls, may: [], unreadable: 0 };
}

export function namingNotes(column: ColumnProfile): Note[] {
  const found = nullCandidates(column);
  if (found.length === 0) return [];
  const listed = found.slice(0, 5).map((f) => `"${f.text}" (${f.count})`);
  return [
    check(
      "null_or_name",
      `${listed.join(", ")}: a name, or "not known"? If not known, put it into \`nulls\``,
    ),
  ];
}

export function flagOf(base: Base, column: ColumnProfile, notes: readonly Note[]): Decision {
  const flag = flagTexts(column)!;
  const known = new Set([...flag.true, ...flag.false]);
  const others = column.frequent.filter((f) => !known.has(f.text));
  const nulls = others.filter((f) => isNullSpelling(f.text));
  const odd = others.filter((f) => !isNullSpelling(f.text));
  const all = [
    ...notes,
    check(
      "flag_words",
      `how would a question say it? \`phrase: { noun: ${flow(base.noun)}, true: [that has ...], false: [without ...] }\``,
    ),
  ];
  if (nulls.length > 0) all.push(nullNote(nulls));
  if (odd.length > 0)
    all.push(
      check(
        "flag_exception",
        `${odd.map((f) => `"${f.text}" (${f.count})`).join(", ")} is neither: left unreadable`,
      ),
    );
  if (flag.true[0] === "1") all.push(check("flag_guessed", "0 and 1 are taken for false and true"));
  const only = column.distinct === 1 ? [note("constant", "one value only, so that it divides nothing")] : [];
  return {
    ...base,
    role: "flag",
    type: "flag",
    scale: "flag",
    flag,
    nulls: nullTexts(nulls.map((f) => f.text)),
    may: only.length > 0 ? [] : ["filter"],
    unreadable: odd.reduce((n, f) => n + f.count, 0),
    notes: [...all, ...only],
  };
}

/** Few enough to be classes of entities. */
const MAX_CLASSES = 60;

export function nominal(
  base: Base,
  column: ColumnProfile,
  notes: readonly Note[],
  fromNumbers: boolean,
): Decision {
  const { distinct, records, absent, empty } = column;
  const found = nullCandidates(column);
  const filled = records - absent - empty;
  const classes =
    distinct !== null &&
    distinct >= 2 &&
    distinct <= MAX_CLASSES &&
    distinct * 3 <= filled &&
    column.longest <= 60;
  const all = [...notes];
  if (found.length > 0) {
    const listed = found.slice(0, 5).map((f) => `"${f.text}" (${f.count})`);
    all.push(
      check(
        "null_or_value",
        `${listed.join(", ")}: a value, or "not known"? Nothing is decided: if not known, put it into \`nulls\``,
      ),
    );
  }
  if (distinct === 1) all.push(note("constant", `one value only: "${column.frequent[0]?.text ?? ""}"`));
  if (fromNumbers) all.push(check("reference", "numbers that seem to name something: kept as text"));
  if (column.leadingZeros > 0)
    all.push(note("leading_zeros", `${column.leadingZeros} have zeros in front, which numbers would lose`));
  if (mixed(column))
    all.push(
      check(
        "mixed",
        `${column.numbers} cells read as numbers, ${column.texts} do not, e.g. "${column.firstOther?.text ?? ""}" in record ${column.firstOther?.record ?? 0}`,
      ),
    );
  if (classes)
    all.push(
      check(
        "class_words",
        `how would a question say its ${distinct} values? \`phrase: { noun: ${flow(base.noun)}, values: { ... } }\``,
      ),
    );
  const role = classes ? "nominal" : "text";
  return {
    ...base,
    role,
    type: "text",
    scale: "nominal",
    nulls: column.empty > 0 ? [""] : [],
    may: classes ? ["filter"] : [],
    unreadable: 0,
    notes: all,
  };
}

function mixed(column: ColumnProfile): boolean {
  return column.numbers > 0 && column.texts > 0 && column.numbers * 5 > column.texts;
}
