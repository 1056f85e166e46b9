import { wordsOf } from "./words.js";

/** What a query asks for. */
export interface Query {
  /** Each once, in order; those of phrases too. */
  readonly words: readonly string[];
  /** All must stand in the document, word by word. */
  readonly phrases: readonly (readonly string[])[];
  /** The document must be of one of these hosts or their subdomains. */
  readonly sites: readonly string[];
}

/** Further words of a query are left out: it would be a pasted text rather than a question. */
const MOST_WORDS = 40;
/** In characters; the same for the query's text. */
const LONGEST = 2000;

const SITE = /(?<![^\s("])-?site:\s{0,3}(\S+)/giu;
const QUOTED = /["“”„]([^"“”„]*)["“”„]/gu;

/** Reads a query: words, "phrases in quotes", `site:host`. Total: what it makes nothing of counts for nothing. */
export function parseQuery(text: string): Query {
  const asked = text.slice(0, LONGEST);
  const sites = [...asked.matchAll(SITE)].flatMap(([whole, site]) =>
    whole.startsWith("-") ? [] : siteOf(site!),
  );
  const rest = asked.replace(SITE, " ");
  const words = [...new Set(wordsOf(rest.replace(/["“”„]/gu, " ")))].slice(0, MOST_WORDS);
  const phrases = [...rest.matchAll(QUOTED)]
    .map(([, phrase]) => wordsOf(phrase!).slice(0, MOST_WORDS))
    .filter((phrase) => phrase.length > 0 && phrase.every((word) => words.includes(word)));
  return { words, phrases, sites };
}

/** `site:` is given hosts, but also addresses and patterns such as `*.example.org`. */
function siteOf(site: string): string[] {
  const bare = site.replace(/^["'(]+|["'),.;/]+$/g, "").replace(/^[a-z]+:\/\//i, "");
  const host = bare.replace(/^\*?\.+/, "").split(/[/?#:]/, 1)[0]!;
  const address = `https://${host}/`;
  return host !== "" && URL.canParse(address) ? [new URL(address).hostname.replace(/\.$/, "")] : [];
}
