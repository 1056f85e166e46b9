import type { AnswerType } from "../../sources/card.js";
import type { Expected } from "../../verifiers/answer/answer.js";

/** The cells of one record that say what its right answer is, as written. */
export interface AnswerCells {
  readonly type: AnswerType;
  readonly answer: string;
  /** A unit of `verifiers/units.ts`, for numbers that are written without. */
  readonly unit?: string;
  /** Relative. */
  readonly tolerance: number;
  readonly digits?: number;
  readonly aliases: readonly string[];
  readonly options?: Readonly<Record<string, string>>;
  /** BCP 47: decides what `,` and `.` mean in numbers. */
  readonly language: string;
}

/** Why a cell is no answer of its type. */
export interface Fault {
  readonly why: string;
  /** What would be right. */
  readonly right: string;
}

/** An answer as read, and the text by which the verifier must know it again. */
export type Read = { readonly expected: Expected; readonly text: string } | Fault;

/** A JSON value, or undefined for what is none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
