import type { ServerResponse } from "node:http";
import { setTimeout } from "node:timers/promises";
import type { FaultName } from "./faults.js";
import { odd } from "./odd.js";
import { asEvents, asJson, type WholeReply } from "./reply.js";
import type { ServedRequest } from "./request.js";

/** How long `slow` waits beyond the server's own latency, in milliseconds. */
const SLOW = 60;

export interface Refusal {
  readonly status: number;
  readonly error: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

const rate = { message: "Rate limit reached for requests", type: "requests", code: "rate_limit_exceeded" };
const server = { message: "The server had an error", type: "server_error", code: null };

/** Faults that are an answer of the server, by status and error body. */
const REFUSALS: Readonly<Partial<Record<FaultName, Refusal>>> = {
  rate: { status: 429, error: rate },
  rate_retry_after: { status: 429, error: rate, headers: { "retry-after": "0" } },
  rate_retry_date: { status: 429, error: rate, headers: { "retry-after": "Tue, 14 Nov 2023 22:13:20 GMT" } },
  retry_after_600: { status: 429, error: rate, headers: { "retry-after": "600" } },
  server_500: { status: 500, error: server },
  server_503: { status: 503, error: { ...server, message: "Overloaded" } },
  auth: {
    status: 401,
    error: { message: "Incorrect API key provided", type: "invalid_request_error", code: "invalid_api_key" },
  },
  forbidden: {
    status: 403,
    error: { message: "The key has no access to this project", type: "invalid_request_error", code: null },
  },
  quota: {
    status: 429,
    error: {
      message: "You exceeded your current quota, please check your plan and billing details",
      type: "insufficient_quota",
      code: "insufficient_quota",
    },
  },
  payment: { status: 402, error: { message: "Insufficient credits", code: 402 } },
  model: {
    status: 404,
    error: { message: "The model does not exist", type: "invalid_request_error", code: "model_not_found" },
  },
  bad_request: {
    status: 400,
    error: { message: "Unsupported parameter: 'logit_bias'", type: "invalid_request_error", code: null },
  },
  context_length: {
    status: 400,
    error: {
      message: "This model's maximum context length is 4096 tokens, however you requested 5000 tokens",
      type: "invalid_request_error",
      code: "context_length_exceeded",
    },
  },
  filter_400: {
    status: 400,
    error: { message: "The prompt was filtered", type: null, code: "content_filter" },
  },
};

/** Writes a reply, or the fault in its place. */
export async function respond(
  res: ServerResponse,
  request: ServedRequest,
  reply: WholeReply,
  fault: FaultName | undefined,
): Promise<void> {
  const refused = refusalFor(fault);
  if (refused !== undefined) return refuse(res, refused);
  switch (fault) {
    case "hang":
      return;
    case "slow":
      await setTimeout(SLOW);
      return send(res, request, reply);
    case "reset":
      res.socket?.resetAndDestroy();
      return;
    case "reset_after_headers":
      res.writeHead(200, { "content-type": contentType(request) });
      res.flushHeaders();
      await setTimeout(1);
      res.socket?.resetAndDestroy();
      return;
    case "server_502_html":
      res.writeHead(502, { "content-type": "text/html" });
      res.end("<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>");
      return;
    case "cut":
      return cut(res, request, reply);
    case "cut_quietly":
      return cutQuietly(res, request, reply);
    case "invalid_json":
      return invalid(res, request);
    case "empty_body":
      res.writeHead(200, { "content-type": contentType(request) });
      res.end();
      return;
    case "error_body":
      return raw(res, request, { error: { message: "upstream provider failed", code: 502 } });
    case "empty_choices":
      return raw(res, request, { ...asJson(reply), choices: [] });
    default:
      return send(res, request, fault === undefined ? reply : odd(reply, fault));
  }
}

export function refusalFor(fault: FaultName | undefined): Refusal | undefined {
  return fault === undefined ? undefined : REFUSALS[fault];
}

export function refuse(res: ServerResponse, { status, error, headers }: Refusal): void {
  json(res, status, { error }, headers);
}

export function json(
  res: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  res.writeHead(status, { "content-type": "application/json", ...headers });
  res.end(JSON.stringify(body));
}

function streamed({ body }: ServedRequest): boolean {
  return body.stream === true;
}

function contentType(request: ServedRequest): string {
  return streamed(request) ? "text/event-stream" : "application/json";
}

function send(res: ServerResponse, request: ServedRequest, reply: WholeReply): void {
  if (!streamed(request)) {
    json(res, 200, asJson(reply));
    return;
  }
  const text = Buffer.from(asEvents(reply, request.body.stream_options?.include_usage === true).join(""));
  res.writeHead(200, { "content-type": "text/event-stream" });
  // Packets end anywhere, within a character too.
  const at = request.random.int(text.length);
  res.write(text.subarray(0, at));
  res.end(text.subarray(at));
}

/** One body that stands in place of the reply; streamed as the one event before the end. */
function raw(res: ServerResponse, request: ServedRequest, body: unknown): void {
  if (!streamed(request)) {
    json(res, 200, body);
    return;
  }
  res.writeHead(200, { "content-type": "text/event-stream" });
  res.end(`data: ${JSON.stringify(body)}\n\ndata: [DONE]\n\n`);
}

/** The connection breaks in the middle of the body. */
async function cut(res: ServerResponse, request: ServedRequest, reply: WholeReply): Promise<void> {
  const text = half(request, reply);
  res.writeHead(200, {
    "content-type": contentType(request),
    ...(streamed(request) ? {} : { "content-length": String(Buffer.byteLength(text) + 100) }),
  });
  await new Promise<void>((resolve) => res.write(text, () => resolve()));
  res.socket?.destroy();
}

function cutQuietly(res: ServerResponse, request: ServedRequest, reply: WholeReply): void {
  res.writeHead(200, { "content-type": contentType(request) });
  res.end(half(request, reply));
}

/** Of a stream the events before the finish reason; of a JSON text its first half. */
function half(request: ServedRequest, reply: WholeReply): string {
  if (!streamed(request)) {
    const text = JSON.stringify(asJson(reply));
    return text.slice(0, Math.floor(text.length / 2));
  }
  const events = asEvents(reply, false);
  return events.slice(0, Math.max(1, Math.floor((events.length - 2) / 2))).join("");
}

function invalid(res: ServerResponse, request: ServedRequest): void {
  res.writeHead(200, { "content-type": contentType(request) });
  res.end(streamed(request) ? 'data: {"choices": [{]}\n\ndata: [DONE]\n\n' : "{choices: [");
}
