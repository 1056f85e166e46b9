"""Names and symbols of units as answers write them, with their prefixes."""

from .jstext import normalized
from .plain import fold
from .units import ATOMS
from .units_table import UNIT_PREFIXES

# Names beside those of the table, with the symbol each stands for.
_UNIT_MORE_NAMES = {
    "degrees": "deg",
    "degree": "deg",
    "celsius": "degC",
    "centigrade": "degC",
    "fahrenheit": "degF",
    "kelvin": "K",
    "au": "au",
    "astronomical units": "au",
    "light years": "ly",
    "light year": "ly",
    "atomic mass units": "u",
    "atomic mass unit": "u",
    "amu": "u",
    "metric tons": "t",
    "metric ton": "t",
    "julian years": "yr",
    "julian year": "yr",
    "yrs": "yr",
    "sec": "s",
    "secs": "s",
    "hr": "h",
    "hrs": "h",
    "mins": "min",
    "minute": "min",
    "minutes": "min",
    "micron": "um",
    "microns": "um",
    "ångström": "angstrom",
    "per cent": "percent",
    "degrees c": "degC",
    "degrees k": "K",
}
_unit_tables = {}


def unit_names():
    """Folded names, singular and plural, with prefixes: "kilometers" gives "km"."""
    if "names" not in _unit_tables:
        found = {}
        for atom in ATOMS:
            for name in (atom.singular, atom.plural):
                for start, word in [("", "")] + [(p[0][0], p[2]) for p in _unit_prefixes(atom)]:
                    for spelling in _unit_spellings(word + name):
                        found.setdefault(spelling, start + atom.symbols[0])
        found.update((fold(name), symbol) for name, symbol in _UNIT_MORE_NAMES.items())
        _unit_tables["names"] = found
    return _unit_tables["names"]


def unit_symbols():
    """All symbols, with prefixes."""
    if "symbols" not in _unit_tables:
        found = set()
        for atom in ATOMS:
            for symbol in (normalized("NFKC", s).replace("\u03bc", "µ", 1) for s in atom.symbols):
                found.add(symbol)
                found.update(p.replace("\u03bc", "µ") + symbol for prefix in _unit_prefixes(atom) for p in prefix[0])
        _unit_tables["symbols"] = found
    return _unit_tables["symbols"]


def _unit_prefixes(atom):
    return [prefix for prefix in UNIT_PREFIXES if atom.takes(prefix[0])]


def _unit_spellings(name):
    plain = fold(name).replace("-", " ")
    return (
        plain,
        plain.replace("metre", "meter", 1),
        plain.replace("litre", "liter", 1),
        plain.replace("tonne", "metric ton", 1),
    )
