import type { Problem } from "../../pipeline/base/errors.js";
import { TaskmillError } from "../../pipeline/base/errors.js";
import { type FetchFault, lasting } from "./fault.js";
import type { FetchSpec } from "./spec.js";

/** Values of headers, kept out of all that is written or said. */
export interface Secrets {
  /** Header names with their values. */
  readonly headers: Readonly<Record<string, string>>;
  /** All that must not be written, in each spelling. */
  readonly forms: readonly string[];
  /** Takes the values out of a text, also the beginning of one at a cut end. */
  hide(text: string): string;
  /** Whether a text holds one of the values. */
  within(text: string): boolean;
}

/** A shorter value is no secret, and may be a word of any text. */
const SHORTEST = 6;

/** Who asks is no secret; it is hidden, but data that hold it are not refused. */
const OPEN = /^(?:user-agent|from)$/i;

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
  const forms = spellings(Object.entries(headers).flatMap(([name, value]) => partsOf(name, value)));
  const open = spellings(
    Object.entries(headers).flatMap(([name, value]) => (OPEN.test(name) ? [value] : [])),
  );
  const hidden = [...forms, ...open].sort(longestFirst);
  return {
    headers,
    forms,
    hide: (text) =>
      withoutTail(
        hidden.reduce((rest, form) => rest.replaceAll(form, HIDDEN), text),
        hidden,
      ),
    within: (text) => forms.some((form) => text.includes(form)),
  };
}

const HIDDEN = "[secret]";

/** What of a header's value is a secret by itself: servers say back the key without its scheme, or one cookie of several. */
function partsOf(name: string, value: string): string[] {
  if (OPEN.test(name)) return [];
  const [, scheme, rest] = /^([A-Za-z][\w-]*) +(.+)$/.exec(value) ?? [];
  const parts = rest === undefined ? [value] : [value, rest.trim()];
  if (scheme?.toLowerCase() === "basic") parts.push(...basicParts(rest!));
  return /cookie/i.test(name) ? [...parts, ...cookieValues(value)] : parts;
}

function basicParts(packed: string): string[] {
  const plain = Buffer.from(packed, "base64").toString("utf8");
  return [plain, plain.slice(plain.indexOf(":") + 1)];
}

function cookieValues(value: string): string[] {
  return value.split(";").flatMap((cookie) => {
    const own = cookie.slice(cookie.indexOf("=") + 1).trim();
    return [own, own.replace(/^"(.*)"$/, "$1")];
  });
}

/** As written, and as JSON, addresses and forms write it. */
function spellings(values: readonly string[]): string[] {
  const all = values
    .filter((value) => value.length >= SHORTEST)
    .flatMap((value) => {
      const quoted = JSON.stringify(value).slice(1, -1);
      const address = encodeURIComponent(value);
      const form = new URLSearchParams([["", value]]).toString().slice(1);
      const path = encodeURI(value);
      const small = [address, form, path].map((text) => text.replace(/%../g, (hex) => hex.toLowerCase()));
      return [value, quoted, quoted.replaceAll("/", "\\/"), address, form, path, ...small];
    });
  return [...new Set(all)].sort(longestFirst);
}

function longestFirst(a: string, b: string): number {
  return b.length - a.length;
}

/** A text that was cut inside a secret ends in the beginning of one. */
function withoutTail(text: string, forms: readonly string[]): string {
  for (const form of forms)
    for (let length = Math.min(form.length - 1, text.length); length >= SHORTEST; length--)
      if (text.endsWith(form.slice(0, length))) return text.slice(0, -length) + HIDDEN;
  return text;
}

/** For what a server says and is written: a key must not be. */
export function saidBack(where: string, hint = "nothing of it was written"): FetchFault {
  return lasting(`the server sends the key back in its ${where}`, hint);
}
