import { readJudgement } from "../../verifiers/answer/judgement.js";
import type { SolveEvidence } from "../evidence.js";
import type { Models } from "../model.js";
import { type Draw, inOrder } from "./ask.js";
import type { Votes } from "./votes.js";

type Check = SolveEvidence["checks"][number];

/** Who judges, and how. */
export interface Judging {
  readonly models: Models;
  readonly system: string;
}

/**
 * Has each derivation checked by a role that sees the problem and the derivation, not the reference nor the other solves. One wrong
 * step found is enough against the row; a reply that is no judgement leaves it open.
 */
export async function checkDerivations(
  row: { readonly id: string; readonly question: string },
  draws: readonly Draw[],
  role: string,
  { models, system }: Judging,
): Promise<{ checks: Check[]; verdict: Votes }> {
  const checks = await inOrder(
    draws.map(async ({ reply }, sample): Promise<Check> => {
      const content = `Problem:\n${row.question}\n\nSolution:\n${reply.text}`;
      const judged = await models.ask({
        role,
        row: row.id,
        messages: [
          { role: "system", content: system },
          { role: "user", content },
        ],
      });
      const judgement = judged.ok ? readJudgement(judged.text) : undefined;
      return {
        role,
        call: judged.call,
        sample,
        sound: judgement === undefined ? null : judgement === "correct",
      };
    }),
  );
  return { checks, verdict: verdictOf(checks) };
}

function verdictOf(checks: readonly Check[]): Votes {
  if (checks.some((c) => c.sound === false)) return { verdict: "rejected", reason: "derivation_unsound" };
  const open = checks.filter((c) => c.sound === null).length;
  if (open > 0)
    return {
      verdict: "not_run",
      why: `${open} of ${checks.length} derivations were checked without a judgement`,
    };
  return {
    verdict: "agreed",
    why: `${checks.length} of ${checks.length} solves from the question alone agree with the reference, and no derivation has a wrong step`,
  };
}
