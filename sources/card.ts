import { z } from "zod";
import { fetchSpec } from "./fetch/spec.js";
import { type SnapshotFormat, snapshotFormat } from "./format.js";
import { identifier } from "./identifier.js";

/**
 * A source card says what no file says by itself. One YAML file beside one snapshot; `docs/cards.md` is the guide.
 * Everything here is untrusted input: strict objects, no defaults that hide a decision about science.
 */

export { identifier, type SnapshotFormat, snapshotFormat };

/** Stands in for the hash of a snapshot that was not pinned yet. */
export const NOT_LOCKED = "none";
const sha256 = z.string().regex(/^(?:[0-9a-f]{64}|none)$/, "a SHA-256 is 64 lower-case hex digits");
const finite = z.number();
const positive = z.number().positive();
const text = z.string().min(1);

/** How a column's values may be compared: decides which margin is meaningful. */
export const scale = z.enum(["ratio", "interval", "log", "count", "exact", "flag", "nominal"]);
export type Scale = z.infer<typeof scale>;

/**
 * A condition of a program, of a declared class, or of a row cut. Numbers are in the column's unit. `is` tests a flag,
 * `eq`/`in` text or exact integers, `starts_with` text prefixes (case-insensitive, any of), `known` presence.
 */
export const condition = z.union([
  z.strictObject({ column: text, op: z.enum(["lt", "le", "gt", "ge"]), value: finite }),
  z.strictObject({ column: text, op: z.literal("between"), low: finite, high: finite }),
  z.strictObject({ column: text, op: z.literal("eq"), value: z.union([z.string(), z.number()]) }),
  z.strictObject({
    column: text,
    op: z.literal("in"),
    values: z.array(z.union([z.string(), z.number()])).min(1),
  }),
  z.strictObject({ column: text, op: z.literal("starts_with"), values: z.array(text).min(1) }),
  z.strictObject({ column: text, op: z.literal("is"), value: z.boolean() }),
  z.strictObject({ column: text, op: z.literal("known") }),
]);
export type Condition = z.infer<typeof condition>;

/** A relative figure, an absolute one in the column's unit, or both (the larger counts). */
const spread = z
  .strictObject({
    relative: z.number().nonnegative().optional(),
    absolute: z.number().nonnegative().optional(),
  })
  .refine((s) => s.relative !== undefined || s.absolute !== undefined, "give `relative`, `absolute` or both");
export type Spread = z.infer<typeof spread>;

/**
 * How numbers are written in this column. Forms: `plain` 1.5e3, .079, 12; `grouped` 142,984; `spaced`
 * 6.644 657 3450 e-27; `plus_minus` 170.±25. (the second number becomes the uncertainty); `parenthesis` 1.234(5);
 * `sexagesimal` 19 22 43.4 or +40:05:51 (first field in the unit). Anything else is unreadable.
 */
const numberFormat = z.strictObject({
  forms: z
    .array(z.enum(["plain", "grouped", "spaced", "plus_minus", "parenthesis", "sexagesimal"]))
    .min(1)
    .default(["plain"]),
  decimal: z.enum([".", ","]).default("."),
  group: z.enum([",", ".", " ", "'", "_"]).default(","),
  prefix: z.array(text).default([]).describe("Texts allowed, and dropped, before the number"),
  suffix: z
    .array(text)
    .default([])
    .describe('Texts allowed, and dropped, behind the number: a footnote mark, "million sq km"'),
  factor: positive
    .default(1)
    .describe("Multiplies the number read (1e24 for a column in 10^24 kg); the unit applies to the product"),
});

/**
 * Where a field stands in a record: a header, a JSON path with dots, an XML path (`@id`, `label[dictRef=bo:name]@value`,
 * `scalar[dictRef=bo:mass]`), `#record` for the record's own number, or several joined into one text.
 */
const origin = z.union([text, z.strictObject({ join: z.array(text).min(1), with: z.string().default(" ") })]);

const phrase = z.strictObject({
  noun: text.describe('Bare noun phrase: "mass", "orbital period", "half-life"'),
  article: z
    .string()
    .optional()
    .describe('"a", "an", "the" or "" before the noun where a condition states it: "with a mass above ..."'),
  max: z.array(text).optional().describe('Superlatives before the entity noun: ["most massive"]'),
  min: z.array(text).optional().describe('Superlatives before the entity noun: ["least massive"]'),
  true: z.array(text).optional().describe('Of a flag, after the entity noun: ["that has a ring system"]'),
  false: z.array(text).optional().describe('Of a flag, after the entity noun: ["without a ring system"]'),
  values: z
    .record(z.string(), z.array(text).min(1))
    .optional()
    .describe('Of a nominal value, after the entity noun: { MBA: ["in the main asteroid belt"] }'),
  definition: text
    .optional()
    .describe(
      'What the column means, where a solver could take it otherwise: "sidereal", "osculating, at epoch ..."',
    ),
});
export type Phrase = z.infer<typeof phrase>;

const column = z.strictObject({
  from: origin,
  /** The type is declared, never guessed. `integer` is exact to 2^53; `text` keeps every byte. */
  type: z.enum(["number", "integer", "text", "flag"]),
  scale,
  /** Unit of the stored value, e.g. `kg`, `km/s`, `degC`, `1`. Required for numbers. */
  unit: text.optional(),
  number: numberFormat.optional(),
  /** Texts that mean true and false. */
  flag: z.strictObject({ true: z.array(z.string()).min(1), false: z.array(z.string()).min(1) }).optional(),
  trim: z.boolean().default(false),
  /** Spellings of "not known", compared with the raw text. An absent field is always unknown. */
  nulls: z.array(z.string()).default([""]),
  /** Plausible range in the column's unit; a value outside is counted as implausible and treated as unknown. */
  range: z.tuple([finite.nullable(), finite.nullable()]).optional(),
  /** Standard uncertainty. `rounding`: half of the last written digit. Never less than that half. */
  uncertainty: z
    .union([
      z.strictObject({ rounding: z.literal(true) }),
      z.strictObject({ exact: z.literal(true) }),
      /** Another field of the record holds it, in the column's unit (after this field's own factor). */
      z.strictObject({ from: text, factor: positive.default(1) }),
      spread,
    ])
    .optional(),
  /** How far published values of this column differ between sources or definitions. */
  drift: spread.optional(),
  /** Companions. */
  limit: z
    .strictObject({
      from: text,
      upper: z.array(z.string()).default([]),
      lower: z.array(z.string()).default([]),
    })
    .optional(),
  /** A column whose value says what kind this number is; kinds are never compared with each other. */
  kind: text.optional(),
  unit_from: z.strictObject({ from: text, units: z.record(z.string(), text) }).optional(),
  /** What the number is, for binding formulas: `mass`, `mean_radius`, `equatorial_radius`, `half_life`. */
  quantity: identifier.optional(),
  /** What programs may do with it. Selecting needs `uncertainty` (or scale `exact`). */
  may: z.array(z.enum(["filter", "select", "compute"])).default([]),
  /** Cells (by key) that are wrong or unconfirmed: read, counted, then treated as unknown. */
  exclude: z.array(z.strictObject({ key: text, reason: text })).default([]),
  phrase: phrase.optional(),
  /** Where the figures come from and what they mean. */
  note: text.optional(),
});
export type ColumnCard = z.infer<typeof column>;

const link = z
  .strictObject({
    column: text.describe("Text column here whose value is the key over there"),
    to: identifier.describe("Id of the other table's card, which a config must list too"),
    phrase: text.describe('"the planet that {it} orbits": {it} must be there, and becomes e.g. "this moon"'),
  })
  .describe("A link to another table: a program may follow it from an entity here to one there");

/** What an answer of a user's own question is: decides how it is read and how replies are graded (`verifiers/answer`). */
export const ANSWER_TYPES = [
  "quantity",
  "integer",
  "entity",
  "boolean",
  "choice",
  "date",
  "list",
  "set",
  "tuple",
  "interval",
  "vector",
  "matrix",
  "expression",
  "text",
] as const;
export type AnswerType = (typeof ANSWER_TYPES)[number];

/** Where the parts of questions and answers stand: in a text column of the card, by its id, or as one `value` for all records. */
const problemMapping = z.strictObject({
  question: text,
  answer: text,
  /** One of the answer types for all records, or the column that names it. */
  type: z.union([z.enum(ANSWER_TYPES), text]),
  /** Of numbers whose cells hold none. */
  unit: z.union([text, z.strictObject({ value: text })]).optional(),
  /** Relative; without it half a unit of the last of `digits`, and without these 0. */
  tolerance: z.union([text, z.strictObject({ value: z.number().min(0).max(0.5) })]).optional(),
  /** Significant figures that the question asks for. */
  digits: z.union([text, z.strictObject({ value: z.number().int().min(1).max(100) })]).optional(),
  /** Other names of an entity: a JSON list, or names between `split` marks. */
  aliases: z.union([text, z.strictObject({ column: text, split: text })]).optional(),
  /** Of a choice: a column that holds JSON (a list, labelled A, B, C and so on, or an object by label), a column for each label, or the same for all. */
  options: z
    .union([
      text,
      z.strictObject({ columns: z.record(text, text) }),
      z.strictObject({ value: z.record(text, text) }),
    ])
    .optional(),
  /** BCP 47; English without it. */
  language: z.union([text, z.strictObject({ value: text })]).optional(),
  /** What `split` may keep together. */
  topic: z.union([text, z.strictObject({ value: text })]).optional(),
});
export type ProblemMapping = z.infer<typeof problemMapping>;

export const cardSchema = z.strictObject({
  card: z.literal(1),
  /**
   * `table`, the default: entities with their values. `problems`: questions with their answers, for the stage `problems`. Without a
   * default in the parsed card, as tables are named by a hash over it.
   */
  kind: z.enum(["table", "problems"]).optional(),
  id: identifier,
  title: text,
  domain: identifier,
  entity: z.strictObject({
    singular: text,
    plural: text,
    /** After the noun, always said: "of the Solar System", "of order at most 127". */
    scope: z.string().default(""),
    /** Whether the public knows single entities by name (an individual penguin has no public identity). */
    public: z.boolean(),
    /** The entity is a handful known by heart: its tables are excepted from entity quotas, by declaration. */
    tiny: z.boolean().default(false),
  }),
  key: text,
  /** Name in prose: a column, or a template such as "{symbol}-{number}"; `{link.column}` follows a link. */
  name: text,
  /** Other names: columns or templates; `split` cuts a column's text into several. */
  aliases: z.array(z.union([text, z.strictObject({ column: text, split: text })])).default([]),
  /** Names of the source or publisher that a question must not mention. */
  source_names: z.array(text).default([]),
  licence: z.strictObject({
    id: text,
    url: text.optional(),
    share_alike: z.boolean().default(false),
    attribution: text.optional(),
  }),
  citation: text,
  publisher: z.strictObject({ name: text, hosts: z.array(text).min(1) }),
  /**
   * Where the same table can be had beside the publisher's hosts: hosts, or prefixes of addresses without a scheme. Kept from solvers
   * too. No part of the data: the table keeps its hash.
   */
  mirrors: z
    .array(
      z
        .string()
        .regex(
          /^[a-z0-9.-]+(\/[^\s?#]*)?$/i,
          "a mirror is a host, or a host with a path: `example.org/data`",
        ),
    )
    .optional(),
  /**
   * How solvers come by the facts when all of this is kept from them: `sources` of their own publish them, or they are `computable`
   * by anyone from the question and definitions alone. `note` names the sources or the way.
   */
  reach: z.strictObject({ by: z.enum(["sources", "computable"]), note: text }).optional(),
  provenance: text,
  as_of: z.string().regex(/^\d{4}(-\d{2}(-\d{2})?)?$/, "a date: YYYY, YYYY-MM or YYYY-MM-DD"),
  /** `sha256` pins the file; a card that says where to fetch it may leave it to `sources lock`. */
  snapshot: z.strictObject({ file: text, sha256: sha256.default(NOT_LOCKED), read: snapshotFormat }),
  /** Where the snapshot comes from, for `sources fetch`. No part of the data: the table keeps its hash. */
  fetch: fetchSpec.optional(),
  /** What to do with a value that cannot be read. */
  on_unreadable: z.enum(["null", "reject_row", "fail"]).default("fail"),
  on_duplicate_key: z.enum(["fail", "reject_row"]).default("fail"),
  /** Records to keep; the others are counted as rejected with `reason`. */
  rows: z.array(z.strictObject({ keep: condition, reason: text })).default([]),
  /** Columns whose presence decided which rows are here. */
  selected_on: z.array(text).default([]),
  /** Rows beyond this value are absent: an extremum towards it is meaningless. */
  cutoffs: z
    .array(z.strictObject({ column: text, keeps: z.enum(["below", "above"]), at: finite }))
    .default([]),
  /**
   * Classes whose entities are all here. An empty `where` is the whole table. `total`, the known number of entities, is
   * checked against the snapshot. Without a class that covers a program's conditions its extremum is refused.
   */
  complete: z
    .array(
      z.strictObject({
        where: z.array(condition).default([]),
        total: z.number().int().positive(),
        source: text,
      }),
    )
    .default([]),
  columns: z.record(identifier, column),
  links: z.record(identifier, link).default({}),
  /** For kind `problems`. */
  problems: problemMapping.optional(),
});
export type Card = z.infer<typeof cardSchema>;
