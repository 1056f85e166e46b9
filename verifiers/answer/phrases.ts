/** What stands before a value in an answer and adds nothing: "approximately", "The mean density of Uranus is". */

const LEAD =
  /^(?:(?:approximately|approx\.?|about|around|roughly|nearly|exactly|precisely|some|circa|ca\.?|etwa|ungefähr|rund|environ|aproximadamente|circa|около|примерно)(?= )|大?约|大?約|[~≈≃≅=:∼]) */iu;

/** Without "approximately", "≈" and the like: one value, only not to the last digit. */
export function withoutLead(text: string): string {
  let rest = text.trim();
  for (let i = 0; i < 3 && LEAD.test(rest); i++) rest = rest.replace(LEAD, "");
  return rest;
}

/** A copula, or "has a ... of". */
const SUBJECT =
  /^[^.!?;:=≈]{0,120}? ?(?:\b(?:is|are|was|were|equals|would be|comes to|amounts to|turns out to be)(?: equal to)?|\b(?:has|have|had) (?:an? |the )?[^\d.!?;:=≈]{1,80}? of|\bha(?:s|ve)|^(?:it|that)'s) (?=\S)/i;
const POINTING =
  /^(?:so,? |thus,? |therefore,? |hence,? )?(?:the|its|it|it's|this|that|that's|his|her|their|these|those|there|they|he|she)\b/i;
/** In a subject, these make what follows something else than the answer. */
const OTHERWISE =
  /\b(?:not|never|nor|or|if|unless|than|one thing|none|no|wrong(?:ly)?|incorrect(?:ly)?|false(?:ly)?|mistaken(?:ly)?|error|bound|limit|at least|at most|initial(?:ly)?|naive(?:ly)?|guess|nobody|know|knows|claims?|claimed|(?:might|may|could|would) (?:think|say|expect|have))\b/i;

/**
 * "The mass is 18 kg" says 18 kg: a short subject, a copula, and what follows to the end.
 * @param subject `any` also takes "Uranus has a density of" apart, for values: of names the subject may be the answer
 */
export function complement(text: string, subject: "pointing" | "any" = "pointing"): string {
  const lead = SUBJECT.exec(text)?.[0];
  if (lead === undefined || OTHERWISE.test(lead)) return text;
  const said = POINTING.test(lead) || (subject === "any" && /^\p{L}/u.test(lead));
  return said ? text.slice(lead.length) : text;
}
