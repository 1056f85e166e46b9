import type { GroundTruth, Said } from "../../verifiers/reward/reward.js";

/** A text in pieces, each so many times: huge ones stay small on disk. */
export type Text = string | readonly (readonly [piece: string, times: number])[];

export interface Vector {
  readonly name: string;
  readonly truth: GroundTruth;
  /** One of both: a conversation, or what a trainer decodes. */
  readonly messages?: readonly { readonly role: string; readonly content: Text }[];
  readonly solution?: Text;
  readonly expected: {
    readonly score: number;
    readonly acc: 0 | 1;
    readonly progress: number;
    readonly answered: 0 | 1;
    /** Steps that verify. */
    readonly verified: readonly string[];
  };
  /** The rule of docs/reward.md that it follows from. */
  readonly why: string;
}

export const textOf = (text: Text): string =>
  typeof text === "string" ? text : text.map(([piece, times]) => piece.repeat(times)).join("");

export const saidIn = (messages: NonNullable<Vector["messages"]>): Said[] =>
  messages.map(({ role, content }) => ({ role, content: textOf(content) }));

/** What stands beside the verdicts: how many steps count, which of them verify, and what became of the answer. */
export interface Outcome {
  readonly verified: readonly string[];
  readonly of: number;
  /** `right`, an answer of the type asked for, or none. */
  readonly answer: "right" | "wrong" | "none";
}

/** The figures that follow from an outcome by the reward's formula. */
export function figures({ verified, of, answer }: Outcome): Vector["expected"] {
  const progress = of === 0 ? 0 : verified.length / of;
  const acc = answer === "right" ? 1 : 0;
  const answered = answer === "none" ? 0 : 1;
  const score = acc === 1 ? 1 : Math.max(0, 0.3 * progress - 0.1 * (1 - answered));
  return { score, acc, progress, answered, verified };
}
