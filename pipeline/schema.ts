import { z } from "zod";
import { cardSchema } from "../sources/card.js";
import { configSchema } from "./config.js";
import { DEFAULT_ORDER, defaultKind } from "./graph.js";
import type { Registry } from "./registry.js";

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** JSON Schema (2020-12) of configs, each stage kind's params in both forms. */
export function configJsonSchema(registry: Registry): JsonSchema {
  const schema = jsonSchema(configSchema);
  const params = Object.fromEntries(registry.all().map((s) => [s.kind, jsonSchema(s.params)]));
  const known = DEFAULT_ORDER.filter((id) => registry.has(defaultKind(id)));
  const definitions: Record<string, JsonSchema> = {};
  for (const stage of registry.all()) {
    const { own, schema } = lifted(stage.kind, params[stage.kind]!);
    Object.assign(definitions, own);
    definitions[stage.kind] = { description: stage.summary, ...bare(schema) };
  }
  const properties = schema.properties as Record<string, JsonSchema>;
  properties.stages = {
    type: "object",
    description: "Params by stage kind; the default graph wires the stages.",
    properties: Object.fromEntries(
      known.map((id) => [id, orNothing({ $ref: `#/$defs/${defaultKind(id)}` })]),
    ),
    additionalProperties: false,
  };
  const instance = (properties.graph as { items: JsonSchema }).items;
  properties.graph = {
    type: "array",
    description: "Stage instances, wired by `from`.",
    minItems: 1,
    items: { anyOf: registry.kinds().map((kind) => instanceOf(instance, kind)) },
  };
  return {
    ...schema,
    title: "Taskmill config",
    oneOf: [{ required: ["stages"] }, { required: ["graph"] }],
    $defs: { ...schema.$defs, ...definitions },
  };
}

function instanceOf(instance: JsonSchema, kind: string): JsonSchema {
  const properties = instance.properties as Record<string, JsonSchema>;
  return {
    ...instance,
    properties: { ...properties, stage: { const: kind }, params: orNothing({ $ref: `#/$defs/${kind}` }) },
  };
}

/** `lint:` with nothing behind it means no params. */
function orNothing(schema: JsonSchema): JsonSchema {
  return { anyOf: [schema, { type: "null" }] };
}

/** JSON Schema (2020-12) of source cards. */
export function cardJsonSchema(): JsonSchema {
  return { ...jsonSchema(cardSchema), title: "Taskmill source card" };
}

function jsonSchema(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
}

/** Definitions of a schema's own (of types that hold themselves) stand beside those of the whole, under the stage's name. */
function lifted(kind: string, schema: JsonSchema): { own: Record<string, JsonSchema>; schema: JsonSchema } {
  const text = JSON.stringify(schema).replaceAll('"#/$defs/', `"#/$defs/${kind}.`);
  const { $defs = {}, ...rest } = JSON.parse(text) as JsonSchema;
  const own = Object.entries($defs).map(([name, definition]) => [`${kind}.${name}`, definition] as const);
  return { own: Object.fromEntries(own) as Record<string, JsonSchema>, schema: rest };
}

function bare({ $schema: _, ...schema }: JsonSchema): JsonSchema {
  return schema;
}
