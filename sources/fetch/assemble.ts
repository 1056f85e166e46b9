import { createReadStream } from "node:fs";
import type { Card } from "../card.js";
import { keepOf } from "./answer.js";
import { encoded } from "./charset.js";
import { Part } from "./part.js";
import type { FetchSpec } from "./spec.js";
import type { Page, PageStore } from "./store.js";

/** Puts the pages together into one document that the card's reader takes. @returns hash and size of the file `into` */
export async function assemble(
  { card, fetch }: { card: Card; fetch: FetchSpec },
  pages: readonly Page[],
  store: PageStore,
  into: string,
): Promise<{ sha256: string; bytes: number }> {
  const part = await Part.begin(into);
  try {
    const frame = frameOf(card, fetch, pages);
    await part.write(frame.before);
    let first = true;
    for (const page of pages) {
      if (frame.between === undefined) await copy(store.path(page.number), part);
      else first = await separated(store.path(page.number), part, frame.between, first);
    }
    await part.write(frame.after);
    return await part.end();
  } catch (error) {
    await part.drop();
    throw error;
  }
}

interface Frame {
  readonly before: Buffer;
  readonly after: Buffer;
  /** What stands between two records, in place of the line end behind each; undefined where that is right as it is. */
  readonly between?: Buffer;
}

const NOTHING: Frame = { before: Buffer.alloc(0), after: Buffer.alloc(0) };

function frameOf(card: Card, fetch: FetchSpec, pages: readonly Page[]): Frame {
  const { read } = card.snapshot;
  if (keepOf(fetch) === "answer") return NOTHING;
  if (read.format === "csv") {
    const head = pages[0]?.head ?? "";
    const closed = head === "" || /[\r\n]$/.test(head) ? head : `${head}\n`;
    return { ...NOTHING, before: encoded(closed, read.encoding) };
  }
  if (read.format !== "json") return NOTHING;
  const { before, after } = jsonFrame(read.path, read.fields, pages[0]?.fields ?? []);
  const encoding = read.encoding ?? "utf-8";
  return {
    before: encoded(before, encoding),
    after: encoded(after, encoding),
    between: encoded(",\n", encoding),
  };
}

/** Stands for the records while the frame is built. */
const RECORDS = "\u0000records";

/** A JSON document with nothing in it but the records at their path and the field names at theirs. */
function jsonFrame(
  path: string,
  fieldsPath: string | undefined,
  fields: readonly string[],
): { before: string; after: string } {
  const document = new Map<string, Tree>();
  const root: Tree = path === "" ? RECORDS : document;
  if (fieldsPath !== undefined) place(document, fieldsPath.split("."), fields);
  if (path !== "") place(document, path.split("."), RECORDS);
  const [before, after] = written(root).split(JSON.stringify(RECORDS));
  return { before: `${before}[\n`, after: `\n]${after}\n` };
}

type Tree = string | readonly string[] | Map<string, Tree>;

function place(tree: Map<string, Tree>, [step, ...rest]: readonly string[], value: Tree): void {
  if (rest.length === 0) {
    tree.set(step!, value);
    return;
  }
  const next = tree.get(step!);
  const inner = next instanceof Map ? next : new Map<string, Tree>();
  tree.set(step!, inner);
  place(inner, rest, value);
}

function written(tree: Tree): string {
  if (!(tree instanceof Map)) return JSON.stringify(tree);
  return `{${[...tree].map(([name, value]) => `${JSON.stringify(name)}:${written(value)}`).join(",")}}`;
}

async function copy(path: string, part: Part): Promise<void> {
  for await (const bytes of chunks(path)) await part.write(bytes);
}

/** Records, each on a line of its own in the page, with a comma between them. @returns whether none was written yet */
async function separated(path: string, part: Part, between: Buffer, first: boolean): Promise<boolean> {
  let none = first;
  let open = false;
  for await (const bytes of chunks(path)) {
    let at = 0;
    for (;;) {
      // Compact JSON holds no line end but the one behind a record, in any of the encodings that pages are written in.
      const end = bytes.indexOf(10, at);
      const piece = bytes.subarray(at, end < 0 ? bytes.length : end);
      if (piece.length > 0) {
        if (!open && !none) await part.write(between);
        await part.write(piece);
        open = true;
        none = false;
      }
      if (end < 0) break;
      open = false;
      at = end + 1;
    }
  }
  return none;
}

function chunks(path: string): AsyncIterable<Buffer> {
  return createReadStream(path, { highWaterMark: 1 << 18 }) as AsyncIterable<Buffer>;
}
