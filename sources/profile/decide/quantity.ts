import { sameDimension } from "../../../verifiers/units.js";
import type { Field } from "../layout/layout.js";
import type { QuantityGuess } from "./decision.js";
import { wordsOf } from "./words.js";

/** A quantity that formulas take as an input. The formulas live in a room that sources do not see, so they are told. */
export interface KnownQuantity {
  readonly id: string;
  /** A unit of its dimension. */
  readonly unit: string;
  /** How formulas call it: "mean radius". */
  readonly nouns: readonly string[];
  /** Ids of the formulas that take it. */
  readonly formulas: readonly string[];
  /** Formulas that hold for orbits about the Sun only. */
  readonly solar: readonly string[];
  /** Smallest and largest size among published figures that formulas are tested with, in `unit`. */
  readonly typical?: readonly [number, number];
}

const SYNONYMS: Readonly<Record<string, string>> = Object.assign(Object.create(null), {
  weight: "mass",
  semimajor: "semi major",
  semimajoraxis: "semi major axis",
  altitude: "elevation",
});
/** Words that say nothing of what is measured. */
const IDLE = new Set(["the", "of", "a", "total", "value", "adult"]);

function bag(words: readonly string[]): Set<string> {
  const all = words.flatMap((w) => (SYNONYMS[w.toLowerCase()] ?? w.toLowerCase()).split(/[ -]/));
  return new Set(all.filter((w) => !IDLE.has(w)));
}

const isSubset = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean => [...a].every((w) => b.has(w));

/**
 * What a column may be called among quantities: a sure guess where its words are those of one quantity and the units fit; else the
 * quantities that it might be, for a person to choose from ("radius": mean, equatorial or polar?).
 */
export function guessQuantity(
  field: Field,
  unit: string | undefined,
  known: readonly KnownQuantity[],
  countries = false,
): QuantityGuess | undefined {
  const said = wordsOf(field);
  const words = bag(said);
  if (words.size === 0 || unit === undefined) return undefined;
  const fitting = known
    .filter((q) => sameDimension(q.unit, unit) && (q.unit !== "1" || unit === "1"))
    // A lake's area, or a wing's, is not the total area of a country.
    .filter((q) => !q.id.startsWith("total_") || countries || said.some((w) => /^total$/i.test(w)));
  const names = (q: KnownQuantity): Set<string>[] =>
    [q.id.split("_"), ...q.nouns.map((n) => n.split(" "))].map(bag);
  const same = fitting.filter((q) => names(q).some((n) => n.size === words.size && isSubset(n, words)));
  const exact = same.find((q) => bag(q.id.split("_")).size === words.size) ?? same[0];
  if (exact !== undefined) {
    if (exact.solar.length === 0) return { ids: [exact.id], sure: true };
    const warning = `only where the bodies orbit the Sun: ${exact.solar.slice(0, 3).join(", ")} take its mass`;
    return { ids: [exact.id], sure: false, warning };
  }
  const near = fitting.filter((q) =>
    names(q).some((n) => isSubset(words, n) || (n.size > 1 && isSubset(n, words))),
  );
  const ids = near.map((q) => q.id).slice(0, 4);
  return ids.length === 0 ? undefined : { ids, sure: false };
}
