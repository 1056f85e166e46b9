import { describe, expect, it } from "vitest";
import { cell, loadBundled, numbers } from "./load.js";
import { references } from "./references.js";

/** Genomes and amino acids, against other copies and against themselves. */
const { tables } = await loadBundled(["amino-acids", "chromosomes", "cytogenetic-bands"]);
const acids = tables.get("amino-acids")!;
const chromosomes = tables.get("chromosomes")!;
const bands = tables.get("cytogenetic-bands")!;

const circos = references("circos-hg38-bands");
const lengths = references("chromosome-lengths");
const biopython = references("biopython-amino-acids");
const pyteomics = references("pyteomics-amino-acids");

describe("cytogenetic bands", () => {
  const of = (id: string, row: number): string => cell(bands.columns.get(id)!, row)!;

  it("are those of another copy, cell by cell", () => {
    const wrong = bands.keys.filter((key, row) => {
      const start = Number(of("start", row));
      const here = `${start} ${start + Number(of("length", row))} ${of("stain", row)}`;
      return circos(key, "band")?.text !== here;
    });
    expect(wrong).toEqual([]);
    expect(bands.keys.length).toBe(862);
  });

  it("lie on their chromosomes without a gap, short arm first", () => {
    for (const chromosome of chromosomes.keys.filter((key) => key.startsWith("human "))) {
      const own = bands.keys
        .map((key, row) => ({ key, arm: of("arm", row), start: Number(of("start", row)), row }))
        .filter(({ row }) => of("chromosome", row) === chromosome)
        .sort((a, b) => a.start - b.start);
      const ends = own.map(({ start, row }) => start + Number(of("length", row)));
      expect(own.map((b) => b.start)).toEqual([0, ...ends.slice(0, -1)]);
      const row = chromosomes.rowOf(chromosome)!;
      expect(ends.at(-1)).toBe(numbers(chromosomes, "length").values[row]);
      expect(own.length).toBe(numbers(chromosomes, "bands").values[row]);
      expect(own.map((b) => b.arm).join("")).toMatch(/^p+q+$/);
      expect(ends[own.findLastIndex((b) => b.arm === "p")]).toBe(
        numbers(chromosomes, "short_arm").values[row],
      );
    }
  });
});

describe("chromosomes", () => {
  it("have the lengths that other packages give for the human and the yeast genome", () => {
    const checked = chromosomes.keys.filter((key) => lengths(key, "length") !== undefined);
    expect(checked.length).toBe(40);
    const length = numbers(chromosomes, "length").values;
    expect(
      checked.filter((key) => lengths(key, "length")!.value !== length[chromosomes.rowOf(key)!]),
    ).toEqual([]);
  });

  it("have arms that add up", () => {
    const [length, short, long] = ["length", "short_arm", "long_arm"].map(
      (id) => numbers(chromosomes, id).values,
    ) as [Float64Array, Float64Array, Float64Array];
    const off = chromosomes.keys.filter(
      (_, row) => !Number.isNaN(short[row]!) && short[row]! + long[row]! !== length[row],
    );
    expect(off).toEqual([]);
  });
});

describe("amino acids", () => {
  const one = (row: number): string => cell(acids.columns.get("one")!, row)!;

  it.each(["three", "codons", "hydropathy"])("have the %s of a package of bioinformatics", (id) => {
    const wrong = acids.keys.filter(
      (_, row) => cell(acids.columns.get(id)!, row) !== biopython(one(row), id)!.text,
    );
    expect(wrong).toEqual([]);
  });

  it.each(["carbon", "hydrogen", "nitrogen", "oxygen", "sulfur"])("have the %s atoms of another", (id) => {
    const wrong = acids.keys.filter(
      (_, row) => cell(acids.columns.get(id)!, row) !== pyteomics(one(row), id)!.text,
    );
    expect(wrong).toEqual([]);
  });

  it("have the masses of a package of bioinformatics, to 5e-5 and to 1e-5 u", () => {
    const off = acids.keys.filter((_, row) => {
      const molar = numbers(acids, "molar_mass").values[row]! / biopython(one(row), "molar_mass")!.value;
      const exact =
        numbers(acids, "monoisotopic_mass").values[row]! - biopython(one(row), "monoisotopic_mass")!.value;
      return Math.abs(molar - 1) > 5e-5 || Math.abs(exact) > 1e-5;
    });
    expect(off).toEqual([]);
  });

  it("use the 61 sense codons up", () => {
    expect(numbers(acids, "codons").values.reduce((a, b) => a + b, 0)).toBe(61);
  });
});
