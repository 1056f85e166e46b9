import { type Problem, suggest } from "../pipeline/base/errors.js";
import { parseUnit, UnitError } from "../verifiers/units.js";
import { ANSWER_TYPES, type AnswerType, type Card, type ProblemMapping } from "./card.js";

/** BCP 47 as far as it matters here: a language, then perhaps script and region. */
export const LANGUAGE = /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/;

/** The answer type that all records have, or undefined where a column names it. */
export function fixedType({ type }: ProblemMapping): AnswerType | undefined {
  return (ANSWER_TYPES as readonly string[]).includes(type) ? (type as AnswerType) : undefined;
}

/** Every column that the mapping reads, with the part of the mapping that names it. */
function references(mapping: ProblemMapping): [path: readonly string[], column: string][] {
  const { aliases, options } = mapping;
  const plain = ["question", "answer", "unit", "tolerance", "digits", "language", "topic"] as const;
  const found: [readonly string[], string][] = plain.flatMap((part) => {
    const column = mapping[part];
    return typeof column === "string" ? [[[part], column] satisfies [string[], string]] : [];
  });
  if (fixedType(mapping) === undefined) found.push([["type"], mapping.type]);
  if (typeof aliases === "string") found.push([["aliases"], aliases]);
  else if (aliases !== undefined) found.push([["aliases", "column"], aliases.column]);
  if (typeof options === "string") found.push([["options"], options]);
  else if (options !== undefined && "columns" in options) {
    for (const [label, column] of Object.entries(options.columns))
      found.push([["options", "columns", label], column]);
  }
  return found;
}

/** Ids of the columns that a card's questions and answers are read from, each once. */
export function problemColumns(card: Card): string[] {
  return card.problems === undefined
    ? []
    : [...new Set(references(card.problems).map(([, column]) => column))];
}

/** What is wrong with a card as one of problems; paths are inside the card. */
export function checkProblems(card: Card): Problem[] {
  const mapping = card.problems;
  if (card.kind !== "problems") {
    return mapping === undefined
      ? []
      : [
          {
            code: "not_problems",
            message: "`problems` is for cards of problems, and this one is of a table",
            hint: "add `kind: problems`",
            path: ["problems"],
          },
        ];
  }
  if (mapping === undefined) {
    const hint = "problems: { question: COLUMN, answer: COLUMN, type: quantity }";
    const message = "a card of problems must say where question and answer stand";
    return [{ code: "missing_mapping", message, hint, path: ["kind"] }];
  }
  return [...checkColumns(card, mapping), ...checkFixed(mapping), ...checkParts(mapping)];
}

function checkColumns({ columns }: Card, mapping: ProblemMapping): Problem[] {
  const problems = references(mapping).flatMap(([part, id]): Problem[] => {
    const path = ["problems", ...part];
    if (!Object.hasOwn(columns, id)) {
      const known = [...(part[0] === "type" ? ANSWER_TYPES : []), ...Object.keys(columns)];
      const what = part[0] === "type" ? "answer type and no column" : "column";
      return [
        { code: "unknown_column", message: `there is no ${what} \`${id}\``, hint: suggest(id, known), path },
      ];
    }
    const { type } = columns[id]!;
    if (type === "text") return [];
    const message = `\`${id}\` is read as it is written, and its type is ${type}`;
    const path_ = ["columns", id, "type"];
    return [{ code: "not_text", message, hint: "set `type: text` and `scale: nominal`", path: path_ }];
  });
  if (fixedType(mapping) === undefined || !Object.hasOwn(columns, mapping.type)) return problems;
  const message = `\`${mapping.type}\` is an answer type and a column as well`;
  const hint = "give the column another id, if it is to name the type";
  return [...problems, { code: "ambiguous_type", message, hint, path: ["problems", "type"] }];
}

function checkFixed({ unit, language }: ProblemMapping): Problem[] {
  const problems: Problem[] = [];
  if (typeof unit === "object") {
    const fault = unitFault(unit.value);
    if (fault !== undefined) problems.push({ ...fault, path: ["problems", "unit", "value"] });
  }
  if (typeof language === "object" && !LANGUAGE.test(language.value)) {
    const message = `\`${language.value}\` is no language tag`;
    problems.push({
      code: "bad_language",
      message,
      hint: "write BCP 47: en, de, pt-BR",
      path: ["problems", "language", "value"],
    });
  }
  return problems;
}

/** What is wrong with a unit, or undefined. */
export function unitFault(text: string): { code: string; message: string; hint?: string } | undefined {
  try {
    parseUnit(text);
    return undefined;
  } catch (error) {
    if (!(error instanceof UnitError)) throw error;
    return {
      code: "bad_unit",
      message: error.what,
      ...(error.suggestion === undefined ? {} : { hint: error.suggestion }),
    };
  }
}

const NUMBERS: readonly AnswerType[] = ["quantity", "list", "set", "tuple", "interval", "vector", "matrix"];
/** Parts that mean something for some types only. */
const PARTS: Readonly<
  Record<"unit" | "tolerance" | "digits" | "aliases" | "options", readonly AnswerType[]>
> = { unit: NUMBERS, tolerance: NUMBERS, digits: NUMBERS, aliases: ["entity"], options: ["choice"] };

function checkParts(mapping: ProblemMapping): Problem[] {
  const type = fixedType(mapping);
  if (type === undefined) return [];
  const idle = (Object.keys(PARTS) as (keyof typeof PARTS)[]).filter(
    (part) => mapping[part] !== undefined && !PARTS[part].includes(type),
  );
  const problems: Problem[] = idle.map((part) => ({
    code: "idle_part",
    message: `answers of type ${type} have no ${part}`,
    hint: `${part} goes with ${PARTS[part].join(", ")}`,
    path: ["problems", part],
  }));
  if (type !== "choice" || mapping.options !== undefined) return problems;
  const message = "a choice needs `options`";
  const hint = "options: COLUMN, or { columns: { A: COLUMN, B: COLUMN } }";
  return [...problems, { code: "missing_options", message, hint, path: ["problems", "type"] }];
}
