import { createHash } from "node:crypto";
import { readRecords } from "../adapters/index.js";
import type { Card } from "../card.js";
import { fieldsOfCard, RECORD_FIELD } from "../records.js";
import { openSnapshot } from "../snapshot.js";

/** One record as the card's columns see it. */
export interface Keyed {
  /** From 1. */
  readonly record: number;
  /** Names what stands in the fields that the card reads. */
  readonly digest: string;
}

/** The records of a snapshot, by key. */
export interface Records {
  readonly count: number;
  /** The first record of each key; empty where records are known by their number only. */
  readonly byKey: ReadonlyMap<string, Keyed>;
  /** Records whose key an earlier one has. */
  readonly repeated: readonly { readonly key: string; readonly first: Keyed; readonly again: Keyed }[];
}

/**
 * Reads a snapshot with the card's reader. @returns undefined for formats that only a plugin reads.
 * @throws TaskmillError (source) where the reader cannot read it, or fields of the card are not in it
 */
export async function recordsOf(
  card: Card,
  path: string,
  signal?: AbortSignal,
): Promise<Records | undefined> {
  const { read } = card.snapshot;
  if (read.format === "plugin") return undefined;
  const wanted = fieldsOfCard(card);
  const keyOf = keyReader(card, wanted);
  const byKey = new Map<string, Keyed>();
  const repeated: { key: string; first: Keyed; again: Keyed }[] = [];
  let count = 0;
  const snapshot = await openSnapshot(path);
  for await (const { records, turnedAway } of readRecords({ snapshot, options: read, wanted }, new Map())) {
    signal?.throwIfAborted();
    count += records.length + turnedAway.length;
    for (const { record, fields } of records) {
      const key = keyOf(fields);
      if (key === undefined) continue;
      const here: Keyed = { record, digest: digestOf(fields) };
      const first = byKey.get(key);
      if (first === undefined) byKey.set(key, here);
      else repeated.push({ key, first, again: here });
    }
  }
  return { count, byKey, repeated };
}

/** The key as it is written in the file; records without one have none. */
function keyReader(
  card: Card,
  wanted: readonly string[],
): (fields: readonly (string | null)[]) => string | undefined {
  const { from, trim = false } = card.columns[card.key]!;
  if (from === RECORD_FIELD) return () => undefined;
  const places = (typeof from === "string" ? [from] : from.join).map((field) => wanted.indexOf(field));
  const mark = typeof from === "string" ? "" : from.with;
  return (fields) => {
    const parts = places.map((place) => fields[place] ?? "").filter((part) => part !== "");
    const key = parts.join(mark);
    return key === "" ? undefined : trim ? key.trim() : key;
  };
}

function digestOf(fields: readonly (string | null)[]): string {
  return createHash("sha256").update(JSON.stringify(fields)).digest("base64").slice(0, 22);
}
