import { z } from "zod";
import type { TrajectoryRecord } from "../datasets/schema/index.js";
import { rolloutId } from "../datasets/trajectory-record.js";
import type { Row } from "../stages/stage.js";
import { visibleLines } from "./base/render.js";
import { figure } from "./explain-rollouts.js";
import { attemptsOf, callsIn, countsTowardsP, type Rollout } from "./rollouts.js";
import { counted, grouped } from "./terminal.js";

type Message = TrajectoryRecord["messages"][number];

/** Characters of a message that are shown, by who says it: what tools and prompts say is long, and `--json` has all. */
const MOST: Readonly<Record<string, number>> = { system: 400, tool: 900, user: 4000, assistant: 8000 };
const THOUGHTS = 1500;

/** A conversation for a terminal. A line that the reward reads is marked; of what tools said the beginning stands, and how much there is. */
export function conversationText(record: TrajectoryRecord, row: Row): string {
  const { rollout: id, segment, messages, stop, hidden_outcome } = record;
  const rollout = attemptsOf(row)?.rollouts.find((r) => rolloutId(row.id, r) === id);
  const title = `rollout ${id}, segment ${segment}: ${stop}, ${hidden_outcome}`;
  const parts = turnsOf(messages).map(({ message, turn }) => messageLines(message, turn));
  // What was verified is a matter of the whole rollout: it stands once, below its last segment.
  const last = rollout?.turns.at(-1)?.segment === segment;
  const steps = rollout === undefined || !last ? [] : [stepLines(rollout, row)];
  return visibleLines([[title], ...parts, ...steps].map((lines) => lines.join("\n")).join("\n\n"));
}

/** Messages with the number of their turn, which the assistant's alone have. */
function turnsOf(messages: readonly Message[]): { readonly message: Message; readonly turn: number }[] {
  let turn = 0;
  return messages.map((message) => ({ message, turn: message.role === "assistant" ? ++turn : turn }));
}

function messageLines(message: Message, turn: number): string[] {
  const { role, content, name, reasoning, tool_calls, loss } = message;
  const cut = (text: string) => indented(shortened(text, MOST[role] ?? 900));
  if (role === "tool") return [`  ${name ?? "tool"} answers`, ...cut(content)];
  if (role !== "assistant") return [`  ${role}`, ...cut(content)];
  const thoughts =
    reasoning === null ? [] : ["    thinks", ...indented(shortened(reasoning, THOUGHTS), "    ~ ")];
  const said = content === "" ? [] : shortened(content, MOST.assistant!).split("\n").map(marked);
  const head = `  turn ${turn}${loss ? "" : " (of another segment, or broken off: not learnt from)"}`;
  return [head, ...thoughts, ...said, ...callLines(tool_calls)];
}

const COMMITMENT = /^[\s>*_`+•\d.)-]{0,12}(?:finding|final answer)\b/i;

/** Lines that commit the agent to something. */
function marked(line: string): string {
  return COMMITMENT.test(line) ? `  ► ${line}` : `    ${line}`;
}

function callLines(text: string | null): string[] {
  return callsIn(text).map(
    ({ name, arguments: args }) => `    → ${name} ${shortened(args, 2000).replaceAll("\n", "\n      ")}`,
  );
}

const chain = z.object({
  chain: z.array(z.object({ id: z.string(), label: z.string(), text: z.string() })),
});

function stepLines({ answer, reward }: Rollout, row: Row): string[] {
  // Problems have none.
  const known = chain.safeParse(row).data?.chain ?? [];
  const steps = reward.steps.map(({ id, verified, why }) => {
    const step = known.find((s) => s.id === id);
    const mark = verified ? "✓" : countsTowardsP({ why }) ? "✗" : "–";
    return `    ${mark} ${step === undefined ? id : `${step.label}: ${step.text}`} (${why.replaceAll("_", " ")})`;
  });
  const score = `score ${figure(reward.score)}, P ${figure(reward.progress)}, ${reward.answered === 1 ? "answered" : "not answered"}`;
  const answered = `  answer read: ${answer === null ? "none" : shortened(answer, 300)}`;
  return [answered, `  chain of ${counted(steps.length, "step")}: ${score}`, ...steps];
}

function indented(text: string, by = "    "): string[] {
  return text.split("\n").map((line) => `${by}${line}`.trimEnd());
}

/** The beginning of a text, and how much there is. */
function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most)}\n[${grouped(most)} of ${grouped(text.length)} characters; --json has all]`;
}
