import { statSync } from "node:fs";
import { basename, relative } from "node:path";
import { type FoundCard, findCard } from "../sources/cards.js";
import { checkAmong } from "../sources/check-card.js";
import { at, type Document } from "./base/document.js";
import { type Problem, TaskmillError } from "./base/errors.js";

/** The cards of a config, and what is wrong with them. */
export interface FoundSources {
  readonly found: readonly FoundCard[];
  readonly problems: readonly Problem[];
}

/** Finds the card of each reference, in order. Problems inside a card stand in its own file, others in the config. */
export async function findSources(
  references: readonly string[],
  folder: string,
  document: Document,
): Promise<FoundSources> {
  const found: FoundCard[] = [];
  const places: number[] = [];
  const problems: Problem[] = [];
  for (const [i, reference] of references.entries()) {
    if (references.indexOf(reference) < i) {
      problems.push(
        at(document, ["sources", i], {
          code: "duplicate_source",
          message: `the source \`${reference}\` is given twice`,
        }),
      );
      continue;
    }
    try {
      found.push(await findCard(reference, folder));
      places.push(i);
    } catch (error) {
      if (!(error instanceof TaskmillError)) throw error;
      problems.push(...error.problems.map((p) => placed(p, reference, i, document)));
    }
  }
  const cards = found.map((f) => f.card);
  found.forEach((source, i) => {
    const among = checkAmong(cards, i).map(({ location: _l, path: _p, ...p }) => p);
    const own = [...among, ...missingSnapshot(source)];
    problems.push(...own.map((p) => at(document, ["sources", places[i]!], p)));
  });
  return { found, problems };
}

const UNREADABLE = new Set(["missing_file", "unreadable_file", "not_a_file", "bad_path"]);

function placed(problem: Problem, reference: string, index: number, document: Document): Problem {
  const { location, path: _path, ...rest } = problem;
  if (location === undefined) return at(document, ["sources", index], rest);
  if (UNREADABLE.has(problem.code)) {
    const message = `the card ${reference}: ${problem.message}`;
    return at(document, ["sources", index], { ...rest, message });
  }
  return { ...problem, location: { ...location, file: shortPath(location.file) } };
}

function missingSnapshot({ card, file, snapshot }: FoundCard): Omit<Problem, "path" | "location">[] {
  const what = faultOf(snapshot);
  if (what === undefined) return [];
  const message = `the snapshot ${basename(snapshot)} of \`${card.id}\` ${what}`;
  const hint = `it belongs at ${shortPath(snapshot)}`;
  const get = card.fetch === undefined ? "" : `; pipeline sources fetch ${shortPath(file)}`;
  return [{ code: "missing_snapshot", message, hint: `${hint}${get}` }];
}

function faultOf(path: string): string | undefined {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat?.isFile()) return undefined;
    return stat === undefined ? "is missing" : "is not a file";
  } catch (error) {
    // A loop of links, a name too long or with a NUL in it.
    return `cannot be read (${(error as NodeJS.ErrnoException).code})`;
  }
}

/** A path as seen from the working directory, where that is shorter. */
export function shortPath(path: string): string {
  const short = relative(process.cwd(), path);
  return short !== "" && short.length < path.length ? short : path;
}
