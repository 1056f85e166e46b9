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
const SYMBOL = /^\p{L}{1,2}$/u;
const MAX_MENTION = 300;

/** Judges the name of an entity: the name, an alias or a transliteration, alone or in a short sentence that names nobody else. */
export function gradeEntity(plain: string, expected: Entity): Verdict {
  const text = plain.replace(/^["'“”«»„(\s]+|["'“”«»\s.!;,)]+$/gu, (m) =>
    m.includes(")") && plain.includes("(") ? ")" : "",
  );
  const names = [expected.name, ...expected.aliases];
  const others = othersOf(expected.others ?? []);
  const own = indexOf(names, others.parts);
  if (isNamed(text, own)) return right("equal", `it names ${expected.name}`, plain);
  if (isNamed(text, others, own)) return wrong("other_entity", "it names another entity", plain);
  if (text.length > MAX_MENTION) return undecided("unreadable", "the text is too long for a name", plain);
  const mention = mentioned(text, own, others, expected.name);
  if (mention !== undefined) return mention;
  if (otherScript(text, names))
    return undecided("other_script", "the name is in a script that the known names are not in", plain);
  if (nameKeys(text).size === 0) return undecided("unreadable", "there is no name", plain);
  return wrong("other_entity", `it does not name ${expected.name}`, plain);
}

/** Names to look for. */
interface Index {
  readonly keys: ReadonlySet<string>;
  /** Symbols of one or two letters, which count as written: Co is not CO. */
  readonly symbols: ReadonlySet<string>;
  /** What compound names are without numbers and brackets. */
  readonly parts: ReadonlySet<string>;
}

/** A table's other names are many, and the same for each of its answers. */
const indexes = new WeakMap<readonly string[], Index>();

function othersOf(others: readonly string[]): Index {
  const known = indexes.get(others) ?? indexOf(others, new Set());
  indexes.set(others, known);
  return known;
}

function indexOf(names: readonly string[], shared: ReadonlySet<string>): Index {
  const all = names.flatMap((name) => forms(name, shared));
  return {
    keys: new Set(all.filter((f) => !SYMBOL.test(f)).flatMap((f) => [...nameKeys(f)])),
    symbols: new Set(all.filter((f) => SYMBOL.test(f))),
    parts: new Set(names.map(stripped)),
  };
}

/** Whether the whole text is one of these names, and none of those in `except`. */
function isNamed(text: string, { keys, symbols }: Index, except?: Index): boolean {
  if (SYMBOL.test(text)) return symbols.has(text);
  const said = [...nameKeys(text)];
  return said.some((k) => keys.has(k)) && !said.some((k) => except?.keys.has(k));
}

/** A compound name's parts that are names too: "20000 Varuna (2000 WR106)". A part that another entity shares is none. */
function forms(name: string, shared: ReadonlySet<string>): string[] {
  if (!/[\d()]/.test(name)) return [name];
  const outside = name.replace(/\([^()]*\)/g, " ").trim();
  const parts = [outside, outside.replace(/^\d+[ .]+(?=\p{L})/u, "")];
  const inside = Array.from(name.matchAll(/\(([^()]*\d[^()]*)\)/g), (m) => m[1]!).filter((p) =>
    /\p{L}/u.test(p),
  );
  const own = [...parts, ...inside].filter((p) => p !== "" && p !== name && !shared.has(stripped(p)));
  return [name, ...new Set(own)];
}

const stripped = (name: string): string =>
  fold(name.replace(/\([^()]*\)/g, " ").replace(/^\d+[ .]+/, "")).trim();

/** The verdict on a sentence in which a name stands among other words; undefined where none does. */
function mentioned(text: string, own: Index, others: Index, name: string): Verdict | undefined {
  const words = wordsOf(text);
  const spans = spansOf(text, words, own.keys);
  if (spans.length === 0) return undefined;
  if (spansOf(text, words, others.keys).some((o) => !spans.some((s) => s.from <= o.from && o.to <= s.to)))
    return wrong("several_answers", "it names another entity beside", text);
  const [first, last] = [spans[0]!, spans.at(-1)!];
  const outside = `${text.slice(0, first.from)} , ${text.slice(last.to)}`;
  if (ALTERNATIVES.test(outside) || ALTERNATIVES.test(between(text, spans)))
    return undecided("unreadable", "the name stands in a sentence that says more than the name", text);
  const strange = wordsOf(outside).filter((w) => !FILLERS.has(w.folded) && w.raw !== w.raw.toLowerCase());
  const numbers = /\d/.test(outside);
  const plainRest = outside.replace(/[\s,.:;()'"*-]/g, "").length < 160;
  return strange.length === 0 && !numbers && plainRest
    ? right("equal", `it names ${name}`, text)
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
function spansOf(text: string, words: ReturnType<typeof wordsOf>, wanted: ReadonlySet<string>): Span[] {
  const spans: Span[] = [];
  for (let i = 0; i < words.length; i++) {
    for (let j = Math.min(words.length, i + 6) - 1; j >= i; j--) {
      const [from, to] = [words[i]!.start, words[j]!.end];
      if (![...nameKeys(text.slice(from, to))].some((k) => wanted.has(k))) continue;
      spans.push({ from, to });
      i = j;
      break;
    }
  }
  return spans;
}
