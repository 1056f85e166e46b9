import { faultIn, LONGEST, textOf } from "../../models/endpoint.js";
import { parseJson } from "../../models/json-text.js";
import { hideSecrets } from "../../models/redact.js";
import { type Fault, ProviderError } from "../../models/transport.js";
import type { Ask, FoundPage, Service, ServiceRequest } from "./backend.js";

export interface ExchangeOptions {
  /** Ends with a slash. */
  readonly base: URL;
  /** Seconds until the last byte. */
  readonly timeout: number;
  readonly signal: AbortSignal;
}

/** A failed try with advice of the service's own. */
class SearchError extends ProviderError {
  constructor(
    fault: Fault,
    message: string,
    status?: number,
    retryAfter?: number,
    readonly hint?: string,
  ) {
    super(fault, message, status, retryAfter);
  }
}

/** Characters of a service's own words in an error. */
const QUOTED = 200;

/** Asks a service once. @throws ProviderError, whose message holds neither key nor address */
export async function exchange(service: Service, ask: Ask, options: ExchangeOptions): Promise<FoundPage> {
  const clock = new AbortController();
  const stop = (): void => clock.abort();
  const timer = setTimeout(stop, options.timeout * 1000);
  options.signal.addEventListener("abort", stop, { once: true });
  try {
    const response = await send(service.request(ask), options.base, clock.signal);
    const text = await textOf(response, LONGEST);
    const body = parseJson(text);
    if (!response.ok) throw refused(service, response, body ?? text, ask.key);
    const page = service.read(body, ask);
    if (page === undefined) throw new SearchError("malformed", odd(text, body), response.status);
    return page;
  } catch (error) {
    if (error instanceof ProviderError) throw error;
    if (clock.signal.aborted) throw new SearchError("timeout", `no answer within ${options.timeout} s`);
    throw faultIn(error, ask.key);
  } finally {
    clearTimeout(timer);
    options.signal.removeEventListener("abort", stop);
  }
}

/** Follows no redirect: the key goes to the address of the config and to no other. */
function send(request: ServiceRequest, base: URL, signal: AbortSignal): Promise<Response> {
  const url = new URL(request.path, base);
  for (const [name, value] of Object.entries(request.query ?? {})) url.searchParams.set(name, value);
  const headers = { accept: "application/json", ...request.headers };
  if (request.body === undefined) return fetch(url, { headers, signal, redirect: "manual" });
  return fetch(url, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(request.body),
    signal,
    redirect: "manual",
  });
}

function refused(service: Service, response: Response, body: unknown, key: string | undefined): SearchError {
  const { status, headers } = response;
  const special = service.fault?.(status, body);
  const words = said(body, key);
  const message = `it answers ${status}${words === "" ? "" : `: ${words}`}`;
  return new SearchError(special?.fault ?? faultOf(status), message, status, waitOf(headers), special?.hint);
}

function faultOf(status: number): Fault {
  if (status === 401 || status === 403) return "auth";
  if (status === 402) return "quota";
  if (status === 408) return "timeout";
  if (status === 429) return "rate";
  if (status >= 500) return "server";
  // A redirect leads elsewhere, which a 404 might as well.
  return status === 404 || status < 400 ? "connection" : "bad_request";
}

/** What a service says of an error, wherever it puts it; pages of HTML say nothing. */
function said(body: unknown, key: string | undefined): string {
  const open: unknown[] = [body];
  while (open.length > 0) {
    const value = open.shift();
    if (typeof value === "string" && !/^\s*</.test(value)) {
      return hideSecrets(key)(value).replace(/\s+/g, " ").trim().slice(0, QUOTED);
    }
    if (typeof value !== "object" || value === null) continue;
    const { detail, message, error } = value as Record<string, unknown>;
    open.push(...[detail, message, error].filter((part) => part !== undefined));
  }
  return "";
}

function odd(text: string, body: unknown): string {
  if (text.trim() === "") return "it answers with an empty body";
  return body === undefined
    ? "it answers with a body that is no JSON"
    : "it answers with JSON that holds no results";
}

/** Seconds until the service wants to be asked again: `Retry-After`, or the first, shortest of Brave's limits. */
function waitOf(headers: Headers): number | undefined {
  const text = headers.get("retry-after") ?? headers.get("x-ratelimit-reset")?.split(",", 1)[0] ?? "";
  return /^\s*\d{1,9}(?:\.\d{1,9})?\s*$/.test(text) ? Number(text) : undefined;
}
