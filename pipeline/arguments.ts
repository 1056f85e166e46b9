import type { z } from "zod";
import { nearest, type Problem } from "./base/errors.js";
import { found, listOf } from "./base/shape.js";
import type { Command } from "./commands/command.js";

export interface Arguments {
  readonly verb: string;
  readonly command: Command<unknown>;
  /** Words behind those that the verb takes. */
  readonly extra: readonly string[];
  /** Options given more than once. */
  readonly repeated: readonly string[];
  readonly issues: readonly z.core.$ZodIssue[];
  /** Options of every verb. */
  readonly common: readonly string[];
}

/** What is wrong with a command line, in words. */
export function argumentProblems({ verb, command, extra, repeated, issues, common }: Arguments): Problem[] {
  const usage = `pipeline ${command.usage}; see pipeline ${verb} --help`;
  const twice = repeated.map((name) => ({
    code: "repeated_option",
    message: `--${name} is given more than once`,
    hint: "give it once",
  }));
  const needless = extra.map((word) => ({
    code: "unexpected_argument",
    message: `unexpected argument \`${word}\``,
    hint: usage,
  }));
  const wrong = issues
    .filter((issue) => !repeated.includes(String(issue.path[0])))
    .flatMap((issue) => explain(issue, command, common, usage));
  return [...twice, ...needless, ...wrong];
}

function explain(
  issue: z.core.$ZodIssue,
  command: Command<unknown>,
  common: readonly string[],
  usage: string,
): Problem[] {
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => unknownOption(key, command, common, usage));
  const name = String(issue.path[0]);
  const label = Object.hasOwn(command.options ?? {}, name) ? `--${name}` : `<${name}>`;
  if (issue.code === "invalid_value") return [wrongChoice(label, issue.input, issue.values.map(String))];
  if (issue.code === "too_small") return [{ code: "wrong_value", message: `${label} is empty`, hint: usage }];
  return [{ code: "wrong_value", message: `${label} cannot be ${found(issue.input)}`, hint: issue.message }];
}

function unknownOption(
  name: string,
  command: Command<unknown>,
  common: readonly string[],
  usage: string,
): Problem {
  const dashes = name.length === 1 ? "-" : "--";
  const near = nearest(name, [...Object.keys(command.options ?? {}), ...common, "help"]);
  const hint = near === undefined ? usage : `did you mean --${near}?`;
  return { code: "unknown_option", message: `unknown option ${dashes}${name}`, hint };
}

function wrongChoice(label: string, given: unknown, choices: readonly string[]): Problem {
  const near = nearest(String(given), choices);
  const message = `${label} must be ${listOf(choices, "or")}, found ${found(given)}`;
  return { code: "wrong_value", message, ...(near === undefined ? {} : { hint: `did you mean ${near}?` }) };
}
