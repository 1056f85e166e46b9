import type { ToolCall } from "../../stages/model.js";
import { parseJson } from "./json-text.js";
import { ProviderError } from "./transport.js";

/** A tool call as it came. */
export interface WireToolCall {
  readonly id?: unknown;
  readonly function?: { readonly name?: unknown; readonly arguments?: unknown } | null;
}

/**
 * Tool calls in order, with JSON text for arguments and ids that are distinct: servers send arguments as objects, and ids that are
 * empty or the same for each call.
 * @returns `whole` is false when the arguments of one of them are no JSON: they were cut off
 * @throws ProviderError `malformed` for a call without a name
 */
export function readToolCalls(calls: readonly WireToolCall[]): { calls: ToolCall[]; whole: boolean } {
  const taken = new Set<string>();
  const read = calls.map((call, index): ToolCall => {
    const name = call.function?.name;
    if (typeof name !== "string" || name === "")
      throw new ProviderError("malformed", "a tool call without a name", 200);
    return { id: distinct(call.id, index, taken), name, arguments: textOf(call.function?.arguments) };
  });
  return { calls: read, whole: read.every((call) => parseJson(call.arguments) !== undefined) };
}

function distinct(id: unknown, index: number, taken: Set<string>): string {
  let name = typeof id === "string" && id !== "" ? id : `call_${index + 1}`;
  for (let k = 2; taken.has(name); k++)
    name = `${typeof id === "string" && id !== "" ? id : "call"}_${index + k}`;
  taken.add(name);
  return name;
}

/** A tool without parameters gets no text from some servers. */
function textOf(value: unknown): string {
  if (typeof value === "string") return value.trim() === "" ? "{}" : value;
  return value === undefined || value === null ? "{}" : argumentsText(value);
}

/** Arguments that came as JSON instead of its text. @throws ProviderError `malformed` */
export function argumentsText(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    // Writing them would use up the stack.
    throw new ProviderError("malformed", "the arguments of a tool call nest too deeply", 200);
  }
}
