import type { Json } from "../base/canonical.js";
import type { CassetteRecord } from "./call.js";

/** Takes secrets out of a text. */
export type Redact = (text: string) => string;

/** Stands where a secret stood. */
const HIDDEN = "[secret]";
/** A shorter key (`none`, `EMPTY`, as local servers have it) is no secret, and may be a word of any text. */
const SHORTEST_KEY = 8;

/** What looks like a secret in an endpoint's or a library's error text. Each form is of one class of characters: no backtracking. */
const FORMS: readonly RegExp[] = [
  /(?<=\bBearer\s)[^\s"',;]+/gi,
  /\b(?:sk|pk|rk|gsk|xai|hf|nvapi|key)[-_][\w-]{6,}(?:\*+[\w-]*)?/g,
  /\bAIza[\w-]{20,}/g,
  // User and password of an address, and what its query may hold.
  /(?<=:\/\/)[^\s/@"']+@/g,
  /(?<=[?&](?:key|api_key|api-key|token|access_token)=)[^\s&"']+/gi,
];

/** The key itself, wherever it stands: for texts of models, in which nothing else may change. */
export function hideKey(key: string | undefined): Redact {
  if (key === undefined || key.length < SHORTEST_KEY) return (text) => text;
  return (text) => (text.includes(key) ? text.replaceAll(key, HIDDEN) : text);
}

/** The key, and all that looks like one: for errors and notes. */
export function hideSecrets(key: string | undefined): Redact {
  const own = hideKey(key);
  return (text) => FORMS.reduce((rest, form) => rest.replace(form, HIDDEN), own(text));
}

/** Members that hold secrets wherever HTTP is written down. */
const HEADERS = new Set([
  "authorization",
  "proxy-authorization",
  "api-key",
  "x-api-key",
  "x-goog-api-key",
  "api_key",
  "apikey",
  "openai-organization",
  "cookie",
  "set-cookie",
]);

/** Forms of well-known keys. Each is bounded, or of one class of characters, so that no text makes the search slow. */
const KNOWN_KEYS: readonly { readonly what: string; readonly form: RegExp }[] = [
  { what: "a bearer token", form: /\bBearer {1,4}[\w.~+/-]{20,}/i },
  { what: "an API key", form: /(?<![\w-])(?:sk|pk|rk|gsk|xai|nvapi)-(?=[\w-]{0,40}\d)[\w-]{20,}/ },
  { what: "a GitHub token", form: /(?<!\w)gh[pousr]_[A-Za-z0-9]{36}/ },
  { what: "a Hugging Face token", form: /(?<!\w)hf_[A-Za-z0-9]{30,}/ },
  { what: "an AWS key", form: /(?<!\w)AKIA[0-9A-Z]{16}(?!\w)/ },
  { what: "a Google API key", form: /(?<!\w)AIza[\w-]{35}/ },
  { what: "a private key", form: /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----/ },
  { what: "an address with a password", form: /\b[a-z]{2,10}:\/\/[^\s/:@]{1,80}:[^\s/:@]{1,80}@/i },
];

/** What in a record looks like a secret, without the secret itself. Empty for a clean record. */
export function secretsIn(record: CassetteRecord): string[] {
  const found = new Set<string>();
  if ("identity" in record && /[?#@]/.test(record.identity.endpoint))
    found.add("an endpoint with a user, query or fragment");
  // A list instead of recursion: hostile values nest as deeply as they like.
  const open: (Json | undefined)[] = [record as unknown as Json];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === "string") {
      for (const { what, form } of KNOWN_KEYS) if (form.test(value)) found.add(what);
    } else if (Array.isArray(value)) {
      for (const item of value) open.push(item);
    } else if (typeof value === "object" && value !== null) {
      for (const [name, item] of Object.entries(value)) {
        if (HEADERS.has(name.toLowerCase()) && typeof item === "string") found.add(`a member \`${name}\``);
        open.push(item);
      }
    }
  }
  return [...found];
}
