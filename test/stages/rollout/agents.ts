import { hashOf, type Json } from "../../../pipeline/base/canonical.js";
import type { Environment, Observation } from "../../../stages/environment.js";
import type {
  ChatRequest,
  Completion,
  Models,
  Reply,
  Tokens,
  ToolCall,
  Unanswered,
} from "../../../stages/model.js";
import type { Recordings } from "../../../stages/recordings.js";
import { limitsSchema } from "../../../stages/rollout/limits.js";
import type { PlayOptions } from "../../../stages/rollout/play.js";

/** What a scripted agent says in one turn. */
export interface Line {
  readonly text?: string;
  readonly reasoning?: string;
  readonly calls?: readonly ToolCall[];
  readonly input?: number | null;
  readonly output?: number | null;
  readonly tokens?: Tokens;
  readonly why?: Unanswered["why"];
}

export const call = (name: string, args: Json, id = "c1"): ToolCall => ({
  id,
  name,
  arguments: JSON.stringify(args),
});

/** Says its lines turn by turn, one list for each sample, and keeps what it was asked: models and recordings in one. */
export class Actor implements Models, Recordings {
  readonly asked: ChatRequest[] = [];
  readonly #kept = new Map<string, { messages: Json[]; tools: Json[]; reply: Reply }>();

  constructor(private readonly lines: (sample: number, turn: number) => Line) {}

  identity() {
    return { endpoint: "e", model: "actor-1", revision: null };
  }

  async ask<T>(request: ChatRequest<T>): Promise<Reply<T>> {
    const { messages, tools = [], sample = 0, row } = request;
    this.asked.push(request as ChatRequest);
    const turn = messages.filter((m) => m.role === "assistant").length;
    const line = this.lines(sample, turn);
    const name = hashOf({ messages: messages as unknown as Json, row, sample });
    const { input = 100, output = 10 } = line;
    const usage = { input, cached_input: null, output, reasoning: null };
    const reply: Reply =
      line.why === undefined
        ? ({
            ok: true,
            call: name,
            text: line.text ?? "",
            reasoning: line.reasoning ?? "",
            tool_calls: line.calls ?? [],
            usage,
            ...(line.tokens === undefined ? {} : { tokens: line.tokens }),
          } satisfies Completion)
        : { ok: false, call: name, why: line.why, message: line.why, text: line.text ?? "", usage };
    this.#kept.set(name, {
      messages: messages.map((m) => ({ ...m })) as unknown as Json[],
      tools: tools.map((t) => ({ ...t }) as unknown as Json),
      reply,
    });
    return reply as Reply<T>;
  }

  call(name: string) {
    return this.#kept.get(name);
  }

  observation(): undefined {
    return undefined;
  }
}

/** Tools that say what they were called with. */
export const echo: Environment = {
  tools: [
    { name: "search", description: "searches", parameters: { type: "object" } },
    { name: "python", description: "computes", parameters: { type: "object" } },
  ],
  identity: "echo",
  open: () => ({
    run: async (calls) =>
      calls.map(
        ({ name, arguments: text }): Observation => ({
          call: hashOf({ name, text }),
          text: `${name} says ${text}`,
          ok: true,
          fault: null,
          urls: [],
        }),
      ),
    close: async () => {},
  }),
  audit: () => ({ asked: 0, blocked: 0, served: [] }),
};

/** A rollout of an actor, as a stage plays it. */
export const options = (actor: Actor, more: Partial<PlayOptions> = {}): PlayOptions => ({
  models: actor,
  environment: echo,
  instance: "rollout",
  role: "policy",
  row: "r1",
  sample: 0,
  system: "Use tools.",
  question: "How heavy?",
  tools: echo.tools,
  limits: limitsSchema.parse({}),
  context: undefined,
  thoughts: "drop",
  ...more,
});
