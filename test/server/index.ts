import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import { Batches, type BatchPlan } from "./batches.js";
import { type FaultName, type FaultPlan, LASTING, PASSING } from "./faults.js";
import { odd } from "./odd.js";
import { asJson, type Brain, wholeReply } from "./reply.js";
import { type ChatBody, chatBody, keyOf, refusal, type ServedRequest, served } from "./request.js";
import { json, refusalFor, refuse, respond } from "./respond.js";

export * from "./brains.js";
export {
  always,
  type FaultName,
  type FaultPlan,
  first,
  LASTING,
  ODD,
  PASSING,
  seededFaults,
} from "./faults.js";
export type { Brain, BrainReply } from "./reply.js";
export type { ServedRequest } from "./request.js";

/**
 * A model server for tests: a real `node:http` server on a port of its own, that speaks
 *
 *     POST /v1/chat/completions   as JSON and as server-sent events
 *     GET  /v1/models
 *     POST /v1/files, GET /v1/files/ID, GET /v1/files/ID/content, DELETE /v1/files/ID
 *     POST /v1/batches, GET /v1/batches, GET /v1/batches/ID, POST /v1/batches/ID/cancel
 *
 * and refuses with 400 what a real endpoint would refuse.
 *
 *     const server = await startServer({
 *       brains: { "solver-1": solver(new Map([["How heavy is it?", "5 kg"]])), "guesser-1": guesser() },
 *       faults: seededFaults("seed", 0.3),
 *     });
 *     // config: models: { solver: { base_url: server.url, model: "solver-1" } }
 *     ...
 *     expect(server.twice()).toEqual([]);        // nothing was answered twice
 *     await server.close();
 *
 * **Brains.** The `model` of a request chooses its brain: `brain(request) → text or reply`. A brain is a pure function of the
 * request; what it draws, it draws from `request.random`, which depends on the body (and so on its seed) alone. With `differ: true` it
 * depends on the request's number too: identical requests get replies that differ, as those of a real model do, if the brain draws.
 *
 * **Faults.** `faults(request, attempt)` names the fault that a try meets; `seededFaults(seed, share)` draws them, `always(fault)` and
 * `first(...faults)` are for tests of one. `PASSING` faults go away with tries, `LASTING` ones stay, `ODD` ones are whole
 * replies of an unexpected form (to keep a dataset the same, give these by request and not by try).
 *
 * **Counts.** `requests` has each chat request in order with what became of it; `asked(key)` how many with that key came; `twice()`
 * the keys that were answered in full more than once, which pay-once forbids.
 */
export interface ServerOptions {
  readonly brains: Readonly<Record<string, Brain>>;
  readonly faults?: FaultPlan;
  /** Milliseconds before each reply, or a function of the request. */
  readonly latency?: number | ((request: ServedRequest) => number);
  /** Identical requests get replies of their own. */
  readonly differ?: boolean;
  /** The key that requests must bear; any or none by default. */
  readonly key?: string;
  /** What the endpoint makes of `response_format`: takes all, knows no schemas, knows none, or lets it pass unread. */
  readonly structured?: "json_schema" | "json_object" | "refused" | "ignored";
  /** Most tokens of a prompt (four characters each). */
  readonly context?: number;
  readonly batches?: BatchPlan;
  /** A port to come back to, for servers that go away for a while. */
  readonly port?: number;
}

export interface Seen {
  readonly key: string;
  readonly model: string;
  readonly body: ChatBody;
  readonly attempt: number;
  readonly fault?: FaultName;
  readonly by: "call" | "batch";
  /** `answered`: the reply was written whole. `gone`: the client had closed the connection before. */
  state: "open" | "answered" | "fault" | "gone";
  /** Content of the reply, once there is one. */
  content?: string | null;
}

export interface TestServer {
  /** Base URL, with `/v1`. */
  readonly url: string;
  readonly port: number;
  readonly requests: readonly Seen[];
  readonly batches: { readonly jobs: number; readonly lines: number };
  /** Paths of all HTTP requests, e.g. `GET /v1/models`. */
  readonly paths: readonly string[];
  /** Most requests that were open at the same time. */
  readonly peak: number;
  open(): number;
  asked(key: string): number;
  /** Keys whose requests were answered more than once. */
  twice(): string[];
  close(): Promise<void>;
}

export async function startServer(options: ServerOptions): Promise<TestServer> {
  const server = new ModelServer(options);
  await server.listen();
  return server;
}

class ModelServer implements TestServer {
  readonly requests: Seen[] = [];
  readonly paths: string[] = [];
  readonly batches: Batches;
  port = 0;
  peak = 0;
  #open = 0;
  readonly #asked = new Map<string, number>();
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((req, res) => void this.#handle(req, res));

  constructor(private readonly options: ServerOptions) {
    this.batches = new Batches(options.batches ?? (() => "completed"), (body, expires) =>
      this.#line(body, expires),
    );
    this.#server.on("connection", (socket) => {
      this.#sockets.add(socket);
      socket.on("error", () => {}).once("close", () => this.#sockets.delete(socket));
    });
  }

  listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject).listen(this.options.port ?? 0, "127.0.0.1", () => {
        this.port = (this.#server.address() as AddressInfo).port;
        resolve();
      });
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/v1`;
  }

  open(): number {
    return this.#open;
  }

  asked(key: string): number {
    return this.#asked.get(key) ?? 0;
  }

  twice(): string[] {
    const answered = new Map<string, number>();
    for (const { key, state } of this.requests)
      if (state === "answered") answered.set(key, (answered.get(key) ?? 0) + 1);
    return [...answered].filter(([, n]) => n > 1).map(([key]) => key);
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      for (const socket of this.#sockets) socket.destroy();
    });
  }

  async #handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    try {
      const path = new URL(req.url ?? "/", "http://127.0.0.1").pathname;
      this.paths.push(`${req.method} ${path}`);
      const body = await readAll(req);
      if (!this.#admitted(req)) return refuse(res, UNAUTHORIZED);
      if (req.method === "GET" && path === "/v1/models") return this.#models(res);
      if (req.method === "POST" && path === "/v1/chat/completions") return await this.#chat(parse(body), res);
      const type = req.headers["content-type"] ?? "";
      if (await this.batches.handle(req.method ?? "", path, body, type, res)) return;
      json(res, 404, {
        error: { message: `Invalid URL (${req.method} ${path})`, type: "invalid_request_error" },
      });
    } catch (error) {
      // A brain that throws is a mistake in a test; it must not look like a fault of the network.
      if (!res.headersSent) json(res, 418, { error: { message: `test server: ${String(error)}` } });
      else res.destroy();
    }
  }

  #admitted(req: IncomingMessage): boolean {
    return this.options.key === undefined || req.headers.authorization === `Bearer ${this.options.key}`;
  }

  #models(res: ServerResponse): void {
    const data = Object.keys(this.options.brains).map((id) => ({ id, object: "model", owned_by: "test" }));
    json(res, 200, { object: "list", data });
  }

  async #chat(given: unknown, res: ServerResponse): Promise<void> {
    const body = this.#checked(given);
    if ("status" in body) return refuse(res, body);
    const { request, seen } = this.#enter(body.body, "call");
    this.#open++;
    this.peak = Math.max(this.peak, this.#open);
    res.once("close", () => {
      this.#open--;
      if (seen.state === "open") seen.state = "gone";
    });
    await this.#wait(request);
    const reply = await this.#reply(request);
    if (res.destroyed) return;
    seen.content = reply.message.content;
    if (isAnswer(seen.fault)) res.once("finish", () => note(seen, "answered"));
    else note(seen, "fault");
    await respond(res, request, reply, seen.fault);
  }

  async #line(given: unknown, expires: boolean): Promise<{ status: number; body: unknown } | undefined> {
    const body = this.#checked(given);
    if ("status" in body) return { status: body.status, body: { error: body.error } };
    const { request, seen } = this.#enter(body.body, "batch");
    seen.state = expires ? "gone" : isAnswer(seen.fault) ? "answered" : "fault";
    if (expires) return undefined;
    const refused = refusalFor(seen.fault);
    if (refused !== undefined) return { status: refused.status, body: { error: refused.error } };
    if (!isAnswer(seen.fault)) return { status: 500, body: { error: { message: "failed in the batch" } } };
    const reply = await this.#reply(request);
    seen.content = reply.message.content;
    return { status: 200, body: asJson(seen.fault === undefined ? reply : odd(reply, seen.fault)) };
  }

  #enter(body: ChatBody, by: Seen["by"]): { request: ServedRequest; seen: Seen } {
    const key = keyOf(body);
    const attempt = this.asked(key);
    this.#asked.set(key, attempt + 1);
    const request = served(body, {
      attempt,
      nth: this.requests.length,
      differ: this.options.differ ?? false,
    });
    const fault = this.options.faults?.(request, attempt);
    const seen: Seen = { key, model: body.model, body, attempt, fault, by, state: "open" };
    this.requests.push(seen);
    return { request, seen };
  }

  async #wait(request: ServedRequest): Promise<void> {
    const { latency } = this.options;
    const ms = typeof latency === "function" ? latency(request) : (latency ?? 0);
    if (ms > 0) await setTimeout(ms);
  }

  async #reply(request: ServedRequest) {
    return wholeReply(request, await this.options.brains[request.model]!(request));
  }

  /** The body, or why it is refused. */
  #checked(given: unknown): { readonly body: ChatBody } | ReturnType<typeof bad> {
    const parsed = chatBody.safeParse(given);
    if (!parsed.success) return bad(parsed.error.issues[0]!.message);
    const { data } = parsed;
    if (this.options.brains[data.model] === undefined)
      return bad(`The model \`${data.model}\` does not exist`, "model_not_found", 404);
    const wrong = refusal(data) ?? this.#formatRefused(data);
    if (wrong !== undefined) return bad(wrong, undefined, 400);
    const tokens = data.messages.reduce((sum, m) => sum + (m.content ?? "").length / 4, 0);
    const most = this.options.context ?? Number.POSITIVE_INFINITY;
    if (tokens > most)
      return bad(
        `maximum context length is ${most} tokens, but ${Math.ceil(tokens)} came`,
        "context_length_exceeded",
      );
    return { body: data };
  }

  #formatRefused({ response_format: format }: ChatBody): string | undefined {
    const type = format?.type;
    const structured = this.options.structured ?? "json_schema";
    if (type === undefined || type === "text" || structured === "ignored" || structured === "json_schema")
      return undefined;
    if (structured === "json_object" && type === "json_object") return undefined;
    return `Invalid parameter: 'response_format' of type '${type}' is not supported with this model.`;
  }
}

const UNAUTHORIZED = {
  status: 401,
  error: { message: "Incorrect API key provided", type: "invalid_request_error", code: "invalid_api_key" },
};

/** Faults that stand in the place of a whole reply. */
const NO_REPLY: ReadonlySet<FaultName> = new Set(
  [...PASSING, ...LASTING].filter((fault) => fault !== "slow"),
);

function isAnswer(fault: FaultName | undefined): boolean {
  return fault === undefined || !NO_REPLY.has(fault);
}

function note(seen: Seen, state: Seen["state"]): void {
  seen.state = state;
}

function bad(message: string, code: string | undefined = undefined, status = 400) {
  return { status, error: { message, type: "invalid_request_error", code: code ?? null, param: null } };
}

async function readAll(req: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of req) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}
