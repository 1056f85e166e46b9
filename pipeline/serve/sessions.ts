import { randomUUID } from "node:crypto";
import pLimit from "p-limit";
import type { Environment, FirewallAudit, Observation, ToolSession } from "../../stages/environment.js";
import type { ToolCall } from "../../stages/model.js";
import { Fault } from "./fault.js";

export interface SessionLimits {
  /** At the same time. */
  readonly sessions: number;
  /** Seconds without a call after which a session ends. */
  readonly idle: number;
}

/** Of one session: its history is kept, since a stateful tool may have to be brought to where it was. */
const MOST_CALLS = 10_000;
/** Milliseconds that a timer can wait. */
const LONGEST = 2 ** 31 - 1;
/** Requests of one session that wait for their turn. */
const MOST_WAITING = 64;

/** What a session came to. */
export interface SessionEnd {
  readonly calls: number;
  readonly firewall: FirewallAudit;
}

/** Agents' tools by session: only who opened one knows its id. */
export class Sessions {
  readonly #open = new Map<string, ServedSession>();
  #closed = false;

  constructor(
    readonly environment: Environment,
    private readonly limits: SessionLimits,
  ) {}

  /** @param tools those that the agent is given; all by default. @throws Fault where there are too many sessions, or no such tool */
  open(tools?: readonly string[], onEnd: () => void = () => {}): ServedSession {
    if (this.#closed) throw new Fault(503, "ending", "the server is ending");
    const known = this.environment.tools.map(({ name }) => name);
    if (known.length === 0)
      throw new Fault(404, "no_environment", "the config has no `environment`: there are no tools");
    const unknown = tools?.find((name) => !known.includes(name));
    if (unknown !== undefined)
      throw new Fault(
        400,
        "unknown_tool",
        `there is no tool ${JSON.stringify(unknown.slice(0, 80))}; the tools are ${known.join(", ")}`,
      );
    if (this.#open.size >= this.limits.sessions) {
      const message = `there are ${this.limits.sessions} sessions already; end those that are done`;
      throw new Fault(429, "too_many_sessions", message, { "retry-after": "10" });
    }
    const id = randomUUID();
    const session = new ServedSession(id, this.environment, {
      tools: tools ?? known,
      idle: this.limits.idle,
      onEnd: () => {
        this.#open.delete(id);
        onEnd();
      },
    });
    this.#open.set(id, session);
    return session;
  }

  /** @throws Fault where there is none */
  get(id: string): ServedSession {
    const session = this.#open.get(id);
    if (session === undefined)
      throw new Fault(404, "unknown_session", "there is no such session, or it has ended");
    return session;
  }

  /** Ends all, and opens no other. */
  async closeAll(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled([...this.#open.values()].map((session) => session.end()));
  }
}

interface SessionOptions {
  readonly tools: readonly string[];
  readonly idle: number;
  readonly onEnd: () => void;
}

/** One agent's tools, with the end that comes by itself. */
export class ServedSession {
  readonly #tools: ToolSession;
  /** Requests that come at the same time are answered one after the other: the state of a tool is that of one agent. */
  readonly #inOrder = pLimit(1);
  /** What the firewall's audit asks for; texts are not kept. */
  readonly #observed: Observation[] = [];
  #calls = 0;
  /** Requests that are being answered or wait for their turn. */
  #asked = 0;
  #timer: NodeJS.Timeout | undefined;
  #ended = false;

  constructor(
    readonly id: string,
    private readonly environment: Environment,
    private readonly options: SessionOptions,
  ) {
    this.#tools = environment.open({ instance: "serve", row: id, sample: 0, tools: options.tools });
    this.#rest();
  }

  /** The observations of calls made at once, in their order. @throws Fault, TaskmillError */
  async run(calls: readonly ToolCall[]): Promise<readonly Observation[]> {
    if (this.#asked > MOST_WAITING)
      throw new Fault(429, "too_many_calls", `${MOST_WAITING} requests of this session wait already`);
    if (this.#calls + calls.length > MOST_CALLS)
      throw new Fault(429, "too_many_calls", `a session has at most ${MOST_CALLS} calls; open another`);
    this.#calls += calls.length;
    this.#asked++;
    clearTimeout(this.#timer);
    try {
      return await this.#inOrder(() => this.#run(calls));
    } finally {
      this.#asked--;
      this.#rest();
    }
  }

  async #run(calls: readonly ToolCall[]): Promise<readonly Observation[]> {
    if (this.#ended) throw new Fault(404, "unknown_session", "the session has ended");
    const observations = await this.#tools.run(calls);
    this.#observed.push(
      ...observations.filter(({ urls }) => urls.length > 0).map((o) => ({ ...o, text: "" })),
    );
    return observations;
  }

  #rest(): void {
    clearTimeout(this.#timer);
    if (this.#ended || this.#asked > 0) return;
    this.#timer = setTimeout(
      () => void this.end().catch(() => {}),
      Math.min(this.options.idle * 1000, LONGEST),
    );
    this.#timer.unref();
  }

  async end(): Promise<SessionEnd> {
    clearTimeout(this.#timer);
    if (!this.#ended) {
      this.#ended = true;
      this.options.onEnd();
      await this.#tools.close();
    }
    return { calls: this.#calls, firewall: this.environment.audit(this.#observed) };
  }
}
