import { gradeReply } from "../../verifiers/answer/reply.js";
import { compareText } from "../base/canonical.js";
import type { Dataset } from "./dataset.js";
import type { AuditFinding } from "./finding.js";
import { type Mutation, mutationsOf, referenceText } from "./mutations.js";
import type { Question } from "./rows.js";
import { rows, type Shortcut, tested } from "./shortcut.js";

/** How the grader took answers that are wrong by construction. */
export interface Leniency {
  readonly kinds: readonly { readonly kind: string; readonly tried: number; readonly accepted: number }[];
  /** References that are refused as answers to their own question. */
  readonly refused: number;
}

const TEST =
  "each reference changed (sign, power of ten, unit, rounding, answers of rivals and wrong routes) and graded as an answer";

/** Answers, as replies put them. */
const AS_REPLY = [
  (text: string) => `Final answer: ${text}`,
  (text: string) => `The result is \\boxed{${text}}.`,
];

export function leniencyOf({ tasks }: Dataset): {
  shortcut: Shortcut;
  leniency: Leniency;
  findings: AuditFinding[];
} {
  const findings: AuditFinding[] = [];
  const kinds = new Map<string, { tried: number; accepted: number }>();
  const open = new Set<string>();
  let refused = 0;
  let looked = 0;
  for (const task of tasks) {
    const reference = referenceText(task);
    if (reference === undefined) continue;
    looked++;
    if (!AS_REPLY.every((as) => isRight(as(reference), task))) {
      refused++;
      findings.push({
        code: "reference_refused",
        where: task.id,
        message: `its own reference, ${shown(reference)}, is not taken as right`,
      });
    }
    for (const [i, mutation] of mutationsOf(task).entries()) {
      const kind = mutation.kind.startsWith("on record") ? "on record" : mutation.kind;
      const count = kinds.get(kind) ?? { tried: 0, accepted: 0 };
      // One phrasing each: there are many tasks for each kind of mistake, and grading is most of an audit's work.
      const accepted = isRight(AS_REPLY[i % AS_REPLY.length]!(mutation.text), task);
      kinds.set(kind, { tried: count.tried + 1, accepted: count.accepted + (accepted ? 1 : 0) });
      if (!accepted) continue;
      open.add(task.id);
      findings.push(lenient(mutation, reference, task.id));
    }
  }
  const tried = [...kinds.values()].reduce((sum, k) => sum + k.tried, 0);
  const accepted = [...kinds.values()].reduce((sum, k) => sum + k.accepted, 0);
  const shortcut = tested("leniency", tasks.length, {
    test: TEST,
    tested: looked,
    untested: "answers of this type are not changed by machine",
    open: open.size,
    result: `${accepted === 0 ? "none" : accepted} of ${rows(tried, "wrong answer")} accepted`,
    rate: null,
    removed: null,
    reach:
      "Kinds of mistake that nobody thought of are not tried. Answers are graded as this version grades them.",
  });
  const all = [...kinds].sort(([a], [b]) => compareText(a, b)).map(([kind, count]) => ({ kind, ...count }));
  return { shortcut, leniency: { kinds: all, refused }, findings };
}

function isRight(reply: string, { expected, language, question }: Question): boolean {
  return gradeReply(reply, expected, { language, question }).verdict === "right";
}

function lenient({ kind, text }: Mutation, reference: string, where: string): AuditFinding {
  return {
    code: "wrong_answer_accepted",
    where,
    message: `${shown(text)} (${kind}) is taken as right where ${shown(reference)} is`,
  };
}

const shown = (text: string): string => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
