import { fold, wordsOf } from "../plain-text.js";
import type { Expected, Verdict } from "./answer.js";
import { nameKeys, otherScript } from "./names.js";
import { right, undecided, wrong } from "./verdicts.js";

type Entity = Extract<Expected, { type: "entity" }>;

/** Small words that may stand beside a name and add nothing. */
const FILLERS = new Set(
  (
    "the a an is was are it its this that answer entity object named called name known as of planet moon dwarf asteroid comet star element " +
    "mineral city country species animal plant body satellite exoplanet isotope nuclide mountain river lake volcano compound chemical which one"
  ).split(" "),
);
/** Between two names, or before one, these make it no plain statement. */
const ALTERNATIVES =
  /\b(?:or|and|not|nor|neither|versus|vs|rather|instead|unlike|except|but|oder|und|nicht|ou|et|pas|o|y|no)\b|[/&?+]/iu;
const MAX_MENTION = 300;

/** Judges the name of an entity: the name, an alias or a transliteration, alone or in a short sentence that names nobody else. */
export function gradeEntity(plain: string, expected: Entity): Verdict {
  const text = plain.replace(/^["'“”«»„(\s]+|["'“”«»\s.!;,)]+$/gu, (m) =>
    m.includes(")") && plain.includes("(") ? ")" : "",
  );
  const names = [expected.name, ...expected.aliases];
  const others = expected.others ?? [];
  if (isNamed(text, names, others)) return right("equal", `it names ${expected.name}`, plain);
  if (others.some((o) => isNamed(text, [o], names)))
    return wrong("other_entity", "it names another entity", plain);
  if (text.length <= MAX_MENTION) {
    const mention = mentioned(text, names, others);
    if (mention !== undefined) return mention;
  } else return undecided("unreadable", "the text is too long for a name", plain);
  if (otherScript(text, names))
    return undecided("other_script", "the name is in a script that the known names are not in", plain);
  if (nameKeys(text).size === 0) return undecided("unreadable", "there is no name", plain);
  return wrong("other_entity", `it does not name ${expected.name}`, plain);
}

/** Whether the whole text is one of these names. Symbols of one or two letters count as written: Co is not CO. */
function isNamed(text: string, names: readonly string[], others: readonly string[]): boolean {
  const keys = nameKeys(text);
  return names.some((name) =>
    forms(name, others).some((form) => {
      if (/^\p{L}{1,2}$/u.test(form)) return text === form;
      return shares(keys, nameKeys(form));
    }),
  );
}

function shares(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  for (const k of a) if (b.has(k)) return true;
  return false;
}

/** A compound name's parts that are names too: "20000 Varuna (2000 WR106)". A part that another entity shares is none. */
function forms(name: string, others: readonly string[]): string[] {
  const outside = name.replace(/\([^()]*\)/g, " ").trim();
  const parts = [outside, outside.replace(/^\d+[ .]+(?=\p{L})/u, "")];
  const inside = Array.from(name.matchAll(/\(([^()]*\d[^()]*)\)/g), (m) => m[1]!).filter((p) =>
    /\p{L}/u.test(p),
  );
  const own = [...parts, ...inside].filter((p) => p !== "" && p !== name);
  const shared = own.filter((p) => !others.some((o) => stripped(o) === stripped(p)));
  return [name, ...new Set(shared)];
}

const stripped = (name: string): string =>
  fold(name.replace(/\([^()]*\)/g, " ").replace(/^\d+[ .]+/, "")).trim();

/** The verdict on a sentence in which a name stands among other words; undefined where none does. */
function mentioned(text: string, names: readonly string[], others: readonly string[]): Verdict | undefined {
  const words = wordsOf(text);
  const spans = spansOf(text, words, names, others);
  if (spans.length === 0) return undefined;
  if (spansOf(text, words, others, names).some((o) => !spans.some((s) => s.from <= o.from && o.to <= s.to)))
    return wrong("several_answers", "it names another entity beside", text);
  const [first, last] = [spans[0]!, spans.at(-1)!];
  const outside = `${text.slice(0, first.from)} , ${text.slice(last.to)}`;
  if (ALTERNATIVES.test(outside) || ALTERNATIVES.test(between(text, spans)))
    return undecided("unreadable", "the name stands in a sentence that says more than the name", text);
  const strange = wordsOf(outside).filter((w) => !FILLERS.has(w.folded) && w.raw !== w.raw.toLowerCase());
  const numbers = /\d/.test(outside);
  const plainRest = outside.replace(/[\s,.:;()'"*-]/g, "").length < 160;
  return strange.length === 0 && !numbers && plainRest
    ? right("equal", `it names ${names[0]}`, text)
    : undecided("unreadable", "beside the name there is another name or number", text);
}

interface Span {
  readonly from: number;
  readonly to: number;
}

function between(text: string, spans: readonly Span[]): string {
  return spans
    .slice(1)
    .map((s, i) => text.slice(spans[i]!.to, s.from))
    .join(" ");
}

/** Places where one of the names stands as whole words, at most six of them long. */
function spansOf(
  text: string,
  words: ReturnType<typeof wordsOf>,
  names: readonly string[],
  others: readonly string[],
): Span[] {
  const wanted = new Set(
    names.flatMap((n) =>
      forms(n, others)
        .filter((f) => !/^\p{L}{1,2}$/u.test(f))
        .flatMap((f) => [...nameKeys(f)]),
    ),
  );
  const spans: Span[] = [];
  for (let i = 0; i < words.length; i++) {
    for (let j = Math.min(words.length, i + 6) - 1; j >= i; j--) {
      const [from, to] = [words[i]!.start, words[j]!.end];
      if (!shares(nameKeys(text.slice(from, to)), wanted)) continue;
      spans.push({ from, to });
      i = j;
      break;
    }
  }
  return spans;
}
