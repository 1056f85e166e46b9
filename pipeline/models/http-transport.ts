import type OpenAI from "openai";
import { LONGEST_WAIT } from "../base/clock.js";
import type { RecordedReply } from "./call.js";
import { faultIn, LONGEST, linesIn, openEndpoint, refusalIn, textOf, tooLong, wordsOf } from "./endpoint.js";
import { parseJson } from "./json-text.js";
import { readAnswer, readReply } from "./read-reply.js";
import { StreamedBody } from "./read-stream.js";
import type { Role } from "./role.js";
import { ProviderError, type Transport, type WireCall } from "./transport.js";

/**
 * Sends calls one by one to `/chat/completions`. A call that is out is not called back by the signal, which only keeps new ones in:
 * it will be billed in any case, so that its reply is waited for and kept.
 */
export function httpTransport(role: Pick<Role, "spec" | "key">): Transport {
  return new HttpTransport(role);
}

class HttpTransport implements Transport {
  readonly #client: OpenAI;

  constructor(private readonly role: Pick<Role, "spec" | "key">) {
    // The SDK's own clock stops at the headers; ours runs until the last byte.
    this.#client = openEndpoint(role, LONGEST_WAIT);
  }

  async send(call: WireCall, signal: AbortSignal): Promise<RecordedReply> {
    signal.throwIfAborted();
    const { spec, key } = this.role;
    // Not `AbortSignal.timeout`: with a listener on it, it holds on to the whole exchange until its time is over.
    const clock = new AbortController();
    const timer = setTimeout(() => clock.abort(), Math.min(spec.limits.timeout * 1000, LONGEST_WAIT));
    try {
      return readReply(await this.#exchange(call, clock.signal), key);
    } catch (error) {
      if (error instanceof ProviderError) throw error;
      const refused = refusalIn(error);
      if (refused !== undefined) return readAnswer(refused.status, refused.body, key, refused.retryAfter);
      if (clock.signal.aborted) throw new ProviderError("timeout", `no end after ${spec.limits.timeout} s`);
      throw faultIn(error, key);
    } finally {
      clearTimeout(timer);
    }
  }

  /** @returns the JSON of a reply, be it streamed or not */
  async #exchange({ body }: WireCall, signal: AbortSignal): Promise<unknown> {
    const { spec, key } = this.role;
    const asked = spec.stream
      ? { ...(body as object), stream: true, stream_options: { include_usage: true } }
      : body;
    const response = await this.#client.post("/chat/completions", { body: asked, signal }).asResponse();
    try {
      // A server that does not stream answers as if it had not been asked to.
      const streamed =
        spec.stream && !/^application\/json\b/i.test(response.headers.get("content-type") ?? "");
      return streamed ? await gathered(response, signal) : parsed(await textOf(response, LONGEST));
    } catch (error) {
      if (error instanceof ProviderError || signal.aborted) throw error;
      // The connection broke after the endpoint had begun to answer: the call has most likely been billed.
      const words = `the reply is not whole: its connection broke (${wordsOf(error, key)})`;
      throw new ProviderError("malformed", words, 200);
    }
  }
}

/** Puts server-sent events together up to `[DONE]`. Chat endpoints send each in one line of data; comments keep the line open. */
async function gathered(response: Response, signal: AbortSignal): Promise<unknown> {
  const whole = new StreamedBody();
  for await (const line of linesIn(response)) {
    signal.throwIfAborted();
    const data = line.startsWith("data:") ? line.slice("data:".length).trim() : "";
    if (data === "[DONE]") break;
    if (data === "") continue;
    whole.add(parseJson(data) ?? "an event that is no JSON");
    if (whole.length > LONGEST) throw tooLong();
  }
  return whole.body();
}

function parsed(text: string): unknown {
  const value = parseJson(text);
  if (value !== undefined) return value;
  const what = text.trim() === "" ? "an empty body" : "a body that is no JSON";
  throw new ProviderError("malformed", `the reply is not whole: ${what}`, 200);
}
