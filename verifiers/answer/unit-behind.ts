/** The unit behind an answer's number: symbols, words, and spellings that only answers have. */
import { dictionary } from "../dictionary.js";
import { type UnitReading, unitsAt } from "../unit-scan.js";
import { sameDimension, type Unit } from "../units.js";

/**
 * All readings of what follows a number as one unit up to the end: null where nothing follows, several where the text has more than
 * one reading. Undefined if it is no unit.
 */
export function unitBehind(text: string, end: number): readonly (Unit | null)[] | undefined {
  const rest = text.slice(end).trim();
  if (rest === "") return [null];
  if (rest.length > 200) return undefined;
  if (/^[[(]([^()[\]]+)[\])]$/.test(rest)) return unitBehind(rest.slice(1, -1), 0);
  // "5 /s" is a unit, "5 -7" and "5.kg" are not.
  if (/^[-.*]/.test(rest)) return undefined;
  const twice = /^([^()]+?) ?[([]([^()[\]]+)[)\]]$/.exec(rest);
  if (twice !== null) return saidTwice(twice[1]!, twice[2]!) ?? whole(spelt(rest));
  return whole(spelt(rest));
}

/** "grams per cubic centimeter (g/cm³)". */
function saidTwice(first: string, second: string): readonly Unit[] | undefined {
  const [a, b] = [whole(spelt(first)), whole(spelt(second))];
  if (a?.length !== 1 || b?.length !== 1) return undefined;
  return a[0]!.factor === b[0]!.factor && sameDimension(a[0]!, b[0]!) ? a : undefined;
}

function whole(clean: string): readonly Unit[] | undefined {
  const bare = unitsAt(clean, 0)
    .filter((r: UnitReading) => r.end === clean.length)
    .at(-1)?.unit;
  if (bare === undefined) return undefined;
  const other = otherReading(clean);
  return other === undefined ? [bare] : [bare, other];
}

const BODIES = dictionary<string>({
  sun: "sun",
  solar: "sun",
  "☉": "sun",
  earth: "earth",
  e: "earth",
  "⊕": "earth",
  jup: "jup",
  jupiter: "jup",
  j: "jup",
});

/** In the unit reader's own spelling: M_⊕ and M_Earth as M_earth, cc as cm^3, "cm ^ 3" as cm^3. */
function spelt(unit: string): string {
  return unit
    .replace(/^[·×] ?/, "")
    .replace(/^1 ?\/ ?/, "/")
    .replace(/^\(([^()]+)\)\/\(([^()]+)\)$/, "$1/($2)")
    .replace(/ ?\^ ?/g, "^")
    .replace(
      /\b([MRL])_?\(?(sun|solar|earth|jupiter|jup|☉|⊕|(?<=_\(?)[EJ])\)?(?!\p{L})/giu,
      (all, of: string, body: string) => `${of.toUpperCase()}_${BODIES[body.toLowerCase()] ?? all}`,
    )
    .replace(/\bcc\b/g, "cm^3")
    .replace(/^a\.u\.?$/i, "au");
}

/** J/mol K is J mol^-1 K to some and J mol^-1 K^-1 to others: the second reading, where a symbol follows a quotient. */
function otherReading(text: string): Unit | undefined {
  const match = /^([^/()]+)\/ ?([^\s/()·*]+)[ ·*]+([^\s/()·*^-]+)$/.exec(text);
  return match === null ? undefined : unitsAt(`${match[1]}/(${match[2]} ${match[3]})`, 0).at(-1)?.unit;
}
