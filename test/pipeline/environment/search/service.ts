import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";
import type { Clock } from "../../../../pipeline/base/clock.js";
import { TaskmillError } from "../../../../pipeline/base/errors.js";
import { environmentSpec } from "../../../../pipeline/environment/spec.js";
import type { ToolContext } from "../../../../pipeline/environment/tool.js";
import type { Firewall } from "../../../../verifiers/firewall/firewall.js";

/** What a service was asked. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingMessage["headers"];
  readonly body: unknown;
}

/** An answer: a status, a body (JSON unless it is a text) and headers; or "hang", or "break". */
export type Answer = { status?: number; body?: unknown; headers?: Record<string, string> } | "hang" | "break";

export interface FakeService {
  readonly base: string;
  readonly asked: Asked[];
}

const closing: (() => void)[] = [];
afterAll(() => {
  for (const close of closing) close();
});

/** A server that gives answers in turn, the last one for ever. */
export async function serve(...answers: Answer[]): Promise<FakeService> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const url = new URL(request.url!, "http://x");
    let text = "";
    for await (const chunk of request) text += chunk;
    asked.push({
      method: request.method!,
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: request.headers,
      body: text === "" ? undefined : JSON.parse(text),
    });
    const answer = answers[Math.min(asked.length, answers.length) - 1]!;
    if (answer === "hang") return;
    if (answer === "break") {
      request.socket.destroy();
      return;
    }
    const { status = 200, body = "", headers = {} } = answer;
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

export const KEY = "tvly-very-secret-0123456789";

/** Keeps back addresses of a host and texts that say `copied`. */
export const firewall: Firewall = {
  rules: [],
  hash: "",
  blocks: (url) => (url.includes("blocked.example") ? "publisher of planets" : undefined),
  copies: (text) => (text.includes("copied") ? "copy of planets: 20 of 40 rows" : undefined),
};

export function contextOf(search: Record<string, unknown>, more: Partial<ToolContext> = {}): ToolContext {
  return {
    spec: environmentSpec.parse({ tools: ["search"], search }),
    firewall,
    corpus: undefined,
    secret: (variable) => (variable === "NO_SUCH_KEY" ? undefined : KEY),
    signal: new AbortController().signal,
    ...more,
  };
}

/** A clock that notes how long it was asked to wait, in seconds, and does not wait. */
export function quickClock(): Clock & { readonly waits: number[] } {
  const waits: number[] = [];
  return {
    waits,
    now: () => 0,
    random: () => 0.5,
    sleep: async (milliseconds, signal) => {
      signal.throwIfAborted();
      waits.push(milliseconds / 1000);
    },
  };
}

export async function failure(work: Promise<unknown> | (() => unknown)): Promise<TaskmillError> {
  try {
    await (typeof work === "function" ? work() : work);
  } catch (error) {
    if (error instanceof TaskmillError) return error;
    throw error;
  }
  throw new Error("it did not fail");
}
