import {
  type Asker,
  type CallIdentity,
  type CallRecord,
  callKey,
  type RecordedReply,
} from "../../../pipeline/models/call.js";

export function identityOf(n: number, more: Partial<CallIdentity> = {}): CallIdentity {
  return {
    endpoint: "http://localhost:8000/v1",
    model: "m",
    revision: null,
    messages: [{ role: "user", content: `question ${n}` }],
    tools: [],
    sampling: { temperature: 1, max_tokens: 100 },
    response_format: null,
    sample: 0,
    ...more,
  };
}

export function replyOf(text: string, more: Partial<RecordedReply> = {}): RecordedReply {
  return {
    finish: "stop",
    text,
    reasoning: "",
    tool_calls: [],
    note: "",
    model: "m-1",
    usage: { input: 10, cached_input: 4, output: 3, reasoning: null },
    ...more,
  };
}

export function callOf(n: number, text = `answer ${n}`, more: Partial<RecordedReply> = {}): CallRecord {
  const identity = identityOf(n);
  return { key: callKey(identity), identity, reply: replyOf(text, more) };
}

export const askerOf = (n: number, more: Partial<Asker> = {}): Asker => ({
  role: "prober",
  instance: "probe",
  row: `row-${n}`,
  sample: 0,
  ...more,
});
