/** Reads what a judge says of an answer or a derivation. Words, not letters: INCORRECT holds CORRECT and is its opposite. */
import { withoutReasoning } from "./reasoning.js";

const GOOD = /^(?:correct|right|sound|valid|richtig|korrekt)$/;
const BAD = /^(?:incorrect|wrong|unsound|invalid|false|flawed|falsch|inkorrekt)$/;
const MARK =
  /(?:^|\n)[ \t>*_#-]{0,8}(?:final )?(?:verdict|judge?ment|grade|conclusion|decision|result|answer|urteil)[*_]{0,2}\s?(?:is)?\s?[:：=]?[*_]{0,2}[ \t]*([^\n]{1,200})/gi;
/** A line that is no more than a verdict: with these words beside it. */
const AROUND = new Set(
  "the a an is it answer solution derivation this final verdict judgement judgment grade therefore so thus hence completely entirely fully all steps are overall every step".split(
    " ",
  ),
);

/**
 * The judgement that a reply states: on a marked line ("Verdict: CORRECT"), or on its last or first line if that is no more than a
 * judgement. Undefined for an empty reply, for both at once and for anything else: a judge that cannot be read has not judged.
 */
export function readJudgement(text: string): "correct" | "incorrect" | undefined {
  const said = withoutReasoning(text.slice(-50_000));
  if (said === undefined) return undefined;
  const marked = Array.from(said.matchAll(MARK), (m) => ofLine(m[1]!)).filter((v) => v !== undefined);
  if (marked.length > 0) return agreed(marked);
  const lines = said.split("\n").filter((l) => /\p{L}/u.test(l));
  const ends = [lines.at(-1), lines[0]]
    .map((l) => (l === undefined ? undefined : ofLine(l)))
    .filter((v) => v !== undefined);
  return agreed(ends);
}

type Judgement = "correct" | "incorrect" | "both";

function agreed(verdicts: readonly Judgement[]): "correct" | "incorrect" | undefined {
  const kinds = new Set(verdicts);
  const only = kinds.size === 1 ? verdicts[0] : undefined;
  return only === "both" ? undefined : only;
}

/** A line that is a verdict and nothing else; with a stop behind it, reasons may follow. */
function ofLine(line: string): Judgement | undefined {
  if (/\?\s*$/.test(line)) return undefined;
  const words =
    line
      .slice(0, 500)
      .toLowerCase()
      .match(/\p{L}+(?:['’]\p{L}+)?/gu) ?? [];
  const at = words.findIndex((w) => GOOD.test(w) || BAD.test(w));
  if (at < 0 || !words.slice(0, at).every((w) => AROUND.has(w) || NOT.test(w))) return undefined;
  const negated = words.slice(0, at).some((w) => NOT.test(w));
  const good = GOOD.test(words[at]!) !== negated;
  const rest = words.slice(at + 1);
  if (rest.some((w) => (good ? BAD : GOOD).test(w))) return "both";
  const alone = rest.every((w) => AROUND.has(w));
  const stopped = new RegExp(`${words[at]}[*_\\]})"']{0,3}\\s?[.,;:!–—-]`, "i").test(line);
  // "Correct, but the unit is missing" takes back what it says.
  if (
    !alone &&
    (!stopped ||
      rest.some((w) => /^(?:but|however|except|although|though|partially|partly|only|not)$/.test(w) && good))
  )
    return undefined;
  return good ? "correct" : "incorrect";
}

const NOT = /^(?:not|isn['’]t|never|nicht|aren['’]t)$/;
