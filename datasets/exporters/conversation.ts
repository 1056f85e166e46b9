import type { Json } from "../../pipeline/base/canonical.js";
import { fail } from "../../pipeline/base/errors.js";
import type { SftRecord } from "../schema/index.js";

/** The one form that all SFT exporters write from: a row of the SFT pool with its JSON read and checked. */
export interface Conversation {
  /** For errors: where it stands in the pool. */
  readonly where: string;
  readonly turns: readonly Turn[];
  /** In OpenAI's form: `{type: "function", function: {name, description, parameters}}`. */
  readonly tools: readonly Json[];
  readonly record: SftRecord;
}

export interface Turn {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: string;
  readonly reasoning: string | null;
  readonly calls: readonly ToolUse[];
  /** Of role `tool`: the tool, and the call that it answers. */
  readonly name: string | null;
  readonly call_id: string | null;
  readonly loss: boolean;
}

export interface ToolUse {
  readonly id: string;
  readonly name: string;
  /** JSON text of an object, as the provider sent it. */
  readonly text: string;
  readonly args: Readonly<Record<string, Json>>;
}

const ROLES = ["system", "user", "assistant", "tool"] as const;

/** @throws TaskmillError (verification) for a row that is no conversation: names row and message */
export function conversation(record: SftRecord, position: number): Conversation {
  const where = `sft row ${position} (${record.rollout}, segment ${record.segment}, split ${record.split})`;
  const turns = record.messages.map((message, i) => turnOf(message, `${where}, message ${i}`));
  checkPairs(turns, where);
  return { where, turns, tools: toolsOf(record.tools, where), record };
}

type Message = SftRecord["messages"][number];

function turnOf(message: Message, where: string): Turn {
  const role = ROLES.find((known) => known === message.role);
  if (role === undefined)
    wrong(where, `its role ${JSON.stringify(message.role)} is none of ${ROLES.join(", ")}`);
  const calls = message.tool_calls === null ? [] : callsOf(message.tool_calls, where);
  if (role !== "assistant" && (calls.length > 0 || message.loss))
    wrong(where, `only an assistant calls tools and is learned from, and this is a message of role ${role}`);
  const { content, reasoning, name, tool_call_id, loss } = message;
  return {
    role,
    content,
    reasoning: reasoning === "" ? null : reasoning,
    calls,
    name,
    call_id: tool_call_id,
    loss,
  };
}

function callsOf(text: string, where: string): ToolUse[] {
  const read = parsed(text, where, "tool_calls");
  if (!Array.isArray(read)) wrong(where, "`tool_calls` is not a list");
  return read.map((call: unknown) => {
    const { id, name, arguments: args } = (isObject(call) ? call : {}) as Record<string, unknown>;
    if (typeof id !== "string" || typeof name !== "string" || typeof args !== "string")
      wrong(where, "a tool call is not {id, name, arguments}, each of them text");
    const value = parsed(args, where, `arguments of ${name}`);
    if (!isObject(value)) wrong(where, `the arguments of ${name} are JSON, but no object`);
    return { id, name, text: args, args: value as Record<string, Json> };
  });
}

/** Every observation answers a call of the turn before it. */
function checkPairs(turns: readonly Turn[], where: string): void {
  let open = new Set<string>();
  turns.forEach((turn, i) => {
    if (turn.role === "assistant") open = new Set(turn.calls.map(({ id }) => id));
    if (turn.role !== "tool") return;
    if (turn.call_id === null || !open.delete(turn.call_id))
      wrong(`${where}, message ${i}`, "it answers no tool call of the turn before it");
  });
}

/** Schemas stand alone or wrapped as OpenAI wants them: both are read. */
function toolsOf(text: string, where: string): Json[] {
  const read = parsed(text, where, "tools");
  if (!Array.isArray(read)) wrong(where, "`tools` is not a list");
  return read.map((tool: unknown) => {
    if (!isObject(tool)) wrong(where, "a tool is not an object");
    return (isObject(tool.function) ? tool : { type: "function", function: tool }) as Json;
  });
}

function parsed(text: string, where: string, what: string): unknown {
  let halves = 0;
  // No encoder of the trainers writes half a surrogate pair: they stop at it, or put something else there.
  const count = (value: unknown) => {
    if (typeof value === "string" && /\p{Surrogate}/u.test(value)) halves++;
  };
  let value: unknown;
  try {
    value = JSON.parse(text, (key, member: unknown) => {
      count(key);
      count(member);
      return member;
    });
  } catch {
    wrong(where, `\`${what}\` is not JSON`);
  }
  if (halves > 0) wrong(where, `\`${what}\` holds half a surrogate pair`);
  return value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function wrong(where: string, what: string): never {
  fail(
    "verification",
    "not_a_conversation",
    `${where}: ${what}`,
    "the pool is not as `emit` writes it: run the config again",
  );
}

/** Assistant turns, in order. */
export function assistants(turns: readonly Turn[]): Turn[] {
  return turns.filter(({ role }) => role === "assistant");
}

/** Name and parts of a tool in OpenAI's form. */
export function functionOf(tool: Json): { name: string; description: string; parameters: Json } {
  const { function: it } = tool as { function: { name?: Json; description?: Json; parameters?: Json } };
  return {
    name: String(it.name ?? ""),
    description: String(it.description ?? ""),
    parameters: it.parameters ?? { type: "object", properties: {} },
  };
}
