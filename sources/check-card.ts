import type { Problem } from "../pipeline/base/errors.js";
import { suggest } from "../pipeline/base/errors.js";
import { parseUnit, sameDimension, UnitError } from "../verifiers/units.js";
import type { Card, ColumnCard, Condition } from "./card.js";
import { checkFormat } from "./check-format.js";
import { checkFetch } from "./fetch/check.js";
import { hasStrayBrace, referencesOf } from "./names.js";
import { checkProblems } from "./problem-card.js";
import { RECORD_FIELD } from "./records.js";

type Path = readonly (string | number)[];
type Report = (path: Path, code: string, message: string, hint?: string) => void;

/** What a schema cannot see: whether a card's parts fit each other. Paths are inside the card. */
export function checkCard(card: Card): Problem[] {
  const problems: Problem[] = [];
  const report: Report = (path, code, message, hint) =>
    problems.push({ path, code, message, ...(hint === undefined ? {} : { hint }) });
  checkKey(card, report);
  checkPublicKey(card, report);
  checkFormat(card, report);
  for (const [id, column] of Object.entries(card.columns)) checkColumn(card, id, column, report);
  checkRows(card, report);
  checkNames(card, report);
  problems.push(...checkProblems(card), ...checkFetch(card));
  return problems;
}

/** What only the other cards of a config reveal: an id taken by an earlier one, links that lead nowhere, names read through them. */
export function checkAmong(cards: readonly Card[], index: number): Problem[] {
  const card = cards[index]!;
  const byId = new Map(cards.map((c) => [c.id, c]));
  const problems: Problem[] = [];
  if (cards.findIndex((c) => c.id === card.id) < index) {
    problems.push({
      code: "duplicate_source",
      message: `two sources have the id \`${card.id}\``,
      path: ["id"],
    });
  }
  for (const [id, link] of Object.entries(card.links)) {
    if (byId.has(link.to)) continue;
    const message = `the link \`${id}\` of \`${card.id}\` leads to \`${link.to}\`, which is not among the sources`;
    problems.push({
      code: "unknown_source",
      message,
      hint: suggest(link.to, byId.keys()),
      path: ["links", id, "to"],
    });
  }
  return [...problems, ...linkedNames(card, byId)];
}

function linkedNames(card: Card, byId: ReadonlyMap<string, Card>): Problem[] {
  return namePlaces(card).flatMap(([path, text]) =>
    referencesOf(text).flatMap(({ link, column }) => {
      const to = link === undefined ? undefined : byId.get(card.links[link]?.to ?? "");
      if (to === undefined || column in to.columns) return [];
      const message = `\`${to.id}\` has no column \`${column}\``;
      return [{ code: "unknown_column", message, hint: suggest(column, Object.keys(to.columns)), path }];
    }),
  );
}

function checkKey(card: Card, report: Report): void {
  const column = needColumn(card, card.key, ["key"], report);
  if (column !== undefined && column.type !== "text") {
    report(
      ["columns", card.key, "type"],
      "key_type",
      `the key \`${card.key}\` must be text`,
      "keys such as 007 and 1E2 live as text only",
    );
  }
}

/** A number given by the order of a file says nothing about the entity: nobody could look it up. */
function checkPublicKey(card: Card, report: Report): void {
  if (card.columns[card.key]?.from !== RECORD_FIELD || !card.entity.public) return;
  report(
    ["entity", "public"],
    "no_public_key",
    "an entity known by its record number only is not public",
    "set `public: false`",
  );
}

function needColumn(card: Card, id: string, path: Path, report: Report): ColumnCard | undefined {
  if (Object.hasOwn(card.columns, id)) return card.columns[id];
  report(path, "unknown_column", `there is no column \`${id}\``, suggest(id, Object.keys(card.columns)));
  return undefined;
}

const NUMERIC_SCALES = ["ratio", "interval", "log", "count", "exact"];

function checkColumn(card: Card, id: string, column: ColumnCard, report: Report): void {
  const at = (...rest: Path): Path => ["columns", id, ...rest];
  const numeric = column.type === "number" || column.type === "integer";
  if (numeric) checkNumber(column, at, report);
  else checkPlain(column, at, report);
  const fits = numeric
    ? NUMERIC_SCALES.includes(column.scale)
    : column.scale === (column.type === "flag" ? "flag" : "nominal");
  if (!fits) {
    const right = numeric ? NUMERIC_SCALES.join(", ") : column.type === "flag" ? "flag" : "nominal";
    report(
      at("scale"),
      "scale_type",
      `a ${column.type} column cannot have the scale ${column.scale}`,
      `use ${right}`,
    );
  }
  if (column.kind !== undefined) {
    const kind = needColumn(card, column.kind, at("kind"), report);
    if (kind !== undefined && kind.type !== "text")
      report(at("kind"), "kind_type", `the kind column \`${column.kind}\` must be text`);
  }
}

function checkNumber(column: ColumnCard, at: (...rest: Path) => Path, report: Report): void {
  if (column.unit === undefined)
    report(at(), "missing_unit", "a number needs a `unit`", "use `1` for pure numbers");
  else checkUnit(column.unit, at("unit"), report);
  for (const [text, unit] of Object.entries(column.unit_from?.units ?? {})) {
    const path = at("unit_from", "units", text);
    if (
      checkUnit(unit, path, report) &&
      column.unit !== undefined &&
      isUnit(column.unit) &&
      !sameDimension(unit, column.unit)
    ) {
      report(path, "unit_dimension", `\`${unit}\` cannot be converted to the column's \`${column.unit}\``);
    }
  }
  if (column.flag !== undefined) report(at("flag"), "not_a_flag", "`flag` is for columns of type flag");
  const [low, high] = column.range ?? [null, null];
  if (low !== null && high !== null && low > high)
    report(at("range"), "range_order", `the range ends (${high}) below its start (${low})`);
  const { number } = column;
  if (number?.forms.includes("grouped") && number.group === number.decimal) {
    report(
      at("number", "group"),
      "group_is_decimal",
      "the group mark and the decimal mark may not be the same",
    );
  }
  checkSelect(column, at, report);
}

function checkSelect(column: ColumnCard, at: (...rest: Path) => Path, report: Report): void {
  const written = column.number?.forms.some((f) => f === "plus_minus" || f === "parenthesis") ?? false;
  if (
    !column.may.includes("select") ||
    column.scale === "exact" ||
    column.uncertainty !== undefined ||
    written
  )
    return;
  report(
    at("may"),
    "no_uncertainty",
    "a column without a declared uncertainty may not select",
    "declare `uncertainty`, or scale `exact`",
  );
}

function checkUnit(text: string, path: Path, report: Report): boolean {
  try {
    parseUnit(text);
    return true;
  } catch (error) {
    if (!(error instanceof UnitError)) throw error;
    report(path, "bad_unit", error.what, error.suggestion);
    return false;
  }
}

function isUnit(text: string): boolean {
  return checkUnit(text, [], () => {});
}

/** Text and flag columns may not carry what is meant for numbers. */
function checkPlain(column: ColumnCard, at: (...rest: Path) => Path, report: Report): void {
  for (const key of [
    "unit",
    "number",
    "range",
    "uncertainty",
    "limit",
    "unit_from",
    "drift",
    "kind",
  ] as const) {
    if (column[key] !== undefined)
      report(at(key), "not_a_number", `\`${key}\` is for numbers, and this column is a ${column.type}`);
  }
  const bad = column.may.filter((m) => m !== "filter");
  if (bad.length > 0)
    report(at("may"), "not_a_number", `a ${column.type} column may filter, but not ${bad.join(" or ")}`);
  if (column.type === "text" && column.flag !== undefined)
    report(at("flag"), "not_a_flag", "`flag` is for columns of type flag");
  if (column.type !== "flag") return;
  if (column.flag === undefined)
    report(
      at(),
      "missing_flag",
      "a flag needs the texts that mean true and false",
      "flag: { true: [Yes], false: [No] }",
    );
  const both = column.flag?.true.filter((t) => column.flag!.false.includes(t)) ?? [];
  if (both.length > 0)
    report(at("flag"), "flag_overlap", `${JSON.stringify(both[0])} cannot mean both true and false`);
}

function checkRows(card: Card, report: Report): void {
  card.rows.forEach((row, i) => {
    checkCondition(card, row.keep, ["rows", i, "keep"], report);
  });
  card.complete.forEach((c, i) => {
    c.where.forEach((condition, j) => {
      checkCondition(card, condition, ["complete", i, "where", j], report);
    });
  });
  card.selected_on.forEach((id, i) => {
    needColumn(card, id, ["selected_on", i], report);
  });
  card.cutoffs.forEach((cutoff, i) => {
    const column = needColumn(card, cutoff.column, ["cutoffs", i, "column"], report);
    if (column !== undefined && column.unit === undefined) {
      report(
        ["cutoffs", i, "column"],
        "not_a_number",
        `a cut-off needs a number, and \`${cutoff.column}\` is a ${column.type}`,
      );
    }
  });
  for (const [id, link] of Object.entries(card.links)) {
    if (link.phrase.split("{it}").length !== 2 || hasStrayBrace(link.phrase.replace("{it}", ""))) {
      const hint = 'the mark of the entity itself, once: "the planet that {it} orbits"';
      report(
        ["links", id, "phrase"],
        "link_phrase",
        `the phrase ${JSON.stringify(link.phrase)} must contain {it}`,
        hint,
      );
    }
    const column = needColumn(card, link.column, ["links", id, "column"], report);
    if (column !== undefined && column.type !== "text") {
      report(
        ["links", id, "column"],
        "link_type",
        `a link needs a text column, and \`${link.column}\` is a ${column.type}`,
      );
    }
  }
}

function checkCondition(card: Card, condition: Condition, path: Path, report: Report): void {
  const column = needColumn(card, condition.column, [...path, "column"], report);
  if (column === undefined) return;
  const numeric = column.type === "number" || column.type === "integer";
  const { op } = condition;
  const wrong = (): void =>
    report(
      [...path, "op"],
      "condition_type",
      `\`${op}\` does not fit \`${condition.column}\`, a ${column.type}`,
    );
  if (op === "is" ? column.type !== "flag" : op === "starts_with" ? column.type !== "text" : false) wrong();
  if (["lt", "le", "gt", "ge", "between"].includes(op) && !numeric) wrong();
  if (op === "between" && condition.low > condition.high)
    report([...path, "high"], "range_order", "`high` is below `low`");
  if (op !== "eq" && op !== "in") return;
  if (column.type === "flag") wrong();
  const values = op === "eq" ? [condition.value] : condition.values;
  if (values.some((v) => typeof v !== (numeric ? "number" : "string"))) {
    report(
      path,
      "condition_type",
      `\`${condition.column}\` is compared with a value that is no ${numeric ? "number" : "text"}`,
      "put texts in quotes, numbers without",
    );
  }
}

/** Every place of a card that names an entity, with its path. */
function namePlaces(card: Card): [Path, string][] {
  return [
    [["name"], card.name],
    ...card.aliases.map((alias, i): [Path, string] =>
      typeof alias === "string" ? [["aliases", i], alias] : [["aliases", i, "column"], alias.column],
    ),
  ];
}

function checkNames(card: Card, report: Report): void {
  for (const [path, text] of namePlaces(card)) {
    if (hasStrayBrace(text)) {
      const hint = "each reference is a column, or link.column, in braces: `{symbol}-{number}`";
      report(path, "bad_template", "a brace stands alone", hint);
    }
    for (const { link, column } of referencesOf(text)) {
      if (link === undefined) needColumn(card, column, path, report);
      else if (!Object.hasOwn(card.links, link)) {
        report(path, "unknown_link", `there is no link \`${link}\``, suggest(link, Object.keys(card.links)));
      }
    }
  }
}
