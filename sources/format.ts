import { z } from "zod";
import { identifier } from "./identifier.js";

/**
 * How a snapshot's bytes are read: one entry per format, each with an adapter of the same name in `adapters/`. Keys that came after
 * the first cards are optional without a default, as tables are named by a hash over the parsed card.
 */

const text = z.string().min(1);
const lines = z.number().int().nonnegative();
const encodings = z.enum(["utf-8", "latin1", "utf-16le", "utf-16be", "windows-1252"]);
export type Encoding = z.infer<typeof encodings>;

/** UTF-8 where a card says nothing. */
const encoding = encodings.optional();

const csv = z.strictObject({
  format: z.literal("csv"),
  delimiter: z.string().min(1).max(3).default(","),
  quote: z.string().length(1).nullable().default('"'),
  escape: z.string().length(1).nullable().default('"'),
  header: z.boolean().default(true),
  /** Column names where the file has no header, in order. */
  names: z.array(text).optional(),
  comment: z.string().min(1).nullable().default(null),
  /** Lines to pass over before the header (a title, a units row after it: `skip_after_header`). */
  skip: lines.default(0),
  skip_after_header: lines.default(0),
  encoding: encodings.default("utf-8"),
  /** Rows with more or fewer fields than the header. */
  ragged: z.enum(["fail", "reject_row", "pad"]).default("fail"),
  /**
   * The records are the columns: each line is one field of all records, named by its first cell. A line whose first cell is empty, as
   * the line with the entities' names often is, is called by its number, `#1`. `header`, `names` and `skip_after_header` are then about columns.
   */
  transposed: z.boolean().optional(),
});

const fixed = z.strictObject({
  format: z.literal("fixed"),
  /** Fields by the places of their first and last character, counted from 1; without `end` to the end of the line. */
  columns: z
    .array(
      z.strictObject({
        name: text,
        start: z.number().int().min(1).max(100_000),
        end: z.number().int().min(1).max(100_000).optional(),
      }),
    )
    .min(1)
    .optional(),
  /** A line of names, and under it a line of dashes as long as the columns are wide, say where the fields stand. */
  ruler: z.boolean().optional(),
  /** Lines to pass over at the start. */
  skip: lines.optional(),
  /** Lines that begin with this are passed over. */
  comment: text.optional(),
  encoding,
});

const stanzas = z.strictObject({
  format: z.literal("stanzas"),
  /** The records are the stanzas under `[Term]`; `*` takes all. Without it records are paragraphs, divided by empty lines. */
  stanza: text.optional(),
  /** Between a field's name and its value. */
  separator: z.string().min(1).max(3).default(":"),
  /** A field that comes several times in a record: its values put together with this. Without it that is an error. */
  join: z.string().optional(),
  /** Starts a comment, at the start of a line or after a blank, outside double quotes. */
  comment: z.string().min(1).max(3).optional(),
  /** Whether a backslash takes the meaning from the character after it (`\n`, `\t` and OBO's `\W` are a line end, a tab and a blank). */
  escapes: z.boolean().default(false),
  encoding,
});

export const snapshotFormat = z.discriminatedUnion("format", [
  csv,
  z.strictObject({
    format: z.literal("json"),
    /** Path to the records, e.g. `features`; empty for a document that is the array. */
    path: z.string().default(""),
    /** Where the records are arrays: path to the list of field names (as NASA and JPL answer). */
    fields: z.string().optional(),
    encoding,
  }),
  z.strictObject({ format: z.literal("ndjson"), encoding }),
  z.strictObject({
    format: z.literal("xml"),
    /** Name of the element that is one record. */
    record: text,
    encoding,
  }),
  z.strictObject({
    format: z.literal("yaml"),
    /** Path to the records, e.g. `data.stars`: a list of maps, or a map of maps whose keys are the field `#key`. */
    path: z.string().default(""),
    encoding,
  }),
  fixed,
  stanzas,
  z.strictObject({ format: z.literal("parquet") }),
  /** An IPC file or stream (Feather 2). */
  z.strictObject({ format: z.literal("arrow") }),
  /** A table or a view of the file, by its name. */
  z.strictObject({ format: z.literal("sqlite"), table: text }),
  /** Read by an adapter of the user's own, which comes with `--plugin` or the API; see `defineSource`. */
  z.strictObject({
    format: z.literal("plugin"),
    adapter: identifier,
    options: z.record(z.string(), z.json()).default({}),
  }),
]);
export type SnapshotFormat = z.infer<typeof snapshotFormat>;
/** The options of one format. */
export type FormatOf<F extends SnapshotFormat["format"]> = Extract<SnapshotFormat, { format: F }>;
