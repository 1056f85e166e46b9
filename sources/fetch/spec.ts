import { z } from "zod";

/**
 * The block `fetch` of a card: where its snapshot comes from. `docs/fetch.md` is the guide. It is no part of the data (a table keeps
 * its hash), and nothing in it is a secret: header values come from the environment.
 */

const text = z.string().min(1);
/** Dots between member names; indexes are numbers. */
const path = text;
const headerName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9-]{0,63}$/, "a header's name is letters, digits and -");
const variableName = z
  .string()
  .regex(
    /^[A-Z][A-Z0-9_]{0,62}$/,
    "the NAME of an environment variable, in capitals; the value never stands in a card",
  );
const values = z.record(text, z.union([z.string(), z.number(), z.boolean()]));

/** Something that a server says beside its records. */
const said = z.union([z.strictObject({ header: headerName }), z.strictObject({ path })]);
export type Said = z.infer<typeof said>;

const total = z.union([
  z.strictObject({ header: headerName }),
  z.strictObject({ path }),
  /** Asked by itself, before the first page and after the last: a plain number, or `path` in a JSON answer. */
  z.strictObject({ url: text, query: values.optional(), path: path.optional() }),
  /** As many as a `list` has values. */
  z.strictObject({ of: z.literal("list") }),
]);

const size = z.number().int().min(1).max(1_000_000);
/** Where the size of a page is asked for; without it, the server's own size is meant. */
const sizeParameter = text.optional();
/** A status that means "no more pages" behind the first one. Without it each refusal is an error. */
const pastEnd = z.union([z.literal(204), z.literal(400), z.literal(404), z.literal(416)]).optional();

const paging = z.discriminatedUnion("by", [
  /** Record number of the first record. Some servers count from 1. */
  z.strictObject({
    by: z.literal("offset"),
    parameter: text,
    start: z.number().int().min(0).default(0),
    size,
    size_parameter: sizeParameter,
    past_end: pastEnd,
  }),
  z.strictObject({
    by: z.literal("page"),
    parameter: text,
    start: z.number().int().min(0).default(1),
    size,
    size_parameter: sizeParameter,
    past_end: pastEnd,
  }),
  /** Each page names the next: a text that goes into a parameter of the same request. */
  z.strictObject({
    by: z.literal("cursor"),
    parameter: text,
    from: said,
    first: text.optional(),
    size: size.optional(),
    size_parameter: sizeParameter,
  }),
  /** The header `Link` with `rel="next"`. */
  z.strictObject({ by: z.literal("link_header"), size: size.optional(), size_parameter: sizeParameter }),
  /** A member that holds the next page's address, whole or relative. */
  z.strictObject({
    by: z.literal("next_field"),
    path,
    size: size.optional(),
    size_parameter: sizeParameter,
  }),
  /** What is asked for by name: so many values a request, from the card, a file beside it (one a line), or a range of integers. */
  z.strictObject({
    by: z.literal("list"),
    parameter: text,
    values: z
      .array(z.union([text, z.number()]))
      .min(1)
      .optional(),
    file: text.optional(),
    range: z.strictObject({ from: z.number().int(), to: z.number().int() }).optional(),
    size,
    join: z.string().max(3).default(","),
  }),
]);
export type Paging = z.infer<typeof paging>;

const rate = z.strictObject({
  /** Requests a second; they are spaced evenly. */
  per_second: z.number().positive().max(50).default(1),
  /** Requests at a time, where it is known beforehand which pages there are. */
  concurrency: z.number().int().min(1).max(16).default(1),
});

const limits = z.strictObject({
  pages: z.number().int().min(1).max(1_000_000).default(10_000),
  /** Of the whole download, unpacked. */
  bytes: z
    .number()
    .int()
    .min(1)
    .default(2 * 2 ** 30),
  /** Seconds for the whole download, waits included. */
  seconds: z
    .number()
    .positive()
    .default(6 * 3600),
  /** Seconds for one request, until its last byte. */
  request: z.number().positive().max(3600).default(180),
  /** The longest wait, in seconds, that a server may ask for; beyond it the download stops and can be gone on with later. */
  wait: z.number().min(0).max(86_400).default(600),
  /** Tries of one request. */
  tries: z.number().int().min(1).max(20).default(6),
});

export const fetchSpec = z.strictObject({
  url: z
    .string()
    .refine(
      (url) => /^https?:$/.test(parsed(url)?.protocol ?? ""),
      "an address that starts with https:// or http://",
    ),
  query: values.default({}),
  method: z.enum(["GET", "POST"]).default("GET"),
  /** For POST: sent as a form, `application/x-www-form-urlencoded`. */
  form: values.default({}),
  /** Names of headers, with the NAME of the environment variable that holds the value. */
  headers: z.record(headerName, variableName).default({}),
  accept: text.optional(),
  /** What each page is; by default what `snapshot.read` reads: csv, json (for json and ndjson), else one file as it comes. */
  answer: z.enum(["csv", "json", "ndjson", "file"]).optional(),
  /** Path to the array of records in each JSON page; by default that of `snapshot.read`. */
  records: z.string().optional(),
  /** Path to the list of field names in each JSON page; by default that of `snapshot.read`. */
  fields: path.optional(),
  /**
   * `answer`: the snapshot is the server's answer, byte for byte. `records`: the records alone, put together anew, without what
   * changes from answer to answer (a time, an address). By default `answer` without paging, `records` with it.
   */
  keep: z.enum(["answer", "records"]).optional(),
  paging: paging.optional(),
  /** How many records there are, as the server tells it. */
  total: total.optional(),
  /** The publisher's name for this state of the data; it must be the same on each page, and is written into the lock. */
  release: said.optional(),
  /** Other hosts that the server may lead to, by redirect or by the address of a next page. */
  hosts: z.array(text).default([]),
  rate: rate.default(rate.parse({})),
  limits: limits.default(limits.parse({})),
});
export type FetchSpec = z.infer<typeof fetchSpec>;

function parsed(url: string): URL | undefined {
  return URL.canParse(url) ? new URL(url) : undefined;
}
