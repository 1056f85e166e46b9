import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, vi } from "vitest";
import { stringify } from "yaml";
import type { TaskmillError } from "../../../pipeline/base/errors.js";
import { main } from "../../../pipeline/cli.js";
import { findCard } from "../../../sources/cards.js";
import type { FetchEvent } from "../../../sources/fetch/events.js";
import { type FetchOptions, type FetchResult, fetchSnapshot } from "../../../sources/fetch/fetch.js";
import { LEAST_CARD } from "../../fixtures/least-card.js";
import { failure } from "../helper.js";

const root = mkdtempSync(join(tmpdir(), "taskmill-fetch-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let folders = 0;
/** A folder of its own for a card. */
export function newFolder(): string {
  const folder = join(root, String(folders++));
  mkdirSync(folder);
  return folder;
}

/** What a server was asked. */
export interface Asked {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export type Handler = (asked: Asked, response: ServerResponse) => void;

export interface Served {
  readonly url: string;
  /** `127.0.0.1:port`. */
  readonly host: string;
  readonly asked: Asked[];
}

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((close) => close()));
});

/** A server of this test alone. */
export async function serve(handler: Handler): Promise<Served> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const one = {
      method: request.method!,
      url: new URL(request.url!, "http://server"),
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    };
    asked.push(one);
    handler(one, response);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  open.push(
    () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  );
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: `http://${host}`, host, asked };
}

export function json(response: ServerResponse, value: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(200, { "content-type": "application/json", ...headers }).end(JSON.stringify(value));
}

export function csv(response: ServerResponse, text: string, headers: Record<string, string> = {}): void {
  response.writeHead(200, { "content-type": "text/csv; charset=utf-8", ...headers }).end(text);
}

export type Block = Record<string, unknown>;

const text = (from: string): Block => ({ from, type: "text", scale: "nominal" });

/** Writes a card with the least that it needs; `id` is the key, unless `more` says otherwise. @returns its path */
export function writeCard(
  folder: string,
  snapshot: Block,
  fetch: Block | undefined,
  more: Block = {},
): string {
  const path = join(folder, "card.yaml");
  const card = {
    ...LEAST_CARD,
    snapshot,
    ...(fetch === undefined ? {} : { fetch }),
    columns: { id: text("id") },
    ...more,
  };
  writeFileSync(path, stringify(card));
  return path;
}

/** Time that goes on only when somebody sleeps. */
export class FakeClock {
  time = Date.parse("2026-03-04T05:06:07Z");
  readonly slept: number[] = [];

  now(): number {
    return this.time;
  }

  async sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.slept.push(milliseconds);
    this.time += milliseconds;
  }
}

export interface Fetched {
  readonly result: FetchResult;
  readonly events: readonly FetchEvent[];
  readonly clock: FakeClock;
}

/** Fetches without waiting. */
export async function fetchCard(path: string, options: Partial<FetchOptions> = {}): Promise<Fetched> {
  const events: FetchEvent[] = [];
  const clock = new FakeClock();
  const result = await fetchSnapshot(await findCard(path, "."), {
    allowHosts: ["127.0.0.1"],
    signal: new AbortController().signal,
    onEvent: (event) => events.push(event),
    env: {},
    clock,
    ...options,
  });
  return { result, events, clock };
}

/** The one problem that a download must end in, as one text. */
export async function whyNot(path: string, options: Partial<FetchOptions> = {}): Promise<string> {
  const error: TaskmillError = await failure(fetchCard(path, options));
  return error.problems.map(({ message, hint }) => `${message} (${hint ?? ""})`).join("; ");
}

/** The command itself, in this process. */
export async function command(...words: string[]): Promise<{ code: number; out: string; err: string }> {
  const said = { out: "", err: "" };
  const catches = (which: "out" | "err") => (chunk: unknown) => {
    said[which] += String(chunk);
    return true;
  };
  const spies = [
    vi.spyOn(process.stdout, "write").mockImplementation(catches("out")),
    vi.spyOn(process.stderr, "write").mockImplementation(catches("err")),
  ];
  try {
    return { code: await main(words), ...said };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
