import { z } from "zod";
import type { ChatRequest, Message } from "../../stages/model.js";
import { canonicalJson, type Json } from "../base/canonical.js";
import { jsonValuesIn } from "./json-text.js";

type Schema<T> = NonNullable<ChatRequest<T>["schema"]>;

/** Problems of a reply that are shown to the model. */
const SHOWN = 5;

const wireSchemas = new WeakMap<z.ZodType, { schema: Json; text: string }>();

/** A schema as JSON Schema, and that as text. */
export function wireSchema(type: z.ZodType): { schema: Json; text: string } {
  const known = wireSchemas.get(type);
  if (known !== undefined) return known;
  const schema = z.toJSONSchema(type, {
    io: "input",
    unrepresentable: "any",
    override: ({ jsonSchema }) => {
      // What a schema does not name is dropped when it is read, so that nothing else need be written.
      if (jsonSchema.type === "object" && jsonSchema.properties !== undefined)
        jsonSchema.additionalProperties ??= false;
    },
  }) as Record<string, Json>;
  delete schema.$schema;
  const made = { schema, text: canonicalJson(schema) };
  wireSchemas.set(type, made);
  return made;
}

/** Whether a schema keeps to what OpenAI enforces: every member required, and no others. */
export function isStrict(schema: Json | undefined): boolean {
  if (Array.isArray(schema)) return schema.every(isStrict);
  if (typeof schema !== "object" || schema === null) return true;
  const node = schema as Readonly<Record<string, Json | undefined>>;
  if (node.type === "object") {
    const names = Object.keys((node.properties as object | undefined) ?? {});
    const required = new Set((node.required as readonly string[] | undefined) ?? []);
    if (node.additionalProperties !== false || !names.every((name) => required.has(name))) return false;
  }
  return Object.values(node).every(isStrict);
}

/**
 * The messages with the schema told in the last of the user's. It is told in every mode: some servers take a response format and
 * ignore it, and a model that is held to a schema without having seen it fills it badly. So a request is the same, and keeps its
 * name, whatever way its endpoint turns out to know.
 */
export function withSchemaTold(messages: readonly Message[], type: z.ZodType): Message[] {
  const note = `Reply with JSON alone, without anything before or after it, that fits this JSON Schema:\n${wireSchema(type).text}`;
  const at = messages.findLastIndex((message) => message.role === "user");
  if (at < 0) return [...messages, { role: "user", content: note }];
  return messages.map((m, i) =>
    i === at && m.role === "user" ? { ...m, content: `${m.content}\n\n${note}` } : m,
  );
}

export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: string };

/** The one value in a reply's text that fits. Several that fit and differ are none: which one is meant is not for us to guess. */
export function parseStructured<T>(text: string, { type }: Schema<T>): Parsed<T> {
  const values = jsonValuesIn(text);
  if (values.length === 0) return { ok: false, problem: "there is no JSON in it, or it is not whole" };
  const fitting = new Map<string, T>();
  let problem = "";
  for (const value of values) {
    const read = tryParse(type, value);
    if (read.ok) fitting.set(canonicalJson(value), read.value);
    else problem ||= read.problem;
  }
  if (fitting.size === 1) return { ok: true, value: [...fitting.values()][0]! };
  return { ok: false, problem: fitting.size > 1 ? "it holds several answers that differ" : problem };
}

function tryParse<T>(type: z.ZodType<T>, value: unknown): Parsed<T> {
  try {
    const result = type.safeParse(value);
    if (result.success) return { ok: true, value: result.data };
    const shown = result.error.issues
      .slice(0, SHOWN)
      .map((i) => `${i.path.join(".") || "the value"}: ${i.message}`);
    return { ok: false, problem: shown.join("; ") };
  } catch (error) {
    // A recursive schema on a value that nests thousands deep.
    if (error instanceof RangeError) return { ok: false, problem: "it nests too deeply" };
    throw error;
  }
}

/** The turns that give a reply which does not fit its one chance to mend itself. */
export function repairTurns(text: string, problem: string): Message[] {
  return [
    { role: "assistant", content: text === "" ? "(nothing)" : text },
    {
      role: "user",
      content: `That reply does not fit the JSON Schema: ${problem}.\nReply again with the corrected JSON alone.`,
    },
  ];
}
