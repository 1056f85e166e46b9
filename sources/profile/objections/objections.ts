import { type ClassCount, classCounts } from "../../catalog.js";
import { namelessRows } from "../../names.js";
import type { IngestReason, IngestReport, NumberColumn, Table } from "../../table.js";
import type { KnownQuantity } from "../decide/quantity.js";
import { dataObjections } from "./data.js";
import { columnDeclarations, declaredObjections, leftOutText, READ_THEM } from "./declared.js";
import { error, type Objection, remark, type Severity, warning } from "./objection.js";
import { valuesOf } from "./values.js";

/** A card's table as it was loaded, and what is known around it. */
export interface Examined {
  readonly table: Table;
  readonly report: IngestReport;
  /** The tables that its links lead to, by id; links to tables that were not found are left out of the check. */
  readonly linked: ReadonlyMap<string, Table>;
  readonly known: readonly KnownQuantity[];
}

const ORDER: readonly Severity[] = ["error", "warning", "note"];

/** Everything that a scientist would object to, the worst first, then in the order of the card. */
export function objectionsTo({ table, report, linked, known }: Examined): Objection[] {
  const { card } = table;
  const ids = new Set(known.map((q) => q.id));
  const classes: readonly ClassCount[] = classCounts(table);
  const all = [
    ...declaredObjections(card, classes, report),
    ...nameObjections(table),
    ...namelessObjections(table, linked),
    ...ingestObjections(report),
    ...[...table.columns.values()].flatMap((column) => [
      ...columnDeclarations(column.id, column.card, ids),
      ...(column.type === "number" || column.type === "integer"
        ? numberObjections(column, table, known)
        : []),
    ]),
    ...selectedOn(table),
    ...linkObjections(table, linked),
    ...useObjections(table),
  ];
  return ORDER.flatMap((severity) => all.filter((o) => o.severity === severity));
}

function numberObjections(column: NumberColumn, table: Table, known: readonly KnownQuantity[]): Objection[] {
  const quantity = known.find((q) => q.id === column.card.quantity);
  return dataObjections(column.id, column.card, valuesOf(column, table.names), quantity);
}

function nameObjections(table: Table): Objection[] {
  const seen = new Map<string, number>();
  for (const name of table.names) seen.set(name, (seen.get(name) ?? 0) + 1);
  const twice = [...seen].filter(([, n]) => n > 1);
  if (twice.length === 0) return [];
  const [name, n] = twice[0]!;
  const what = `${twice.length} names stand for several entities, e.g. ${JSON.stringify(name)} for ${n}`;
  return [
    warning(
      "names_repeat",
      "name",
      what,
      "who finds the entity cannot tell it from its namesakes",
      'use a template with what tells them apart: `name: "{name} ({year})"`',
    ),
  ];
}

function namelessObjections(table: Table, linked: ReadonlyMap<string, Table>): Objection[] {
  const rows = namelessRows(table, new Set(linked.keys()));
  if (rows.length === 0) return [];
  const example = JSON.stringify(table.names[rows[0]!]);
  const what = `${rows.length} of ${table.rows} rows lack what \`${table.card.name}\` is made of, and are called by their key, e.g. ${example}`;
  return [
    warning(
      "nameless",
      "name",
      what,
      "questions and answers call them by a code, the others by a name",
      "a name that all have, or `rows: [{ keep: { column: ..., op: known }, reason: no name }]`",
    ),
  ];
}

/** From this share of unreadable or implausible cells on, something is wrong with the card rather than with the cells. */
const MANY = 0.02;

function ingestObjections(report: IngestReport): Objection[] {
  const { cells, records, loaded, rejected, samples } = report;
  const found: Objection[] = [];
  for (const [id, counts] of Object.entries(cells)) {
    for (const reason of ["unreadable_value", "implausible_value"] as const) {
      const n = counts[reason] ?? 0;
      if (n === 0) continue;
      const example = samples.find((s) => s.column === id && s.reason === reason)?.text ?? "";
      const word = reason === "unreadable_value" ? "unreadable" : "implausible";
      const make = n > records * MANY ? warning : remark;
      found.push(
        make(
          reason,
          id,
          `${n} values are ${word}, e.g. ${JSON.stringify(example)}`,
          "they count as unknown, and an unknown rival may win",
          word === "unreadable"
            ? "`nulls`, or `number: { forms, prefix, suffix }`"
            : "correct `range` if they are right",
        ),
      );
    }
  }
  const away = records - loaded - (rejected.not_kept ?? 0);
  if (away > 0) {
    const what = `${away} of ${records} records were left out (${leftOutText(report)}), e.g. ${exampleAway(report)}`;
    const why = "one of them may be the largest: no class that they may belong to counts as complete";
    found.push(remark("records_left_out", "rows", what, why, READ_THEM));
  }
  return found;
}

function exampleAway({ rejected, samples }: IngestReport): string {
  const isAway = (reason: IngestReason): boolean => reason !== "not_kept" && rejected[reason] !== undefined;
  const { record, line, text } = samples.find((s) => isAway(s.reason))!;
  return `record ${record}${line === undefined ? "" : `, line ${line}`}${text === undefined ? "" : `: ${JSON.stringify(text)}`}`;
}

/** A column known for all, where others are not, may be what the records were chosen by. */
function selectedOn({ card, columns, rows }: Table): Objection[] {
  const numeric = [...columns.values()].filter(
    (c): c is NumberColumn => "u" in c && c.card.scale !== "exact",
  );
  const full = numeric.filter((c) => !c.values.some((v) => Number.isNaN(v)));
  const holed = numeric.filter((c) => c.values.reduce((n, v) => n + Number(Number.isNaN(v)), 0) > rows * 0.2);
  const suspects = full
    .filter((c) => c.card.may.includes("select") && !card.selected_on.includes(c.id))
    .map((c) => c.id);
  if (suspects.length === 0 || holed.length < 2 || rows < 20) return [];
  const what = `${suspects.join(", ")} ${suspects.length === 1 ? "is" : "are"} never unknown, where ${holed
    .map((c) => c.id)
    .slice(0, 4)
    .join(", ")} often are`;
  return [
    remark(
      "selected_on_suspected",
      "selected_on",
      what,
      "if records are here because they have that value, entities without it are missing, and one of them may be the extremum",
      "`selected_on: [...]` if so; nothing if every entity has one",
    ),
  ];
}

function linkObjections({ card, columns, rows }: Table, linked: ReadonlyMap<string, Table>): Objection[] {
  return Object.entries(card.links).flatMap(([id, link]) => {
    const to = linked.get(link.to);
    if (to === undefined)
      return [
        remark(
          "link_unchecked",
          id,
          `the table \`${link.to}\` was not found beside the card, nor is it bundled`,
          "its keys could not be compared",
          "check it in a config that has both: `pipeline plan`",
        ),
      ];
    const column = columns.get(link.column);
    if (column?.type !== "text") return [];
    const known = column.values.filter((v) => v !== null);
    const lost = known.filter((v) => to.rowOf(v) === undefined);
    if (lost.length === 0) return [];
    const make = lost.length > known.length / 2 ? error : warning;
    return [
      make(
        "broken_link",
        id,
        `${lost.length} of ${known.length} rows lead to no key of \`${link.to}\`, e.g. ${JSON.stringify(lost[0])} (of ${rows} rows)`,
        "tasks that hop from them are refused",
        "correct the column, the keys, or add the missing entities",
      ),
    ];
  });
}

/** A table without a column that selects, or without one that feeds answers, makes no tasks. */
function useObjections({ card }: Table): Objection[] {
  const may = (role: "select" | "compute"): boolean =>
    Object.values(card.columns).some((c) => c.may.includes(role));
  const bare = Object.entries(card.columns).filter(
    ([, c]) => c.may.includes("compute") && c.quantity === undefined,
  );
  const missing = (["select", "compute"] as const).filter((role) => !may(role));
  const found = missing.map((role) => {
    const does = role === "select" ? "decide which entity is asked for" : "feed an answer";
    return warning(
      `nothing_may_${role}`,
      "columns",
      `no column may ${role}`,
      `none can ${does}, so that the table makes no tasks of its own`,
      `\`may: [${role}]\` where unit and uncertainty are known`,
    );
  });
  if (bare.length === 0) return found;
  const what = `${bare.map(([id]) => id).join(", ")} may feed answers, and ${bare.length === 1 ? "has" : "have"} no quantity`;
  const why =
    "formulas of science find their inputs by quantity; the others ask for ratios, differences and means only";
  return [
    ...found,
    remark("no_quantity", "columns", what, why, "`quantity: ...` where docs/formulas.md has one that fits"),
  ];
}
