import { type Location, TaskmillError } from "../pipeline/base/errors.js";

/** What a source error says beside its message. */
interface Details {
  readonly hint?: string;
  readonly location?: Location;
  readonly cause?: unknown;
}

/** Throws a single-problem `source` error. */
export function sourceError(code: string, message: string, details: Details = {}): never {
  const { hint, location, cause } = details;
  throw new TaskmillError(
    "source",
    [
      {
        code,
        message,
        ...(hint === undefined ? {} : { hint }),
        ...(location === undefined ? {} : { location }),
      },
    ],
    cause === undefined ? undefined : { cause },
  );
}

/** Text of a user's data for a message: one line, at most `max` characters. */
export function excerpt(text: string, max = 80): string {
  const line = text.replace(/[\r\n]+/g, " ⏎ ");
  return line.length <= max ? line : `${line.slice(0, max)}…`;
}
