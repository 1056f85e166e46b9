import { fold } from "../plain-text.js";
import type { Expected, Verdict } from "./answer.js";
import { type Mention, mentioned } from "./mention.js";
import { nameKeys, otherScript } from "./names.js";
import { right, undecided, wrong } from "./verdicts.js";

type Entity = Extract<Expected, { type: "entity" }>;

const SYMBOL = /^\p{L}{1,2}$/u;

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
  const mention = mentioned(text, own, others);
  if (mention !== undefined) return verdictOn(mention, expected.name, plain);
  if (otherScript(text, names))
    return undecided("other_script", "the name is in a script that the known names are not in", plain);
  if (nameKeys(text).size === 0) return undecided("unreadable", "there is no name", plain);
  return wrong("other_entity", `it does not name ${expected.name}`, plain);
}

/** Names to look for. */
export interface Index {
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
export function isNamed(text: string, { keys, symbols }: Index, except?: Index): boolean {
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

function verdictOn(mention: Mention, name: string, plain: string): Verdict {
  switch (mention) {
    case "named":
      return right("equal", `it names ${name}`, plain);
    case "beside":
      return wrong("several_answers", "it names another entity beside", plain);
    case "long":
      return undecided("unreadable", "the text is too long for a name", plain);
    case "unclear":
      return undecided("unreadable", "the name stands in a sentence that says more than the name", plain);
  }
}
