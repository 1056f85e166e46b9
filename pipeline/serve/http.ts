import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";
import { fail } from "../base/errors.js";
import { Bodies } from "./body.js";
import { bodyOf, Fault, faultOf } from "./fault.js";
import type { Guard } from "./guard.js";
import { issueText } from "./issue.js";
import { type Parts, routeOf } from "./routes.js";

/** Milliseconds that a client may take to send its headers and all of a request, and that a connection may lie idle. */
export interface Patience {
  readonly headers: number;
  readonly request: number;
  readonly idle: number;
}

/** A trainer's step lies between two requests on a connection; a call of a tool may take minutes. */
const PATIENCE: Patience = { headers: 10_000, request: 60_000, idle: 600_000 };
const KEEP_ALIVE = 65_000;
const MOST_CONNECTIONS = 2048;
/** Bytes of all bodies that are being read or answered. */
const ROOM = 256_000_000;
/** What is being answered gets this long when the server ends. */
const GRACE = 2000;

export interface HttpOptions {
  readonly parts: Parts;
  readonly patience?: Patience;
  readonly guard: Guard;
  /** Told of faults of our own. */
  readonly onInternal: (error: unknown) => void;
}

/** @throws TaskmillError (usage) for an address that cannot be listened on */
export async function listen(options: HttpOptions, host: string, port: number): Promise<Server> {
  const { patience = PATIENCE } = options;
  const bodies = new Bodies(ROOM);
  const times = {
    headersTimeout: patience.headers,
    requestTimeout: patience.request,
    connectionsCheckingInterval: Math.min(5000, patience.headers),
    keepAliveTimeout: KEEP_ALIVE,
  };
  const server = createServer(times, (request, response) => {
    answer(request, response, bodies, options).catch((error: unknown) => {
      options.onInternal(error);
      response.destroy();
    });
  });
  server.setTimeout(patience.idle);
  server.maxConnections = MOST_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(refused(error, host, port)));
    server.listen(port, host, resolve);
  });
  return server;
}

function refused(error: NodeJS.ErrnoException, host: string, port: number): unknown {
  const why = {
    EADDRINUSE: "is taken",
    EACCES: "may not be used",
    EADDRNOTAVAIL: "is not this machine's",
    ENOTFOUND: "is not known",
  };
  const what = why[error.code as keyof typeof why];
  if (what === undefined) return error;
  try {
    fail(
      "usage",
      "cannot_listen",
      `${host} port ${port} ${what}`,
      "give another with --port or --host; --port 0 takes a free one",
    );
  } catch (known) {
    return known;
  }
}

/** The address as a client writes it. */
export function addressOf(server: Server): {
  readonly url: string;
  readonly host: string;
  readonly port: number;
} {
  const { address, port, family } = server.address() as AddressInfo;
  return { url: `http://${family === "IPv6" ? `[${address}]` : address}:${port}`, host: address, port };
}

/** Takes no further connections; resolves when the last has ended or been cut. */
export async function shut(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const cut = setTimeout(() => server.closeAllConnections(), GRACE);
  await closed;
  clearTimeout(cut);
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  bodies: Bodies,
  { guard, parts, onInternal }: HttpOptions,
): Promise<void> {
  // Who goes away while it is written to is no fault.
  response.on("error", () => {});
  try {
    guard.check(request);
    // Taken as it came: what would have to be made simple first is not one of ours.
    const path = (request.url ?? "").split("?")[0]!;
    const route = routeOf(path, request.method ?? "", parts, onInternal);
    const body = await bodies.json(request, route.most, response);
    const result = await route.run(body, () => asWeb(path, request));
    if (result instanceof Response) await pass(result, response);
    else send(response, route.status ?? 200, result);
  } catch (error) {
    if (request.errored !== null || response.destroyed) return;
    const fault = error instanceof z.ZodError ? new Fault(400, "bad_body", issueText(error)) : faultOf(error);
    if (fault.status === 500 || fault.status === 502) onInternal(error);
    send(response, fault.status, bodyOf(fault), fault.headers);
  }
}

function asWeb(path: string, { method, headers }: IncomingMessage): Request {
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value] as [string, string]] : [],
  );
  return new Request(`http://localhost${path}`, { method, headers: pairs });
}

const HEADERS = { "cache-control": "no-store", "x-content-type-options": "nosniff" };

function send(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Fault["headers"] = {},
): void {
  if (response.headersSent || response.destroyed) return;
  const text = Buffer.from(JSON.stringify(value));
  response.writeHead(status, {
    ...HEADERS,
    "content-type": "application/json; charset=utf-8",
    "content-length": text.length,
    ...headers,
  });
  response.end(text);
}

/** Writes a web response, which may be a stream of events. */
async function pass(from: Response, response: ServerResponse): Promise<void> {
  response.writeHead(from.status, { ...HEADERS, ...Object.fromEntries(from.headers) });
  if (from.body === null) {
    response.end();
    return;
  }
  const reader = from.body.getReader();
  response.on("close", () => void reader.cancel().catch(() => {}));
  for (;;) {
    const { done, value } = await reader.read();
    if (done || response.destroyed) break;
    response.write(value);
  }
  response.end();
}
