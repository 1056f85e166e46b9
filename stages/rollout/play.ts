import type { Environment, Observation, ToolSession } from "../environment.js";
import type { RolloutEvidence } from "../evidence.js";
import type { Completion, Models, Reply, Tool, Unanswered } from "../model.js";
import { Conversation } from "./conversation.js";
import { type ContextPolicy, type Limits, reached } from "./limits.js";

export interface PlayOptions {
  readonly models: Models;
  readonly environment: Environment;
  readonly instance: string;
  readonly role: string;
  readonly row: string;
  readonly sample: number;
  readonly system: string;
  readonly question: string;
  readonly tools: readonly Tool[];
  readonly limits: Limits;
  readonly context: ContextPolicy | undefined;
  readonly thoughts: "drop" | "send";
}

type Turn = RolloutEvidence["turns"][number];

/** A rollout that has come to its end. */
export interface Played {
  readonly turns: readonly Turn[];
  readonly stop: RolloutEvidence["stop"];
  /** The model's replies in order, and what it saw. */
  readonly replies: readonly Completion[];
  readonly observations: readonly Observation[];
}

/**
 * Lets an agent work until it answers or a limit is reached. What it does follows from the replies and observations alone: one that was
 * cut off and is played again with what is recorded goes the same way.
 * @throws what {@link Models.ask} and {@link ToolSession.run} throw
 */
export async function play(options: PlayOptions): Promise<Played> {
  const { environment, instance, row, sample, tools } = options;
  const session = environment.open({ instance, row, sample, tools: tools.map((t) => t.name) });
  try {
    return await new Rollout(options, session).play();
  } finally {
    await session.close();
  }
}

class Rollout {
  readonly #turns: Turn[] = [];
  readonly #replies: Completion[] = [];
  readonly #observations: Observation[] = [];
  readonly #talk: Conversation;
  #input = 0;
  #output = 0;

  constructor(
    private readonly options: PlayOptions,
    private readonly session: ToolSession,
  ) {
    this.#talk = new Conversation(options.system, options.question, options.thoughts);
  }

  async play(): Promise<Played> {
    for (;;) {
      const { models, role, row, sample, tools, limits } = this.options;
      const { messages } = this.#talk;
      const reply = await models.ask({ role, row, sample, messages, tools });
      if (!reply.ok) {
        this.#turns.push(this.#turn(reply, []));
        return this.#end(STOP_OF[reply.why]);
      }
      this.#replies.push(reply);
      this.#count(reply);
      if (reply.tool_calls.length === 0) {
        this.#turns.push(this.#turn(reply, []));
        return this.#end("answered");
      }
      const spent = { turns: this.#turns.length + 1, input: this.#input, output: this.#output };
      const stop = reached(limits, spent);
      // Nobody would read what these tools say.
      if (stop !== undefined) {
        this.#turns.push(this.#turn(reply, []));
        return this.#end(stop);
      }
      await this.#act(reply);
      if (!this.#fits(reply)) return this.#end("context");
    }
  }

  async #act(reply: Completion): Promise<void> {
    const observations = await this.session.run(reply.tool_calls);
    this.#observations.push(...observations);
    const tools = reply.tool_calls.map(({ id, name }, i) => {
      const { call, ok } = observations[i]!;
      return { id, name, call, ok };
    });
    this.#turns.push(this.#turn(reply, tools));
    this.#talk.said(reply);
    this.#talk.seen(reply.tool_calls, observations);
  }

  /** Whether the conversation may go on, after making room if that is the policy. */
  #fits({ usage, text }: Completion): boolean {
    const { context } = this.options;
    if (context === undefined) return true;
    const held =
      (usage.input ?? guessed(this.#talk.messages)) + (usage.output ?? guessed([{ content: text }]));
    if (held < context.tokens) return true;
    return context.policy === "truncate" && this.#talk.truncate(context.keep);
  }

  #count({ usage, text }: Completion): void {
    this.#input += usage.input ?? guessed(this.#talk.messages);
    this.#output += usage.output ?? guessed([{ content: text }]);
  }

  #turn({ call, usage }: Reply, tools: Turn["tools"]): Turn {
    return { call, tools, segment: this.#talk.segment, input: usage.input, output: usage.output };
  }

  #end(stop: Played["stop"]): Played {
    return { turns: this.#turns, stop, replies: this.#replies, observations: this.#observations };
  }
}

/** Tokens of texts where the endpoint does not count: limits must hold there too. Four characters a token, as a rule. */
function guessed(messages: readonly { readonly content: string }[]): number {
  return Math.ceil(messages.reduce((sum, { content }) => sum + content.length, 0) / 4);
}

/** A reply that is no answer ends the rollout. */
const STOP_OF: Readonly<Record<Unanswered["why"], Played["stop"]>> = {
  truncated: "truncated",
  filter: "filter",
  refusal: "refusal",
  context_length: "context_length",
  // No schema is asked for.
  unstructured: "truncated",
  unavailable: "unavailable",
};
