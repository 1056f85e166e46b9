import { hashOf } from "../../pipeline/base/canonical.js";
import { ANSWER_TYPES, type AnswerType, type Card, type ProblemMapping } from "../../sources/card.js";
import { fixedType, LANGUAGE, unitFault } from "../../sources/problem-card.js";
import type { Table } from "../../sources/table.js";
import type { Expected } from "../../verifiers/answer/answer.js";
import { shownAnswer } from "../../verifiers/shown-answer.js";
import { readExpected } from "./answer.js";
import { type AnswerCells, type Fault, jsonOf } from "./cells.js";

/** A record that states a question and its answer. */
export interface StatedProblem {
  readonly id: string;
  readonly question: string;
  readonly expected: Expected;
  readonly language: string;
  readonly topic: string | undefined;
}

/** A cell that does not fit, with what would be right. */
export interface CellFault extends Fault {
  readonly reason: "missing_question" | "missing_answer" | "unreadable_answer" | "hidden_target_shown";
  readonly column: string;
  readonly text: string;
}

const HEX_DIGITS = 16;

/** The problem that row `row` of a table of problems states, or the first cell of it that does not fit. */
export function problemAt(table: Table, row: number): StatedProblem | CellFault {
  return new RecordReader(table.card, (column) => textAt(table, column, row)).read();
}

function textAt(table: Table, column: string, row: number): string {
  const { values, type } = table.columns.get(column)!;
  return type === "text" ? (values[row] ?? "").trim() : "";
}

/** Stops at the first cell that does not fit. */
class Misfit extends Error {
  constructor(readonly fault: CellFault) {
    super(fault.why);
  }
}

class RecordReader {
  private readonly mapping: ProblemMapping;

  constructor(
    private readonly card: Card,
    private readonly cell: (column: string) => string,
  ) {
    this.mapping = card.problems!;
  }

  read(): StatedProblem | CellFault {
    try {
      return this.stated();
    } catch (error) {
      if (error instanceof Misfit) return error.fault;
      throw error;
    }
  }

  private stated(): StatedProblem {
    const { mapping } = this;
    const question = this.cell(mapping.question);
    if (question === "")
      throw this.misfit("missing_question", mapping.question, "", "it is empty", "write the question");
    const answer = this.cell(mapping.answer);
    if (answer === "")
      throw this.misfit("missing_answer", mapping.answer, "", "it is empty", "write the right answer");
    const cells = this.cells(answer);
    const read = readExpected(cells);
    if ("why" in read) {
      const why = `it cannot be read as ${cells.type}: ${read.why}`;
      throw this.misfit("unreadable_answer", mapping.answer, answer, why, read.right);
    }
    const { expected } = read;
    const shown = shownAnswer(question, expected);
    if (shown !== undefined) {
      const why = `the question shows its answer: ${shown}`;
      throw this.misfit("hidden_target_shown", mapping.question, question, why, "ask without the answer");
    }
    const id = hashOf({ source: this.card.id, question, expected }).slice(0, HEX_DIGITS);
    const topic = this.textOf(mapping.topic);
    return { id, question, expected, language: cells.language, topic: topic === "" ? undefined : topic };
  }

  private cells(answer: string): AnswerCells {
    const unit = this.unit();
    const digits = this.number("digits", (n) => Number.isInteger(n) && n >= 1 && n <= 100, "1 to 100");
    const stated = this.number("tolerance", (n) => n >= 0 && n <= 0.5, "a relative figure from 0 to 0.5");
    // Half a unit of the last digit, relative to a mantissa of 1, where that is most.
    const tolerance = stated ?? (digits === undefined ? 0 : Number(`5e-${digits}`));
    const options = this.options();
    return {
      type: this.type(),
      answer,
      tolerance: Math.min(tolerance, 0.5),
      aliases: this.aliases(),
      language: this.language(),
      ...(unit === undefined ? {} : { unit }),
      ...(digits === undefined ? {} : { digits }),
      ...(options === undefined ? {} : { options }),
    };
  }

  private type(): AnswerType {
    const { mapping } = this;
    const fixed = fixedType(mapping);
    if (fixed !== undefined) return fixed;
    const text = this.cell(mapping.type);
    const found = ANSWER_TYPES.find((type) => type === text);
    if (found !== undefined) return found;
    throw this.bad(mapping.type, text, "it is no answer type", `write one of ${ANSWER_TYPES.join(", ")}`);
  }

  private unit(): string | undefined {
    const { unit } = this.mapping;
    const text = this.textOf(unit);
    if (text === "") return undefined;
    const fault = unitFault(text);
    if (fault === undefined) return text;
    throw this.bad(columnOf(unit), text, fault.message, fault.hint ?? "write a unit such as kg/m^3");
  }

  private language(): string {
    const { language } = this.mapping;
    const text = this.textOf(language);
    if (text === "") return "en";
    if (LANGUAGE.test(text)) return text;
    throw this.bad(columnOf(language), text, "it is no language tag", "write BCP 47: en, de, pt-BR");
  }

  private number(
    part: "digits" | "tolerance",
    fits: (n: number) => boolean,
    range: string,
  ): number | undefined {
    const from = this.mapping[part];
    if (from === undefined) return undefined;
    if (typeof from === "object") return from.value;
    const text = this.cell(from);
    if (text === "") return undefined;
    const number = /^\d*\.?\d+(?:[eE][+-]?\d{1,3})?$/.test(text) ? Number(text) : Number.NaN;
    if (fits(number)) return number;
    throw this.bad(from, text, `it is no ${part}`, `write ${range}`);
  }

  private aliases(): string[] {
    const { aliases } = this.mapping;
    if (aliases === undefined) return [];
    const { column, split } = typeof aliases === "string" ? { column: aliases, split: "|" } : aliases;
    const text = this.cell(column);
    const list = text.startsWith("[") ? this.json(column, text) : text.split(split);
    if (!Array.isArray(list) || !list.every((item) => typeof item === "string"))
      throw this.bad(column, text, "it is no list of names", `write JSON, or names between ${split}`);
    return [...new Set(list.map((name) => name.trim()))].filter((name) => name !== "");
  }

  private options(): Record<string, string> | undefined {
    const { options } = this.mapping;
    if (options === undefined) return undefined;
    if (typeof options === "string") return this.optionsIn(options);
    if ("value" in options) return options.value;
    const found = Object.entries(options.columns).map(([label, column]) => [label, this.cell(column)]);
    const given = found.filter(([, text]) => text !== "");
    return given.length === 0 ? undefined : (Object.fromEntries(given) as Record<string, string>);
  }

  /** A JSON object by label, or a JSON list, labelled A, B, C and so on. */
  private optionsIn(column: string): Record<string, string> | undefined {
    const text = this.cell(column);
    if (text === "") return undefined;
    const json = this.json(column, text);
    const labelled: [string, unknown][] = Array.isArray(json)
      ? json.map((option: unknown, i) => [String.fromCharCode(65 + i), option])
      : Object.entries(json);
    const texts = labelled.flatMap(([label, option]): [string, string][] =>
      typeof option === "string" || typeof option === "number" ? [[label, String(option)]] : [],
    );
    if (texts.length < labelled.length || texts.length > 26)
      throw this.bad(column, text, "its options are no texts, or too many", 'write ["Io", "Europa"]');
    return Object.fromEntries(texts);
  }

  private json(column: string, text: string): object {
    const json = jsonOf(text);
    if (typeof json === "object" && json !== null) return json;
    throw this.bad(column, text, "it is no JSON", 'write ["Io", "Europa"] or {"A": "Io", "B": "Europa"}');
  }

  /** The text of a cell or the fixed one; empty where there is none. */
  private textOf(from: string | { readonly value: string } | undefined): string {
    return from === undefined ? "" : typeof from === "string" ? this.cell(from) : from.value;
  }

  private bad(column: string, text: string, why: string, right: string): Misfit {
    return this.misfit("unreadable_answer", column, text, why, right);
  }

  private misfit(
    reason: CellFault["reason"],
    column: string,
    text: string,
    why: string,
    right: string,
  ): Misfit {
    return new Misfit({ reason, column, text, why, right });
  }
}

function columnOf(from: string | { readonly value: string } | undefined): string {
  return typeof from === "string" ? from : "";
}
