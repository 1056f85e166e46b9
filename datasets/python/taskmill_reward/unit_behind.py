"""The unit behind an answer's number: symbols, words, and spellings that only answers have."""

from .jstext import trim
from .regex import Regex
from .unit_scan import units_at
from .units import same_dimension

_BEHIND_BRACKETED = Regex(r"^[[(]([^()[\]]+)[\])]$")
_BEHIND_NO_UNIT = Regex(r"^[-.*]")
_BEHIND_TWICE = Regex(r"^([^()]+?) ?[([]([^()[\]]+)[)\]]$")


def unit_behind(text, end):
    """All readings of what follows a number as one unit up to the end: [None] where nothing follows, several where the text has more
    than one reading. None if it is no unit."""
    rest = trim(text[end:])
    if rest == "":
        return [None]
    if len(rest) > 200:
        return None
    if _BEHIND_BRACKETED.test(rest):
        return unit_behind(rest[1:-1], 0)
    # "5 /s" is a unit, "5 -7" and "5.kg" are not.
    if _BEHIND_NO_UNIT.test(rest):
        return None
    twice = _BEHIND_TWICE.search(rest)
    said = None if twice is None else _behind_twice(twice[1], twice[2])
    return _behind_whole(_behind_spelt(rest)) if said is None else said


def _behind_twice(first, second):
    """ "grams per cubic centimeter (g/cm³)"."""
    a, b = _behind_whole(_behind_spelt(first)), _behind_whole(_behind_spelt(second))
    if a is None or b is None or len(a) != 1 or len(b) != 1:
        return None
    return a if a[0].factor == b[0].factor and same_dimension(a[0], b[0]) else None


def _behind_whole(clean):
    ending = [r.unit for r in units_at(clean, 0) if r.end == len(clean)]
    if not ending:
        return None
    other = _behind_other(clean)
    return [ending[-1]] if other is None else [ending[-1], other]


_BEHIND_BODIES = {
    "sun": "sun",
    "solar": "sun",
    "☉": "sun",
    "earth": "earth",
    "e": "earth",
    "⊕": "earth",
    "jup": "jup",
    "jupiter": "jup",
    "j": "jup",
}
_BEHIND_TIMES = Regex(r"^[·×] ?")
_BEHIND_ONE = Regex(r"^1 ?\/ ?")
_BEHIND_QUOTIENT = Regex(r"^\(([^()]+)\)\/\(([^()]+)\)$")
_BEHIND_CARET = Regex(r" ?\^ ?", "g")
_BEHIND_BODY = Regex(r"\b([MRL])_?\(?(sun|solar|earth|jupiter|jup|☉|⊕|(?:(?<=_)|(?<=_\())[EJ])\)?(?!\p{L})", "giu")
_BEHIND_CC = Regex(r"\bcc\b", "g")
_BEHIND_AU = Regex(r"^a\.u\.?$", "i")


def _behind_spelt(unit):
    """In the unit reader's own spelling: M_⊕ and M_Earth as M_earth, cc as cm^3, "cm ^ 3" as cm^3."""
    unit = _BEHIND_ONE.sub("/", _BEHIND_TIMES.sub("", unit, 1), 1)
    unit = _BEHIND_QUOTIENT.sub(lambda m: f"{m[1]}/({m[2]})", unit, 1)
    unit = _BEHIND_CARET.sub("^", unit)
    unit = _BEHIND_BODY.sub(lambda m: f"{m[1].upper()}_{_BEHIND_BODIES.get(m[2].lower(), m[0])}", unit)
    return _BEHIND_AU.sub("au", _BEHIND_CC.sub("cm^3", unit), 1)


_BEHIND_PRODUCT = Regex(r"^([^/()]+)\/ ?([^\s/()·*]+)[ ·*]+([^\s/()·*^-]+)$")


def _behind_other(text):
    """J/mol K is J mol^-1 K to some and J mol^-1 K^-1 to others: the second reading, where a symbol follows a quotient."""
    match = _BEHIND_PRODUCT.search(text)
    readings = [] if match is None else units_at(f"{match[1]}/({match[2]} {match[3]})", 0)
    return readings[-1].unit if readings else None
