"""What `,` and `.` and large numbers' names mean in a language (Unicode CLDR 46; dictionaries of each language)."""

from .jstext import units
from .regex import Regex

_LANGUAGE_SHORT = {"hundred": 2, "thousand": 3, "million": 6, "billion": 9, "trillion": 12, "quadrillion": 15}
_LANGUAGE_NAMES = {
    "de": {"tausend": 3, "million": 6, "millionen": 6, "milliarde": 9, "milliarden": 9, "billion": 12, "billionen": 12},
    "fr": {"mille": 3, "million": 6, "millions": 6, "milliard": 9, "milliards": 9, "billion": 12, "billions": 12},
    "es": {"mil": 3, "millón": 6, "millon": 6, "millones": 6, "billón": 12, "billon": 12, "billones": 12},
    "it": {"mila": 3, "milione": 6, "milioni": 6, "miliardo": 9, "miliardi": 9},
    "pt": {"mil": 3, "milhão": 6, "milhões": 6},
    "nl": {"duizend": 3, "miljoen": 6, "miljard": 9, "biljoen": 12},
}
# Decimal comma with points (or spaces) between groups, and with spaces alone.
_LANGUAGE_COMMA_POINT = "de nl it es pt id tr el da ro hr sl is vi ca eu gl".split(" ")
_LANGUAGE_COMMA_SPACE = "fr ru uk pl cs sk hu fi sv nb nn no bg lt lv et be".split(" ")
_LANGUAGE_REGION = Regex(r"^[a-z]{2}$")


class Notation:
    """Decimal mark, marks between groups of three digits, groups of two (lakh), names of powers of ten, order of day and month."""

    __slots__ = ("decimal", "groups", "lakh", "scales", "day_first")

    def __init__(self, decimal, groups, lakh, scales, day_first):
        self.decimal = decimal
        self.groups = groups
        self.lakh = lakh
        self.scales = scales
        # None where both orders are in use.
        self.day_first = day_first

    def with_decimal(self, decimal):
        return Notation(decimal, self.groups, self.lakh, self.scales, self.day_first)


_language_known = {}


def notation_of(language=None):
    """The notation of a BCP 47 language; English where none is given, and where the language is not known here."""
    language = "en" if language is None else language
    known = _language_known.get(language)
    if known is None:
        known = _language_made(units(language))
        if len(_language_known) < 1000:
            _language_known[language] = known
    return known


def _language_made(language):
    tags = language[:35].lower().replace("_", "-").split("-")
    base = tags[0]
    region = next((t for t in tags[1:] if _LANGUAGE_REGION.test(t)), None)
    scales = _LANGUAGE_NAMES.get(base, _LANGUAGE_SHORT)
    if base == "en":
        day_first = None if region is None else region != "us"
    else:
        day_first = base not in ("zh", "ja", "ko")
    if (region == "ch" and base != "fr") or region == "li":
        return Notation(".", "'", False, scales, day_first)
    if region == "mx" or (base == "es" and region == "us"):
        return Notation(".", ",", False, scales, day_first)
    if base in _LANGUAGE_COMMA_POINT:
        return Notation(",", ".'", False, scales, day_first)
    if base in _LANGUAGE_COMMA_SPACE:
        return Notation(",", "", False, scales, day_first)
    return Notation(".", ",'_", region == "in" or base == "hi", scales, day_first)
