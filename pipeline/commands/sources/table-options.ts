import type { z } from "zod";
import { cardSchema } from "../../../sources/card.js";
import { checkRead } from "../../../sources/check-format.js";
import { type SnapshotFormat, snapshotFormat } from "../../../sources/format.js";
import { parseText, validate } from "../../base/document.js";
import { fail, type Problem, TaskmillError } from "../../base/errors.js";

const { id, domain, as_of } = cardSchema.shape;
const HOST = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i;
const LICENCE = /^[a-z0-9][a-z0-9.+-]*(?: (?:AND|OR|WITH) [a-z0-9][a-z0-9.+-]*)*$/i;
const READ_EXAMPLE = "--read '{ format: csv, delimiter: \";\" }'; docs/cards.md has all formats";

/** Options that go into a draft card, held to what a card takes. @throws TaskmillError (usage) */
export function checkTableOptions(args: Readonly<Record<string, string | undefined>>): void {
  for (const [option, value] of Object.entries(args)) {
    if (value === undefined || option === "read" || option === "write") continue;
    if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(value))
      refuse(option, value, "a text of one line, without control characters");
    if (value.trim() === "") refuse(option, value, "a text, not blanks");
  }
  checkForm("id", args.id, id);
  checkForm("domain", args.domain, domain);
  checkForm("as-of", args["as-of"], as_of);
  for (const host of hostsOf(args.host))
    if (!HOST.test(host)) refuse("host", host, "hosts, divided by commas: data.example.org,example.org");
  if (args.licence !== undefined && !LICENCE.test(args.licence))
    refuse(
      "licence",
      args.licence,
      "an SPDX id such as CC-BY-4.0 or CC0-1.0; LicenseRef-... for one of its own",
    );
}

export function hostsOf(hosts: string | undefined): string[] {
  return hosts?.split(",").map((host) => host.trim()) ?? [];
}

/** The value of --read, held to what a card's `snapshot.read` takes. @throws TaskmillError (usage) */
export function readOption(text: string): SnapshotFormat {
  const checked = located(() => validate(parseText("--read", text, { env: "none" }), snapshotFormat));
  if ("problems" in checked) refuseRead(checked.problems);
  const problems: Problem[] = [];
  checkRead(checked.value, (_path, code, message, hint) =>
    problems.push({ code, message: `--read: ${message}`, hint: hint ?? READ_EXAMPLE }),
  );
  if (problems.length > 0) refuseRead(problems);
  return checked.value;
}

function located<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof TaskmillError) refuseRead(error.problems);
    throw error;
  }
}

function refuseRead(problems: readonly Problem[]): never {
  throw new TaskmillError(
    "usage",
    problems.map((problem) => ({ ...problem, hint: problem.hint ?? READ_EXAMPLE })),
  );
}

function checkForm(option: string, value: string | undefined, schema: z.ZodType): void {
  const found = value === undefined ? undefined : schema.safeParse(value);
  if (found?.success === false) refuse(option, value!, found.error.issues[0]!.message);
}

function refuse(option: string, value: string, right: string): never {
  fail("usage", "bad_option", `--${option} cannot be ${JSON.stringify(value)}`, right);
}
