import type { Judged } from "../audit/calls.js";
import { type Grade, gradeRecorded } from "../audit/grade.js";
import type { Question } from "../audit/rows.js";

/** A recorded sample under a changed tolerance. */
export interface Regrade {
  readonly role: string;
  readonly outcome: Grade["outcome"];
}

/** The question with another tolerance, where its answer has one; exact answers stay exact. */
export function withTolerance(question: Question, tolerance: number | undefined): Question {
  const { expected } = question;
  if (tolerance === undefined || expected.type !== "quantity" || expected.tolerance === 0) return question;
  return { ...question, expected: { ...expected, tolerance } };
}

/** Samples in their order, judged by the question's answer as it is given; those without a recorded reply are none. */
export function gradesOf(judged: readonly Judged[], question: Question, changed: boolean): Regrade[] {
  return judged.map(({ sample: { role }, grade, reply }) => {
    if (reply === undefined || grade === undefined) return { role, outcome: "no_reply" };
    return { role, outcome: changed ? gradeRecorded(reply, question).outcome : grade.outcome };
  });
}

export const isGraded = ({ outcome }: Regrade): boolean => outcome === "right" || outcome === "wrong";
