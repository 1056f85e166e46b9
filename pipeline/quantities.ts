import type { KnownQuantity } from "../sources/profile/decide/quantity.js";
import { convert, sameDimension } from "../verifiers/units.js";
import { builtinFormulas } from "./builtin-formulas.js";

/** Constants of the Sun and of its planets: a formula with one of them holds for bodies that orbit the Sun. */
const SOLAR = new Set(["GM_sun", "a_jup", "sidereal_year"]);

/** Of such a formula's inputs those that are of the orbit; a mass is one wherever the body is. */
const ORBITAL = /axis|period|perihelion|aphelion|eccentricity|inclination/;

interface Gathered {
  readonly id: string;
  readonly unit: string;
  readonly nouns: Set<string>;
  readonly formulas: Set<string>;
  readonly solar: Set<string>;
  readonly sizes: number[];
}

/** Every quantity that a built-in formula takes as an input, in the order of the formulas. */
export function knownQuantities(): KnownQuantity[] {
  const known = new Map<string, Gathered>();
  for (const formula of builtinFormulas.values()) {
    const solar = formula.constants.some((c) => SOLAR.has(c));
    for (const [name, { unit, noun, quantity }] of Object.entries(formula.inputs)) {
      for (const id of quantity) {
        const entry = known.get(id) ?? emptyOf(id, unit);
        known.set(id, entry);
        entry.nouns.add(noun);
        entry.formulas.add(formula.id);
        if (solar && ORBITAL.test(id)) entry.solar.add(formula.id);
        for (const anchor of formula.anchors) entry.sizes.push(...sizeOf(anchor.inputs[name], entry.unit));
      }
    }
  }
  return [...known.values()].map(({ id, unit, nouns, formulas, solar, sizes }) => ({
    ...{ id, unit, nouns: [...nouns], formulas: [...formulas], solar: [...solar] },
    ...(sizes.length === 0 ? {} : { typical: [Math.min(...sizes), Math.max(...sizes)] as const }),
  }));
}

function emptyOf(id: string, unit: string): Gathered {
  return { id, unit, nouns: new Set(), formulas: new Set(), solar: new Set(), sizes: [] };
}

/** The size of an anchor such as "5.9722e24 kg", in another unit of its dimension; nothing for zero. */
function sizeOf(anchor: string | undefined, unit: string): number[] {
  const [, value, own] = /^(-?[\d.]+(?:e[+-]?\d+)?)(?: (.+))?$/i.exec(anchor ?? "") ?? [];
  if (value === undefined || !sameDimension(own ?? "1", unit)) return [];
  const size = Math.abs(convert(Number(value), own ?? "1", unit));
  return size > 0 ? [size] : [];
}
