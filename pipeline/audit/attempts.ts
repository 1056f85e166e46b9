import { isDeepStrictEqual } from "node:util";
import { groundTruthOf, type Rewarded } from "../../datasets/ground-truth.js";
import { rolloutId } from "../../datasets/trajectory-record.js";
import type { Observation } from "../../stages/environment.js";
import type { Reply } from "../../stages/model.js";
import type { Recorded, Recordings } from "../../stages/recordings.js";
import { outcomeOf } from "../../verifiers/answer/outcome.js";
import { gradeReply } from "../../verifiers/answer/reply.js";
import { auditUrls } from "../../verifiers/firewall/audit.js";
import type { Said, Score } from "../../verifiers/reward/reward.js";
import { scoreConversation } from "../../verifiers/reward/score.js";
import { isClean, type Rollout } from "../rollouts.js";
import type { Addresses } from "./addresses.js";
import type { AuditFinding } from "./finding.js";
import type { Question } from "./rows.js";

type Say = (code: string, message: string) => void;

/** A rollout with the calls and observations that it names. */
interface Attempt {
  readonly question: Question;
  readonly rollout: Rollout;
  readonly calls: readonly Recorded[];
  /** Turn by turn. */
  readonly seen: readonly (readonly Observation[])[];
}

/** Follows a rollout from the recorded calls that it names: what its evidence says and they do not is a finding. */
export function checkAttempt(
  question: Question,
  rollout: Rollout,
  recordings: Recordings,
  addresses: Addresses,
): AuditFinding[] {
  const findings: AuditFinding[] = [];
  const where = rolloutId(question.id, rollout);
  const say: Say = (code, message) => findings.push({ code, where, message });
  const attempt = recordedAttempt(question, rollout, recordings, say);
  if (attempt === undefined) return findings;
  checkTalk(attempt, say);
  checkEnd(attempt, say);
  const tainted = checkWall(attempt, addresses, say);
  checkReward(attempt, tainted, say);
  if (rollout.unselected === "" && !isClean(rollout))
    say("selected_unfit", "it is in the SFT pool, and its evidence says that it is not right, or not clean");
  return findings;
}

function recordedAttempt(
  question: Question,
  rollout: Rollout,
  from: Recordings,
  say: Say,
): Attempt | undefined {
  const calls = rollout.turns.map(({ call }) => from.call(call));
  const seen = rollout.turns.map(({ tools }) => tools.map(({ call }) => from.observation(call)));
  const lost =
    calls.filter((c) => c === undefined).length + seen.flat().filter((o) => o === undefined).length;
  if (calls.length === 0) say("rollout_empty", "it has no turn");
  else if (lost > 0) say("call_missing", `${lost} of its calls and observations are not recorded`);
  else return { question, rollout, calls: calls as Recorded[], seen: seen as Observation[][] };
  return undefined;
}

interface Sent {
  readonly role: string;
  readonly content: string;
}

/** What an environment puts in the place of an observation that it took out of the context. */
const REMOVED = "[This result was removed to make room. Call the tool again if you need it.]";

/** Each turn must have been asked with what went before, and with nothing else. */
function checkTalk({ question, rollout, calls, seen }: Attempt, say: Say): void {
  const head = calls[0]!.messages as unknown as readonly Sent[];
  if (head.at(-1)?.role !== "user" || head.at(-1)?.content !== question.question || head.some(isTalk))
    say("other_question", "its first call asks something other than the row's question");
  const said: Sent[][] = [];
  for (const [i, { messages, tools, reply }] of calls.entries()) {
    const turn = rollout.turns[i]!;
    const sent = (messages as unknown as readonly Sent[]).map(({ role, content }) => ({ role, content }));
    const expected = [...head, ...said.flat()];
    const alike = (a: Sent, b: Sent): boolean =>
      a.role === b.role &&
      (a.content === b.content || (a.role === "tool" && turn.segment > 0 && a.content === REMOVED));
    if (sent.length !== expected.length || !sent.every((message, k) => alike(message, expected[k]!)))
      say("talk_differs", `call ${i + 1} was not asked with what went before`);
    if (!isDeepStrictEqual(tools, calls[0]!.tools))
      say("talk_differs", `call ${i + 1} was asked with other tools`);
    const asked = reply.ok ? reply.tool_calls.map(({ id, name }) => [id, name]) : [];
    const answered = turn.tools.map(({ id, name }) => [id, name]);
    // The tools of the last turn are not run where nobody would read what they say.
    const all = i === calls.length - 1 && answered.length === 0;
    if (!all && !isDeepStrictEqual(asked, answered))
      say("talk_differs", `what turn ${i + 1} calls and what answers it are not the same`);
    const texts = seen[i]!.map(({ text }): Sent => ({ role: "tool", content: text }));
    said.push([{ role: "assistant", content: reply.text }, ...texts]);
  }
}

const isTalk = ({ role }: Sent): boolean => role === "assistant" || role === "tool";

function checkEnd({ rollout, calls }: Attempt, say: Say): void {
  const { stop, valid } = rollout;
  const { reply } = calls.at(-1)!;
  const ended = endOf(reply);
  // Limits of turns, tokens, cost and context are the config's, and end what would go on.
  const fits = ended === undefined ? !["answered", ...BROKEN.values()].includes(stop) : stop === ended;
  if (!fits || valid !== (stop !== "unavailable"))
    say(
      "ended_otherwise",
      `it ended as ${ended ?? "one that would go on"}; its evidence says ${stop}, ${valid ? "valid" : "not valid"}`,
    );
}

const BROKEN: ReadonlyMap<string, string> = new Map([
  ["truncated", "truncated"],
  ["filter", "filter"],
  ["refusal", "refusal"],
  ["context_length", "context_length"],
  ["unavailable", "unavailable"],
  ["unstructured", "truncated"],
]);

function endOf(reply: Reply): string | undefined {
  if (!reply.ok) return BROKEN.get(reply.why);
  return reply.tool_calls.length === 0 ? "answered" : undefined;
}

/** @returns whether the agent was shown something blocked */
function checkWall({ rollout, seen }: Attempt, { firewall, served }: Addresses, say: Say): boolean {
  const marked = rollout.firewall;
  const shown = rollout.turns.flatMap(({ tools }) => tools.flatMap(({ call }) => served.get(call) ?? []));
  if (marked.served.length === 0)
    for (const { url, rule } of shown)
      say("blocked_content_served", `it was shown ${url} (${rule}), and its evidence does not say so`);
  const again = auditUrls(seen.flat(), firewall);
  if (!isDeepStrictEqual(again, marked))
    say(
      "addresses_otherwise",
      `${again.asked} addresses were asked for, ${again.blocked} kept back, ${again.served.length} served; its evidence says ${marked.asked}, ${marked.blocked}, ${marked.served.length}`,
    );
  return again.served.length > 0;
}

const NOTHING: Score = { score: 0, acc: 0, progress: 0, answered: 0, steps: [] };

function checkReward({ question, rollout, calls }: Attempt, tainted: boolean, say: Say): void {
  const replies = calls.flatMap(({ reply }) => (reply.ok ? [reply] : []));
  const said = replies.map(({ text }): Said => ({ role: "assistant", content: text }));
  const score = tainted
    ? NOTHING
    : scoreConversation(said, groundTruthOf(question.row as unknown as Rewarded));
  if (!isDeepStrictEqual(score, rollout.reward))
    say(
      "scored_otherwise",
      `its score is ${score.score}, its P ${score.progress}; its evidence says ${rollout.reward.score} and ${rollout.reward.progress}, or has other steps`,
    );
  const last = rollout.stop === "answered" ? replies.at(-1) : undefined;
  const grade =
    last === undefined ? { outcome: "no_reply", answer: null } : gradeOf(last.text, question, tainted);
  if (grade.outcome !== rollout.outcome || grade.answer !== rollout.answer)
    say(
      "graded_otherwise",
      `it is ${grade.outcome} (${grade.answer}); its evidence says ${rollout.outcome} (${rollout.answer})`,
    );
}

function gradeOf(text: string, { expected, language, question }: Question, tainted: boolean) {
  const verdict = gradeReply(text, expected, { language, question });
  return { outcome: tainted ? "wrong" : outcomeOf(verdict), answer: verdict.answer };
}
