import { ADJECTIVE, type Clause } from "./clauses.js";
import { agree, list } from "./english.js";

/**
 * A noun with its scope and all that is said of it, so that nothing can be read of another noun: "landlocked countries (member states
 * of the United Nations only) with exactly five land neighbours". Adjectives stand before the noun and the scope in brackets; where
 * anything needs a "that" or a "whose" all of it becomes one relative clause: "bands that stain positive and have more than ...".
 */
export function modified(noun: string, scope: string, clauses: readonly Clause[], many: boolean): string {
  const before = noun === "those" ? [] : clauses.filter((c) => adjectiveOf(c) !== undefined);
  const behind = clauses.filter((c) => !before.includes(c));
  // "Non-abelian solvable groups" might deny both.
  const said = before.map((c) => adjectiveOf(c)!);
  const adjectives = [
    ...said.filter((a) => !a.startsWith("non")),
    ...said.filter((a) => a.startsWith("non")),
  ];
  if (behind.length === 0) return spaced([...adjectives, noun, scope]);
  const [, head = noun, tail = ""] = /^(.+?) ((?:of|in|on|at|with) .+)$/.exec(noun) ?? [];
  const within = bracketed(spaced([tail, scope]));
  if (behind.some((c) => c.form === "that" || c.form === "whose"))
    return spaced([...adjectives, head, within, relative(behind, many)]);
  const bare = textsOf(behind, "bare");
  const withs = textsOf(behind, "with");
  // "Isotopes of bromine (ground states only)": what belongs to the noun stands next to it, but not "of the same element as it".
  const own =
    bare.length > 0 && bare.every((text) => /^of (?!the same )/.test(text)) && !within.startsWith("(of ");
  const late = within.startsWith("(") && (own || within === scope);
  const places = bare.map((text, i) => (i === 0 ? text : `and ${text}`));
  const having =
    withs.length === 0 ? "" : `${!late && endsInThing(bare) ? "and with" : "with"} ${list(withs)}`;
  return spaced([...adjectives, head, ...(late ? [...places, within] : [within, ...places]), having]);
}

const spaced = (parts: readonly string[]): string => parts.filter((part) => part !== "").join(" ");

const textsOf = (clauses: readonly Clause[], form: Clause["form"]): string[] =>
  clauses.filter((c) => c.form === form).map((c) => c.text);

/** "planar" of "that is planar": may stand before the noun. */
function adjectiveOf({ form, text }: Clause): string | undefined {
  const word = form === "that" ? /^is ([a-z][a-z-]+)$/.exec(text)?.[1] : undefined;
  return word !== undefined && ADJECTIVE.test(word) && word !== "alone" ? word : undefined;
}

/** "(with one to seven vertices, up to isomorphism)", but "of order at most 127 (up to isomorphism)". */
function bracketed(scope: string): string {
  if (scope === "" || scope.startsWith("(") || /^of .*\)$/.test(scope)) return scope;
  return `(${scope.replaceAll(" (", ", ").replaceAll(")", "")})`;
}

/** "In a retrograde orbit with a mean radius" would be the orbit's radius; "of nickel with a mass number" is no nickel's. */
const endsInThing = (bare: readonly string[]): boolean => /\b(?:an?|without) [^()]*$/.test(bare.at(-1) ?? "");

/** "that are in Africa, not landlocked and have exactly five land neighbours", "that are large and whose name ..." */
function relative(clauses: readonly Clause[], many: boolean): string {
  const withs = textsOf(clauses, "with");
  const said = [...textsOf(clauses, "bare").map(asVerb), ...textsOf(clauses, "that")];
  const denied = said.filter((text) => DENIED.test(text));
  const verbs = [
    ...beFirst(said.filter((text) => !denied.includes(text))),
    // What is denied comes last, as a "not" is read of all that follows it.
    ...beFirst(denied),
    ...(withs.length === 0 ? [] : [`has ${list(withs)}`]),
  ];
  const agreed = sharedVerb(verbs).map((text) => agree(text, many));
  // "that the Moon occults and that have ...", "that are large or are small and that have ...": these share no "that".
  const shares = verbs.every((text) => VERB.test(text)) && !said.some((text) => text.includes(" or "));
  const that = shares ? [list(agreed)] : agreed;
  return list([
    ...that.filter((text) => text !== "").map((text) => `that ${text}`),
    ...textsOf(clauses, "whose").map((text) => `whose ${text}`),
  ]);
}

const DENIED = /^(?:is not|is no|has no|does not|lacks|cannot)\b/;
const VERB = /^(?!its\b|this\b)(?:[a-z]+s|had|did|can|could|may|might|must|will|were)\b/;

/** "is in Africa", "was discovered after 1900", "has no ring system" */
function asVerb(adjunct: string): string {
  if (adjunct.startsWith("without ")) return adjunct.replace(/^without (?:an? )?/, "has no ");
  return `${/^(?:\w+ed|built) /.test(adjunct) ? "was" : "is"} ${adjunct}`;
}

/** What goes on from an "is": no noun, and nothing that is a list itself. */
const BE = /^is (?!an? |the |no )(?!.* (?:and|or) )(.+)$/;

const beFirst = (texts: readonly string[]): string[] => [
  ...texts.filter((text) => BE.test(text)),
  ...texts.filter((text) => !BE.test(text)),
];

/** "is planar, in one piece and not regular" of what follows one another with an "is". */
function sharedVerb(texts: readonly string[]): string[] {
  const runs: string[][] = [];
  for (const text of texts) {
    const rest = BE.exec(text)?.[1];
    const run = runs.at(-1);
    if (rest !== undefined && run !== undefined && BE.test(run[0]!)) run.push(rest);
    else runs.push([text]);
  }
  return runs.map((run) => list(run));
}
