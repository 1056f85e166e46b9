import { createHash } from "node:crypto";

/** A JSON value. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json | undefined };

/**
 * Canonical JSON: keys in code-unit order, no spaces, `undefined` members left out, numbers as ECMAScript prints
 * them (RFC 8785). Two equal values have one text.
 * @throws TypeError for NaN, infinities and values that JSON has no form for.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === "boolean" || typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new TypeError(`no canonical JSON for ${value}`);
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value === "object") {
    const members = Object.entries(value)
      .filter(([, v]) => v !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      .map(([k, v]) => `${JSON.stringify(k)}:${canonicalJson(v)}`);
    return `{${members.join(",")}}`;
  }
  throw new TypeError(`no canonical JSON for a ${typeof value}`);
}

/** SHA-256 as 64 hex digits; strings are hashed as UTF-8. */
export function sha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

/** SHA-256 of the canonical JSON of a value. */
export function hashOf(value: unknown): string {
  return sha256(canonicalJson(value));
}

/**
 * Byte-wise (code unit) comparison for sorting; `localeCompare` depends on the machine's locale data.
 */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
