import { bool, float64, int64, json, list, nullable, struct, text } from "./kinds.js";

/** What an agent saw and said in one segment of a rollout, as the model saw it. */
export const messages = list(
  struct({
    role: text,
    content: text,
    /** Of the assistant, kept apart from what it said. */
    reasoning: nullable(text),
    /** Name of the tool, for role `tool`. */
    name: nullable(text),
    /** JSON text: list of {id, name, arguments}; `arguments` is the provider's text, byte for byte. */
    tool_calls: nullable(json),
    tool_call_id: nullable(text),
    /** Whether a trainer learns from this message: the assistant's own only, each in one segment. */
    loss: bool,
  }),
);

/** Token ids of a segment, where the endpoint gave them; all lists are of one length. */
export const tokens = nullable(
  struct({
    ids: list(int64),
    /** True for the tokens that the model drew. */
    loss: list(bool),
    /** Of the tokens that the model drew; null elsewhere, or where the endpoint gave none. */
    logprobs: list(nullable(float64)),
    /** JSON text: for each turn its routes through experts in the endpoint's own form, or null. */
    experts: nullable(json),
  }),
);
