import pLimit from "p-limit";
import type { Clock } from "../../base/clock.js";
import { fail, TaskmillError } from "../../base/errors.js";
import { passes, waitBefore } from "../../models/retry.js";
import type { ProviderError } from "../../models/transport.js";
import type { ToolContext } from "../tool.js";
import type { Backend, FoundPage, Service } from "./backend.js";
import { exchange } from "./exchange.js";

/** Tries of one search, the first among them. */
const TRIES = 6;
/** Seconds between two tries, at most. */
const CEILING = 30;
/** Searches that are out at once; the plans of these services allow few. */
const AT_ONCE = 8;

/**
 * A search service. What may pass (too many requests, errors of the service, broken connections, timeouts) is tried again.
 * @throws TaskmillError (provider) for a missing key, (config) for a missing or wrong base address
 */
export function serviceBackend(service: Service, context: ToolContext, clock: Clock): Backend {
  const { spec, signal, secret } = context;
  const { results, timeout } = spec.search;
  const variable = spec.search.key_variable ?? service.keyVariable;
  const key = variable === undefined ? undefined : secret(variable)?.trim();
  if (variable !== undefined && !key) throw missingKey(service, variable);
  const base = baseOf(service, spec.search.base_url);
  const limit = pLimit(AT_ONCE);
  const once = (query: string, page: number): Promise<FoundPage> =>
    exchange(service, { query, page, results, key }, { base, timeout, signal });

  return {
    search: (query, page) =>
      limit(async () => {
        for (let tries = 1; ; tries++) {
          signal.throwIfAborted();
          try {
            return await once(query, page);
          } catch (error) {
            signal.throwIfAborted();
            const problem = error as ProviderError;
            if (!passes(problem) || tries === TRIES) throw explained(service, problem, variable, tries);
            await clock.sleep(1000 * waitBefore(problem, tries, CEILING, clock.random()), signal);
          }
        }
      }),
  };
}

function baseOf(service: Service, given: string | undefined): URL {
  const base = given ?? service.base;
  if (base === undefined) {
    return fail(
      "config",
      "no_base_url",
      `the search backend \`${service.name}\` has no address`,
      "set `environment.search.base_url` to that of your instance, e.g. http://localhost:8080",
    );
  }
  const url = URL.canParse(base) ? new URL(base) : undefined;
  const plain = url !== undefined && url.username === "" && url.password === "" && url.search === "";
  if (plain && /^https?:$/.test(url.protocol)) return new URL(url.href.replace(/\/*$/, "/"));
  return fail(
    "config",
    "bad_base_url",
    "`environment.search.base_url` is no address of a search service",
    "http:// or https:// with host, port and path; no user, key or query: keys come from `key_variable`",
  );
}

function missingKey({ name }: Service, variable: string): TaskmillError {
  const message = `the search backend \`${name}\` needs a key, and the environment variable ${variable} is not set`;
  const hint = `set ${variable}, or name another variable in \`environment.search.key_variable\``;
  return new TaskmillError("provider", [{ code: "missing_key", message, hint }]);
}

const HINTS: Readonly<Partial<Record<ProviderError["fault"], string>>> = {
  quota: "top up the account, or use another backend; finished work is kept",
  rate: "run with fewer rollouts at a time, or with a larger plan",
  connection: "check `environment.search.base_url` and the network",
  timeout: "raise `environment.search.timeout`, or try again later",
};

/** An error for the user: what the service said, without the key. */
function explained(
  { name }: Service,
  { fault, message, hint: special }: ProviderError & { readonly hint?: string },
  variable: string | undefined,
  tries: number,
): TaskmillError {
  const times = tries === 1 ? "" : `, after ${tries} tries`;
  const auth =
    variable === undefined
      ? "the instance wants a key: name its variable in `environment.search.key_variable`"
      : `check the key in ${variable}`;
  const hint = special ?? (fault === "auth" ? auth : HINTS[fault]);
  const what = `the search backend \`${name}\` failed: ${message}${times}`;
  return new TaskmillError("provider", [
    hint === undefined ? { code: fault, message: what } : { code: fault, message: what, hint },
  ]);
}
