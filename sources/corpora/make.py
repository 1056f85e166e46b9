#!/usr/bin/env python3
"""Makes the bundled corpora again: one page per entity and package, each in that package's own figures, and pages that list entities.

Run by hand, never at install:

    pip download --no-deps mendeleev==1.3.0 planets==0.9.1           # unzip each into UNPACKED/
    apt-get download wordnet-base dict-elements stellarium-data      # dpkg -x each into UNPACKED/
    python3 sources/corpora/make.py UNPACKED

Most figures are those of the extracts in test/facts/independent, which name package, version, file and licence of each. Of packages that
repeat the publisher of a construction table (the NAIF kernels, NASA's fact sheet, JPL's satellite list) nothing is taken. What is
computed here from a package's figures (a polar radius from an oblateness, a sense of rotation from a sign) is said so in the text.
Same packages, same bytes.
"""
import configparser, csv, gzip, hashlib, json, re, sqlite3, sys
from collections import defaultdict
from pathlib import Path

HERE = Path(__file__).parent
FACTS = HERE.parent.parent / "test" / "facts" / "independent"
PLANETS = "Mercury Venus Earth Mars Jupiter Saturn Uranus Neptune Pluto".split()


def facts(name):
    """entity → quantity → (value as written, unit), in the file's order."""
    found = defaultdict(dict)
    with open(FACTS / f"{name}.csv", encoding="utf-8") as lines:
        for row in csv.DictReader(line for line in lines if not line.startswith("#")):
            found[row["entity"]][row["quantity"]] = (row["value"], row["unit"])
    return found


def number(text):
    return float(text)


def digits(value, n):
    """A value at n significant digits, without an exponent where it is short."""
    return f"{value:.{n}g}" if 1e-4 <= abs(value) < 10 ** n else f"{value:.{n - 1}e}"


class Corpus:
    def __init__(self, id):
        self.id, self.documents = id, []

    def add(self, part, slug, title, lines, licence):
        slug = re.sub(r"[^a-z0-9]+", "-", slug.lower()).strip("-")
        url = f"corpus://{self.id}/{part}/{slug}"
        self.documents.append({"url": url, "title": title, "text": "\n".join(lines).strip() + "\n", "licence": licence})

    def write(self):
        folder = HERE / self.id
        self.documents.sort(key=lambda d: d["url"])
        assert len({d["url"] for d in self.documents}) == len(self.documents)
        data = "".join(json.dumps(d, ensure_ascii=False) + "\n" for d in self.documents).encode()
        (folder / "documents.jsonl").write_bytes(data)
        digest = hashlib.sha256(data).hexdigest()
        card = (folder / "card.yaml").read_text(encoding="utf-8")
        card = re.sub(r"sha256: \S+", f"sha256: {digest}", card)
        card = re.sub(r"documents: \d+", f"documents: {len(self.documents)}", card)
        (folder / "card.yaml").write_text(card, encoding="utf-8")
        print(self.id, len(self.documents), "documents", len(data), "bytes", digest)


# --- the Solar System -------------------------------------------------------------------------------------------------------------

DAY, HOUR = "days", "hours"
UNITS = {"d": DAY, "h": HOUR, "km^3/s^2": "km^3/s^2", "deg": "degrees", "1": "", "au": "au", "km": "km", "kg": "kg", "yr": "years"}


def said(fact):
    value, unit = fact
    return f"{value.rstrip('.')} {UNITS[unit]}".strip() if unit in UNITS else f"{value} {unit}"


def kind_of(name, parents):
    if name == "Pluto":
        return "dwarf planet"
    return "planet" if name in PLANETS else f"moon of {parents[name]}"


def solar_system(unpacked):
    corpus = Corpus("solar-system")
    # Which planet a moon goes round, as the packages of planetary constants and of the planetarium have it.
    parents = {}
    for moons, parent in (
        ("Moon", "the Earth"), ("Phobos Deimos", "Mars"), ("Io Europa Ganymede Callisto Amalthea", "Jupiter"),
        ("Mimas Enceladus Tethys Dione Rhea Titan Hyperion Iapetus Phoebe Janus Epimetheus Atlas Prometheus Pandora", "Saturn"),
        ("Miranda Ariel Umbriel Titania Oberon", "Uranus"), ("Triton Proteus Nereid", "Neptune"), ("Charon", "Pluto"),
    ):
        parents.update({moon: parent for moon in moons.split()})
    planetary_constants(corpus, parents)
    stellarium(corpus, parents, unpacked)
    missions(corpus, parents)
    climate(corpus, unpacked)
    mean_elements(corpus)
    families(corpus, parents)
    wordnet(corpus, unpacked, PLANETS + list(parents), "17", "object")
    corpus.write()


def planetary_constants(corpus, parents):
    for name, f in facts("solarsystemmb").items():
        a = said(f["semi_major_axis"])
        about = "the Sun" if name in PLANETS else parents[name]
        radius = "equatorial radius" if name in PLANETS else "mean radius"
        known_slip = {"Ganymede": "radius", "Moon": "eccentricity", "Venus": "orbital_period"}.get(name)
        lines = [f"{name} is a {kind_of(name, parents)}.", "", "| quantity | value |", "| --- | --- |"]
        rows = [("mass", "mass"), (radius, "radius"), (f"semi-major axis of the orbit about {about}", "semi_major_axis"),
                ("orbital eccentricity", "eccentricity"), ("sidereal orbital period", "orbital_period"),
                ("sidereal rotation period", "rotation_period"), ("axial tilt", "tilt"),
                (f"inclination of the orbit to the equator of {about}", "inclination")]
        lines += [f"| {label} | {said(f[q])} |" for label, q in rows if q in f and q != known_slip]
        if "inclination" in f:
            sense = "retrograde" if number(f["inclination"][0]) > 90 else "prograde"
            lines += ["", f"{name} moves in a {sense} orbit about {about}, as its inclination shows."]
        corpus.add("planetary-constants", name, f"{name}: planetary constants", lines, "BSD-3-Clause")


def stellarium(corpus, parents, unpacked):
    bodies = configparser.ConfigParser(strict=False, interpolation=None)
    bodies.read(next(Path(unpacked).rglob("ssystem_major.ini")), encoding="utf-8")
    for name, f in facts("stellarium").items():
        drawn = bodies.get(name.lower(), "orbit_visualization_period", fallback=None)
        if name not in PLANETS and not {"period", "osculating_period"} & set(f) and drawn is not None:
            f["period"] = (drawn, "d")
        lines = []
        if name in PLANETS:
            lines.append(f"{name} has an equatorial radius of {said(f['equatorial_radius'])}.")
            if "oblateness" in f:
                a, e = number(f["equatorial_radius"][0]), number(f["oblateness"][0])
                lines.append(
                    f"Its oblateness is {digits(e, 5)}, from which follow a polar radius of {digits(a * (1 - e), 6)} km and a mean radius "
                    f"(that of the sphere of equal volume) of {digits((a * a * a * (1 - e)) ** (1 / 3), 6)} km.")
            else:
                lines.append(f"It is shown as a sphere: its polar radius and its mean radius are {said(f['equatorial_radius'])} as well.")
            turn, unit = f["rotation_period"]
            # Pluto's obliquity beyond 90 degrees is written as a negative one there, its period too.
            sense = "retrograde" if turn.startswith("-") else "prograde"
            lines.append(f"It turns once in {said((turn.lstrip('-'), unit))} (sidereal rotation period), with {sense} rotation.")
            lines.append(f"It goes round the Sun in {said(f['orbital_period'])} (orbital period).")
        else:
            lines.append(f"{name} is a moon of {parents[name]} with a mean radius of {said(f['mean_radius'])}.")
            for key, label in (("period", "orbital period"), ("osculating_period", "orbital period (osculating)"),
                               ("osculating_semi_major_axis", "semi-major axis (osculating)"), ("eccentricity", "orbital eccentricity")):
                if key in f:
                    lines.append(f"Its {label} is {said(f[key])}.")
        corpus.add("planetarium", name, name, lines, "GPL-2.0-or-later")


def missions(corpus, parents):
    for name, f in facts("pyshtools").items():
        lines = [f"{name} is a {kind_of(name, parents)}. Figures from the tracking of spacecraft and from shape models:", ""]
        if "gm" in f:
            gm = number(f["gm"][0])
            lines.append(f"- gravitational parameter GM: {said(f['gm'])}")
            lines.append(f"- mass, which is GM divided by G = 6.6743e-11 m^3 kg^-1 s^-2: {digits(gm / 6.6743e-20, 5)} kg")
        for key, label in (("mean_radius", "mean radius"), ("semi_major_axis", "semi-major axis of the orbit"), ("eccentricity", "orbital eccentricity")):
            if key in f:
                lines.append(f"- {label}: {said(f[key])}")
        corpus.add("gravity-and-shape", name, f"{name} (gravity and shape)", lines, "BSD-3-Clause")


def climate(corpus, unpacked):
    module = next(Path(unpacked).rglob("_planets.py")).read_text(encoding="utf-8")
    given = {(name, key): float(value) for name, key, value in re.findall(r"^([A-Z]\w+)\.(\w+) = ([-+.e\d]+)\b(?! *\*)", module, re.M)}
    for name, f in facts("planets-hayne").items():
        kelvin = number(f["mean_temperature"][0])
        where = "at the 1 bar level" if name in PLANETS[4:8] else "at the surface"
        lines = [f"The mean temperature of {name} {where} is {f['mean_temperature'][0]} K ({digits(kelvin - 273.15, 5)} °C)."]
        if "obliquity" in f:
            lines.append(f"{name} has an axial tilt (obliquity) of {said(f['obliquity'])}.")
        if "eccentricity" in f:
            lines.append(f"The orbital eccentricity of {name} is {f['eccentricity'][0]}.")
        lines.append(f"The orbital period of {name} is {said(f['orbital_period'])}.")
        if (name, "rsm") in given:
            lines.append(f"The semi-major axis of the orbit of {name} is {given[name, 'rsm'] / 1e3:.0f} km.")
        for key, label, unit in (("g", "surface gravity", "m/s^2"), ("albedo", "Bond albedo", ""), ("S", "solar irradiance", "W/m^2"),
                                 ("psurf", "surface pressure", "Pa")):
            if (name, key) in given:
                lines.append(f"The {label} of {name} is {f'{given[name, key]:g} {unit}'.strip()}.")
        corpus.add("climate", name, f"{name}: seasons and temperature", lines, "MIT")


def mean_elements(corpus):
    for name, f in facts("pymeeus").items():
        lines = [f"Mean orbital elements of {name} about the Sun at J2000.0, referred to the ecliptic of J2000.0 (VSOP87):", "",
                 "| element | value |", "| --- | --- |",
                 f"| semi-major axis | {said(f['semi_major_axis'])} |", f"| orbital eccentricity | {f['eccentricity'][0]} |",
                 f"| orbital inclination to the ecliptic | {said(f['inclination'])} |",
                 f"| longitude of the ascending node | {said(f['ascending_node'])} |"]
        corpus.add("mean-elements", name, f"{name}: mean orbital elements", lines, "LGPL-3.0-or-later")


def families(corpus, parents):
    for planet in sorted(set(parents.values())):
        moons = [m for m, p in parents.items() if p == planet]
        lines = [f"Moons of {planet}:", ""] + [f"- {moon}, a moon of {planet}" for moon in moons]
        corpus.add("lists", f"moons of {planet}", f"Moons of {planet}", lines, "CC0-1.0")
    lines = ["From the Sun outwards:", ""] + [f"{i}. {p}" for i, p in enumerate(PLANETS[:8], 1)]
    lines += ["", "Pluto, a dwarf planet, lies beyond Neptune."]
    corpus.add("lists", "planets", "Planets of the Solar System", lines, "CC0-1.0")


def wordnet(corpus, unpacked, names, lexicographer, part):
    """Noun senses of one lexicographer file (17 objects, 27 substances), with their synonyms."""
    wanted = {n.lower(): n for n in names}
    wanted |= {other.lower(): name for other, name in IUPAC.items() if name.lower() in wanted}
    path = next(Path(unpacked).rglob("data.noun"))
    for line in path.read_text(encoding="utf-8").splitlines():
        head, _, gloss = line.partition(" | ")
        fields = head.split(" ")
        if line.startswith(" ") or len(fields) < 6 or fields[1] != lexicographer:
            continue
        count = int(fields[3], 16)
        words = [w.replace("_", " ") for w in fields[4:4 + 2 * count:2]]
        name = next((wanted[w.lower()] for w in words if w.lower() in wanted), None)
        if name is None:
            continue
        others = [w for w in words if w.lower() != name.lower()]
        lines = [f"{name}: {gloss.strip()}."] + ([f"Also called: {', '.join(others)}."] if others else [])
        corpus.add("dictionary", f"{name} {fields[0]}", name, lines, "LicenseRef-WordNet-3.0")


# --- elements and their isotopes --------------------------------------------------------------------------------------------------


def elements(unpacked):
    corpus = Corpus("elements")
    database = sqlite3.connect(next(Path(unpacked).rglob("elements.db")))
    database.row_factory = sqlite3.Row
    names = {}
    for row in database.execute("select * from elements where atomic_number <= 103 order by atomic_number"):
        names[row["symbol"]] = IUPAC.get(row["name"], row["name"])
        element_page(corpus, row, facts("mendeleev-elements")[row["symbol"]])
    materials(corpus, names)
    isotopes(corpus, names)
    series(corpus, names)
    kominek(corpus, unpacked, names)
    wordnet(corpus, unpacked, names.values(), "27", "substance")
    corpus.write()


FAMILIES = {"Alkali metals": "the alkali metals", "Alkaline earth metals": "the alkaline earth metals",
            "Halogens": "the halogens", "Noble gases": "the noble gases", "Nonmetals": "the nonmetals", "Metalloids": "the metalloids",
            "Poor metals": "the post-transition metals", "Transition metals": "the transition metals",
            "Lanthanides": "the lanthanides", "Actinides": "the actinides"}


# IUPAC's spelling, which pages are called by, where the package has another.
IUPAC = {"Aluminum": "Aluminium", "Cesium": "Caesium", "Sulphur": "Sulfur"}


def element_page(corpus, row, f):
    name = IUPAC.get(row["name"], row["name"])
    spelt = "" if name == row["name"] else f", also spelt {row['name'].lower()},"
    lines = [f"{name} (symbol {row['symbol']}){spelt} is the chemical element with atomic number {f['atomic_number'][0]}.",
             f"{name} stands in period {f['period'][0]} and in the {f['block'][0]}-block of the periodic table and belongs to "
             f"{FAMILIES[f['series'][0]]}.", "",
             *[row[k].strip() for k in ("description", "name_origin", "sources", "uses") if row[k]], "",
             "| property | value |", "| --- | --- |"]
    radioactive = row["is_radioactive"] and float(f["atomic_weight"][0]).is_integer()
    label = "mass number of the most stable isotope" if radioactive else "standard atomic weight"
    lines.append(f"| {label} | {f['atomic_weight'][0]}{'' if radioactive else ' u'} |")
    for key, label in (("electronegativity", "Pauling electronegativity"), ("ionization_energy", "first ionization energy"),
                       ("electron_affinity", "electron affinity"), ("melting_point", "melting point"), ("boiling_point", "boiling point")):
        if key in f:
            value, unit = f[key]
            lines.append(f"| {label} | {value}{'' if unit == '1' else ' ' + unit} |")
    for key, label, unit in (("density", "density", "g/cm^3"), ("thermal_conductivity", "thermal conductivity", "W/(m K)"),
                             ("evaporation_heat", "heat of vaporization", "kJ/mol"), ("fusion_heat", "heat of fusion", "kJ/mol")):
        if row[key] is not None:
            lines.append(f"| {label} | {row[key]:g} {unit} |")
    corpus.add("mendeleev", name, name, lines, "MIT")


def materials(corpus, names):
    for symbol, f in facts("pymatgen-elements").items():
        name = names[symbol]
        lines = [f"Materials data for the element {name} ({symbol}).", ""]
        for key, label in (("atomic_weight", "atomic mass"), ("melting_point", "melting point"), ("boiling_point", "boiling point"),
                           ("electronegativity", "Pauling electronegativity"), ("electron_affinity", "electron affinity"),
                           ("ionization_energy", "first ionization energy")):
            if key in f:
                value, unit = f[key]
                lines.append(f"- {label} of {name}: {value}{'' if unit == '1' else ' ' + unit}")
        corpus.add("materials", name, f"{name} (materials data)", lines, "MIT")


STEPS = (("years", 365.2422 * 86400), ("days", 86400), ("hours", 3600), ("seconds", 1))


def half_life(text):
    """Seconds as the source has them, in the largest of these units that is not above the value."""
    seconds = number(text)
    unit, factor = next(s for s in STEPS if seconds >= s[1])
    return f"{digits(seconds / factor, 5)} {unit}"


def isotopes(corpus, names):
    by_element = defaultdict(list)
    for key, f in facts("mendeleev-nuclides").items():
        symbol, mass = re.fullmatch(r"([A-Z][a-z]?)(\d+)", key).groups()
        by_element[symbol].append((int(mass), f))
    numbers = {s: i for i, s in enumerate(names, 1)}
    for symbol, listed in by_element.items():
        name = names[symbol]
        lines = [f"Isotopes of {name.lower()} that occur in nature or live for about an hour or longer; {name.lower()} has the atomic number "
                 f"{numbers[symbol]}. Half-lives in years take the year as 365.2422 days.", "",
                 "| isotope | atomic number | mass number | atomic mass (u) | natural abundance (%) | half-life | nuclear spin and parity |",
                 "| --- | --- | --- | --- | --- | --- | --- |"]
        for mass, f in sorted(listed, key=lambda l: l[0]):
            life = half_life(f["half_life"][0]) if f.get("half_life", ("",))[0] else "" if "half_life" in f else "stable"
            cells = [f"{name}-{mass}", str(numbers[symbol]), str(mass), f["atomic_mass"][0] if "atomic_mass" in f else "",
                     f["abundance"][0] if "abundance" in f else "", life, f["spin"][0] if "spin" in f else ""]
            lines.append(f"| {' | '.join(cells)} |")
        corpus.add("isotopes", name, f"Isotopes of {name.lower()}", lines, "MIT")


def series(corpus, names):
    """Pages of names alone."""
    groups = defaultdict(list)
    for symbol, f in facts("mendeleev-elements").items():
        groups[f"Elements of period {f['period'][0]}"].append(names[symbol])
        groups[f"Elements of the {f['block'][0]}-block"].append(names[symbol])
        groups[FAMILIES[f["series"][0]].removeprefix("the ").capitalize()].append(names[symbol])
    for title, members in groups.items():
        corpus.add("lists", title, title, [f"{title}, in order of the atomic number:", ""] + [f"- {m}" for m in members], "MIT")


def kominek(corpus, unpacked, names):
    text = gzip.decompress(next(Path(unpacked).rglob("elements.dict.dz")).read_bytes()).decode("latin-1")
    by_name = {n.lower(): n for n in names.values()}
    by_name |= {other.lower(): name for other, name in IUPAC.items()}
    for entry in text.split("\n\n"):
        head, _, body = entry.strip("\n").partition("\n")
        name = by_name.get(head.strip().lower())
        if name is None or not body.startswith("Symbol:"):
            continue
        # The first lines hold one fact each; prose is wrapped, and other entries are in braces.
        lines = [line.strip() for line in body.splitlines()]
        prose = re.sub(r"[{}]", "", " ".join(line for line in lines[3:] if line))
        corpus.add("kominek", name, name, [name, *lines[:3], prose], "LicenseRef-public-domain")


if __name__ == "__main__":
    solar_system(sys.argv[1])
    elements(sys.argv[1])
