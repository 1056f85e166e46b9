import type { IncomingHttpHeaders } from "node:http";
import { FetchFault } from "./fault.js";

/** Statuses behind which the next try may do better. */
const PASSING = new Set([408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529]);
const QUOTED = 200;

/** What a refusal means. @param body as far as it was read. @param hide takes secrets out of a text */
export function refusal(
  status: number,
  headers: IncomingHttpHeaders,
  body: string,
  hide: (text: string) => string,
): FetchFault {
  const words = plain(hide(body), hide);
  const message = `the server answers ${status}${words === "" ? "" : `: ${words}`}`;
  const retryAfter = retryAfterOf(headers) ?? throttleOf(headers);
  return new FetchFault(message, {
    passing: PASSING.has(status),
    status,
    ...(retryAfter === undefined ? {} : { retryAfter }),
    ...hintOf(status),
  });
}

function hintOf(status: number): { hint?: string } {
  if (status === 401 || status === 403)
    return {
      hint: "does it want a key? see `fetch.headers`; some servers want to know who asks: send `user-agent`",
    };
  if (status === 404)
    return { hint: "is `fetch.url` right? `paging.past_end: 404` where it means that no page is left" };
  return status === 400 ? { hint: "see `fetch.query` and `fetch.form`" } : {};
}

/** Words of an error page, be it JSON, plain or markup. */
function plain(body: string, hide: (text: string) => string): string {
  const text = /^\s{0,50}</.test(body) ? body.replace(/<[^>]*>/g, " ") : body;
  // Once more: without markup and line ends a secret may stand in one piece.
  return hide(text.replace(/\s+/g, " ").trim()).slice(0, QUOTED);
}

/** Seconds until the server wants to be asked again: a number, or a date, which is counted from the server's own. */
export function retryAfterOf(headers: IncomingHttpHeaders): number | undefined {
  const text = headers["retry-after"]?.trim();
  if (text === undefined || text === "") return undefined;
  // However long: a number beyond all limits is still a number, not an absent one.
  if (/^\d+(?:\.\d+)?$/.test(text)) return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
  const until = Date.parse(text);
  const now = Date.parse(headers.date ?? "");
  return Number.isNaN(until) || Number.isNaN(now) ? undefined : Math.max(0, (until - now) / 1000);
}

/** Seconds of rest, ours: PubChem says how near its limits one is, not how long to wait. */
const REST = { red: 5, black: 60 } as const;

/**
 * Rest that PubChem's header `X-Throttling-Control` calls for ("Request Count status: Green (0%), ..., Service status: Yellow (60%)"):
 * above 75 % of a limit the state is red, beyond it black.
 */
export function throttleOf(headers: IncomingHttpHeaders): number | undefined {
  const text = String(headers["x-throttling-control"] ?? "");
  if (/status: ?Black/i.test(text)) return REST.black;
  return /status: ?Red/i.test(text) ? REST.red : undefined;
}
