/** Whether a short sentence that holds a name names it as the answer: "The planet is Uranus", never "a moon of Uranus". */
import { fold, wordsOf } from "../plain-text.js";
import { type Index, isNamed } from "./name-index.js";
import { nameKeys } from "./names.js";

/** `beside`: another known entity is named as well. `unclear`: what stands around the name may change what is said. */
export type Mention = "named" | "beside" | "unclear" | "long";

const MAX_MENTION = 300;
/** Kinds of things, which may stand before a name: "the planet Uranus". */
const KINDS =
  "planet moon asteroid comet star element mineral city country species animal plant body satellite exoplanet isotope nuclide mountain river lake volcano compound chemical object entity ion substance molecule";
/** Small words that may stand beside a name and add nothing. */
const FILLERS = new Set(
  `the a an is was are it its this that answer named called name known as dwarf minor of which one ${KINDS} ${KINDS.replaceAll(/(?= |$)/g, "s")}`.split(
    " ",
  ),
);
/** Between two names, or beside one, these make it no plain statement. */
const ALTERNATIVES =
  /\b(?:or|and|not|nor|neither|versus|vs|rather|instead|unlike|except|but|oder|und|nicht|ou|et|pas|o|y|no|none)\b|[/&?+→]/iu;
/** What takes a name back or puts another in its place. */
const REFUTED =
  /\b(?:excluded|wrong|incorrect|false|ruled|fails?|failed|eliminated|second|third|runner|almost|nearly|close|missing|than|after|before|next|unlikely|disqualified|discarded|removed|rejected|besides|beyond|other|like|might|think|thought|expect|assume|would have|seems?|appears?|without)\b/i;
/** "Saturn's moon" before Titan, "moon of Saturn" behind it. */
const OWNER = new RegExp(
  `^(?:the )?(?:\\p{Lu}[\\p{L}\\d-]* ?){1,3}'s? (?:\\p{Ll}+ ){0,2}(?:${KINDS.replaceAll(" ", "|")}) ?$`,
  "u",
);
/** What is the same as the name behind its "of": the city of Paris, not the moon of Uranus. */
const GENITIVE =
  /^(?:city|state|kingdom|republic|name|planet|element|isle|island|asteroid|country|mineral)$/i;
const PLACE = /\b(?:of|in|from|orbiting|around) (?:the )?\p{Lu}[\p{L}\d-]*/gu;
const DESCRIBES =
  /^[\s,(:–—-]{0,4}(?:is|was|has|had|with|because|since|as|which|whose|where|the|an?|at|in)\b|^ ?\(/i;
/** ", not Neptune": another name that is set aside. */
const REJECTED =
  /[,;]? ?\(?(?:and )?\b(?<!\b(?:is|was|are|were|do|does) )(?:not|rather than|instead of) ((?:the )?(?:\p{Ll}+ )?\p{Lu}[^(),;]{0,80})\)?[.\s]*$/u;

/** What a text says of the names in `own`; undefined where it holds none of them. */
export function mentioned(text: string, own: Index, others: Index): Mention | undefined {
  if (text.length > MAX_MENTION) return "long";
  const rejected = REJECTED.exec(text);
  if (rejected !== null && rejected.index > 0 && spansOf(rejected[1]!, own, true).length === 0)
    return isNamed(text.slice(0, rejected.index), own)
      ? "named"
      : mentioned(text.slice(0, rejected.index), own, others);
  const spans = spansOf(text, own, true);
  if (spans.length === 0) return undefined;
  const strangers = spansOf(text, others, false).filter(
    (o) => !spans.some((s) => s.from <= o.from && o.to <= s.to),
  );
  const reasons = /\b(?:because|since|whereas|while)\b/i.exec(text)?.index ?? text.length;
  if (strangers.length > 0) return strangers.every((s) => s.from > reasons) ? "unclear" : "beside";
  const before = text.slice(0, spans[0]!.from);
  const after = text.slice(spans.at(-1)!.to);
  const between = spans.slice(1).map((s, i) => text.slice(spans[i]!.to, s.from));
  const around = [before, ...between, after].join(" , ");
  if (ALTERNATIVES.test(around) || REFUTED.test(around) || /\d/.test(around)) return "unclear";
  // A quotation mark may close behind the name; an owner's apostrophe has its thing behind it.
  if (/^'s?\s+\p{L}/u.test(after) && !/['"]\s*$/.test(before)) return "unclear";
  return leadsTo(before) && describes(after) && between.every(silent) ? "named" : "unclear";
}

const silent = (text: string): boolean => wordsOf(text).every((w) => FILLERS.has(w.folded));

/** Whether what follows these words is their answer: "the planet", "the densest of them is", "Planet:". */
function leadsTo(before: string): boolean {
  if (OWNER.test(before)) return true;
  const words = wordsOf(before);
  const lower = words.every((w, i) => w.raw === fold(w.raw) || i === 0 || FILLERS.has(w.folded));
  if (lower && /(?:\b(?:is|was|are|be|named|called)\s*|[:=]\s*)$/i.test(before)) return true;
  const owners = Array.from(before.matchAll(/(\p{L}*) ?\bof\b/giu), (of) => of[1]!);
  return silent(before) && owners.every((noun) => GENITIVE.test(noun));
}

/** Whether words behind a name only say more of it: "(moon of Saturn)", ", the seventh planet", "is the densest of them". */
function describes(after: string): boolean {
  if (silent(after)) return true;
  const rest = after.replace(PLACE, "");
  const named = wordsOf(rest).some((w) => w.raw !== fold(w.raw) && !FILLERS.has(w.folded));
  return !named && after.length < 160 && DESCRIBES.test(after);
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * Places where one of the names stands as whole words, at most six of them long. A symbol ("CO", "He") counts where it is one's own, and
 * else in brackets alone, as many are words of English too.
 */
function spansOf(text: string, wanted: Index, own: boolean): Span[] {
  const words = wordsOf(text);
  const spans: Span[] = [];
  for (let i = 0; i < words.length; i++) {
    for (let j = Math.min(words.length, i + 6) - 1; j >= i; j--) {
      const [from, to] = [words[i]!.start, words[j]!.end];
      const said = text.slice(from, to);
      const symbol = wanted.symbols.has(said) && (own || (text[from - 1] === "(" && text[to] === ")"));
      if (!symbol && ![...nameKeys(said)].some((k) => wanted.keys.has(k))) continue;
      spans.push({ from, to });
      i = j;
      break;
    }
  }
  return spans;
}
