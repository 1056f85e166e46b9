import { type Stats, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { fail } from "../base/errors.js";
import { CASSETTE } from "../finish.js";
import { openRunDir } from "../run-dir.js";
import { CALLS, LOG } from "./cassette.js";
import { withPlain } from "./cassette-lines.js";
import { type Format, formatOf } from "./cassette-read.js";

/** A file of recorded calls. */
export interface CassetteFile {
  readonly path: string;
  readonly format: Format;
}

/** What a user's path stands for. */
export interface CassettePlace {
  /** The run directory, when it is one or its `calls/`. */
  readonly run?: string;
  readonly log?: string;
  readonly shipped?: string;
  /** Those of both that are there, or the file itself. */
  readonly files: readonly CassetteFile[];
}

/**
 * Finds the cassettes of a run directory, of its `calls/`, or a file.
 * @throws TaskmillError (usage, `no_cassette`) when there is none.
 */
export async function findCassettes(path: string): Promise<CassettePlace> {
  const found = statOf(path);
  if (found === undefined)
    fail("usage", "no_cassette", `there is no ${path}`, "give a run directory or a cassette");
  if (!found.isDirectory()) {
    if (found.isFile() && found.size === 0) {
      const hint = "give a `cassette.ndjson` or a run's `calls/log.ndjson`";
      fail("usage", "no_cassette", `${path} is empty`, hint);
    }
    return { files: [{ path, format: await withPlain(path, false, formatOf) }] };
  }
  const run = basename(resolve(path)) === CALLS ? join(path, "..") : path;
  await openRunDir(run);
  const log = present(join(run, CALLS, LOG));
  const shipped = present(join(run, CASSETTE));
  if (log === undefined && shipped === undefined) {
    const hint = `a run that asked models has ${CALLS}/${LOG}, and ${CASSETTE} once it is complete`;
    fail("usage", "no_cassette", `${path} holds no recorded calls`, hint);
  }
  const files: CassetteFile[] = [];
  if (log !== undefined) files.push({ path: log, format: "log" });
  if (shipped !== undefined) files.push({ path: shipped, format: "shipped" });
  return { run, log, shipped, files };
}

/** Links are for whoever opens it to refuse. */
function present(path: string): string | undefined {
  return statOf(path) === undefined ? undefined : path;
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // A loop of links, a name too long, a folder that may not be looked into: nothing that can be read.
    return undefined;
  }
}
