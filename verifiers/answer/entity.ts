import type { Expected, Verdict } from "./answer.js";
import { type Mention, mentioned } from "./mention.js";
import { indexOf, isNamed, othersOf } from "./name-index.js";
import { nameKeys, otherScript } from "./names.js";
import { right, undecided, wrong } from "./verdicts.js";

type Entity = Extract<Expected, { type: "entity" }>;

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
