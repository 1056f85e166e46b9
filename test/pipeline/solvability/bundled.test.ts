import { describe, expect, it } from "vitest";
import { firewallFor } from "../../../pipeline/environment/firewall.js";
import { environmentSpec } from "../../../pipeline/environment/spec.js";
import { EvidenceSearch, readCorpus } from "../../../pipeline/solvability/evidence.js";
import { bundledCorpus } from "../../../sources/corpora.js";
import { documentsOf } from "../../../sources/corpus/documents.js";
import { corpusFiles } from "../../../sources/corpus/files.js";
import type { Column } from "../../../sources/table.js";
import { loadBundled } from "../../facts/load.js";

const known = (column: Column, row: number): boolean =>
  column.type === "text"
    ? column.values[row] !== null
    : column.type === "flag"
      ? column.values[row] !== 2
      : !Number.isNaN(column.values[row]!);

/** Of the cells of a table that are known, which stand in a bundled corpus, by column; and what the firewall keeps back of it. */
async function coverage(
  corpus: string,
  tables: readonly string[],
  asked: Readonly<Record<string, readonly string[]>>,
) {
  const catalog = await loadBundled(tables);
  const search = new EvidenceSearch(catalog);
  const needs = Object.entries(asked).flatMap(([table, columns]) =>
    columns.flatMap((column) =>
      catalog.tables
        .get(table)!
        .keys.map((_, row) => ({ table, row, column, for: "select" as const }))
        .filter(({ row }) => known(catalog.tables.get(table)!.columns.get(column)!, row)),
    ),
  );
  for (const need of needs) search.want(need);
  const cards = [...catalog.tables.values()].map((t) => t.card);
  const firewall = firewallFor({ spec: environmentSpec.parse({}), cards, catalog });
  const files = await corpusFiles([{ id: corpus, path: bundledCorpus(corpus) }]);
  const { documents, blocked } = await readCorpus(
    documentsOf(files, new AbortController().signal),
    firewall,
    search,
  );
  const missing: Record<string, string[]> = {};
  for (const need of needs) {
    if (search.evidence(need) !== undefined) continue;
    const key = `${need.table}.${need.column}`;
    missing[key] = [...(missing[key] ?? []), catalog.tables.get(need.table)!.names[need.row]!];
  }
  return { documents, blocked, missing };
}

describe("bundled corpora", () => {
  it("solar-system has what astro-agents asks of every candidate, and none of it is a copy", async () => {
    const columns = [
      "mass",
      "equatorial_radius",
      "polar_radius",
      "mean_radius",
      "rotation_period",
      "retrograde",
      "orbital_period",
      "semi_major_axis",
      "eccentricity",
      "axial_tilt",
      "mean_temperature",
    ];
    const { documents, blocked, missing } = await coverage("solar-system", ["planets", "moons"], {
      planets: columns,
      moons: ["planet", "mean_radius", "orbital_period"],
    });
    expect(documents).toBe(126);
    expect(blocked).toEqual({});
    // Moons below the radius that the table is complete to, of which the planetarium has osculating periods alone.
    expect(missing).toEqual({
      "moons.orbital_period": ["Amalthea", "Atlas", "Epimetheus", "Janus", "Pandora", "Prometheus"],
    });
  });

  it("elements has the cells that may be used, and none of it is a copy", async () => {
    const { blocked, missing } = await coverage("elements", ["elements", "natural-isotopes", "isotopes"], {
      elements: ["atomic_number", "period", "block", "atomic_weight", "ionization_energy", "melting_point"],
      "natural-isotopes": ["mass_number", "abundance", "spin", "atomic_mass"],
    });
    expect(blocked).toEqual({});
    expect(missing).toEqual({});
  });
});
