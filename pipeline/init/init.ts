import { mkdir, writeFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { type FoundCard, findCard } from "../../sources/cards.js";
import { identifier } from "../../sources/identifier.js";
import type { Objection } from "../../sources/profile/objections/objection.js";
import { fail, TaskmillError } from "../base/errors.js";
import { checkSource } from "../check-source.js";
import { diskProblem } from "../fs.js";
import { shortPath } from "../sources.js";
import { configText } from "./config-text.js";

export interface InitRequest {
  readonly folder: string;
  /** Ids of bundled sources, or paths of cards as seen from the working directory. */
  readonly sources: readonly string[];
  readonly name?: string;
}

export interface Made {
  readonly text: string;
  /** What is wrong with the cards, so that the config will make little or nothing. */
  readonly warnings: string;
  readonly json: { readonly config: string; readonly sources: readonly string[] };
}

/**
 * Writes a config for the given sources, never over a file, and says what to type next.
 * @throws TaskmillError (config) for a card that is not sound; (usage) for a file that is there.
 */
export async function initConfig({ folder, sources, name }: InitRequest): Promise<Made> {
  const found = await withLinked(await opened(sources), sources);
  const cards = found.map((f) => f.card);
  const id = name ?? `${cards[0]!.id}-tasks`.slice(0, 63);
  if (!identifier.safeParse(id).success)
    fail(
      "usage",
      "bad_name",
      `\`${id}\` is no name`,
      "lower-case letters, digits, _ and -, starting with a letter",
    );
  const path = join(folder, `${id}.yaml`);
  const references = found.map((f) => referenceFrom(folder, f));
  await write(folder, path, configText(id, cards, references));
  return {
    text: nextText(path, found),
    warnings: await warningsOf(found),
    json: { config: path, sources: references },
  };
}

async function opened(sources: readonly string[]): Promise<FoundCard[]> {
  const found: FoundCard[] = [];
  for (const source of sources) found.push(await findCard(source, "."));
  return found;
}

/** A bundled card links to bundled cards only: they come along, as a config needs them. */
async function withLinked(found: readonly FoundCard[], given: readonly string[]): Promise<FoundCard[]> {
  const all = [...found];
  for (const { card } of found) {
    for (const { to } of Object.values(card.links)) {
      if (all.some((f) => f.card.id === to)) continue;
      const other = await findCard(to, ".").catch(() => undefined);
      if (other === undefined) {
        const hint = `--source ${[...given, `./path/to/${to}.yaml`].join(",")}`;
        fail(
          "usage",
          "missing_source",
          `\`${card.id}\` links to \`${to}\`, which is not among the sources`,
          hint,
        );
      }
      all.push(other);
    }
  }
  return all;
}

/** Errors that leave no task at all. */
const ACCEPTS_NOTHING = new Set(["nothing_complete", "not_public"]);

/** Objections of severity error to cards of one's own; the bundled ones have none. */
async function warningsOf(found: readonly FoundCard[]): Promise<string> {
  const lines: string[] = [];
  for (const own of found.filter((f) => !isBundled(f))) {
    const objections = await checkSource(own.file).then((c) => c.objections, problemsOf);
    for (const o of objections.filter((o) => o.severity === "error"))
      lines.push(
        `error: ${own.card.id}: ${ACCEPTS_NOTHING.has(o.code) ? "this card will accept nothing: " : ""}${o.about}: ${o.what} [${o.code}]`,
        `    do:  ${o.fix}`,
      );
  }
  return lines.map((line) => `${line}\n`).join("");
}

/** A snapshot that cannot be read: the config is right all the same. */
function problemsOf(error: unknown): Objection[] {
  if (!(error instanceof TaskmillError)) throw error;
  return error.problems.map(({ code, message, hint }) => ({
    ...{ code, severity: "error", about: "table", what: message, why: "" },
    fix: hint ?? "npx pipeline sources check CARD",
  }));
}

const isBundled = ({ card, file }: FoundCard): boolean =>
  file.endsWith(join("snapshots", card.id, "card.yaml"));

/** Bundled cards by their id, others by their path as seen from the config. */
function referenceFrom(folder: string, found: FoundCard): string {
  const { card, file } = found;
  if (isBundled(found)) return card.id;
  const path = relative(resolve(folder), resolve(file)).replaceAll("\\", "/");
  return path.startsWith("../") ? path : `./${path}`;
}

async function write(folder: string, path: string, text: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(path, text, { flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST")
      fail(
        "usage",
        "file_exists",
        `${shortPath(resolve(path))} is there already, and is not written over`,
        "give another --name or folder, or move it away",
      );
    throw diskProblem(error, path) ?? error;
  }
}

function nextText(path: string, found: readonly FoundCard[]): string {
  const open = found.filter((f) => f.card.complete.length === 0).map((f) => f.card.id);
  const warning =
    open.length === 0
      ? []
      : [
          `  note: ${open.join(", ")} declares no complete class, so that no task will be accepted: see \`complete\` in docs/own-table.md`,
        ];
  const shown = shortPath(resolve(path));
  return `${[
    `wrote ${shown}`,
    ...warning,
    "next:",
    `  npx pipeline plan ${shown}   (what it would do)`,
    `  npx pipeline run ${shown}    (makes the dataset)`,
  ].join("\n")}\n`;
}
