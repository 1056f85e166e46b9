import type { ModelIdentity } from "../../stages/model.js";
import type { Environment } from "../base/document.js";
import { at, type Document } from "../base/document.js";
import type { Problem } from "../base/errors.js";
import type { Role } from "./role.js";
import type { ModelSpec } from "./spec.js";

export interface RoleOptions {
  readonly env: Environment;
  /** The command line's endpoint and model, for every role. */
  readonly url?: string;
  readonly model?: string;
  /** Replay: what roles that are off stood for when the calls were recorded. No key is needed then. */
  readonly recorded?: Readonly<Record<string, ModelIdentity>>;
}

/**
 * What each role of a config stands for here. A role without address or model is off, unless a recording says what it stood
 * for. Problems are about the config's own lines: an address that is none or holds a password, a key that is not set.
 */
export function resolveRoles(
  specs: Readonly<Record<string, ModelSpec>>,
  document: Document,
  options: RoleOptions,
): { roles: Map<string, Role>; problems: Problem[] } {
  const roles = new Map<string, Role>();
  const problems: Problem[] = [];
  for (const [name, written] of Object.entries(specs)) {
    const spec = overridden(name, written, options);
    const off = spec.base_url === "" || spec.model === "";
    const known = options.recorded !== undefined && spec.base_url === options.recorded[name]?.endpoint;
    // What stands for the address in recorded calls does not make it one; of a recording there is only that.
    const address = off ? "" : known ? spec.base_url : addressOf(spec.base_url);
    if (address === undefined) {
      const problem = badAddress(spec.base_url);
      // One problem for all roles, and no line of the config is at fault.
      if (options.url === undefined) problems.push(at(document, ["models", name, "base_url"], problem));
      else problems.push({ ...problem, message: `--model-url: ${problem.message}` });
      continue;
    }
    const endpoint = off ? "" : (spec.endpoint ?? address);
    const key = spec.key_variable === undefined ? undefined : options.env[spec.key_variable] || undefined;
    if (!off && options.recorded === undefined && needsKey(spec) && key === undefined) {
      problems.push(at(document, ["models", name, "key_variable"], missingKey(spec.key_variable!)));
    }
    const { model, revision = null } = spec;
    roles.set(name, { name, spec, identity: { endpoint, model, revision }, key, off });
  }
  return { roles, problems };
}

function overridden(name: string, spec: ModelSpec, { url, model, recorded }: RoleOptions): ModelSpec {
  const given = { ...spec, base_url: url ?? spec.base_url, model: model ?? spec.model };
  const known = recorded !== undefined && Object.hasOwn(recorded, name) ? recorded[name] : undefined;
  if (known === undefined || (given.base_url !== "" && given.model !== "")) return given;
  const { revision, ...rest } = given;
  return {
    ...rest,
    base_url: known.endpoint,
    model: known.model,
    endpoint: spec.endpoint ?? known.endpoint,
    ...(known.revision === null ? {} : { revision: known.revision }),
  };
}

/** The address of an endpoint, or undefined for what is none: paths are put behind it, and nothing in it may be secret. */
function addressOf(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) return undefined;
  if (url.username !== "" || url.password !== "" || /[?#]/.test(text)) return undefined;
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

function badAddress(text: string): Omit<Problem, "location"> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && (url.username !== "" || url.password !== "")) {
    return {
      code: "secret_in_config",
      message: "the address holds a user or a password",
      hint: "name the environment variable that holds the key in `key_variable`",
    };
  }
  if (url !== undefined && /[?#]/.test(text)) {
    return {
      code: "bad_base_url",
      message: "the address holds a query or a fragment, and paths are to be put behind it",
      hint: "leave it out; a key belongs into the environment variable that `key_variable` names",
    };
  }
  return {
    code: "bad_base_url",
    message: "this is no address of an endpoint",
    hint: "an address such as http://localhost:8000/v1 or https://api.example.com/v1",
  };
}

/** A server on this machine seldom asks for a key. */
function needsKey(spec: ModelSpec): boolean {
  const { hostname } = new URL(spec.base_url);
  return spec.key_variable !== undefined && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

function missingKey(variable: string): Omit<Problem, "location"> {
  return {
    code: "missing_key",
    message: `the environment variable ${variable} is not set`,
    hint: `set it to the endpoint's key, leave base_url empty to run without a model, or use --replay`,
  };
}
