import { existsSync, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { at, type Document, readDocument, validate } from "../pipeline/base/document.js";
import { nearest, type Problem, TaskmillError } from "../pipeline/base/errors.js";
import { withoutSecrets } from "../pipeline/base/secrets.js";
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
 * Finds a card by bundled id, or by a path relative to `base`. What only several cards together reveal is for
 * `checkAmong` or {@link findCards} to say.
 * @throws TaskmillError (config) with every problem of the card, located; or when there is none.
 */
export async function findCard(reference: string, base: string): Promise<FoundCard> {
  return (await open(reference, base)).found;
}

/**
 * Finds cards that belong together. Problems of all of them come at once, those between them included.
 * @throws TaskmillError (config)
 */
export async function findCards(references: readonly string[], base: string): Promise<FoundCard[]> {
  const results = await Promise.allSettled(references.map((reference) => open(reference, base)));
  const opened = results.flatMap((r) => (r.status === "fulfilled" ? [r.value] : []));
  const cards = opened.map((o) => o.found.card);
  const problems = results.flatMap((r) => (r.status === "rejected" ? problemsOf(r.reason) : []));
  if (problems.length === 0) {
    problems.push(
      ...opened.flatMap(({ document }, i) => checkAmong(cards, i).map((p) => located(document, p))),
    );
  }
  if (problems.length > 0) throw new TaskmillError("config", problems);
  return opened.map((o) => o.found);
}

function problemsOf(error: unknown): readonly Problem[] {
  if (error instanceof TaskmillError) return error.problems;
  throw error;
}

interface Opened {
  readonly document: Document;
  readonly found: FoundCard;
}

async function open(reference: string, base: string): Promise<Opened> {
  const file = fileOf(reference, base);
  // A card means the same on every machine: no variables.
  const document = await readDocument(file, { env: "none" });
  const checked = validate(document, cardSchema);
  if ("problems" in checked) throw new TaskmillError("config", checked.problems.map(withoutSecrets));
  const card = checked.value;
  const problems = checkCard(card).map((p) => withoutSecrets(located(document, p)));
  if (problems.length > 0) throw new TaskmillError("config", problems);
  return { document, found: { card, file, snapshot: snapshotPath(card, resolve(dirname(file))) } };
}

function located(document: Document, { path = [], location: _, ...problem }: Problem): Problem {
  return at(document, path, problem);
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
