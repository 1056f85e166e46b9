/** What stands around a value in an answer: lead-ins, and several statements side by side. */
import type { Verdict } from "./answer.js";
import { right, wrong } from "./verdicts.js";

const LEAD =
  /^(?:(?:approximately|approx\.?|about|around|roughly|nearly|exactly|precisely|some|circa|ca\.?|etwa|ungefähr|rund|environ|aproximadamente|circa|около|примерно)(?= )|[~≈≃≅=:∼]) */iu;

/** Without "approximately", "≈" and the like: one value, only not to the last digit. */
export function withoutLead(text: string): string {
  let rest = text.trim();
  for (let i = 0; i < 3 && LEAD.test(rest); i++) rest = rest.replace(LEAD, "");
  return rest;
}

const SUBJECT =
  /^(?:so,? |thus,? |therefore,? |hence,? )?(?:(?:the|its|it|this|that|his|her|their|these|those|there|they|he|she)\b[^\d.!?;:=≈]{0,100}?) ?(?:is|are|was|were|equals|has|would be|comes to|amounts to|turns out to be)(?: equal to)? (?=\S)/i;

/** "The mass is 18 kg" says 18 kg: a short subject without digits, a copula, and what follows to the end. */
export function complement(text: string): string {
  const lead = SUBJECT.exec(text)?.[0];
  return lead === undefined || /\b(?:not|never|or|if|unless|than|one thing)\b/i.test(lead)
    ? text
    : text.slice(lead.length);
}

/**
 * Several statements of one answer: "m/V = 5.4/4.25 = 1.27", "1270 kg/m³ (1.27 g/cm³)", "3 or 4". Those that cannot be read are
 * passed over where they are a formula's left side, and only there.
 * @returns undefined where the text is one statement, or one of the others cannot be read
 */
export function alternatives(plain: string, grade: (text: string) => Verdict): Verdict | undefined {
  if (plain.length > 600) return undefined;
  const equations = plain.split(/ ?(?:=|≈|⟹) ?/);
  if (equations.length > 1) return chain(equations, plain, grade);
  const bracket = /^(.{1,200}?) \(([^()]{1,200})\)$/s.exec(plain);
  if (bracket !== null) {
    const note = bracket[2]!;
    if (!/[\d∞π]/.test(note)) return grade(bracket[1]!);
    return together([bracket[1]!, note.replace(/^(?:or|i\.e\.|that is|=|≈|about)[, ]*/i, "")], plain, grade);
  }
  const parts = plain.split(/ ?[;,] (?:or |and |i\.e\.,? )?| or | and | oder | ou | i\.e\. | und | et /i);
  return parts.length > 1 && parts.length < 20 ? together(parts, plain, grade) : undefined;
}

/** Left sides may be formulas; the last side must be the value, and any other value must not contradict it. */
function chain(
  sides: readonly string[],
  plain: string,
  grade: (text: string) => Verdict,
): Verdict | undefined {
  if (sides.length > 12) return undefined;
  const last = grade(sides.at(-1)!);
  if (last.verdict === "undecided") return undefined;
  const read = sides
    .slice(0, -1)
    .map(grade)
    .filter((v) => v.verdict !== "undecided");
  const exactFirst = /≈/.test(plain) && read.length > 0 && read.every((v) => v.verdict === "right");
  if (exactFirst && last.reason === "wrong_value") return { ...read[0]!, read: plain };
  const contradicted = read.some((v) => v.verdict !== last.verdict && v.reason !== "missing_unit");
  return contradicted
    ? wrong("several_answers", "values that differ are stated side by side", plain)
    : { ...last, read: plain };
}

function together(
  parts: readonly string[],
  plain: string,
  grade: (text: string) => Verdict,
): Verdict | undefined {
  const verdicts = parts.map(grade);
  if (verdicts.some((v) => v.verdict === "undecided")) return undefined;
  if (verdicts.every((v) => v.verdict === "right"))
    return right("equal", "all statements of the value agree", plain);
  return wrong("several_answers", "several values are given, and not all are right", plain);
}

/** "5 to 7", "5–7 kg", "between 5 and 7": both ends read as values. */
export function isRange(plain: string, reads: (text: string) => boolean): boolean {
  if (plain.length > 400) return false;
  const text = withoutLead(plain).replace(
    /^(?:between|from|in the range(?: of)?|zwischen|von|entre|de) /i,
    "",
  );
  for (const link of text.matchAll(/ (?:to|and|bis|und|à|et|a|y) | ?[–—-] ?| ?\.{2,3} ?|(?<=\d) ?~ ?/g)) {
    const between = / (?:and|und|et|y) /.test(link[0]);
    if (link.index === 0 || (between && text === withoutLead(plain))) continue;
    if (reads(text.slice(0, link.index)) && reads(text.slice(link.index + link[0].length))) return true;
  }
  return /^(?:<|>|≤|≥|at least|at most|more than|less than|over|under|up to|mindestens|höchstens)/i.test(
    text,
  );
}
