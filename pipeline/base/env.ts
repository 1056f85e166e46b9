/** A text with its variables replaced, and what could not be. */
export interface Interpolated {
  readonly text: string;
  /** Names that are not set and have no default. */
  readonly missing: readonly string[];
  /** `${...}` that is no variable. */
  readonly malformed: readonly string[];
}

const PATTERN = /\$\$\{|\$\{([^}]*)(\}?)/g;

/**
 * Replaces `${NAME}` and `${NAME:-default}` (the default also stands in for an empty value, as in a shell); `$${` is a
 * plain `${`. Values are not looked into again.
 */
export function interpolate(text: string, env: Readonly<Record<string, string | undefined>>): Interpolated {
  const missing: string[] = [];
  const malformed: string[] = [];
  const replaced = text.replace(PATTERN, (whole: string, inner: string | undefined, close: string) => {
    if (inner === undefined) return "${";
    const variable = /^([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s.exec(inner);
    if (variable === null || close === "") {
      malformed.push(whole);
      return whole;
    }
    const [, name, fallback] = variable;
    const value = Object.hasOwn(env, name!) ? env[name!] : undefined;
    if (fallback !== undefined) return value === undefined || value === "" ? fallback : value;
    if (value === undefined) missing.push(name!);
    return value ?? whole;
  });
  return { text: replaced, missing, malformed };
}
