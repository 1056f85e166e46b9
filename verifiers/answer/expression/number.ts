import type { Token } from "./tokens.js";

/** What `,` and `.` mean in numbers of the question's language. */
export interface Separators {
  readonly decimalComma: boolean;
}

/** Languages that write 1,5 for one and a half (CLDR's decimal sign), by primary subtag. */
const DECIMAL_COMMA = new Set(
  "bg ca cs da de el es et eu fi fr gl hr hu id is it lt lv mk nb nl nn no pl pt ro ru sk sl sq sr sv tr uk vi".split(
    " ",
  ),
);
/** Regions where they do not. */
const DECIMAL_POINT = new Set([
  "de-ch",
  "de-li",
  "es-mx",
  "es-us",
  "es-pr",
  "es-gt",
  "es-hn",
  "es-ni",
  "es-pa",
  "es-pe",
  "es-do",
  "es-sv",
]);

/** @param language BCP 47; default English */
export function separatorsOf(language = "en"): Separators {
  const tag = language.toLowerCase();
  return { decimalComma: DECIMAL_COMMA.has(tag.split("-")[0]!) && !DECIMAL_POINT.has(tag) };
}

const GROUPED = /^[0-9]{1,3}(,[0-9]{3})+(\.[0-9]+)?$/;
const SPACED = /^[0-9]{1,3}( [0-9]{3})+(\.[0-9]+)?$/;

/** The number that digits and separators make up, as plain decimal text. Refuses what the language does not write. */
export function readNumber(
  tokens: readonly Token[],
  { decimalComma }: Separators,
  refuse: (why: string) => never,
): string {
  const written = tokens
    .map((t, i) => (i > 0 && t.kind === "number" && tokens[i - 1]!.kind === "number" ? ` ${t.text}` : t.text))
    .join("");
  const text = decimalComma ? swapped(written) : written;
  if (GROUPED.test(text)) return text.replaceAll(",", "");
  if (SPACED.test(text)) return text.replaceAll(" ", "");
  if (/[, ]/.test(text)) refuse(`"${written.slice(0, 40)}" is no single number in the question's language`);
  return text.endsWith(".") ? text.slice(0, -1) : text;
}

/** With comma and point changed; a point that groups nothing is a point, whatever the language. */
function swapped(text: string): string {
  const swap = text.replace(/[.,]/g, (c) => (c === "." ? "," : "."));
  return text.includes(",") || GROUPED.test(swap) ? swap : text;
}
