import { stream } from "../../pipeline/base/random.js";
import type { WordedRow } from "../../stages/task.js";
import { constantOf } from "../../verifiers/constants.js";
import { parseUnit } from "../../verifiers/units.js";
import { type Figure, figureIn, type Result, resultsIn } from "./agent-pages.js";
import type { Brain, BrainReply, WireToolCall } from "./reply.js";
import type { ServedRequest } from "./request.js";

/**
 * Agents that search, visit and compute for real: a task's plan tells them what to look for, but each figure is from a page that they
 * were shown, and the result is what Python printed. Turn by turn all follows from the conversation, so that a resumed rollout is given the
 * same replies.
 */

/** What an agent knows of a task from the start. */
export interface AgentPlan {
  readonly question: string;
  /** What the question describes, and whose figures are asked for. */
  readonly selected: string;
  readonly inputs: readonly {
    readonly id: string;
    readonly noun: string;
    readonly unit: string;
    readonly of: string;
  }[];
  readonly expression: string;
  readonly constants: readonly string[];
  readonly unit: string;
  readonly digits: number;
}

/** Undefined for a figure of all candidates, which these agents do not look up. */
export function planOf({ question, selection, inputs, formula, answer }: WordedRow): AgentPlan | undefined {
  const read = Object.entries(inputs).flatMap(([id, { entity }]) => {
    const { noun, unit } = formula.inputs[id]!;
    return entity === undefined ? [] : [{ id, noun, unit, of: entity.name }];
  });
  if (selection === undefined || read.length < Object.keys(inputs).length) return undefined;
  return {
    question,
    selected: selection.entity.name,
    inputs: read,
    expression: formula.expression,
    constants: formula.constants,
    unit: answer.unit,
    digits: answer.digits,
  };
}

/** How an agent goes about it. */
export interface Manner {
  /** Share of rollouts in which a factor is forgotten. */
  readonly slips?: number;
  /** One call a turn instead of all that can be made at once. */
  readonly slowly?: boolean;
  /** Thoughts in `reasoning_content`. */
  readonly thinks?: boolean;
  /** Begins with calls of a tool that is not there and with arguments that do not fit. */
  readonly clumsy?: boolean;
  /** Has Python print more than anybody reads, before it computes. */
  readonly verbose?: boolean;
  /** Words in front of each message. */
  readonly says?: (request: ServedRequest) => string;
}

/** An agent for tasks whose plans it has; others it declines. */
export function agent(plans: readonly AgentPlan[], manner: Manner = {}): Brain {
  return (request) => {
    const plan = planFor(request, plans);
    if (plan === undefined) return "I do not know how to go about this.\n\nFinal answer: unknown";
    const reply = new Desk(plan, manner, request).next();
    const said = manner.says?.(request) ?? "";
    const thought = manner.thinks ? { reasoning_content: `Step ${turnOf(request)}: what is missing?` } : {};
    return { ...reply, ...thought, content: said + (reply.content ?? "") || null };
  };
}

export function planFor({ body }: ServedRequest, plans: readonly AgentPlan[]): AgentPlan | undefined {
  const asked = body.messages.find(({ role }) => role === "user")?.content;
  return plans.find(({ question }) => question === asked);
}

export function turnOf({ body }: ServedRequest): number {
  return body.messages.filter(({ role }) => role === "assistant").length;
}

/** A call with an id of its own. */
export function toolCall(request: ServedRequest, name: string, args: unknown, place = 0): WireToolCall {
  const text = typeof args === "string" ? args : JSON.stringify(args);
  return {
    id: `call_${turnOf(request)}_${place}`,
    type: "function",
    function: { name, arguments: text },
  };
}

/** A call and what was said to it. */
export interface Seen {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly text: string;
}

export function seenBy({ body }: ServedRequest): Seen[] {
  const calls = new Map<string, Omit<Seen, "text">>();
  const seen: Seen[] = [];
  for (const message of body.messages) {
    if (message.role === "assistant")
      for (const { id, function: called } of message.tool_calls ?? [])
        calls.set(id, { name: called.name, args: argsOf(called.arguments) });
    if (message.role === "tool") seen.push({ ...calls.get(message.tool_call_id)!, text: message.content });
  }
  return seen;
}

function argsOf(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** Pages of one entity that are read in one turn, at most. */
const PAGES = 4;
const PRINTED = /^RESULT (\S+)$/m;

/** One agent's view of its conversation. */
class Desk {
  readonly #seen: readonly Seen[];
  /** Figures by input. */
  readonly #noted = new Map<string, Figure>();
  #fresh: string[] = [];

  constructor(
    private readonly plan: AgentPlan,
    private readonly manner: Manner,
    private readonly request: ServedRequest,
  ) {
    this.#seen = seenBy(request);
    this.#recall();
    this.#read();
  }

  /** What it wrote down in earlier turns, whose pages may be gone. */
  #recall(): void {
    for (const message of this.request.body.messages) {
      if (message.role !== "assistant") continue;
      for (const [, id, number, unit] of (message.content ?? "").matchAll(/^Noted: (\w+): (\S+) (.+)$/gm))
        this.#noted.set(id!, { number: number!, unit: unit! });
    }
  }

  #read(): void {
    const pages = this.#seen.filter(({ name }) => name === "visit").map(({ text }) => text);
    for (const { id, noun, unit, of } of this.plan.inputs) {
      if (this.#noted.has(id)) continue;
      const found = pages
        .filter((page) => page.includes(of))
        .map((page) => figureIn(page, of, noun, unit))
        .find((figure) => figure !== undefined);
      if (found === undefined) continue;
      this.#noted.set(id, found);
      this.#fresh.push(`Noted: ${id}: ${found.number} ${found.unit}`);
    }
  }

  next(): BrainReply {
    const first = this.manner.clumsy && turnOf(this.request) === 0 ? CLUMSY : undefined;
    if (first !== undefined) return this.#calls(first);
    const printed = this.#printed();
    if (printed !== undefined) return { content: this.#last(printed) };
    const searches = this.#searches();
    if (searches.length > 0) return this.#calls(searches);
    if (this.#missing().length > 0) {
      const visits = this.#visits();
      if (visits.length > 0) return this.#calls(visits);
      return { content: `${this.#fresh.join("\n")}\nThe pages do not say it.\n\nFinal answer: unknown` };
    }
    if (this.manner.verbose && !this.#seen.some(({ name }) => name === "python"))
      return this.#calls([["python", { code: "print('x' * 200_000)" }]]);
    return this.#calls([["python", { code: this.#code() }]]);
  }

  #missing(): AgentPlan["inputs"] {
    return this.plan.inputs.filter(({ id }) => !this.#noted.has(id));
  }

  /** One search for each entity, then one for each figure that the pages found so far do not have. */
  #searches(): Wanted[] {
    const made = new Set(this.#seen.filter(({ name }) => name === "search").map(({ args }) => args.query));
    const open = (queries: readonly string[]): Wanted[] =>
      [...new Set(queries)].filter((query) => !made.has(query)).map((query) => ["search", { query }]);
    const entities = open([this.plan.selected, ...this.plan.inputs.map(({ of }) => of)]);
    if (entities.length > 0) return entities;
    if (this.#missing().length === 0 || this.#visits().length > 0) return [];
    return open(this.#missing().map(({ of, noun }) => `${of} ${noun}`));
  }

  /** Listed pages about the entities that were not visited. */
  #visits(): Wanted[] {
    const visited = new Set(this.#seen.filter(({ name }) => name === "visit").map(({ args }) => args.url));
    const listed = this.#seen.filter(({ name }) => name === "search").flatMap(({ text }) => resultsIn(text));
    const wanted = this.#missing().flatMap(({ of }) =>
      listed.filter((result) => about(result, of) && !visited.has(result.url)).slice(0, PAGES),
    );
    return [...new Set(wanted.map(({ url }) => url))].map((url) => ["visit", { url }]);
  }

  #code(): string {
    const { inputs, constants, expression, unit, digits } = this.plan;
    const slip = this.#slips() ? "2*" : "";
    const value = (number: string, of: string): string => `float("${number}") * ${parseUnit(of).factor}`;
    return [
      "from math import *",
      ...constants.map((symbol) => {
        const { value: number, unit: of } = constantOf(symbol)!;
        return `${symbol} = ${value(String(number), of)}`;
      }),
      ...inputs.map(({ id }) => {
        const { number, unit: of } = this.#noted.get(id)!;
        return `${id} = ${value(number, of)}`;
      }),
      `result = ${slip}(${expression.replaceAll("^", "**")}) / ${parseUnit(unit).factor}`,
      `print("RESULT", f"{result:.${Math.max(2, digits)}g}")`,
    ].join("\n");
  }

  /** Drawn from question and draw alone, so that other prompts or tools do not change who is right. */
  #slips(): boolean {
    const { question } = this.plan;
    return stream("slips", question, this.request.body.seed ?? 0).next() < (this.manner.slips ?? 0);
  }

  #printed(): string | undefined {
    const texts = this.#seen.filter(({ name }) => name === "python").map(({ text }) => text);
    return texts.map((text) => PRINTED.exec(text)?.[1]).find((text) => text !== undefined);
  }

  #last(printed: string): string {
    const { selected, inputs, unit } = this.plan;
    const names = [...new Set([selected, ...inputs.map(({ of }) => of)])];
    return [
      ...names.map((name, i) => `Finding: ${i === 0 ? "the one described" : "what it leads to"} = ${name}`),
      ...inputs.map(({ id, noun }) => {
        const { number, unit: of } = this.#noted.get(id)!;
        return `Finding: ${noun} = ${number}${of === "1" ? "" : ` ${of}`}`;
      }),
      "",
      `Final answer: ${printed}${unit === "1" ? "" : ` ${unit}`}`,
    ].join("\n");
  }

  #calls(wanted: readonly Wanted[]): BrainReply {
    const made = this.manner.slowly ? wanted.slice(0, 1) : wanted;
    return {
      content: this.#fresh.join("\n") || null,
      tool_calls: made.map(([name, args], i) => toolCall(this.request, name, args, i)),
    };
  }
}

type Wanted = readonly [name: string, args: unknown];

const CLUMSY: readonly Wanted[] = [
  ["browse", { page: 1 }],
  ["search", { query: "x", pages: "all" }],
  ["visit", { url: 5 }],
];

function about({ title }: Result, entity: string): boolean {
  const name = entity.replace(/-\d+$/, "");
  return title.toLowerCase().includes(name.toLowerCase());
}
