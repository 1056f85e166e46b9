import { fail, suggest } from "../base/errors.js";

/** Refuses a missing or a needless second word of a verb such as `stages show KIND`. */
export function wantedSubject(wanted: boolean, given: string | undefined, verb: string, what: string): void {
  if (wanted && given === undefined) {
    fail("usage", "missing_argument", `\`${verb}\` needs a ${what}`, `pipeline ${verb} <${what}>`);
  }
  if (!wanted && given !== undefined) {
    fail(
      "usage",
      "unexpected_argument",
      `unexpected argument \`${given}\``,
      `to look at one: pipeline ${verb} ${given}`,
    );
  }
}

/** Fails for a name that is not known. */
export function unknownSubject(what: string, name: string, known: readonly string[]): never {
  fail("usage", "unknown_name", `there is no ${what} \`${name}\``, suggest(name, known));
}
