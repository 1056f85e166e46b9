import type { Expected, Verdict } from "./answer.js";
import { plainAnswer } from "./latex.js";
import { textKey } from "./text.js";
import { right, undecided, wrong } from "./verdicts.js";

type Choice = Extract<Expected, { type: "choice" }>;

/** Judges a choice: its label ("B", "(B)", "B.", "option B"), its text, or both. Two choices are no answer. */
export function gradeChoice(plain: string, expected: Choice): Verdict {
  const labels = Object.keys(expected.options);
  const wanted = Object.hasOwn(expected.options, expected.value)
    ? expected.value
    : labels.find((l) => textKey(expected.options[l]!) === textKey(expected.value));
  const chosen = chosenLabels(plain.slice(0, 5000), expected.options);
  if (chosen === undefined) return undecided("unreadable", "none of the options is named", plain);
  if (chosen.length > 1)
    return wrong("several_answers", `more than one option is named: ${chosen.join(", ")}`, plain);
  return chosen[0] === wanted
    ? right("equal", `option ${chosen[0]} was chosen`, plain)
    : wrong("wrong_value", `option ${chosen[0]} was chosen`, plain);
}

function chosenLabels(plain: string, options: Choice["options"]): string[] | undefined {
  const labels = Object.keys(options);
  const byKey = new Map(labels.map((l) => [textKey(l), l]));
  const whole = byKey.get(textKey(plain));
  const texts = labels.filter((l) => textKey(plainAnswer(options[l]!)) === textKey(plain));
  // A label that is another option's text ({A: "B", B: "A"}) names two.
  if (whole !== undefined) return [...new Set([whole, ...texts])];
  if (texts.length > 0) return texts;
  return labelled(plain, options, byKey) ?? several(plain, byKey);
}

/** "B. text", "(B) text", "option B: text", "B because ...". The text, where it is an option's, must be that option's. */
function labelled(
  plain: string,
  options: Choice["options"],
  byKey: ReadonlyMap<string, string>,
): string[] | undefined {
  const match =
    /^(?:the )?(?:correct )?(?:(?:option|choice|answer|antwort|opción|réponse)(?: is)?:? )?(?:\(([^()\s]{1,10})\)|\[([^[\]\s]{1,10})\]|([^\s().:,;]{1,10})(?:[).:,]| -| –|(?= (?:because|since|as)\b| \()|$))(.*)$/isu.exec(
      plain,
    );
  const label = byKey.get(textKey(match?.[1] ?? match?.[2] ?? match?.[3] ?? ""));
  if (match === null || label === undefined) return undefined;
  const rest = match[4]!.replace(/^[\s(.:),–-]+/, "");
  const others = Object.keys(options).filter(
    (l) => l !== label && textKey(plainAnswer(options[l]!)) === textKey(rest),
  );
  const more = marked(rest, byKey).filter((l) => l !== label);
  return [...new Set([label, ...others, ...more])];
}

/** Labels that stand in a text as labels: in brackets, or as a capital between "and", "or" and commas. */
function marked(text: string, byKey: ReadonlyMap<string, string>): string[] {
  const found: string[] = [];
  for (const m of text.matchAll(
    /[([]([^\s()[\]]{1,10})[)\]]|(?:^|\b(?:and|or|und|oder)\s|[,/&]\s?)([A-Z\d]{1,3})(?=$|[\s.,;:/&)])/gu,
  )) {
    const label = byKey.get(textKey(m[1] ?? m[2] ?? ""));
    if (label !== undefined) found.push(label);
  }
  return found;
}

function several(plain: string, byKey: ReadonlyMap<string, string>): string[] | undefined {
  if (plain.length > 60) return undefined;
  const found = [...new Set(marked(`, ${plain.replace(/^(?:both|either) /i, "")}`, byKey))];
  return found.length > 1 ? found : undefined;
}
