import { hashOf } from "../../pipeline/base/canonical.js";
import { outcomeOf } from "../../verifiers/answer/outcome.js";
import { gradeReply } from "../../verifiers/answer/reply.js";
import type { GroundTruth, Said, Score } from "../../verifiers/reward/reward.js";
import { scoreConversation } from "../../verifiers/reward/score.js";
import type { RolloutEvidence } from "../evidence.js";
import type { Completion } from "../model.js";
import type { Played, PlayOptions } from "./play.js";
import { drift } from "./tokens.js";

type Judged = Omit<RolloutEvidence, "by" | "role" | "model" | "sample" | "turns" | "stop" | "unselected">;

/** Grades an agent's last message, scores what it committed to, and judges its addresses and its form. */
export function judge(
  { turns, stop, replies, observations }: Played,
  truth: GroundTruth,
  { environment, question, tools }: Pick<PlayOptions, "environment" | "question" | "tools">,
): Judged {
  const firewall = environment.audit(observations);
  const tainted = firewall.served.length > 0;
  const valid = stop !== "unavailable";
  const last = stop === "answered" ? replies.at(-1) : undefined;
  const said = replies.map(({ text }): Said => ({ role: "assistant", content: text }));
  const reward = tainted ? NOTHING : scoreConversation(said, truth);
  return {
    digest: hashOf({ replies: replies.map(saidIn), observations: observations.map(({ text }) => text) }),
    valid,
    ...graded(last?.text, stop, truth, question, tainted),
    reward: { ...reward, steps: [...reward.steps] },
    firewall: { ...firewall, served: [...firewall.served] },
    faults: faultsOf({ stop, replies, observations }, truth.chain.length > 0 && tools.length > 0),
    drift: drift(
      replies,
      turns.map(({ segment }) => segment),
    ),
  };
}

function saidIn({ text, reasoning, tool_calls, tokens }: Completion): object {
  return { text, reasoning, tool_calls, tokens };
}

/** What is reached through a hole in the wall earns nothing. */
const NOTHING: Score = { score: 0, acc: 0, progress: 0, answered: 0, steps: [] };

function graded(
  text: string | undefined,
  stop: Played["stop"],
  truth: GroundTruth,
  question: string,
  tainted: boolean,
): Pick<Judged, "answer" | "outcome" | "reason"> {
  if (text === undefined) return { answer: null, outcome: "no_reply", reason: stop };
  const verdict = gradeReply(text, truth.answer, { language: truth.language, question });
  if (tainted) return { answer: verdict.answer, outcome: "wrong", reason: "firewall" };
  return { answer: verdict.answer, outcome: outcomeOf(verdict), reason: verdict.reason };
}

/** A tool call that the server took for text, or a thought. */
const STRAY = /<\/?(?:tool_call|tool_response|think|function)\b|<\|[a-z_]{2,40}\|>|\[TOOL_CALLS\]/i;
const FINAL = /^\W{0,4}final answer\W{0,3}:/im;

/** What a trainer should not learn from, whether or not the answer is right. */
function faultsOf(
  { stop, replies, observations }: Pick<Played, "stop" | "replies" | "observations">,
  needsTools: boolean,
): string[] {
  const faults = new Set<string>();
  for (const { fault } of observations) if (fault !== null) faults.add(fault);
  for (const { text, tool_calls } of replies) {
    if (STRAY.test(text)) faults.add("stray_markup");
    if (text.trim() === "" && tool_calls.length === 0) faults.add("empty_message");
  }
  if (stop === "answered" && !FINAL.test(replies.at(-1)!.text)) faults.add("no_final_answer_line");
  if (needsTools && observations.length === 0) faults.add("no_tool_used");
  return [...faults].sort();
}
