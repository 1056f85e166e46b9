import { dirname, join } from "node:path";
import type { Card } from "../sources/card.js";
import { bundledIds, type FoundCard, findCard } from "../sources/cards.js";
import { loadCatalog } from "../sources/catalog.js";
import { type Database, openDatabase } from "../sources/duckdb.js";
import { loadSource } from "../sources/load.js";
import type { Objection } from "../sources/profile/objections/objection.js";
import { objectionsTo } from "../sources/profile/objections/objections.js";
import type { IngestReport } from "../sources/table.js";
import { TaskmillError } from "./base/errors.js";
import { checkSnapshot } from "./describe-source.js";
import { knownQuantities } from "./quantities.js";
import { counted } from "./terminal.js";

export interface CheckedSource {
  readonly text: string;
  readonly json: unknown;
  /** Without an objection of severity error. */
  readonly sound: boolean;
  readonly objections: readonly Objection[];
}

/**
 * Holds a card against its schema and its snapshot, loads its table, and says what a scientist would object to.
 * @throws TaskmillError where the card or its snapshot is not sound.
 */
export async function checkSource(reference: string, signal?: AbortSignal): Promise<CheckedSource> {
  const found = await findCard(reference, ".");
  await checkSnapshot(found);
  const { card } = found;
  if (card.kind === "problems") return soundOnly(card);
  const linked = await linkedCards(found);
  const folders = [found, ...linked].map((f) => dirname(f.snapshot));
  const database = await openDatabase(":memory:", { folders: [...new Set(folders)], threads: 2 });
  try {
    const report = await loadAll(found, linked, database, signal);
    const { tables } = await loadCatalog(database);
    const table = tables.get(card.id)!;
    const others = new Map([...tables].filter(([id]) => id !== card.id));
    const whole = { ...table, card };
    const objections = objectionsTo({ table: whole, report, linked: others, known: knownQuantities() });
    return {
      text: textOf(card, report, objections),
      json: { card, report, objections },
      sound: !hasErrors(objections),
      objections,
    };
  } finally {
    database.close();
  }
}

function soundOnly(card: Card): CheckedSource {
  const text = `${card.id}: card and snapshot are sound\n`;
  return { text, json: { card, objections: [] }, sound: true, objections: [] };
}

const hasErrors = (objections: readonly Objection[]): boolean =>
  objections.some((o) => o.severity === "error");

/** Cards that the links lead to: bundled, or beside the card under the name of their id. */
async function linkedCards({ card, file }: FoundCard): Promise<FoundCard[]> {
  const found: FoundCard[] = [];
  for (const id of new Set(Object.values(card.links).map((link) => link.to))) {
    if (id === card.id) continue;
    const places = [
      join(dirname(file), `${id}.yaml`),
      join(dirname(file), id, "card.yaml"),
      join(dirname(file), "..", id, "card.yaml"),
    ];
    for (const place of bundledIds().includes(id) ? [id] : places) {
      const other = await findCard(place, ".").catch(orNothing);
      if (other === undefined || other.card.id !== id) continue;
      found.push(other);
      break;
    }
  }
  return found;
}

function orNothing(error: unknown): undefined {
  if (!(error instanceof TaskmillError)) throw error;
}

/** Loads the linked tables without links of their own: only their keys are looked at. */
async function loadAll(
  { card, snapshot }: FoundCard,
  linked: readonly FoundCard[],
  database: Database,
  signal: AbortSignal | undefined,
): Promise<IngestReport> {
  for (const other of linked) await loadSource(unlinked(other.card), other.snapshot, database, { signal });
  const there = new Set(linked.map((f) => f.card.id));
  const whole = Object.values(card.links).every((link) => there.has(link.to) || link.to === card.id);
  return loadSource(whole ? card : unlinked(card), snapshot, database, { signal });
}

/** A card whose names need no other table. */
function unlinked(card: Card): Card {
  const names = (text: string): boolean => !/\{[^}]*\./.test(text);
  const aliases = card.aliases.filter((a) => typeof a !== "string" || names(a));
  return { ...card, links: {}, name: names(card.name) ? card.name : card.key, aliases };
}

function textOf(card: Card, report: IngestReport, objections: readonly Objection[]): string {
  const head = `${card.id}: card and snapshot are sound; ${counted(report.loaded, "row")} of ${counted(report.records, "record")}`;
  if (objections.length === 0) return `${head}\nnothing to object to\n`;
  const lines = objections.flatMap((o) => [
    `${o.severity}: ${o.about}: ${o.what} [${o.code}]`,
    `    why: ${o.why}`,
    `    do:  ${o.fix}`,
  ]);
  const count = (severity: string): number => objections.filter((o) => o.severity === severity).length;
  const sums = `${counted(count("error"), "error")}, ${counted(count("warning"), "warning")}, ${counted(count("note"), "note")}`;
  return `${[head, "", ...lines, "", sums].join("\n")}\n`;
}
