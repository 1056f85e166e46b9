import { hashOf } from "../../pipeline/base/canonical.js";
import type { FetchSpec, Paging } from "./spec.js";

/** One page to ask for. */
export interface PageAsk {
  /** From 1. */
  readonly number: number;
  readonly url: string;
  /** Of a POST. */
  readonly body?: string;
}

/** What decides which page comes after one. */
export interface Seen {
  /** Records on the page; null where they were not counted. */
  readonly count: number | null;
  /** What the page says of the next: an absolute address, or a cursor. */
  readonly next?: string;
}

/** Names a request: pages kept from before are those of this very request. */
export function askHash({ url, body }: PageAsk): string {
  return hashOf({ url, body });
}

/** The request for the first page. @param list values of a `list`, in order */
export function firstAsk(spec: FetchSpec, list: readonly string[]): PageAsk {
  return nthAsk(spec, 1, list);
}

/** How many pages there are, where that is known before they are asked for. */
export function pageCount(
  { paging }: FetchSpec,
  total: number | undefined,
  list: readonly string[],
): number | undefined {
  if (paging === undefined) return 1;
  if (paging.by === "list") return Math.ceil(list.length / paging.size);
  const counted = paging.by === "offset" || paging.by === "page";
  return counted && total !== undefined ? Math.max(1, Math.ceil(total / paging.size)) : undefined;
}

/** A page that can be asked for without the one before it. */
export function nthAsk(spec: FetchSpec, number: number, list: readonly string[]): PageAsk {
  const { paging } = spec;
  if (paging === undefined) return askOf(spec, number, {});
  const sized = sizeOf(paging);
  switch (paging.by) {
    case "offset":
      return askOf(spec, number, {
        ...sized,
        [paging.parameter]: String(paging.start + (number - 1) * paging.size),
      });
    case "page":
      return askOf(spec, number, { ...sized, [paging.parameter]: String(paging.start + number - 1) });
    case "list": {
      const values = list.slice((number - 1) * paging.size, number * paging.size);
      return askOf(spec, number, { [paging.parameter]: values.join(paging.join) });
    }
    case "cursor":
      return askOf(spec, number, {
        ...sized,
        ...(paging.first === undefined ? {} : { [paging.parameter]: paging.first }),
      });
    default:
      return askOf(spec, number, sized);
  }
}

/** The request behind a page whose successor only it can name; undefined at the end. */
export function nextAsk(spec: FetchSpec, ask: PageAsk, seen: Seen): PageAsk | undefined {
  const { paging } = spec;
  const number = ask.number + 1;
  // Some servers name a next page for ever: an empty one is the end.
  if (paging === undefined || seen.count === 0) return undefined;
  if (paging.by === "offset" || paging.by === "page") return nthAsk(spec, number, []);
  if (seen.next === undefined || paging.by === "list") return undefined;
  if (paging.by === "cursor")
    return askOf(spec, number, { ...sizeOf(paging), [paging.parameter]: seen.next });
  return { number, url: seen.next, ...(ask.body === undefined ? {} : { body: ask.body }) };
}

function sizeOf(paging: Paging): Record<string, string> {
  if (!("size_parameter" in paging) || paging.size_parameter === undefined || paging.size === undefined)
    return {};
  return { [paging.size_parameter]: String(paging.size) };
}

function askOf(spec: FetchSpec, number: number, own: Readonly<Record<string, string>>): PageAsk {
  const url = withQuery(new URL(spec.url), spec.query);
  if (spec.method === "GET") return { number, url: withQuery(url, own).href };
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...spec.form, ...own })) form.set(name, String(value));
  return { number, url: url.href, body: form.toString() };
}

/** An address with parameters added, or put in the place of its own. */
export function withQuery(url: URL, values: Readonly<Record<string, string | number | boolean>>): URL {
  for (const [name, value] of Object.entries(values)) url.searchParams.set(name, String(value));
  return url;
}
