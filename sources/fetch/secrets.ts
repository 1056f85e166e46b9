import type { Problem } from "../../pipeline/base/errors.js";
import { TaskmillError } from "../../pipeline/base/errors.js";
import type { FetchSpec } from "./spec.js";

/** Values of headers, kept out of all that is written or said. */
export interface Secrets {
  /** Header names with their values. */
  readonly headers: Readonly<Record<string, string>>;
  /** Takes the values out of a text. */
  hide(text: string): string;
}

/** A shorter value is no secret, and may be a word of any text. */
const SHORTEST = 6;

/** Reads the values from the environment. @throws TaskmillError (source) for variables that are not set */
export function secretsOf(spec: FetchSpec, env: Readonly<Record<string, string | undefined>>): Secrets {
  const problems: Problem[] = [];
  const headers: Record<string, string> = {};
  for (const [name, variable] of Object.entries(spec.headers)) {
    const value = env[variable]?.trim() ?? "";
    const hint = `the card sends it as the header \`${name}\``;
    if (value === "")
      problems.push({
        code: "missing_variable",
        message: `the environment variable ${variable} is not set`,
        hint,
      });
    else if (!/^[\x20-\x7e]+$/.test(value))
      problems.push({ code: "bad_variable", message: `${variable} holds what no header may hold`, hint });
    else headers[name] = value;
  }
  if (problems.length > 0) throw new TaskmillError("source", problems);
  const hidden = Object.values(headers).filter((value) => value.length >= SHORTEST);
  return {
    headers,
    hide: (text) => hidden.reduce((rest, value) => rest.replaceAll(value, "[secret]"), text),
  };
}
