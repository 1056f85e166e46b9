#!/usr/bin/env python3
"""Makes amino-acids.csv again: the twenty amino acids of the standard genetic code, from their formulas.

    python3 sources/snapshots/amino-acids/make.py

The formulas, the code and the hydropathy scale are entered by hand; masses are added up here. test/facts compares every cell with other
packages. Weights: IUPAC 2021, abridged to five figures. Masses of the lightest isotopes: AME2020.
"""
import csv
from decimal import Decimal
from pathlib import Path

WEIGHT = {"C": "12.011", "H": "1.008", "N": "14.007", "O": "15.999", "S": "32.06"}
LIGHTEST = {"C": "12", "H": "1.007825032", "N": "14.003074004", "O": "15.994914619", "S": "31.972071174"}
#: name, three letters, one letter, atoms C H N O S, codons, hydropathy of Kyte and Doolittle, essential for adult humans
ACIDS = """
alanine Ala A 3 7 1 2 0 4 1.8 no
arginine Arg R 6 14 4 2 0 6 -4.5 no
asparagine Asn N 4 8 2 3 0 2 -3.5 no
aspartic_acid Asp D 4 7 1 4 0 2 -3.5 no
cysteine Cys C 3 7 1 2 1 2 2.5 no
glutamine Gln Q 5 10 2 3 0 2 -3.5 no
glutamic_acid Glu E 5 9 1 4 0 2 -3.5 no
glycine Gly G 2 5 1 2 0 4 -0.4 no
histidine His H 6 9 3 2 0 2 -3.2 yes
isoleucine Ile I 6 13 1 2 0 3 4.5 yes
leucine Leu L 6 13 1 2 0 6 3.8 yes
lysine Lys K 6 14 2 2 0 2 -3.9 yes
methionine Met M 5 11 1 2 1 1 1.9 yes
phenylalanine Phe F 9 11 1 2 0 2 2.8 yes
proline Pro P 5 9 1 2 0 4 -1.6 no
serine Ser S 3 7 1 3 0 6 -0.8 no
threonine Thr T 4 9 1 3 0 4 -0.7 yes
tryptophan Trp W 11 12 2 2 0 1 -0.9 yes
tyrosine Tyr Y 9 11 1 3 0 2 -1.3 no
valine Val V 5 11 1 2 0 4 4.2 yes
"""


def added(masses, atoms):
    return sum(Decimal(masses[e]) * n for e, n in zip("CHNOS", atoms))


with open(Path(__file__).parent / "amino-acids.csv", "w", encoding="utf-8", newline="") as out:
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(
        "name three one carbon hydrogen nitrogen oxygen sulfur codons hydropathy essential molar_mass monoisotopic_mass".split()
    )
    for line in ACIDS.split("\n")[1:-1]:
        name, three, one, *rest = line.split()
        atoms = [int(n) for n in rest[:5]]
        exact = added(LIGHTEST, atoms).quantize(Decimal("0.00001"))
        writer.writerow([name.replace("_", " "), three, one, *rest, added(WEIGHT, atoms), exact])
