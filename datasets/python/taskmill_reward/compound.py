"""Values in several units, each a part of the one before: "17 h 15 min", "84 years and 7 days", 12° 30′ 15″."""

from .exact import EXACT_ONE, EXACT_ZERO, compare_exact, from_decimal, negate, over, plus, times
from .literal import literal_at
from .regex import Regex
from .unit_scan import units_at
from .units import same_dimension

_COMPOUND_MAX_PARTS = 4
_COMPOUND_FORM = Regex(r"\d\D+\d")
_COMPOUND_SECONDS = Regex(r"''|\"", "g")
_COMPOUND_MINUS = Regex(r"^[-–] ?(?=\d)")
_COMPOUND_MARK = Regex(r" ?(\p{L}{1,12}|[°′″])\.?(?!\p{L})", "uy")
_COMPOUND_LINK = Regex(r",? and |,? ?", "iy")


def compound_of(said, notation):
    """(value, unit): the sum in the first part's unit; None where the text is anything else, such as "5 km 7 m 3 kg" or "17 h 75 min"."""
    if len(said) > 80 or not _COMPOUND_FORM.test(said):
        return None
    # Behind degrees the typewriter's quotes are minutes and seconds; elsewhere they part groups of digits.
    text = _COMPOUND_SECONDS.sub("″", said).replace("'", "′") if "°" in said else said
    minus = _COMPOUND_MINUS.search(text)
    parts = _compound_parts(text, 0 if minus is None else minus.end(), notation)
    if parts is None or len(parts) < 2:
        return None
    if not all(_compound_follows(part, parts[i - 1] if i > 0 else None) for i, part in enumerate(parts)):
        return None
    unit = parts[0][2]
    total = EXACT_ZERO
    for value, _, of in parts:
        total = plus(total, times(value, _compound_ratio(of, unit)))
    return (total if minus is None else negate(total)), unit


def _compound_ratio(a, b):
    return over(from_decimal(a.factor), from_decimal(b.factor))


def _compound_follows(part, before):
    """A part goes on with a smaller unit, is less than one of the larger, and stands behind a whole number of these."""
    value, _, unit = part
    if before is None:
        return unit.offset == 0
    return (
        before[1]
        and same_dimension(unit, before[2])
        and unit.factor < before[2].factor
        and compare_exact(times(value, _compound_ratio(unit, before[2])), EXACT_ONE) < 0
    )


def _compound_parts(text, at, notation):
    """(value, whether it is whole, unit) of each part, or None."""
    parts = []
    while at < len(text):
        number = literal_at(text, at, notation)
        if number is None or number.value is None or len(parts) == _COMPOUND_MAX_PARTS:
            return None
        mark = _COMPOUND_MARK.at(text, number.end)
        unit = None if mark is None else _compound_unit(mark[1], parts[0][2] if parts else None)
        if unit is None:
            return None
        parts.append((number.value, number.bare, unit))
        at = _COMPOUND_LINK.at(text, mark.end()).end()
    return parts


def _compound_unit(symbol, first):
    """A symbol as a unit: behind hours or days, m are minutes."""
    minutes = symbol == "m" and first is not None and first.text in ("h", "d")
    name = "min" if minutes else {"′": "arcmin", "″": "arcsec"}.get(symbol, symbol)
    return next((u.unit for u in units_at(name, 0) if u.end == len(name)), None)
