import { dropText } from "../../verifiers/drop-rule.js";
import type { Retuning } from "../retune.js";
import { counted, table } from "../terminal.js";

/** Values of a property that a terminal shows. */
const SHOWN = 12;

export function retuneText(retuning: Retuning): string {
  const { name, before, after, rows, why, limits, findings } = retuning;
  const parts = [
    [`${name} with ${changesText(retuning)}: ${counted(rows, "row")} with kept evidence`],
    table([
      ["", "pass", "do not", "not decided"],
      ["as made", String(before.passed), String(rows - before.passed), ""],
      ["changed", String(after.in), String(after.out), String(after.open)],
    ]),
    [movesText(retuning)],
    why.length === 0
      ? []
      : [
          "Why not",
          ...table(
            why.map((w) => [w.fate === "open" ? "not decided" : "out", w.why, counted(w.rows, "row")]),
          ),
        ],
    ...compositionText(retuning),
    ["Where kept evidence ends", ...limits.map((line) => `  ${line}`)],
    findings.length === 0
      ? []
      : [`The evidence has ${counted(findings.length, "finding")}: see \`pipeline audit\`.`],
  ];
  return `${parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

function movesText({ moved, before }: Retuning): string {
  const count = (from: string, to: string) => moved.filter((m) => m.from === from && m.to === to).length;
  const passed = `Of ${before.passed} that passed ${count("in", "out")} go and ${count("in", "open")} are not decided`;
  const turned = `of those turned away ${count("out", "in")} pass and ${count("out", "open")} are not decided`;
  return `${passed}; ${turned}. The dataset itself holds ${before.in_dataset}.`;
}

function changesText({ changes: { margin, k, drop, tolerance } }: Retuning): string {
  const said = [
    margin === undefined ? [] : [`margin × ${margin}`],
    k === undefined ? [] : [`k = ${k}`],
    drop === undefined ? [] : [`drop ${dropText(drop)}`],
    tolerance === undefined ? [] : [`tolerance ${tolerance}`],
  ].flat();
  return said.length === 0 ? "nothing changed" : said.join(", ");
}

function compositionText({ composition }: Retuning): string[][] {
  const properties = [...new Set(composition.map(({ property }) => property))];
  return properties.map((property) => {
    const parts = composition.filter((p) => p.property === property);
    const rows = parts
      .slice(0, SHOWN)
      .map((p) => [p.value, String(p.before), String(p.after), p.open === 0 ? "" : String(p.open)]);
    const rest = parts.length - SHOWN;
    return [
      ...table([[property, "as made", "changed", "not decided"], ...rows]),
      ...(rest > 0 ? [`  and ${rest} more`] : []),
    ];
  });
}
