import { existsSync, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { at, type Document, readDocument, validate } from "../pipeline/base/document.js";
import { nearest, type Problem, TaskmillError } from "../pipeline/base/errors.js";
import { type Card, cardSchema, identifier } from "./card.js";
import { checkAmong, checkCard } from "./check-card.js";
import { snapshotPath } from "./load.js";

/** A card found and checked, and where its snapshot lies. */
export interface FoundCard {
  readonly card: Card;
  /** Path of the card file. */
  readonly file: string;
  /** Absolute path of the snapshot. */
  readonly snapshot: string;
}

/** The folder of bundled snapshots: beside the source, or above `dist/` once compiled. */
export function bundledFolder(): string {
  const beside = fileURLToPath(new URL("./snapshots/", import.meta.url));
  if (existsSync(beside)) return beside;
  return fileURLToPath(new URL("../../sources/snapshots/", import.meta.url));
}

/** Ids of the bundled sources, in code-unit order. */
export function bundledIds(): string[] {
  const folder = bundledFolder();
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((id) => existsSync(join(folder, id, "card.yaml")))
    .sort();
}

/**
 * Finds a card by bundled id, or by a path relative to `base`.
 * @throws TaskmillError (config) with every problem of the card, located; or when there is none.
 */
export async function findCard(reference: string, base: string): Promise<FoundCard> {
  const { found } = await open(reference, base);
  return found;
}

/**
 * Finds all cards of a config. Problems of all of them come together, links between them included.
 * @throws TaskmillError (config)
 */
export async function findCards(references: readonly string[], base: string): Promise<FoundCard[]> {
  const results = await Promise.all(references.map((reference) => attempt(reference, base)));
  const problems = results.flatMap((r) => ("problems" in r ? r.problems : []));
  if (problems.length > 0) throw new TaskmillError("config", problems);
  const opened = results as Opened[];
  const cards = opened.map((o) => o.found.card);
  const across = opened.flatMap(({ document }, i) => checkAmong(cards, i).map((p) => located(document, p)));
  if (across.length > 0) throw new TaskmillError("config", across);
  return opened.map((o) => o.found);
}

interface Opened {
  readonly document: Document;
  readonly found: FoundCard;
}

async function attempt(reference: string, base: string): Promise<Opened | { problems: readonly Problem[] }> {
  try {
    return await open(reference, base);
  } catch (error) {
    if (error instanceof TaskmillError && error.kind === "config") return { problems: error.problems };
    throw error;
  }
}

async function open(reference: string, base: string): Promise<Opened> {
  const file = fileOf(reference, base);
  const document = await readDocument(file, { env: {} });
  const checked = validate(document, cardSchema);
  if ("problems" in checked) throw new TaskmillError("config", checked.problems);
  const card = checked.value;
  const problems = checkCard(card).map((p) => located(document, p));
  if (problems.length > 0) throw new TaskmillError("config", problems);
  return { document, found: { card, file, snapshot: snapshotPath(card, resolve(dirname(file))) } };
}

function located(document: Document, problem: Problem): Problem {
  const { path = [], location: _, ...rest } = problem;
  return at(document, path, rest);
}

function fileOf(reference: string, base: string): string {
  if (!identifier.safeParse(reference).success) return resolve(base, reference);
  const file = join(bundledFolder(), reference, "card.yaml");
  if (existsSync(file)) return file;
  const ids = bundledIds();
  const near = nearest(reference, ids);
  const hint =
    near === undefined
      ? `bundled: ${ids.join(", ")}; or give the path of a card, ./${reference}.yaml`
      : `did you mean \`${near}\`?`;
  throw new TaskmillError("config", [
    { code: "unknown_source", message: `there is no bundled source \`${reference}\``, hint },
  ]);
}
