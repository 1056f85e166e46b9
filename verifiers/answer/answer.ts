/**
 * The contract of the answer verifier. Everything here is pure and total: any text in, a verdict with its reason out, in time
 * bounded by the text's length.
 */

/** What the right answer is. Numbers that doubles cannot hold come as decimal text. */
export type Expected =
  | {
      readonly type: "quantity";
      readonly value: number | string;
      /** A unit of `verifiers/units.ts`; "1" for plain numbers. */
      readonly unit: string;
      /** Relative; 0 for exact. */
      readonly tolerance: number;
      /** Significant figures that the question asks for. */
      readonly digits?: number;
    }
  | { readonly type: "integer"; readonly value: string }
  | {
      readonly type: "entity";
      readonly name: string;
      readonly aliases: readonly string[];
      /** Other entities of the same kind that an answer may name by mistake. */
      readonly others?: readonly string[];
    }
  | { readonly type: "boolean"; readonly value: boolean }
  /** `value` is the label ("B") or the option's text. */
  | { readonly type: "choice"; readonly value: string; readonly options: Readonly<Record<string, string>> }
  /** ISO 8601, as precise as is asked: 1846, 1846-09, 1846-09-23. */
  | { readonly type: "date"; readonly value: string }
  | { readonly type: "list" | "set" | "tuple" | "vector"; readonly items: readonly Expected[] }
  | { readonly type: "matrix"; readonly rows: readonly (readonly Expected[])[] }
  | {
      readonly type: "interval";
      readonly low: Expected | null;
      readonly high: Expected | null;
      readonly closed: readonly [low: boolean, high: boolean];
    }
  /** LaTeX or plain text; variables range over `domain` (default: reals from -3 to 3). */
  | {
      readonly type: "expression";
      readonly text: string;
      readonly domain?: Readonly<Record<string, readonly [low: number, high: number]>>;
    }
  /** Free text, equal but for case, spaces and punctuation. */
  | { readonly type: "text"; readonly value: string };

export interface GradingContext {
  /** BCP 47 language of the question: decides what `,` and `.` mean in numbers. Default: en. */
  readonly language?: string;
  /** The question, so that a copy of it is not taken for an answer. */
  readonly question?: string;
}

export interface Verdict {
  /** `undecided`: it cannot be told, and counts as neither right nor wrong. */
  readonly verdict: "right" | "wrong" | "undecided";
  /** Stable code: `equal`, `wrong_value`, `wrong_unit`, `missing_unit`, `unreadable`, `several_answers`, `hedged`, `no_answer`, ... */
  readonly reason: string;
  /** One sentence for people. */
  readonly why: string;
  /** The answer as it was read, for evidence. */
  readonly read: string | null;
}
