import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { findCard } from "../../sources/cards.js";
import type { NumberColumn, Table } from "../../sources/table.js";
import { driftOf } from "../../verifiers/margin.js";
import { cell, loadBundled, numbers } from "./load.js";
import { readFacts, references } from "./references.js";

/** What the cards of the chemical tables claim, against independent compilations, in every cell that is not excluded. */
const { tables } = await loadBundled(["elements", "isotopes", "natural-isotopes"]);
const elements = tables.get("elements")!;
const isotopes = tables.get("isotopes")!;
const natural = tables.get("natural-isotopes")!;

const mendeleev = references("mendeleev-elements");
const pymatgen = references("pymatgen-elements");
const chemlib = references("chemlib-elements");
const weights = references("periodictable-weights");
const nuclides = references("mendeleev-nuclides");
const icrp = references("radioactivedecay");

/** The cells of a column that leave what drift and three standard uncertainties allow. */
function outliers(column: NumberColumn, table: Table, source: typeof mendeleev, quantity: string): string[] {
  return table.keys.flatMap((key, row) => {
    const value = column.values[row]!;
    const there = source(key, quantity);
    if (Number.isNaN(value) || there === undefined || Number.isNaN(there.value)) return [];
    const allowed =
      driftOf(value, column.card.drift) + 3 * Math.hypot(column.u[row]!, there.u) + there.halfStep;
    return Math.abs(value - there.value) <= allowed ? [] : [`${key}: ${value} against ${there.value}`];
  });
}

function unmatched(
  column: NumberColumn,
  table: Table,
  sources: readonly (typeof mendeleev)[],
  quantity: string,
): string[] {
  return table.keys.filter(
    (key, row) => !Number.isNaN(column.values[row]!) && sources.every((s) => s(key, quantity) === undefined),
  );
}

describe("elements", () => {
  it.each([
    ["atomic_weight", [mendeleev, pymatgen, weights]],
    ["ionization_energy", [mendeleev, pymatgen]],
    ["electron_affinity", [mendeleev, pymatgen]],
    ["melting_point", [mendeleev, pymatgen, chemlib]],
    ["boiling_point", [mendeleev, pymatgen, chemlib]],
    ["electronegativity", [mendeleev, pymatgen]],
  ] as const)("%s: no cell in use disagrees with the first compilation, none is alone", (id, sources) => {
    const column = numbers(elements, id);
    expect(outliers(column, elements, sources[0], id)).toEqual([]);
    expect(unmatched(column, elements, sources, id)).toEqual([]);
    for (const other of sources.slice(1)) {
      // Other compilations have slips of their own: a few elements, not a trend.
      expect(outliers(column, elements, other, id).length).toBeLessThanOrEqual(8);
    }
  });

  it("has the atomic numbers, periods and blocks of the periodic table", () => {
    const wrong = elements.keys.flatMap((key, row) =>
      ["atomic_number", "period", "block"].flatMap((id) => {
        const here = cell(elements.columns.get(id)!, row);
        return here === undefined || here === mendeleev(key, id)!.text ? [] : [`${key} ${id}: ${here}`];
      }),
    );
    expect(wrong).toEqual([]);
  });

  it.each([
    ["Alkali_Earth", "Alkali metals"],
    ["Alkaline_Earth", "Alkaline earth metals"],
    ["Halogen", "Halogens"],
    ["Noblegas", "Noble gases"],
  ])("%s are the %s", (family, series) => {
    const column = elements.columns.get("family")!;
    const here = elements.keys.filter((_, row) => cell(column, row) === family);
    expect(here).toEqual(elements.keys.filter((key) => mendeleev(key, "series")!.text === series));
  });
});

describe("isotopes", () => {
  const halfLife = numbers(isotopes, "half_life");
  const symbol = isotopes.columns.get("symbol")!;
  const complete = isotopes.card.complete.map((c) => String((c.where[0] as { value: string }).value));
  const inUse = isotopes.keys.flatMap((key, row) => (complete.includes(cell(symbol, row)!) ? [key] : []));

  it("have, in the complete elements, every nuclide of an hour or more, with its half-life to 3 %", () => {
    const known = readFacts("./independent/mendeleev-nuclides.csv").filter(
      (r) =>
        r.quantity === "half_life" &&
        Number(r.value) >= 3600 &&
        complete.includes(r.entity!.replace(/\d+$/, "")),
    );
    expect(known.map((r) => r.entity).sort()).toEqual([...inUse].sort());
    const far = inUse.filter((key) => {
      const value = halfLife.values[isotopes.rowOf(key)!]!;
      return Math.abs(value / nuclides(key, "half_life")!.value - 1) > 0.03;
    });
    expect(far).toEqual([]);
  });

  it("agree with a second compilation of half-lives but for its own old values", () => {
    const far = inUse.filter((key) => {
      const there = icrp(key, "half_life")?.value;
      return there !== undefined && Math.abs(halfLife.values[isotopes.rowOf(key)!]! / there - 1) > 0.035;
    });
    expect(far.length).toBeLessThanOrEqual(2);
  });

  it("have masses that agree with AME2020", () => {
    expect(outliers(numbers(isotopes, "atomic_mass"), isotopes, nuclides, "atomic_mass")).toEqual([]);
    expect(outliers(numbers(natural, "atomic_mass"), natural, nuclides, "atomic_mass")).toEqual([]);
    expect(unmatched(numbers(natural, "atomic_mass"), natural, [nuclides], "atomic_mass")).toEqual([]);
  });

  it("have natural abundances that agree, and add up to 100 % in every element", () => {
    expect(outliers(numbers(natural, "abundance"), natural, nuclides, "abundance")).toEqual([]);
    const sums = new Map<string, number>();
    for (const [row] of natural.keys.entries()) {
      const element = cell(natural.columns.get("symbol")!, row)!;
      sums.set(element, (sums.get(element) ?? 0) + numbers(natural, "abundance").values[row]!);
    }
    const off = [...sums].filter(([, sum]) => !Number.isNaN(sum) && Math.abs(sum - 100) > 0.02);
    expect(off).toEqual([]);
  });

  it("have the spins and parities of NUBASE2020", () => {
    const wrong = natural.keys.filter((key, row) => {
      const here = cell(natural.columns.get("spin")!, row);
      return here !== undefined && here !== nuclides(key, "spin")!.text;
    });
    expect(wrong).toEqual([]);
  });

  it("bear public names", () => {
    expect(isotopes.names[isotopes.rowOf("U238")!]).toBe("Uranium-238");
    expect(isotopes.aliases[isotopes.rowOf("U238")!]).toEqual(["U-238", "238U"]);
  });

  it("are, where natural, a verbatim cut of the whole file", async () => {
    const texts = async (id: string): Promise<string[]> => {
      const { snapshot } = await findCard(id, ".");
      return readFileSync(snapshot, "utf8").match(/<isotope .*?<\/isotope>/gs)!;
    };
    const cut = (await texts("isotopes")).filter((isotope) => isotope.includes("bo:relativeAbundance"));
    expect(await texts("natural-isotopes")).toEqual(cut);
  });
});
