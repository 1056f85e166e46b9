import { compareText } from "./canonical.js";
import type { Location, Problem } from "./errors.js";

const WIDTH = 100;
/** What a user reads; all of it is in the `--json` output. */
const MAX_SHOWN = 100;
const MAX_MESSAGE = 2000;

/**
 * Problems as a person reads them, in order of file and place:
 *
 *     configs/astro.yaml:12:3: unknown key `fliter` in `stages`
 *       12 |   fliter: {}
 *          |   ^^^^^^
 *          = did you mean `filter`?
 */
export function renderProblems(problems: readonly Problem[], options: { color?: boolean } = {}): string {
  const paint = options.color
    ? (code: number, text: string) => `\u001b[${code}m${text}\u001b[0m`
    : (_code: number, text: string) => text;
  const shown = sortProblems(problems)
    .slice(0, MAX_SHOWN)
    .map((problem) => `${renderProblem(problem, paint)}\n`);
  if (problems.length > MAX_SHOWN) shown.push(`... and ${problems.length - MAX_SHOWN} more problems\n`);
  return shown.join("\n");
}

/** Problems in the order of file, line and column; those without a place first. */
export function sortProblems(problems: readonly Problem[]): Problem[] {
  const order = (p: Problem) => p.location?.file ?? "";
  return [...problems].sort(
    (a, b) =>
      compareText(order(a), order(b)) ||
      (a.location?.line ?? 0) - (b.location?.line ?? 0) ||
      (a.location?.column ?? 0) - (b.location?.column ?? 0),
  );
}

type Paint = (code: number, text: string) => string;
const BOLD = 1;
const RED = 31;
const CYAN = 36;

function renderProblem(problem: Problem, paint: Paint): string {
  const { location, hint } = problem;
  const place = location === undefined ? "" : `${paint(BOLD, visible(placeOf(location)))}: `;
  const lines = [`${place}${paint(RED, visible(short(problem.message)))}`];
  const gutter = location?.excerpt === undefined ? "" : " ".repeat(String(location.line).length + 2);
  if (location?.excerpt !== undefined) lines.push(...renderExcerpt(location, gutter, paint));
  if (hint) lines.push(`${gutter}  = ${paint(CYAN, visible(short(hint)))}`);
  return lines.join("\n");
}

/** A message may quote a value of any length. */
function short(text: string): string {
  if (text.length <= MAX_MESSAGE) return text;
  return `${text.slice(0, MAX_MESSAGE)}... (${text.length} characters)`;
}

function placeOf(location: Location): string {
  return [short(location.file), location.line, location.column]
    .filter((part) => part !== undefined)
    .join(":");
}

function renderExcerpt(location: Location, gutter: string, paint: Paint): string[] {
  const column = (location.column ?? 1) - 1;
  // A long line is shown from a little before the place.
  const start = location.excerpt!.length > WIDTH && column > WIDTH - 30 ? column - 30 : 0;
  const shown = location.excerpt!.slice(start, start + WIDTH);
  const before = `${start > 0 ? "..." : ""}${visible(shown.slice(0, column - start))}`;
  const rest = visible(shown.slice(column - start));
  const cut = start + WIDTH < location.excerpt!.length ? "..." : "";
  const length = Math.max(1, Math.min(location.length ?? 1, shown.length - (column - start)));
  const carets = "^".repeat(displayWidth(visible(shown.slice(column - start, column - start + length))) || 1);
  return [
    `  ${location.line} | ${before}${rest}${cut}`.trimEnd(),
    `${gutter} | ${" ".repeat(displayWidth(before))}${paint(RED, carets)}`,
  ];
}

const CONTROLS = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;
const CONTROLS_IN_LINES = /[^\P{Cc}\n\t]|[\p{Bidi_Control}\u2028\u2029]/gu;
const NARROW = /^[\x20-\x7e]*$/;
const NO_WIDTH = /^(?:\p{Mn}|\p{Me}|\u200d)$/u;
const WIDE =
  /^[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\p{Emoji_Presentation}]$/u;

/** Shows control characters instead of obeying them; a tab is one space wide, so that carets stay in line. */
export function visible(text: string): string {
  return text.replaceAll("\t", " ").replace(CONTROLS, escaped);
}

/** {@link visible} for a text of several lines. In JSON the result is the same value: such characters stand in strings alone. */
export function visibleLines(text: string): string {
  return text.replace(CONTROLS_IN_LINES, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Columns on a terminal: wide East Asian characters and emoji take two, combining marks none. */
function displayWidth(text: string): number {
  if (NARROW.test(text)) return text.length;
  return [...text].reduce((sum, c) => sum + (NO_WIDTH.test(c) ? 0 : WIDE.test(c) ? 2 : 1), 0);
}
