#!/usr/bin/env python3
"""Makes curves.csv again: the elliptic curves over Q with conductor at most 1000, in Cremona's numbering.

    python3 sources/snapshots/elliptic-curves/make.py CURVES.csv

The input is the cut of Debian's sagemath-database-cremona-elliptic-curves 20221013. The invariants c4 and Δ and the size of the isogeny
class are computed here from it; the modular degree is left out, as it stands for the class and not for the curve.
"""
import csv, json, sys
from collections import Counter
from pathlib import Path


def invariants(a1, a2, a3, a4, a6):
    b2, b4, b6 = a1 * a1 + 4 * a2, 2 * a4 + a1 * a3, a3 * a3 + 4 * a6
    b8 = a1 * a1 * a6 + 4 * a2 * a6 - a1 * a3 * a4 + a2 * a3 * a3 - a4 * a4
    return b2 * b2 - 24 * b4, -b2 * b2 * b8 - 8 * b4**3 - 27 * b6 * b6 + 9 * b2 * b4 * b6


def squarefree(n):
    return all(n % (p * p) for p in range(2, int(n**0.5) + 1))


with open(sys.argv[1], encoding="utf-8") as lines:
    curves = [c for c in csv.DictReader(lines) if int(c["conductor"]) <= 1000]
size = Counter(c["class"] for c in curves)
KEPT = "rank torsion tamagawa real_period regulator sha special_value".split()
with open(Path(__file__).parent / "curves.csv", "w", encoding="utf-8", newline="") as out:
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow("label conductor semistable class_size a1 a2 a3 a4 a6 c4 discriminant".split() + KEPT)
    for c in curves:
        a, n = json.loads(c["ainvs"]), int(c["conductor"])
        semistable = "yes" if squarefree(n) else "no"
        writer.writerow([c["label"], n, semistable, size[c["class"]], *a, *invariants(*a), *(c[k] for k in KEPT)])
