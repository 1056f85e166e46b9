import type { Problem } from "./errors.js";

/** What a config may hold by mistake; each form is of one class of characters, so that nothing backtracks. */
const FORMS: readonly RegExp[] = [
  /(?<=:\/\/)[^\s/@"']+(?=@)/g,
  /(?<=[?&](?:key|api_key|api-key|token|access_token)=)[^\s&"']+/gi,
  /\b(?:sk|pk|rk|gsk|xai|hf|nvapi)[-_][\w-]{6,}/g,
  /(?<=\b(?:api_?key|token|secret|password|authorization)["']?: {0,4}["']?)[^\s"',}]+/gi,
];

/** Members that name a secret's place, and into which people put the secret itself: `key_variable` of a config, `headers` of a card. */
function isPlace(path: Problem["path"]): boolean {
  return path?.at(-1) === "key_variable" || (path?.at(-3) === "fetch" && path.at(-2) === "headers");
}

/**
 * A problem without the secret that the user's own line may show: errors end up in the logs of build servers. What is hidden keeps
 * its length, so that carets stay in line.
 */
export function withoutSecrets(problem: Problem): Problem {
  const { message, hint, location, path } = problem;
  const own = isPlace(path) && problem.code !== "missing_key";
  const excerpt = location?.excerpt;
  const shown = own && excerpt !== undefined ? coveredAt(excerpt, location!) : excerpt;
  return {
    ...problem,
    message: covered(own ? message.replace(/"[^"]*"/g, "what it is") : message),
    ...(hint === undefined ? {} : { hint: covered(hint) }),
    ...(shown === undefined ? {} : { location: { ...location!, excerpt: covered(shown) } }),
  };
}

function covered(text: string): string {
  return FORMS.reduce((rest, form) => rest.replace(form, stars), text);
}

function coveredAt(text: string, { column = 1, length = 0 }: { column?: number; length?: number }): string {
  const from = column - 1;
  return text.slice(0, from) + stars(text.slice(from, from + length)) + text.slice(from + length);
}

function stars(text: string): string {
  return "*".repeat(text.length);
}
