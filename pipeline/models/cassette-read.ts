import { isUtf8 } from "node:buffer";
import { readSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import type { z } from "zod";
import { excerpt } from "../../sources/problems.js";
import { hashOf } from "../base/canonical.js";
import { type Problem, TaskmillError } from "../base/errors.js";
import { type CassetteRecord, callKey } from "./call.js";
import {
  cassetteRecord,
  type LogEvent,
  logEvent,
  type ShippedHeader,
  shippedHeader,
} from "./cassette-events.js";
import { type Line, linesOf, unsealed } from "./cassette-lines.js";
import type { Tail } from "./cassette-log.js";

/** A log has a checksum in front of each line; a shipped cassette is plain NDJSON. */
export type Format = "log" | "shipped";

/** A line of a cassette that is not what its place asks for. */
export interface Damage {
  /** From 1. */
  readonly line: number;
  /** Stable, for programs. */
  readonly code:
    | "cut_off"
    | "too_long"
    | "bad_checksum"
    | "bad_text"
    | "bad_record"
    | "bad_key"
    | "bad_order"
    | "bad_header";
  /** "it is no JSON" */
  readonly why: string;
}

type Read<T> = { readonly value: T } | { readonly damage: Damage };

/** The value is given back as it was parsed: what a schema would make of it may have another hash. */
function parsed<T>(text: string, schema: z.ZodType<T>, line: number): Read<T> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { damage: { line, code: "bad_text", why: "it is no JSON" } };
  }
  const issue = schema.safeParse(value).error?.issues[0];
  if (issue === undefined) return { value: value as T };
  const where = issue.path.length === 0 ? "" : `\`${issue.path.join(".")}\`: `;
  return { damage: { line, code: "bad_record", why: excerpt(`${where}${issue.message}`, 200) } };
}

function readSealed({ bytes, number: line, whole }: Line): Read<LogEvent> {
  if (bytes === undefined) return { damage: { line, code: "too_long", why: "it is too long" } };
  if (!whole) return { damage: { line, code: "cut_off", why: "it was cut off while being written" } };
  const text = unsealed(bytes);
  if (text === undefined) return { damage: { line, code: "bad_checksum", why: "its checksum does not fit" } };
  return parsed(text, logEvent, line);
}

function readPlain<T>({ bytes, number: line }: Line, schema: z.ZodType<T>): Read<T> {
  if (bytes === undefined) return { damage: { line, code: "too_long", why: "it is too long" } };
  if (!isUtf8(bytes)) return { damage: { line, code: "bad_text", why: "it is no UTF-8" } };
  return parsed(bytes.toString("utf8"), schema, line);
}

/**
 * Reads the events of a log in order; what is damaged goes to `onDamage`, and what stands before and after it is read all the
 * same.
 */
export async function scanLog(
  file: FileHandle,
  onEvent: (event: LogEvent, line: Line) => void,
  onDamage: (damage: Damage) => void,
): Promise<Tail> {
  let tail: Tail = { lines: 0, torn: false };
  for await (const lines of linesOf(file)) {
    for (const line of lines) {
      tail = { lines: line.number, torn: !line.whole };
      const read = readSealed(line);
      if ("damage" in read) onDamage(read.damage);
      else onEvent(read.value, line);
    }
  }
  return tail;
}

/** Reads header and records of a shipped cassette; what is damaged goes to `onDamage`. Keys must ascend, so that none comes twice. */
export async function scanShipped(
  file: FileHandle,
  onRecord: (record: CassetteRecord, line: Line) => void,
  onDamage: (damage: Damage) => void,
): Promise<ShippedHeader | undefined> {
  let header: ShippedHeader | undefined;
  let last = "";
  let count = -1;
  for await (const lines of linesOf(file)) {
    for (const line of lines) {
      count++;
      const read = line.number === 1 ? readPlain(line, shippedHeader) : readPlain(line, cassetteRecord);
      if ("damage" in read) onDamage(read.damage);
      else if ("cassette" in read.value) header = read.value;
      else {
        const { key } = read.value;
        if (key <= last) {
          onDamage({
            line: line.number,
            code: "bad_order",
            why: "its key does not follow the one before it",
          });
        }
        last = key;
        onRecord(read.value, line);
      }
    }
  }
  if (header !== undefined && header.calls !== count) {
    const why = `${header.calls} calls are announced, ${count} are there`;
    onDamage({ line: 1, code: "bad_header", why });
  }
  return header;
}

/**
 * Reads a shipped cassette of which every line is sound: calls that it lost would be paid once more.
 * @throws TaskmillError (source) with what is damaged
 */
export async function readShipped(
  file: FileHandle,
  path: string,
  onRecord: (record: CassetteRecord, line: Line) => void,
): Promise<ShippedHeader> {
  const damages: Damage[] = [];
  const header = await scanShipped(file, onRecord, (damage) => {
    if (damages.length < LISTED) damages.push(damage);
  });
  if (header === undefined || damages.length > 0) throw damaged(path, damages);
  return header;
}

/** Which of the two a file is, by its first byte. */
export async function formatOf(file: FileHandle): Promise<Format> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(1), 0, 1, 0);
  return bytesRead === 1 && buffer.toString() === "{" ? "shipped" : "log";
}

/** An open file of records. */
export interface Source {
  readonly file: FileHandle;
  readonly path: string;
  readonly format: Format;
}

/** Where a record stands. One is held for each call, so it is as small as can be. */
export class Found {
  constructor(
    readonly source: Source,
    readonly line: number,
    /** In bytes, as the length. */
    readonly offset: number,
    readonly length: number,
  ) {}
}

/** Reads one record again, synchronously. @throws TaskmillError (source) when it is damaged, or not the call that its key names. */
export function readRecord({ source, line: number, offset, length }: Found, key: string): CassetteRecord {
  const bytes = Buffer.allocUnsafe(length);
  let got = 0;
  for (let n = -1; got < length && n !== 0; got += n) {
    n = readSync(source.file.fd, bytes, got, length - got, offset + got);
  }
  const line: Line = { number, offset, bytes: bytes.subarray(0, got), whole: true };
  const read = source.format === "log" ? readSealed(line) : readPlain(line, cassetteRecord);
  if ("damage" in read) throw damaged(source.path, [read.damage]);
  const record = recordOf(read.value);
  const why = record?.key === key ? misnamed(record) : "another line stood there before";
  if (record === undefined || why !== undefined) {
    throw damaged(source.path, [{ line: number, code: "bad_key", why: why ?? "" }]);
  }
  return record;
}

/** The record in an event, without who asked. */
export function recordOf(event: LogEvent | CassetteRecord): CassetteRecord | undefined {
  if ("event" in event && event.event !== "end" && event.event !== "observed") return undefined;
  if ("tool" in event) {
    const { key, tool, observation } = event;
    return { key, tool, observation };
  }
  const { key, identity, reply } = event;
  return { key, identity, reply };
}

/** Why a record is not the call that its key names, or undefined. */
export function misnamed(record: CassetteRecord): string | undefined {
  try {
    const name = "tool" in record ? hashOf(record.tool) : callKey(record.identity);
    if (name === record.key) return undefined;
    return "its key is not the hash of what was asked";
  } catch {
    // Nested so deeply that hashing would use up the stack.
    return "what was asked cannot be hashed";
  }
}

/** Most damaged lines that an error lists: a hostile file may be wrong in each, and no more need be held. */
const LISTED = 20;

/** A cassette cannot be used as it is. */
function damaged(path: string, damages: readonly Damage[]): TaskmillError {
  const problems = damages.map(
    ({ line, why }): Problem => ({
      code: "cassette_damaged",
      message: `line ${line} of the cassette ${path} is damaged: ${why}`,
      hint: `get the file again, or drop the damage from a run's log by \`pipeline cassette prune\`; \`verify\` shows all of it`,
      location: { file: path, line },
    }),
  );
  return new TaskmillError("source", problems);
}
