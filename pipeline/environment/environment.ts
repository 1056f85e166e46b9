import { z } from "zod";
import type { Environment, FirewallAudit, Observation, ToolSession } from "../../stages/environment.js";
import type { Tool, ToolCall } from "../../stages/model.js";
import { auditUrls } from "../../verifiers/firewall/audit.js";
import type { Firewall } from "../../verifiers/firewall/firewall.js";
import { escapeMarkup } from "../../verifiers/reward/markup.js";
import { hashOf, type Json } from "../base/canonical.js";
import { TaskmillError } from "../base/errors.js";
import type { Mode, ObservationRecord, ToolIdentity } from "../models/call.js";
import { wellFormed } from "../models/read-reply.js";
import type { ToolContext, ToolKind, ToolRun } from "./tool.js";

/** What was recorded of tools, durable. */
export interface ObservationStore {
  observation(key: string): ObservationRecord["observation"] | undefined;
  observed(record: ObservationRecord): Promise<void>;
  use(key: string): void;
}

export interface EnvironmentOptions {
  readonly kinds: readonly ToolKind[];
  readonly context: ToolContext;
  readonly store: ObservationStore;
  readonly mode: Mode;
  /** What the tools stood for when they were recorded, in place of what they stand for now. */
  readonly recorded?: {
    readonly tools: readonly { readonly name: string; readonly version: number; readonly identity: Json }[];
  };
}

type Asker = Parameters<Environment["open"]>[0];

/**
 * The tools of a run. A call is answered from the recordings where it is there; else the tool runs, once however many agents ask the
 * same, and what it says is on disk before anybody sees it.
 */
export class RecordedEnvironment implements Environment {
  readonly tools: readonly Tool[];
  readonly identity: Json;
  readonly #kinds: ReadonlyMap<string, Served>;
  readonly #flights = new Map<string, Promise<Observation>>();
  readonly #firewall: Firewall;

  constructor(private readonly options: EnvironmentOptions) {
    const { kinds, context, recorded } = options;
    this.#firewall = context.firewall;
    this.#kinds = new Map(
      kinds.map((kind) => {
        const then = recorded?.tools.find(({ name }) => name === kind.name);
        const identity = then === undefined ? kind.identity(context) : then.identity;
        return [kind.name, new Served(kind, context, identity)];
      }),
    );
    this.tools = kinds.map(toolOf);
    this.identity = {
      tools: [...this.#kinds.values()].map(({ kind, identity }): Json => {
        return { name: kind.name, version: kind.version, identity };
      }),
      observation: context.spec.observation,
    };
  }

  open(asker: Asker): ToolSession {
    return new Session(this, asker);
  }

  audit(observations: readonly Observation[]): FirewallAudit {
    return auditUrls(observations, this.#firewall);
  }

  served(name: string): Served | undefined {
    return this.#kinds.get(name);
  }

  /** The observation of a call, made by `make` if nothing is recorded of it. */
  async observe(tool: ToolIdentity, asker: Asker, make: () => Promise<Made>): Promise<Observation> {
    const key = hashOf(tool);
    const { store, mode } = this.options;
    const recorded = store.observation(key);
    if (recorded === undefined && mode === "replay") throw notRecorded(tool.tool, asker);
    const observation =
      recorded === undefined ? await this.#fly(key, tool, make) : { call: key, ...recorded };
    store.use(key);
    return observation;
  }

  /** A call that is on its way already is waited for, whoever made it. */
  #fly(key: string, tool: ToolIdentity, make: () => Promise<Made>): Promise<Observation> {
    const before = this.#flights.get(key);
    if (before !== undefined) return before;
    const flight = (async () => {
      const { text, ...rest } = await make();
      const observation = { ...rest, text: this.#shown(text) };
      await this.options.store.observed({ key, tool, observation });
      return { call: key, ...observation };
    })();
    this.#flights.set(key, flight);
    const over = (): boolean => this.#flights.delete(key);
    flight.then(over, over);
    return flight;
  }

  /** As an agent may see it: no markup that a chat template gives a meaning to, no half characters, not too long. */
  #shown(text: string): string {
    const most = this.options.context.spec.observation;
    const escaped = escapeMarkup(wellFormed(text));
    if (escaped.length <= most) return escaped;
    return `${wellFormed(escaped.slice(0, most))}\n[cut here: ${escaped.length - most} more characters]`;
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#flights.values());
    await Promise.all([...this.#kinds.values()].map((served) => served.close()));
  }
}

type Made = Omit<Observation, "call">;

/** A tool with what its answers depend on; one run of it serves all agents, if it has no state. */
class Served {
  #shared: ToolRun | undefined;

  constructor(
    readonly kind: ToolKind,
    private readonly context: ToolContext,
    readonly identity: Json,
  ) {}

  shared(): ToolRun {
    this.#shared ??= this.kind.open(this.context);
    return this.#shared;
  }

  open(): ToolRun {
    return this.kind.open(this.context);
  }

  async close(): Promise<void> {
    await this.#shared?.close();
  }
}

/** One agent's tools. */
class Session implements ToolSession {
  readonly #states = new Map<string, State>();

  constructor(
    private readonly environment: RecordedEnvironment,
    private readonly asker: Asker,
  ) {}

  async run(calls: readonly ToolCall[]): Promise<readonly Observation[]> {
    const last = new Map<string, Promise<unknown>>();
    const settled = await Promise.allSettled(
      calls.map((call) => {
        const served = this.asker.tools.includes(call.name) ? this.environment.served(call.name) : undefined;
        if (served?.kind.stateful !== true) return this.#call(call, served);
        // One after the other, in the order in which they stand.
        const turn = (last.get(call.name) ?? Promise.resolve()).then(() => this.#call(call, served));
        last.set(call.name, turn);
        return turn;
      }),
    );
    return settled.map((s) => {
      if (s.status === "rejected") throw s.reason;
      return s.value;
    });
  }

  #call({ name, arguments: text }: ToolCall, served: Served | undefined): Promise<Observation> {
    if (served === undefined) {
      const names = this.asker.tools.join(", ");
      const message = `There is no tool \`${name.slice(0, 80)}\`. The tools are: ${names}.`;
      return this.#plain(
        { tool: name, version: 0, environment: names, arguments: text, after: null },
        message,
        "unknown_tool",
      );
    }
    const { kind, identity } = served;
    const args = argumentsOf(text);
    const read = typeof args === "string" ? undefined : kind.args.safeParse(args.value);
    const of = { tool: kind.name, version: kind.version, environment: identity, after: null };
    if (typeof args === "string" || !read?.success) {
      const what = typeof args === "string" ? args : problemsOf(read!.error!);
      const message = `The arguments do not fit. ${what}`;
      const named = typeof args === "string" ? text : args.value;
      return this.#plain({ ...of, arguments: named }, message, "bad_arguments");
    }
    const tool: ToolIdentity = { ...of, arguments: args.value };
    if (!kind.stateful) {
      return this.environment.observe(tool, this.asker, async () => ({
        ...(await served.shared().call(read.data)),
        fault: null,
      }));
    }
    return this.#stateOf(served).call(tool, read.data, this.environment, this.asker);
  }

  #plain(tool: ToolIdentity, text: string, fault: Observation["fault"]): Promise<Observation> {
    return this.environment.observe(tool, this.asker, async () => ({ text, ok: false, fault, urls: [] }));
  }

  #stateOf(served: Served): State {
    let state = this.#states.get(served.kind.name);
    if (state === undefined) {
      state = new State(served);
      this.#states.set(served.kind.name, state);
    }
    return state;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#states.values()].map((state) => state.close()));
  }
}

/**
 * A stateful tool in one session. What is recorded is not run again, until a call comes of which nothing is recorded: then the earlier
 * ones are, so that it finds what they left.
 */
class State {
  readonly #history: unknown[] = [];
  #after: string | null = null;
  #run: ToolRun | undefined;
  /** How many of the history this run has seen. */
  #seen = 0;

  constructor(private readonly served: Served) {}

  async call(
    of: ToolIdentity,
    args: unknown,
    environment: RecordedEnvironment,
    asker: Asker,
  ): Promise<Observation> {
    const tool = { ...of, after: this.#after };
    const observation = await environment.observe(tool, asker, async () => {
      const run = await this.#caughtUp();
      const result = await run.call(args);
      this.#seen++;
      return { ...result, fault: null };
    });
    this.#history.push(args);
    this.#after = observation.call;
    return observation;
  }

  async #caughtUp(): Promise<ToolRun> {
    this.#run ??= this.served.open();
    while (this.#seen < this.#history.length) {
      await this.#run.call(this.#history[this.#seen]);
      this.#seen++;
    }
    return this.#run;
  }

  async close(): Promise<void> {
    await this.#run?.close();
  }
}

/** As models are told of it. */
export function toolOf({ name, description, args }: ToolKind): Tool {
  const { $schema: _dialect, ...parameters } = z.toJSONSchema(args, { io: "input" });
  return { name, description, parameters: JSON.parse(JSON.stringify(parameters)) as Json };
}

/** Levels that arguments may nest: no tool needs so many, and hashing any number of them would use up the stack. */
const DEEPEST = 100;

/** The value of a call's arguments, or what is wrong with their text. What has no canonical JSON, and so no name, is no value. */
function argumentsOf(text: string): { readonly value: Json } | string {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    return "They are not JSON.";
  }
  return faultOf(value) ?? { value };
}

function faultOf(value: Json): string | undefined {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST) return "They nest too deeply.";
    if (level.some((v) => typeof v === "number" && !Number.isFinite(v))) return "A number is too large.";
    level = level.flatMap((v) => (typeof v === "object" && v !== null ? Object.values(v) : []));
  }
  return undefined;
}

function problemsOf(error: z.ZodError): string {
  return error.issues
    .slice(0, 5)
    .map(({ path, message }) => `${path.length === 0 ? "" : `${path.join(".")}: `}${message}`)
    .join("; ");
}

function notRecorded(tool: string, { instance, row, sample }: Asker): TaskmillError {
  const message = `a call of the tool \`${tool.slice(0, 80)}\` by stage \`${instance}\`, row ${row}, draw ${sample}, is not recorded`;
  const hint = "run without --replay to make it, or give the cassette that holds it";
  return new TaskmillError("provider", [{ code: "call_not_recorded", message, hint }]);
}
