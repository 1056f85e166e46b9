import { fail } from "../pipeline/base/errors.js";

/**
 * What a column keeps as JSON text.
 * @param where of the row, for the message
 * @throws TaskmillError (verification, `row_unreadable`): a pool may come from anywhere
 */
export function jsonIn(text: string, column: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return unreadable(`${where}: column ${column} is no JSON`);
  }
}

/** The same where nothing but an object can stand. */
export function objectIn(text: string, column: string, where: string): object {
  const value = jsonIn(text, column, where);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  return unreadable(`${where}: column ${column} is no JSON object`);
}

function unreadable(message: string): never {
  fail(
    "verification",
    "row_unreadable",
    message,
    "`pipeline verify` says what else is wrong; run the config again",
  );
}
