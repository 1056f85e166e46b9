import { describe, expect, it } from "vitest";
import type { RecordedReply } from "../../../pipeline/models/call.js";
import { readAnswer, readReply } from "../../../pipeline/models/read-reply.js";
import { StreamedBody } from "../../../pipeline/models/read-stream.js";
import { hideKey, hideSecrets } from "../../../pipeline/models/redact.js";
import { type Fault, ProviderError } from "../../../pipeline/models/transport.js";

const body = (message: object, finish: string | null = "stop", more: object = {}) => ({
  model: "m-1",
  choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason: finish }],
  usage: { prompt_tokens: 12, completion_tokens: 5 },
  ...more,
});
const read = (value: unknown): RecordedReply => readReply(value, undefined);
const call = (id: unknown, args: unknown, name = "search") => ({
  id,
  type: "function",
  function: { name, arguments: args },
});

function faultOf(work: () => unknown): ProviderError {
  try {
    work();
  } catch (error) {
    if (error instanceof ProviderError) return error;
    throw error;
  }
  throw new Error("no fault");
}

describe("a reply", () => {
  it("keeps text, model and usage", () => {
    expect(read(body({ content: "5 kg" }))).toEqual({
      finish: "stop",
      text: "5 kg",
      reasoning: "",
      tool_calls: [],
      note: "",
      model: "m-1",
      usage: { input: 12, cached_input: null, output: 5, reasoning: null },
    });
  });

  it.each([
    ["/srv/weights/gemma.gguf", "gemma.gguf"],
    ["C:\\\\models\\\\q4.gguf", "q4.gguf"],
    ["~/m.gguf", "m.gguf"],
    ["meta-llama/Llama-3.3-70B-Instruct", "meta-llama/Llama-3.3-70B-Instruct"],
  ])("names the model %j without the folders of the endpoint's machine", (model, name) => {
    expect(read(body({ content: "5 kg" }, "stop", { model })).model).toBe(name);
  });

  it("takes tool arguments as an object or as text, and usage that is absent as unknown", () => {
    const message = {
      content: null,
      tool_calls: [call("a", { q: "x" }), call("b", '{"q":"y"}'), call("c", "")],
    };
    const reply = read(body(message, "tool_calls", { usage: undefined }));
    expect(reply.finish).toBe("tool_calls");
    expect(reply.tool_calls.map((c) => c.arguments)).toEqual(['{"q":"x"}', '{"q":"y"}', "{}"]);
    expect(reply.usage).toEqual({ input: null, cached_input: null, output: null, reasoning: null });
  });

  it("makes tool ids distinct, in order", () => {
    const ids = (...given: unknown[]) =>
      read(
        body({ content: null, tool_calls: given.map((id) => call(id, "{}")) }, "tool_calls"),
      ).tool_calls.map((c) => c.id);
    expect(ids("c1", "c1")).toEqual(["c1", "c1_3"]);
    expect(ids("", "")).toEqual(["call_1", "call_2"]);
    expect(new Set(ids("call_2", "", null, "call_2", "call_2_5")).size).toBe(5);
  });

  it("is truncated when a tool call's arguments are no JSON, whatever its finish reason says", () => {
    const reply = read(body({ content: null, tool_calls: [call("c", '{"q":"dens')] }, "tool_calls"));
    expect(reply.finish).toBe("length");
  });

  it("keeps reasoning apart", () => {
    const parts = (message: object) => {
      const { text, reasoning } = read(body(message));
      return [text, reasoning];
    };
    expect(parts({ content: "a", reasoning_content: "r" })).toEqual(["a", "r"]);
    expect(parts({ content: "a", reasoning: "r" })).toEqual(["a", "r"]);
    expect(parts({ content: "\n<think>\nr\n</think>\n\na" })).toEqual(["a", "r"]);
    expect(parts({ content: "r</think>a" })).toEqual(["a", "r"]);
    expect(parts({ content: "<think>r" })).toEqual(["", "r"]);
    expect(parts({ content: "the tag <think> is x</think>" })).toEqual(["the tag <think> is x</think>", ""]);
    const magistral = [
      { type: "thinking", thinking: [{ type: "text", text: "r" }] },
      { type: "text", text: "a" },
    ];
    expect(parts({ content: magistral })).toEqual(["a", "r"]);
  });

  it("counts the prompt cache and reasoning, and believes no impossible zero", () => {
    const usage = (given: object) => read(body({ content: "a" }, "stop", { usage: given })).usage;
    const detailed = {
      prompt_tokens: 10,
      completion_tokens: 8,
      prompt_tokens_details: { cached_tokens: 6 },
      completion_tokens_details: { reasoning_tokens: 7 },
    };
    expect(usage(detailed)).toEqual({ input: 10, cached_input: 6, output: 8, reasoning: 7 });
    expect(usage({ prompt_tokens: 9, completion_tokens: 1, prompt_cache_hit_tokens: 4 })).toMatchObject({
      cached_input: 4,
    });
    const nothing = { input: null, cached_input: null, output: null, reasoning: null };
    expect(
      usage({ prompt_tokens: 0, completion_tokens: 0, prompt_tokens_details: { cached_tokens: 0 } }),
    ).toEqual(nothing);
    expect(usage({ prompt_tokens: -1, completion_tokens: "8" })).toEqual(nothing);
  });

  it("ends as a refusal, by a filter or at the limit", () => {
    expect(read(body({ content: null, refusal: "No." }))).toMatchObject({ finish: "refusal", note: "No." });
    expect(read(body({ content: "ab" }, "content_filter"))).toMatchObject({
      finish: "content_filter",
      text: "ab",
    });
    expect(read(body({ content: null }, "length"))).toMatchObject({ finish: "length", text: "" });
    expect(read(body({ content: "x" }, "eos"))).toMatchObject({ finish: "stop" });
  });

  it("has well-formed text", () => {
    expect(read(body({ content: "a\ud800b 😀" })).text).toBe("a\ufffdb 😀");
  });

  it.each([
    ["no finish reason", body({ content: "a" }, null)],
    ["an unknown end", body({ content: "a" }, "error")],
    ["null content", body({ content: null })],
    ["null content behind reasoning", body({ content: null, reasoning: "r" })],
    ["empty choices", { ...body({}), choices: [] }],
    ["no choices", { id: "x" }],
    ["an error body", { error: { message: "upstream died", code: 502 } }],
    ["an error text", { error: "oops" }],
    ["null", null],
    ["a list", []],
    ["a tool call without a name", body({ tool_calls: [call("c", "{}", "")] }, "tool_calls")],
  ])("is none with %s", (_what, value) => {
    expect(faultOf(() => read(value)).fault).toBe("malformed");
  });

  it("may be an error of its own kind under status 200", () => {
    const inBody = (code: number, message: string) => faultOf(() => read({ error: { code, message } })).fault;
    expect(inBody(429, "rate-limited upstream")).toBe("rate");
    expect(inBody(402, "Insufficient credits")).toBe("quota");
    expect(inBody(401, "No auth credentials found")).toBe("auth");
  });
});

describe("an error answer", () => {
  const openai = (message: string, code: string | null = null, type = "invalid_request_error") => ({
    error: { message, type, param: null, code },
  });
  const faults: [Fault, number, unknown][] = [
    ["auth", 401, openai("Incorrect API key provided: sk-abcde***wxyz", "invalid_api_key")],
    ["auth", 403, { error: { message: "Forbidden" } }],
    ["auth", 400, { error: { code: 400, message: "API key not valid. Please pass a valid API key." } }],
    ["auth", 401, { error: "unauthorized" }],
    ["quota", 429, openai("You exceeded your current quota", "insufficient_quota", "insufficient_quota")],
    ["quota", 402, { error: { code: 402, message: "Insufficient credits" } }],
    ["quota", 400, openai("Your credit balance is too low to access the API")],
    [
      "rate",
      429,
      openai("Rate limit reached for gpt-x in organization org-1 on tokens per min", "rate_limit_exceeded"),
    ],
    ["rate", 429, "Too Many Requests"],
    [
      "model",
      404,
      openai("The model `x` does not exist or you do not have access to it.", "model_not_found"),
    ],
    [
      "model",
      404,
      { object: "error", message: "The model `x` does not exist.", type: "NotFoundError", code: 404 },
    ],
    ["model", 404, { error: 'model "x" not found, try pulling it first' }],
    ["model", 404, { error: { message: "No endpoints found for a/b.", code: 404 } }],
    ["model", 400, { error: { message: "a/b is not a valid model ID", code: 400 } }],
    ["connection", 404, { detail: "Not Found" }],
    ["connection", 404, { error: { code: 404, message: "File Not Found", type: "not_found_error" } }],
    ["connection", 404, openai("Invalid URL (POST /v2/chat/completions)")],
    ["connection", 404, "<html><body><h1>404 Not Found</h1></body></html>"],
    ["connection", 405, ""],
    ["timeout", 408, { error: { message: "Your request timed out", code: 408 } }],
    ["server", 500, openai("The server had an error", null, "server_error")],
    ["server", 502, "<html><head><title>502 Bad Gateway</title></head></html>"],
    ["server", 503, { error: { code: 503, message: "Loading model", type: "unavailable_error" } }],
    ["bad_request", 400, openai("Unsupported parameter: 'logit_bias'")],
    ["bad_request", 422, { detail: [{ loc: ["body", "seed"], msg: "Input should be a valid integer" }] }],
    [
      "bad_request",
      400,
      openai(
        "'max_tokens' is too large: 5000. This model's maximum context length is 4096 tokens",
        null,
        "BadRequestError",
      ),
    ],
  ];
  it.each(faults)("is %s for %i %j", (fault, status, value) => {
    const error = faultOf(() => readAnswer(status, value, undefined));
    expect(error.fault).toBe(fault);
    expect(error.status).toBe(status);
  });

  it.each([
    [
      400,
      openai(
        "This model's maximum context length is 4096 tokens. However, you requested 5000",
        "context_length_exceeded",
      ),
    ],
    [
      400,
      {
        object: "error",
        message:
          "This model's maximum context length is 16384 tokens. However, you requested 122946 tokens (112946 in the messages, 10000 in the completion). Please reduce the length of the messages or completion.",
        code: 400,
      },
    ],
    [
      400,
      {
        error: {
          code: 400,
          message: "the request exceeds the available context size, try increasing it",
          type: "exceed_context_size_error",
        },
      },
    ],
    [
      400,
      {
        object: "error",
        message: "The input (9000 tokens) is longer than the model's context length (4096 tokens).",
      },
    ],
    [413, { error: { message: "prompt is too long: 213462 tokens > 200000 maximum" } }],
    [
      422,
      {
        error: "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096",
        error_type: "validation",
      },
    ],
    [
      500,
      {
        error: {
          message: "Requested tokens (700) exceed context window of 512",
          type: "internal_server_error",
        },
      },
    ],
  ])("is the row's end for %i %j", (status, value) => {
    expect(readAnswer(status, value, undefined)).toMatchObject({ finish: "context_length", text: "" });
  });

  it.each([
    [
      400,
      {
        error: {
          code: "content_filter",
          message: "The response was filtered",
          innererror: { code: "ResponsibleAIPolicyViolation" },
        },
      },
    ],
    [
      400,
      openai(
        "Invalid prompt: your prompt was flagged as potentially violating our usage policy.",
        "invalid_prompt",
      ),
    ],
    [
      403,
      {
        error: {
          code: 403,
          message: "Input flagged",
          metadata: { reasons: ["violence"], flagged_input: "x" },
        },
      },
    ],
  ])("is a filter's for %i %j", (status, value) => {
    expect(readAnswer(status, value, undefined)).toMatchObject({ finish: "content_filter" });
  });

  it("holds no secret", () => {
    const key = "my-very-own-key-123";
    const text = `bad key ${key}, Authorization: Bearer abc.def, sk-proj-AbCd1234567890, http://u:p@host/v1?api_key=zzz`;
    const { message } = faultOf(() => readAnswer(401, { error: { message: text } }, key));
    for (const secret of [key, "abc.def", "AbCd1234567890", "u:p", "zzz"])
      expect(message).not.toContain(secret);
  });
});

describe("redaction", () => {
  it("hides the key alone in a model's text, and leaves placeholders of local servers be", () => {
    expect(hideKey("secret-key-1")("it is secret-key-1, sk-abcdefgh123")).toBe(
      "it is [secret], sk-abcdefgh123",
    );
    expect(hideKey("none")("there are none")).toBe("there are none");
    expect(hideSecrets(undefined)("sk-abcdefgh123")).toBe("[secret]");
    expect(readReply(body({ content: "key: secret-key-1" }), "secret-key-1").text).toBe("key: [secret]");
  });
});

describe("a stream", () => {
  const chunk = (delta: object, finish: string | null = null) => ({
    model: "m-1",
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const whole = (...chunks: unknown[]): RecordedReply => {
    const stream = new StreamedBody();
    for (const c of chunks) stream.add(c);
    return read(stream.body());
  };

  it("is put together, halves of a character too", () => {
    const usage = { prompt_tokens: 3, completion_tokens: 2 };
    const reply = whole(
      chunk({ role: "assistant", content: "" }),
      chunk({ reasoning_content: "r" }),
      chunk({ content: "a\ud83d" }),
      chunk({ content: "\ude00" }, "stop"),
      { choices: [], usage },
    );
    expect(reply).toMatchObject({
      text: "a😀",
      reasoning: "r",
      finish: "stop",
      usage: { input: 3, output: 2 },
    });
  });

  it("without a usage event has an unknown usage, not zero", () => {
    expect(whole(chunk({ content: "a" }), chunk({ content: "b" }, "stop")).usage.output).toBeNull();
  });

  it("gathers tool calls by index, by order, and where all have one index", () => {
    const delta = (
      index: number | undefined,
      id: string | undefined,
      name: string | undefined,
      args: string,
    ) => chunk({ tool_calls: [{ index, id, function: { name, arguments: args } }] });
    const twoCalls = [
      ["search", '{"q":"x"}'],
      ["page", '{"p":1}'],
    ];
    const calls = (...chunks: unknown[]) =>
      whole(...chunks, chunk({}, "tool_calls")).tool_calls.map((c) => [c.name, c.arguments]);
    expect(
      calls(
        delta(0, "a", "search", ""),
        delta(1, "b", "page", '{"p"'),
        delta(0, undefined, undefined, '{"q":"x"}'),
        delta(1, undefined, undefined, ":1}"),
      ),
    ).toEqual(twoCalls);
    expect(calls(delta(0, "a", "search", '{"q":"x"}'), delta(0, "b", "page", '{"p":1}'))).toEqual(twoCalls);
    expect(
      calls(delta(undefined, "", "search", '{"q":"x"}'), delta(undefined, "", "page", '{"p":1}')),
    ).toEqual(twoCalls);
  });

  it("that is cut off is no reply; one whose arguments are cut is truncated", () => {
    expect(faultOf(() => whole(chunk({ content: "a" }))).fault).toBe("malformed");
    expect(
      faultOf(() => whole(chunk({ content: "a" }), { error: { message: "died", code: 502 } })).fault,
    ).toBe("malformed");
    expect(faultOf(() => whole()).fault).toBe("malformed");
    const cut = chunk({
      tool_calls: [{ index: 0, id: "a", function: { name: "search", arguments: '{"q":"dens' } }],
    });
    expect(whole(cut, chunk({}, "tool_calls")).finish).toBe("length");
  });
});

describe("a key that an endpoint repeats", () => {
  // Of no known form: it is found as a whole only.
  const key = "q8w7e6r5t4y3u2i1";
  const message = (extra: object, finish_reason = "stop") => ({
    choices: [{ message: { content: "", ...extra }, finish_reason }],
  });

  it("is not half kept where a long error is cut", () => {
    for (let pad = 570; pad < 600; pad++) {
      const error = { message: `${"x ".repeat(pad / 2)}${key}` };
      for (const read of [
        () => readAnswer(500, { error }, key),
        () => readReply({ error }, key),
        () => readAnswer(502, `<p>${error.message}</p>`, key),
      ])
        expect(faultOf(read).message).not.toContain(key.slice(0, 4));
    }
  });

  it("is hidden in every text of a reply", () => {
    const call = { id: `call-${key}`, function: { name: key, arguments: `{"k":"${key}"}` } };
    const reply = readReply(
      { ...message({ content: key, reasoning: key, tool_calls: [call] }), model: key },
      key,
    );
    expect(JSON.stringify(reply)).not.toContain(key);
    expect(reply.tool_calls).toEqual([
      { id: "call-[secret]", name: "[secret]", arguments: '{"k":"[secret]"}' },
    ]);
    expect(faultOf(() => readReply(message({}, key), key)).message).toContain("it ended by `[secret]`");
  });
});
