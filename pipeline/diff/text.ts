import { counted, grouped, table } from "../terminal.js";
import { ASPECTS } from "./aspects.js";
import { type Cause, settingsText, valueText } from "./cause.js";
import type { CauseCount, Difference, RowDifference } from "./difference.js";
import type { Change } from "./json.js";

/** Cells, differences and settings of one row that are shown. */
const SHOWN = 4;
/** Causes of one kind in the summary. */
const FUNNEL = 20;
const WIDTH = 140;

/** A comparison for people: what differs and why in numbers, then the rows that were kept to be shown. */
export function differenceText(difference: Difference, shown: readonly RowDifference[]): string {
  const { a, b, same, settings } = difference;
  const sides = table([
    ["A", a.dir, counted(a.rows, "row"), `taskmill ${a.taskmill}`, `seed ${a.seed}`],
    ["B", b.dir, counted(b.rows, "row"), `taskmill ${b.taskmill}`, `seed ${b.seed}`],
  ]);
  const made = settings.length === 0 ? [] : ["Made differently", ...madeLines(difference)];
  if (same) return text([sides, made, [`the same ${counted(a.rows, "row")}`]]);
  return text([
    sides,
    [
      countsLine(difference),
      ...(difference.ordered ? [] : ["the rows that both have stand in another order"]),
    ],
    made,
    ...(["lost", "gained", "changed"] as const).map((kind) => causeLines(difference, kind)),
    ...(["lost", "gained", "changed"] as const).map((kind) => rowLines(difference, kind, shown)),
    difference.limits.length === 0 ? [] : ["Not looked at", ...difference.limits.map((line) => `  ${line}`)],
  ]);
}

function text(parts: readonly (readonly string[])[]): string {
  return `${parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

function countsLine({ rows, aspects }: Difference): string {
  const of = ASPECTS.flatMap((aspect) =>
    aspects[aspect] === undefined ? [] : [`${aspect} ${grouped(aspects[aspect])}`],
  );
  const changed = of.length === 0 ? "" : ` (${of.join(", ")})`;
  return `${grouped(rows.lost)} lost, ${grouped(rows.gained)} gained, ${grouped(rows.changed)} changed${changed}, ${grouped(rows.same)} the same`;
}

function madeLines({ settings }: Difference): string[] {
  const groups = new Map<string, (typeof settings)[number][]>();
  for (const setting of settings) {
    const name = setting.of === "" ? setting.part : `${setting.part} ${setting.of}`;
    groups.set(name, [...(groups.get(name) ?? []), setting]);
  }
  return table([...groups].map(([name, of]) => [name, shortened(settingsText(of))]));
}

const TITLES = {
  lost: "Why rows of A are not in B",
  gained: "Why rows of B are not in A",
  changed: "What changed of rows in both",
};

function causeLines({ causes }: Difference, kind: CauseCount["kind"]): string[] {
  const of = causes.filter((cause) => cause.kind === kind);
  if (of.length === 0) return [];
  const lines = of.slice(0, FUNNEL).map(({ rows, aspect, text: what }) => {
    const cells = [grouped(rows), ...(aspect === null ? [] : [aspect]), shortened(what)];
    return cells;
  });
  return [
    TITLES[kind],
    ...table(lines),
    ...(of.length > FUNNEL ? [`  and ${of.length - FUNNEL} more causes`] : []),
  ];
}

function rowLines(
  { rows }: Difference,
  kind: RowDifference["kind"],
  shown: readonly RowDifference[],
): string[] {
  const of = shown.filter((row) => row.kind === kind);
  if (of.length === 0) return [];
  const title = { lost: "Lost", gained: "Gained", changed: "Changed" }[kind];
  const rest = rows[kind] - of.length;
  return [
    rest === 0 ? title : `${title}: ${of.length} of ${grouped(rows[kind])}, the first of each cause`,
    ...of.flatMap((row) => (row.kind === "changed" ? changedLines(row) : absentLines(row))),
  ];
}

function absentLines({
  id,
  question,
  causes,
}: Extract<RowDifference, { kind: "lost" | "gained" }>): string[] {
  return [`  ${id}  ${shortened(question)}`, ...causes.flatMap((cause) => causeText(cause, "    "))];
}

/** Of an answer the figures behind it, and of a wording its style, are for `--json`. */
const BEHIND = /^(?:hidden_answer\.(?:by_|condition_number)|wording\.)/;

function changedLines({
  id,
  id_b,
  question,
  aspects,
}: Extract<RowDifference, { kind: "changed" }>): string[] {
  const name = id === id_b ? id : `${id} → ${id_b}`;
  return [
    `  ${name}  ${shortened(question)}`,
    ...aspects.flatMap(({ aspect, columns, changes, causes }) => {
      const telling = changes.filter(({ path }) => !BEHIND.test(path));
      return [
        telling.length === 0 ? `    ${aspect}: ${columns.join(", ")}` : `    ${aspect}:`,
        ...telling.slice(0, SHOWN).flatMap(changeLines),
        ...more(telling.length, "      "),
        ...causes.slice(0, 2).flatMap((cause) => causeText(cause, "      because ")),
      ];
    }),
  ];
}

/** A question is shown whole, so that what differs in it can be seen. */
function changeLines({ path, a, b }: Change): string[] {
  if (path !== "question") return [`      ${path}: ${valueText(a)} → ${valueText(b)}`];
  return [`      - ${String(a)}`, `      + ${String(b)}`];
}

function causeText({ text: what, cells = [], evidence }: Cause, indent: string): string[] {
  const inner = " ".repeat(indent.length + 2);
  const lines = cells
    .slice(0, SHOWN)
    .map(
      ({ table: of, key, column, a, b }) =>
        `${inner}${of}/${key} ${column}: ${valueText(a)} → ${valueText(b)}`,
    );
  const found =
    evidence === undefined || evidence === null ? [] : [`${inner}${shortened(JSON.stringify(evidence))}`];
  return [`${indent}${what}`, ...found, ...lines, ...more(cells.length, inner)];
}

function more(all: number, indent: string): string[] {
  return all > SHOWN ? [`${indent}and ${all - SHOWN} more`] : [];
}

function shortened(line: string): string {
  const flat = line.replace(/\s+/g, " ");
  return flat.length > WIDTH ? `${flat.slice(0, WIDTH - 3)}...` : flat;
}
