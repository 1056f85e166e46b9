import { messagesOf, type SaidTurn, type TokenColumns } from "../../datasets/conversation.js";
import type { SegmentFacts } from "../../datasets/trajectory-record.js";
import { canonicalJson, type Json } from "../../pipeline/base/canonical.js";
import type { RolloutEvidence } from "../evidence.js";
import type { Tokens } from "../model.js";
import type { Recorded, Recordings } from "../recordings.js";
import { extendsTokens } from "./tokens.js";

/** The segments of a rollout in order, each as its last turn saw it. */
export function segmentsOf(rollout: RolloutEvidence, recordings: Recordings): SegmentFacts[] {
  const turns = rollout.turns.map((turn) => ({ ...turn, recorded: recordedOf(turn.call, recordings) }));
  const numbers = [...new Set(turns.map(({ segment }) => segment))];
  return numbers.map((segment) => {
    const until = turns.filter((t) => t.segment <= segment);
    const own = until.filter((t) => t.segment === segment);
    const { messages, tools } = own.at(-1)!.recorded;
    return {
      segment,
      messages: messagesOf(
        messages,
        until.map((t) => saidOf(t.recorded, t.segment === segment)),
      ),
      tools: tools as Json,
      calls: own.map(({ call }) => call),
      observations: own.flatMap((t) => t.tools.map(({ call }) => call)),
      tokens: tokensOf(own.map((t) => t.recorded)),
    };
  });
}

function recordedOf(call: string, recordings: Recordings): Recorded {
  const recorded = recordings.call(call);
  if (recorded === undefined) throw new TypeError(`call ${call} of a rollout is not recorded`);
  return recorded;
}

/** A reply that broke off is shown, but nobody learns from it. */
function saidOf({ reply }: Recorded, own: boolean): SaidTurn {
  if (!reply.ok) return { text: reply.text, reasoning: "", tool_calls: [], own: false };
  const { text, reasoning, tool_calls } = reply;
  return { text, reasoning, tool_calls, own };
}

/** The token ids of a segment with the mask of those that the model drew; null where they are missing or drift. */
function tokensOf(turns: readonly Recorded[]): TokenColumns | null {
  const all = turns.map(({ reply }) => (reply.ok ? reply.tokens : undefined));
  if (all.length === 0 || all.includes(undefined)) return null;
  const tokens = all as Tokens[];
  const last = tokens.at(-1)!;
  const ids = [...last.prompt, ...last.completion];
  const loss = new Array<boolean>(ids.length).fill(false);
  const logprobs = new Array<number | null>(ids.length).fill(null);
  for (const { prompt, completion, logprobs: drawn } of tokens) {
    if (!extendsTokens(ids, prompt, completion)) return null;
    for (let i = 0; i < completion.length; i++) {
      loss[prompt.length + i] = true;
      logprobs[prompt.length + i] = drawn?.[i] ?? null;
    }
  }
  const routes = tokens.map(({ experts }) => experts);
  const experts = routes.every((r) => r === null) ? null : canonicalJson(routes);
  return { ids, loss, logprobs, experts };
}
