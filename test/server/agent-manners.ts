import { type AgentPlan, agent, seenBy, toolCall, turnOf } from "./agents.js";
import type { Brain, BrainReply } from "./reply.js";
import type { ServedRequest } from "./request.js";

/** Agents that go about it badly. */

/** Searches on and on, and never has enough. */
export const looping: Brain = (request) => ({
  content: null,
  tool_calls: [toolCall(request, "search", { query: `turn ${turnOf(request)}` })],
});

/** Breaks off in the arguments of a call. */
export const breaking: Brain = (request) => ({
  content: null,
  tool_calls: [toolCall(request, "search", '{"query": "broken of')],
});

/** Finds everything, and does not say what it comes to. */
export function mute(plans: readonly AgentPlan[]): Brain {
  const good = agent(plans);
  return async (request) => {
    const reply = (await good(request)) as BrainReply;
    return reply.tool_calls === undefined ? "I have seen what I wanted to see." : reply;
  };
}

/** Makes these calls, a turn each, says what came of the last, and gives up. */
export function calling(calls: readonly (readonly [name: string, args: unknown])[]): Brain {
  return (request) => {
    const next = calls[turnOf(request)];
    if (next !== undefined) return { content: null, tool_calls: [toolCall(request, ...next)] };
    return `Found: ${seenBy(request).at(-1)?.text ?? ""}\n\nFinal answer: unknown`;
  };
}

/** A brain for each request. */
export function choosing(choose: (request: ServedRequest) => Brain): Brain {
  return (request) => choose(request)(request);
}

/** Which draw a request belongs to. */
export function drawOf({ body }: ServedRequest): number {
  return body.seed ?? 0;
}
