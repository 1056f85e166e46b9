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
