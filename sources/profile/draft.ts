import { type SnapshotFormat, snapshotFormat } from "../format.js";
import type { Decisions } from "./decide/decide.js";
import type { Decision } from "./decide/decision.js";
import { isMeasureLike } from "./decide/keys.js";
import { kindOf } from "./decide/kind.js";
import { times } from "./decimal.js";
import { columnLines } from "./draft-column.js";
import type { FileProfile } from "./profile.js";
import { PLACEHOLDER, type Told } from "./told.js";
import { comment, flow, scalar } from "./yaml-text.js";

/**
 * A card to edit: valid YAML that loads at once, with a `CHECK` at each thing that a person has to decide. Nothing that was guessed
 * stands in it without saying so.
 */
export function draftCard(profile: FileProfile, { columns, keys }: Decisions, told: Told): string {
  const named = withRecordKey(columns, told.key ?? keys.key);
  const idOf = (field: string | undefined): string | undefined => named.find((c) => c.field === field)?.id;
  const key = idOf(told.key ?? keys.key) ?? RECORD_ID;
  const name = idOf(told.name ?? keys.name) ?? key;
  const inCard = named.filter((c) => c.role !== "companion" && c.role !== "empty");
  const left = named.filter((c) => c.role === "empty").map((c) => c.field);
  const lines = [
    ...comment(
      `A card for ${profile.file}, drafted from its bytes. Every CHECK is a decision that nobody but you can make; docs/own-table.md goes through them.`,
    ),
    "card: 1",
    `id: ${told.id}`,
    ...identity(told, key === RECORD_ID || isFigures(profile, told.key ?? keys.key)),
    ...keys.said.flatMap((said) => comment(said)),
    `key: ${key}`,
    `name: ${name}`,
    ...publication(told),
    ...snapshotLines(profile),
    ...policies(inCard, keys.doubtful === "repeats"),
    ...completeness(profile, inCard, told),
    ...(left.length === 0 ? [] : comment(`Left out, as no record has a value: ${left.join(", ")}`)),
    ...comment(MARGINS),
    "columns:",
    ...inCard.flatMap((c) => columnLines(c)),
  ];
  return `${lines.join("\n")}\n`;
}

/** Nobody knows an entity by a measurement. */
function isFigures({ columns }: FileProfile, key: string | undefined): boolean {
  const column = columns.find((c) => c.field === key);
  return (
    column !== undefined &&
    (kindOf(column) === "number" ? column.whole < column.numbers : isMeasureLike(column))
  );
}

const RECORD_ID = "record";
const MARGINS =
  "CHECK of each column that selects: `uncertainty` is how well a value is known (half of its last digit is honest only where the publisher knows it that well), `drift` how far other sources differ. An entity wins only by more than both. The drifts here are guesses";

/** Without a key the records' own numbers are one. */
function withRecordKey(columns: readonly Decision[], key: string | undefined): readonly Decision[] {
  if (key !== undefined) return columns;
  const record: Decision = {
    ...{
      field: "#record",
      id: RECORD_ID,
      role: "key",
      type: "text",
      scale: "nominal",
      trim: false,
      nulls: [],
    },
    ...{ may: [], noun: "record number", unreadable: 0, notes: [] },
  };
  return [record, ...columns];
}

function identity(told: Told, anonymous: boolean): string[] {
  const singular = told.entity ?? singularOf(told.id.replace(/[-_]+/g, " "));
  const plural = told.plural ?? pluralOf(singular);
  const publicly = anonymous
    ? [
        ...comment("CHECK: without a key nobody could look an entity up, so that no task can ask for one"),
        "  public: false",
      ]
    : [
        ...comment(
          "CHECK: does the public know single entities by name or number? (An individual penguin has no public identity.)",
          1,
        ),
        "  public: true",
      ];
  return [
    `title: ${scalar(told.entity === undefined ? told.id : plural.charAt(0).toUpperCase() + plural.slice(1))}`,
    ...(told.domain === undefined
      ? comment("CHECK: the field of science: astronomy, biology, chemistry, geography, ...")
      : []),
    `domain: ${told.domain ?? "science"}`,
    "entity:",
    ...(told.entity === undefined
      ? comment('CHECK: what one record is, in a question: "the {singular} with the largest mass"', 1)
      : []),
    `  singular: ${scalar(singular)}`,
    `  plural: ${scalar(plural)}`,
    ...(told.scope === undefined
      ? comment('CHECK: said after the noun in every question: "of the Solar System", "listed in 2024"', 1)
      : []),
    `  scope: ${scalar(told.scope ?? "")}`,
    ...publicly,
  ];
}

/** Of regular nouns; a person reads both. */
function pluralOf(noun: string): string {
  if (/(?:species|series|aircraft)$/.test(noun)) return noun;
  if (/[^aeiou]y$/i.test(noun)) return `${noun.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/i.test(noun) ? `${noun}es` : `${noun}s`;
}

function singularOf(noun: string): string {
  if (/(?:species|series|ss|us|is)$/.test(noun) || noun.length < 4) return noun;
  if (/ies$/.test(noun)) return `${noun.slice(0, -3)}y`;
  return /(?:ss|x|z|ch|sh)es$/.test(noun) ? noun.slice(0, -2) : noun.replace(/s$/, "");
}

function publication(told: Told): string[] {
  const { host, text } = PLACEHOLDER;
  return [
    ...(told.licence === undefined
      ? comment("CHECK: an SPDX id such as CC-BY-4.0 or CC0-1.0; it goes into every dataset's card")
      : []),
    `licence: ${flow({ id: told.licence ?? text })}`,
    `citation: ${scalar(told.citation ?? told.publisher ?? text)}`,
    ...(told.hosts.length === 0
      ? comment(
          "CHECK: who publishes it, and the hosts where: solvers are kept from them, or they would look the answer up",
        )
      : []),
    `publisher: ${flow({ name: told.publisher ?? text, hosts: told.hosts.length === 0 ? [host] : told.hosts })}`,
    ...comment("CHECK: other names of the source that no question may mention"),
    `source_names: ${flow(told.publisher === undefined ? [] : [told.publisher])}`,
    ...comment("CHECK: how this file came about: where and when it was fetched, what was changed"),
    `provenance: ${scalar("as found; see the citation")}`,
    ...(told.asOf === undefined ? comment("CHECK: the day (or month, or year) of the data") : []),
    `as_of: ${JSON.stringify(told.asOf ?? "2000")}`,
  ];
}

function snapshotLines({ file, sha256, layout }: FileProfile): string[] {
  return [
    ...layout.said.flatMap((said) => comment(said)),
    "snapshot:",
    `  file: ${scalar(file)}`,
    `  sha256: ${sha256}`,
    `  read: ${flow(withoutDefaults(layout.read))}`,
  ];
}

/** A card says what differs from a format's defaults. */
function withoutDefaults(read: SnapshotFormat): Record<string, unknown> {
  const plain = snapshotFormat.safeParse({ format: read.format });
  const defaults = plain.success ? (plain.data as Readonly<Record<string, unknown>>) : {};
  const quote = read.format === "csv" && read.quote === null;
  const kept = Object.entries(read).filter(
    ([key, value]) => key === "format" || JSON.stringify(value) !== JSON.stringify(defaults[key]),
  );
  const utf8 = kept.filter(
    ([key, value]) => !(key === "encoding" && value === "utf-8") && !(quote && key === "escape"),
  );
  return Object.fromEntries(utf8);
}

function policies(columns: readonly Decision[], repeats: boolean): string[] {
  const unreadable = columns.filter((c) => c.unreadable > 0);
  const lines: string[] = [];
  if (unreadable.length > 0) {
    const listed = unreadable.map((c) => `${c.id} ${c.unreadable}`).join(", ");
    lines.push(
      ...comment(
        `CHECK: cells that cannot be read become unknown (${listed}); \`fail\` would stop at the first`,
      ),
      'on_unreadable: "null"',
    );
  }
  if (repeats) lines.push("on_duplicate_key: reject_row");
  return lines;
}

function completeness(profile: FileProfile, columns: readonly Decision[], told: Told): string[] {
  const total = profile.records;
  if (told.complete !== undefined)
    return ["complete:", `  - ${flow({ where: [], total, source: told.complete })}`];
  const never = columns.filter((c) => c.role === "measure" && isFull(profile, c.field));
  const others = columns.filter((c) => c.role === "measure" && !isFull(profile, c.field));
  const suspicion =
    never.length > 0 && others.length > 0
      ? comment(
          `CHECK: ${never
            .map((c) => c.id)
            .slice(0, 6)
            .join(
              ", ",
            )} are never unknown, ${others.length} other columns are: were records chosen by having them? Then \`selected_on: [...]\``,
        )
      : [];
  return [
    ...suspicion,
    ...comment(
      "CHECK: no task is accepted before a class of entities is declared complete: without it nobody knows whether the largest here is the largest there is. Declare what is known to be whole, its number, and who says so:",
    ),
    "# complete:",
    `#   - { where: [], total: ${total}, source: who says that these ${total} are all there are }`,
    ...exampleClass(profile, columns),
  ];
}

/** A class that the table could have: the upper quarter of a column that conditions may speak of. */
function exampleClass(profile: FileProfile, columns: readonly Decision[]): string[] {
  for (const { id, field, role, may, number } of columns) {
    if ((role !== "measure" && role !== "count") || !may.includes("filter")) continue;
    const { quantiles, numbers } = profile.columns.find((c) => c.field === field)!;
    const where = [{ column: id, op: "ge", value: times(quantiles[4]!, number?.factor ?? 1) }];
    const source = "who says that so many have so much, here and elsewhere";
    return [`#   - ${flow({ where, total: Math.ceil(numbers / 4), source })}`];
  }
  return [];
}

function isFull(profile: FileProfile, field: string): boolean {
  const column = profile.columns.find((c) => c.field === field);
  return column !== undefined && column.numbers === column.records;
}
