/** The reward of a solved task, and the same for trainers that hand over one decoded text. Pure and total. */

import { withoutReasoning } from "../answer/reasoning.js";
import { gradeReply } from "../answer/reply.js";
import { isAnswer } from "./answered.js";
import { findingsIn } from "./findings.js";
import type { GroundTruth, Said, Score } from "./reward.js";
import { verifySteps } from "./steps.js";
import { turnsIn } from "./transcript.js";

/** UTF-16 units of what an assistant said that are looked at: the last ones. */
const MAX_SAID = 200_000;

/** Scores a conversation. Of it only what the assistant says in words counts: no thoughts, no calls, nothing that a tool answered. */
export function scoreConversation(messages: readonly Said[], truth: GroundTruth): Score {
  const own = messages.filter((m) => m.role === "assistant");
  const turns = own.flatMap(({ content }) => {
    const said = turnsIn(content, false);
    return said.length === 0 ? [""] : said;
  });
  return scoreTurns(turns, truth);
}

/**
 * Scores a rollout's text as a trainer decodes it, from the end of the prompt on: turns of the assistant and what tools answered in one
 * string. `docs/reward.md` says for which templates the parts can still be told apart when special tokens were left out.
 */
export function scoreText(solution: string, truth: GroundTruth): Score {
  return scoreTurns(turnsIn(solution, true), truth);
}

function scoreTurns(turns: readonly string[], truth: GroundTruth): Score {
  const { question, language } = truth;
  const last = turns.at(-1) ?? "";
  const { verdict, reason, answer } = gradeReply(last, truth.answer, { question, language });
  const acc = verdict === "right" ? 1 : 0;
  const answered = acc === 1 || isAnswer(verdict, reason) ? 1 : 0;
  const findings = findingsIn(spoken(turns), language);
  const { progress, steps } = verifySteps(findings, truth, answer);
  const score = acc === 1 ? 1 : Math.max(0, 0.3 * progress - 0.1 * (1 - answered));
  return { score, acc, progress, answered, steps };
}

/** The turns without their thoughts, the last of them first to be kept. */
function spoken(turns: readonly string[]): string[] {
  let left = MAX_SAID;
  const kept: string[] = [];
  for (let i = turns.length - 1; i >= 0 && left > 0; i--) {
    const said = (withoutReasoning(turns[i]!) ?? "").slice(-left);
    left -= said.length;
    kept.unshift(said);
  }
  return kept;
}
