import { nearest } from "../../pipeline/base/errors.js";
import type { SnapshotFormat } from "../card.js";
import { excerpt, sourceError } from "../problems.js";
import type { Snapshot } from "../snapshot.js";

/** One record of a snapshot: the raw text of each wanted field, null where the record has no such field. */
export interface RawRecord {
  /** 1-based; the header is not a record. */
  readonly record: number;
  /** 1-based line on which the record ends, where the format has lines. */
  readonly line?: number;
  readonly fields: readonly (string | null)[];
}

/** A record that could not be taken apart. */
export interface TurnedAway {
  readonly record: number;
  readonly line?: number;
  readonly reason: "ragged_row" | "bad_quote";
  readonly text?: string;
  readonly detail: string;
}

/** Some records at a time, so that no snapshot needs to fit into memory. */
export interface RawBatch {
  readonly records: RawRecord[];
  readonly turnedAway: TurnedAway[];
}

/** What an adapter is asked for. */
export interface ReadRequest<F extends SnapshotFormat = SnapshotFormat> {
  readonly snapshot: Snapshot;
  readonly options: F;
  /** Names or paths of fields; a record's `fields` come in this order. */
  readonly wanted: readonly string[];
}

/**
 * Turns one file format into a stream of raw records. An adapter reads no meaning into a text: what the file says arrives
 * as it is written, digits and all. A wanted field that the file does not have at all is an error.
 */
export interface Adapter<F extends SnapshotFormat = SnapshotFormat> {
  readonly format: F["format"];
  /** @throws TaskmillError (source) for a damaged file and for fields that are nowhere in it. */
  read(request: ReadRequest<F>): AsyncIterable<RawBatch>;
}

/** An adapter of a user's own. A card names it: `read: { format: plugin, adapter: <name>, options: {...} }`. */
export interface SourceAdapter {
  readonly name: string;
  /** As {@link Adapter.read}; the options are as the card gives them, unchecked. */
  read(request: ReadRequest<PluginFormat>): AsyncIterable<RawBatch>;
}
export type PluginFormat = Extract<SnapshotFormat, { format: "plugin" }>;
/** Adapters of a user's own, by name. */
export type OwnAdapters = ReadonlyMap<string, SourceAdapter>;

/** Declares an adapter: checks nothing at run time, ties the types together. */
export function defineSource(adapter: SourceAdapter): SourceAdapter {
  return adapter;
}

/** Fails with every wanted field that is not among the known ones. */
export function unknownFields(missing: readonly string[], known: readonly string[], file: string): never {
  const listed = known.slice(0, 30).map((k) => `\`${excerpt(k)}\``);
  const all = known.length > 30 ? `${listed.join(", ")}, …` : listed.join(", ");
  if (known.some((name) => name.includes("\0"))) {
    sourceError("bad_encoding", `the names of ${file}'s fields have NUL characters: it looks like UTF-16`, {
      hint: "set `encoding: utf-16le` or `utf-16be`",
    });
  }
  const near = missing.map((field) => nearest(field, known)).filter((n) => n !== undefined);
  sourceError("unknown_field", `${file} has no field ${missing.map((m) => `\`${m}\``).join(", ")}`, {
    hint:
      near.length > 0 ? `did you mean ${near.map((n) => `\`${n}\``).join(", ")}?` : `its fields are ${all}`,
  });
}
