import { type Problem, TaskmillError } from "../base/errors.js";
import type { Asker } from "./call.js";
import type { Health } from "./health.js";
import type { Role } from "./role.js";
import type { Fault, ProviderError } from "./transport.js";

/** What each fault means for a person: what the endpoint did, and what would help. */
const TEXTS: Readonly<
  Record<Fault, { readonly what: (role: Role) => string; readonly hint: (role: Role) => string }>
> = {
  auth: {
    what: () => "refused the key",
    hint: ({ spec, key }) =>
      spec.key_variable === undefined
        ? "name the environment variable that holds the endpoint's key in `key_variable`"
        : `look at the environment variable ${spec.key_variable}${key === undefined ? ", which is not set" : ""}`,
  },
  quota: {
    what: () => "says that the account is out of credit",
    hint: () => "add credit and run the same command",
  },
  model: {
    what: ({ spec }) => `knows no model \`${spec.model}\`, or not for this key`,
    hint: () => "look at `model`; the endpoint lists its models at /models below its base_url",
  },
  connection: {
    what: () => "cannot be reached",
    hint: () => "look at `base_url` (most end in /v1), and whether the server runs",
  },
  rate: {
    what: () => "refuses calls as too many",
    hint: () => "lower `limits`, or run the same command later",
  },
  bad_request: {
    what: () => "refuses the request itself",
    hint: () => "look at the role's `sampling` and `structured`; not every endpoint takes every member",
  },
  server: { what: () => "fails", hint: () => "look at the server's log, or run the same command later" },
  timeout: {
    what: () => "does not answer in time",
    hint: () => "raise `limits.timeout`, or lower `limits.concurrency`",
  },
  malformed: {
    what: () => "sends replies that are not whole",
    hint: () => "look at what stands between here and the model",
  },
};

/** The one error of a run that ends because calls of a role cannot succeed. */
export function endOfRun(role: Role, health: Health, last: ProviderError): TaskmillError {
  const error = health.worst() ?? last;
  const { what, hint } = TEXTS[error.fault];
  const ended = health.answered + health.failed;
  return new TaskmillError("provider", [
    {
      code: `provider_${error.fault}`,
      message: `the endpoint ${role.identity.endpoint} of role \`${role.name}\` ${what(role)} (${error.message}); ${health.failed} of ${ended} calls failed`,
      hint: `${hint(role)}; recorded calls are not made again`,
    },
  ]);
}

/** A row whose call failed for good; others go on. It has the code of what ends a run, so that one cause is told once. */
export function failedCall(role: Role, asker: Asker, error: ProviderError, tries: number): TaskmillError {
  const { what, hint } = TEXTS[error.fault];
  const message = `the endpoint ${role.identity.endpoint} of role \`${role.name}\` ${what(role)} (${error.message}; ${placeOf(asker)}, ${tries === 1 ? "1 try" : `${tries} tries`})`;
  const again = "the same command asks for such calls alone; with `failures: reject` their rows are rejected";
  return provider({ code: `provider_${error.fault}`, message, hint: `${hint(role)}; ${again}` });
}

/** A call that a replay needs and nobody recorded. */
export function notRecorded(role: Role, asker: Asker): TaskmillError {
  return provider({
    code: "call_not_recorded",
    message: `a call of ${placeOf(asker)}, as role \`${role.name}\` (${role.identity.model}), is not recorded`,
    hint: "run without --replay to make it, or give the cassette that holds it; a changed config, prompt or source asks for other calls",
  });
}

function provider(problem: Problem): TaskmillError {
  return new TaskmillError("provider", [problem]);
}

function placeOf({ instance, row, sample }: Asker): string {
  return `stage \`${instance}\`, row ${row}${sample === 0 ? "" : `, draw ${sample}`}`;
}
