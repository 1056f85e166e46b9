import { fold } from "../plain-text.js";
import type { Verdict } from "./answer.js";
import { right, undecided, wrong } from "./verdicts.js";

/** Words for yes and no; no word means both in any two of these languages. */
const YES = new Set(
  "yes yeah yep true correct y t right affirmative ja wahr richtig oui vrai si verdadero cierto vero sim verdadeiro waar tak да верно правда истина 是 对 正确 真 はい 正しい 예 네 참 ✓ ✔".split(
    " ",
  ),
);
const NO = new Set(
  "no nope false incorrect n f wrong negative untrue nein falsch non faux falso nao nee onwaar nie нет неверно ложь 否 不是 不对 错误 假 いいえ 아니오 아니요 거짓 ✗ ✘".split(
    " ",
  ),
);
const PADDING = new Set(
  "the answer statement claim that this it is its a it's indeed definitely certainly therefore thus so".split(
    " ",
  ),
);

/** Judges a yes or no, in words of several languages. A first word that decides may be followed by its reasons. */
export function gradeBoolean(plain: string, expected: boolean): Verdict {
  const said = readBoolean(plain);
  if (said === "both") return wrong("several_answers", "both yes and no are said", plain);
  if (said === undefined) return undecided("unreadable", "the answer is neither yes nor no", plain);
  return said === expected
    ? right("equal", "the same was said", plain)
    : wrong("wrong_value", "the opposite was said", plain);
}

/** What takes a yes or no back, or binds it to a condition. */
const RESERVED =
  /\b(?:but|however|except|unless|although|though|sometimes|partially|partly|only (?:if|when|for|in)|if|not always|not necessarily|aber|mais|pero)\b/iu;

function readBoolean(plain: string): boolean | "both" | undefined {
  const text = plain.slice(0, 2000).replace(/\b(?:no doubt|without a doubt)\b/gi, "");
  const words = wordsIn(text);
  const kinds = words.map((w, i) => {
    const said = YES.has(w) ? true : NO.has(w) ? false : undefined;
    return said !== undefined && NOT.test(words[i - 1] ?? "") ? !said : said;
  });
  const told = new Set(kinds.filter((k) => k !== undefined));
  const alone = words.every((w, i) => kinds[i] !== undefined || PADDING.has(w) || NOT.test(w));
  // "Yes, because ...": only with a stop behind the word, so that "No planet has" or "true anomaly" say nothing.
  const first = kinds[0] !== undefined && /^\W*[\p{L}✓✔✗✘]+ ?[,.;:!–—-]/u.test(text);
  if (told.size === 2 && (alone || first || /^\W*\p{L}+ ?(?:and|or|\/|und|oder|et|ou)\b/iu.test(text)))
    return "both";
  if (alone) return kinds.find((k) => k !== undefined);
  return first && !RESERVED.test(text) ? kinds[0] : undefined;
}

const NOT = /^(?:not|isn't|never|nicht|pas)$/;

function wordsIn(text: string): string[] {
  return fold(text).match(/[\p{L}\p{N}✓✔✗✘]+(?:'\p{L}+)?/gu) ?? [];
}
