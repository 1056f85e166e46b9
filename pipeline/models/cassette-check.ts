import { counted } from "../terminal.js";
import type { CassetteRecord } from "./call.js";
import type { LogEvent } from "./cassette-events.js";
import { type Line, withPlain } from "./cassette-lines.js";
import type { CassetteFile } from "./cassette-place.js";
import { type Damage, misnamed, recordOf, scanLog, scanShipped } from "./cassette-read.js";
import { secretsIn } from "./redact.js";

/** Something wrong with a line of a cassette. */
interface CassetteFinding {
  readonly line: number;
  readonly code: Damage["code"] | "secret";
  readonly message: string;
}

/** What a look at every line of a cassette gave. */
export interface CassetteCheck {
  readonly path: string;
  readonly format: CassetteFile["format"];
  /** Records that were read whole. */
  readonly records: number;
  /** How many there are. */
  readonly wrong: number;
  /** The first of them. */
  readonly findings: readonly CassetteFinding[];
}

/** A hostile file may be wrong in every line: no more of them are held. */
const LISTED = 1000;

/**
 * Reads every line of a cassette: its form and checksum, each key against the hash of what was asked, and whether anything in
 * there looks like a secret. @throws TaskmillError (source) for a file that cannot be read.
 */
export function checkCassette({ path, format }: CassetteFile): Promise<CassetteCheck> {
  return withPlain(path, false, async (file) => {
    const findings: CassetteFinding[] = [];
    let wrong = 0;
    let records = 0;
    const report = (line: number, code: CassetteFinding["code"], message: string): void => {
      wrong++;
      if (findings.length < LISTED) findings.push({ line, code, message });
    };
    const onDamage = ({ line, code, why }: Damage): void => report(line, code, why);
    const onRecord = (record: CassetteRecord, { number: line }: Line): void => {
      records++;
      const why = misnamed(record);
      if (why !== undefined) report(line, "bad_key", why);
      for (const what of secretsIn(record)) report(line, "secret", `it holds what looks like ${what}`);
    };
    if (format === "shipped") await scanShipped(file, onRecord, onDamage);
    else {
      const onEvent = (event: LogEvent, line: Line): void => {
        const record = recordOf(event);
        if (record !== undefined) onRecord(record, line);
      };
      await scanLog(file, onEvent, onDamage);
    }
    return { path, format, records, wrong, findings };
  });
}

export function checkText({ path, records, wrong, findings }: CassetteCheck): string {
  const more = wrong - findings.length;
  return [
    ...findings.map(({ line, code, message }) => `${path}:${line}: ${message} [${code}]\n`),
    more > 0 ? `and ${counted(more, "finding")} more\n` : "",
    `${path}: ${counted(records, "record")} read, ${wrong === 0 ? "all sound" : counted(wrong, "finding")}\n`,
  ].join("");
}
