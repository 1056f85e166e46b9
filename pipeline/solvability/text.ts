import { counted, grouped, table } from "../terminal.js";
import type { CheckedSolvability } from "./check.js";
import { solvableShare, type TaskSolvability } from "./solvability.js";

/** Partial tasks and blocking rules that a terminal shows; `--json` has all. */
const SHOWN = 10;

/** For a terminal: totals, counts by column, and what some tasks miss. */
export function solvabilityText(checked: CheckedSolvability): string {
  const { name, tasks, others, corpora, documents, blocked, columns } = checked;
  const kept = Object.values(blocked).reduce((a, b) => a + b, 0);
  const read =
    corpora.length === 0
      ? "no corpus"
      : `${counted(documents, "document")} of ${corpora.join(", ")}, ${grouped(kept)} behind the firewall`;
  const parts = [
    [
      `${name}: ${counted(tasks.length, "table task")}${others > 0 ? ` (and ${counted(others, "problem")})` : ""}; ${read}`,
    ],
    totalsOf(checked),
    columns.length === 0
      ? []
      : [
          "Cells that tasks need",
          ...table(columns.map((c) => [`${c.table}.${c.column}`, `${c.found} of ${c.needed}`])),
        ],
    missingOf(tasks),
    Object.keys(blocked).length === 0
      ? []
      : [
          "Documents kept back",
          ...table(
            Object.entries(blocked)
              .slice(0, SHOWN)
              .map(([rule, n]) => [rule, grouped(n)]),
          ),
        ],
  ];
  return `${parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

function totalsOf({ tasks, totals }: CheckedSolvability): string[] {
  const share = (100 * solvableShare({ tasks, totals })).toFixed(1);
  const settled = tasks.filter((t) => t.state === "whole" && t.settled !== null).length;
  return [
    `Solvable: ${share} %`,
    ...table([
      ["  evidence whole", grouped(totals.whole), settled === 0 ? "" : `${settled} by a stated superlative`],
      ["  computable by anyone", grouped(totals.computable), ""],
      ["  in part", grouped(totals.partial), ""],
      ...(totals.unfit === 0
        ? []
        : [["  do not fit the tables", grouped(totals.unfit), "run `pipeline verify`"]]),
    ]),
  ];
}

function missingOf(tasks: readonly TaskSolvability[]): string[] {
  const partial = tasks.filter((t) => t.state === "partial");
  if (partial.length === 0) return [];
  const lines = partial.slice(0, SHOWN).map(({ id, found, needed, missing }) => {
    const first = missing.slice(0, 3).map((m) => `${m.column} of ${m.entity}`);
    return [id, `${found} of ${needed}`, `${first.join(", ")}${missing.length > 3 ? ", ..." : ""}`];
  });
  const more = partial.length - lines.length;
  return [
    "What no document says",
    ...table(lines),
    ...(more > 0 ? [`and ${counted(more, "task")} more`] : []),
  ];
}
