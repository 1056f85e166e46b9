import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import type { IncomingHttpHeaders } from "node:http";
import { type RawJson, RawNumber } from "../adapters/raw-json.js";
import type { Card } from "../card.js";
import type { Encoding } from "../format.js";
import { addressIn, targetOf } from "./addresses.js";
import { type Answer, answerOf, keepOf } from "./answer.js";
import { charsetOf, decodedFile, encoded } from "./charset.js";
import { readCsvPage } from "./csv-page.js";
import { lasting } from "./fault.js";
import { countIn, readJsonPage, textIn } from "./json-page.js";
import { nextLink } from "./link-header.js";
import { readNdjsonPage } from "./ndjson-page.js";
import type { Part } from "./part.js";
import type { FetchSpec, Said } from "./spec.js";
import type { Page } from "./store.js";

/** What one answer says. */
export type Facts = Pick<Page, "count" | "head" | "columns" | "fields" | "total" | "release" | "next">;

interface Source {
  readonly card: Card;
  readonly fetch: FetchSpec;
}

/** An answer as it came: its bytes in a file, its headers, its address. */
interface Given {
  readonly file: string;
  readonly headers: IncomingHttpHeaders;
  readonly url: URL;
}

/**
 * Reads an answer and writes into `part` what the snapshot will hold of it: the whole, byte for byte, or its records.
 * @throws FetchFault for what is not the answer that the card expects
 */
export async function readPage(given: Given, { card, fetch }: Source, part: Part): Promise<Facts> {
  const answer = answerOf(card, fetch);
  const whole = keepOf(fetch) === "answer";
  const encoding = encodingOf(card);
  const charset = charsetOf(given.headers["content-type"]) ?? encoding;
  const readable = answer !== "file" && !(await isPacked(given.file)) && !isTransposed(card);
  const read = whole
    ? async (): Promise<void> => {}
    : (text: string): Promise<void> => part.write(encoded(text, encoding));
  const facts = readable
    ? await factsOf(answer, { card, fetch }, decodedFile(given.file, charset), read)
    : { count: null, values: {} };
  if (whole) await copy(given.file, part, { charset, encoding, converts: readable && answer !== "json" });
  const { values, ...own } = facts;
  return { ...own, ...saidOf(fetch, given, values), ...nextOf(fetch, given, values) };
}

type Values = Readonly<Record<string, RawJson | undefined>>;

async function factsOf(
  answer: Answer,
  { card, fetch }: Source,
  text: AsyncIterable<string>,
  write: (text: string) => Promise<void>,
): Promise<Pick<Facts, "count" | "head" | "columns" | "fields"> & { values: Values }> {
  const { read } = card.snapshot;
  if (answer === "csv" && read.format === "csv")
    return { ...(await readCsvPage(text, read, write)), values: {} };
  if (answer === "ndjson") return { count: await readNdjsonPage(text, write), values: {} };
  const places = placesOf({ card, fetch });
  const { count, values } = await readJsonPage(text, places, write);
  if (places.values.fields === undefined) return { count, values };
  const { fields } = values;
  if (!Array.isArray(fields) || !fields.every((name) => typeof name === "string"))
    throw lasting(
      `\`${places.values.fields}\` in the answer is no list of field names`,
      "set `fetch.fields`",
    );
  return { count, fields: fields as string[], values };
}

function placesOf({ card, fetch }: Source): { records: string; values: Readonly<Record<string, string>> } {
  const { read } = card.snapshot;
  const own = read.format === "json" ? read : { path: "" };
  const fields = fetch.fields ?? ("fields" in own ? own.fields : undefined);
  const { paging, total, release } = fetch;
  const wanted = {
    fields,
    total: total !== undefined && !("url" in total) && "path" in total ? total.path : undefined,
    release: release !== undefined && "path" in release ? release.path : undefined,
    next:
      paging?.by === "next_field"
        ? paging.path
        : paging?.by === "cursor" && "path" in paging.from
          ? paging.from.path
          : undefined,
  };
  const values = Object.fromEntries(Object.entries(wanted).filter(([, path]) => path !== undefined));
  return { records: fetch.records ?? own.path, values: values as Record<string, string> };
}

/** Total and release, as headers or members say. */
function saidOf(
  { total, release }: FetchSpec,
  { headers }: Given,
  values: Values,
): Pick<Facts, "total" | "release"> {
  const count =
    total === undefined || "url" in total || "of" in total
      ? undefined
      : "header" in total
        ? countIn(headerOf(headers, total.header))
        : countIn(values.total);
  if (total !== undefined && !("url" in total) && !("of" in total) && count === undefined)
    throw lasting(
      `the answer does not say how many records there are (${placeOf(total)})`,
      "see `fetch.total`",
    );
  const name = saidText(release, headers, values.release);
  return {
    ...(count === undefined ? {} : { total: count }),
    ...(name === undefined ? {} : { release: name }),
  };
}

function nextOf({ paging }: FetchSpec, { headers, url }: Given, values: Values): Pick<Facts, "next"> {
  const path =
    paging?.by === "next_field"
      ? paging.path
      : paging?.by === "cursor" && "path" in paging.from
        ? paging.from.path
        : "";
  refuseNoText(values.next, path, paging?.by === "cursor");
  if (paging?.by === "cursor") {
    const next = saidText(paging.from, headers, values.next);
    return next === undefined ? {} : { next };
  }
  if (paging?.by !== "link_header" && paging?.by !== "next_field") return {};
  const link = paging.by === "link_header" ? nextLink(headerOf(headers, "link")) : undefined;
  if (link !== undefined) return { next: targetOf(link, url).href };
  const member = textIn(values.next);
  return member === undefined ? {} : { next: addressIn(member, url).href };
}

/** Nothing, null and an empty text are the end. Whatever else is no text must not pass for it: pages would be lost. */
function refuseNoText(value: RawJson | undefined, path: string, numbers: boolean): void {
  if (value === undefined || value === null || typeof value === "string") return;
  if (numbers && value instanceof RawNumber) return;
  const kind = Array.isArray(value)
    ? "a list"
    : value instanceof RawNumber
      ? "a number"
      : typeof value === "boolean"
        ? "a boolean"
        : "an object";
  throw lasting(
    `\`${path}\` in the answer is ${kind}, and not what leads to the next page`,
    "see `fetch.paging`: is the path right?",
  );
}

function saidText(
  said: Said | undefined,
  headers: IncomingHttpHeaders,
  value: RawJson | undefined,
): string | undefined {
  if (said === undefined) return undefined;
  return "header" in said ? headerOf(headers, said.header) || undefined : textIn(value);
}

function placeOf(said: Said): string {
  return "header" in said ? `header \`${said.header}\`` : `\`${said.path}\``;
}

function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name.toLowerCase()];
  return (Array.isArray(value) ? value.join(", ") : value)?.trim();
}

function encodingOf({ snapshot: { read } }: Card): Encoding {
  return ("encoding" in read ? read.encoding : undefined) ?? "utf-8";
}

function isTransposed({ snapshot: { read } }: Card): boolean {
  return read.format === "csv" && read.transposed === true;
}

/** gzip and Zstandard, as files (not as the packing of an answer). */
async function isPacked(path: string): Promise<boolean> {
  const file = await open(path, "r");
  try {
    const head = Buffer.alloc(4);
    await file.read(head, 0, 4, 0);
    return (head[0] === 0x1f && head[1] === 0x8b) || head.readUInt32LE(0) === 0xfd2fb528;
  } finally {
    await file.close();
  }
}

/** The answer as it came; text that the server sends in another charset than the card's is converted. */
async function copy(
  file: string,
  part: Part,
  { charset, encoding, converts }: { charset: string; encoding: Encoding; converts: boolean },
): Promise<void> {
  const ascii = charset === "windows-1252" && encoding === "utf-8";
  if (!converts || charset === encoding || (ascii && (await isAscii(file)))) {
    for await (const bytes of createReadStream(file, { highWaterMark: 1 << 18 }) as AsyncIterable<Buffer>)
      await part.write(bytes);
    return;
  }
  for await (const text of decodedFile(file, charset)) await part.write(encoded(text, encoding));
}

async function isAscii(file: string): Promise<boolean> {
  for await (const bytes of createReadStream(file) as AsyncIterable<Buffer>)
    if (bytes.some((byte) => byte > 0x7f)) return false;
  return true;
}
