import type { ColumnProfile } from "../column.js";
import { againstReading, type Hint, hasDecimalCommas, mayBeGrouped } from "./commas.js";
import { check, type Note, type NumberDraft, note } from "./decision.js";

const WORDS_OF_SCALE: Readonly<Record<string, number>> = {
  thousand: 1e3,
  million: 1e6,
  billion: 1e9,
  trillion: 1e12,
};

/** How a column's numbers are written, as a card says it, and the doubts. */
export interface WrittenAs {
  readonly number?: NumberDraft;
  /** Texts behind numbers that a unit may be read from: "million sq km". */
  readonly unitText?: string;
  readonly notes: readonly Note[];
}

export function writtenAs(column: ColumnProfile, factor: number | undefined, hint?: Hint): WrittenAs {
  const { forms } = column;
  const notes: Note[] = [];
  const comma = forms.decimal_comma ?? 0;
  const dotGroups = (forms.dot_grouped ?? 0) + column.dots[1];
  const decimalComma = hasDecimalCommas(column, hint);
  const grouped = decimalComma ? dotGroups : (forms.grouped ?? 0);
  notes.push(...dotNotes(column, decimalComma, hint));
  if (decimalComma && comma > 0)
    notes.push(check("decimal_comma", `${comma} numbers have a decimal comma: ${exampleOf(column, ",")}`));
  else if (!decimalComma && grouped > 0)
    notes.push(
      note(
        "grouped",
        `${grouped} numbers have commas between groups of three digits: ${exampleOf(column, ",")}`,
      ),
    );
  const used = (["plain", "grouped", "spaced", "plus_minus", "parenthesis", "sexagesimal"] as const).filter(
    (form) =>
      form === "grouped" ? grouped > 0 : (forms[form] ?? 0) > 0 || (form === "plain" && decimalComma),
  );
  for (const form of ["spaced", "plus_minus", "parenthesis", "sexagesimal"] as const) {
    if ((forms[form] ?? 0) > 0) notes.push(note(form, `${forms[form]} numbers are written ${WAYS[form]}`));
  }
  const prefix = affixes(column.prefixes, "before", notes);
  const suffix = affixes(column.suffixes, "behind", notes);
  const plain = used.length <= 1 && used[0] !== undefined && used[0] === "plain" && !decimalComma;
  if (plain && prefix.length + suffix.length === 0 && factor === undefined) return { notes };
  const number = {
    forms: used.length === 0 ? (["plain"] as const) : used,
    ...(decimalComma ? { decimal: "," as const } : {}),
    ...(decimalComma && grouped > 0 ? { group: "." as const } : {}),
    prefix,
    suffix,
    ...(factor === undefined ? {} : { factor }),
  };
  return { number, notes, ...unitTextOf(column, suffix) };
}

/** Dots that may be, or are taken for, marks between groups of digits; and numbers that the reading does not fit. */
function dotNotes(column: ColumnProfile, commas: boolean, hint: Hint): Note[] {
  const notes: Note[] = [];
  const example = groupExample(column);
  if (commas && example !== undefined)
    notes.push(check("dot_groups", `dots are taken for marks between groups of digits: ${example}`));
  if (!commas && example !== undefined && mayBeGrouped(column)) notes.push(askDots(column, example, hint));
  const odd = againstReading(column, commas);
  if (odd > 0) {
    const other = commas ? "a dot before their decimals" : "a comma before their decimals";
    notes.push(check("mixed_marks", `${odd} numbers have ${other}, others do not: they will be unknown`));
  }
  return notes;
}

function askDots(column: ColumnProfile, example: string, hint: Hint): Note {
  const [low, high] = [column.underCommas.low[0]!.value, column.underCommas.high[0]!.value];
  const also =
    hint === "semicolons" ? " (the file is divided by semicolons, as where commas are decimal)" : "";
  return check(
    "dot_thousands",
    `${example}: a decimal dot, as taken here, or thousands?${also} If thousands: \`number: { forms: [plain, grouped], decimal: ",", group: "." }\`, and \`range\` around ${low} to ${high}`,
  );
}

function groupExample({ high, low, frequent, forms, dots }: ColumnProfile): string | undefined {
  if ((forms.dot_grouped ?? 0) + dots[1] === 0) return undefined;
  const texts = [...high, ...low, ...frequent].map((e) => e.text);
  return texts.find((t) => /\d\.\d{3}(?!\d)/.test(t));
}

const WAYS = {
  spaced: "with spaces between groups of digits (6.644 657 3450 e-27)",
  plus_minus: "with their uncertainty behind ± (170±25)",
  parenthesis: "with their uncertainty in parentheses (1.234(5))",
  sexagesimal: "in sixtieths (19 22 43.4)",
} as const;

function exampleOf(column: ColumnProfile, mark: string): string {
  const found = [...column.high, ...column.low].find((e) => e.text.includes(mark))?.text;
  return found ?? column.frequent.find((f) => f.text.includes(mark))?.text ?? "";
}

function affixes(list: ColumnProfile["prefixes"], where: string, notes: Note[]): string[] {
  if (list.length === 0) return [];
  const shown = list.slice(0, 6).map(({ text, count }) => `"${text}" (${count})`);
  const meaning =
    where === "before"
      ? "does < or ~ make it a limit or an estimate?"
      : "is it a unit, a footnote, a remark?";
  notes.push(
    check("affix", `numbers with a text ${where} them: ${shown.join(", ")}; it would be dropped: ${meaning}`),
  );
  return list.map((a) => a.text);
}

/** One text behind nearly all numbers is their unit. */
function unitTextOf(column: ColumnProfile, suffix: readonly string[]): { unitText?: string } {
  const [first] = column.suffixes;
  return suffix.length > 0 && first!.count >= column.numbers * 0.9 ? { unitText: first!.text } : {};
}

/** A scale word stands in the text behind a number: "14.2 million sq km". */
export function scaleWord(text: string): number | undefined {
  return WORDS_OF_SCALE[text.toLowerCase().split(" ")[0]!];
}
