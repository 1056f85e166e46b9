"""Units where prose has them: symbols or words, British or American, "kg/m^3", "kg m^-3", "kilograms per cubic meter"."""

from .plain import fold
from .regex import Regex
from .unit_names import unit_names, unit_symbols
from .units import unit_or_none

_SCAN_MAX_PARTS = 6
_SCAN_DOUBTFUL = frozenset(["a", "in", "as", "am", "A"])


class UnitReading:
    """A unit, where it ends in the text, and whether it could as well be an English word: "in", "a", "as"."""

    __slots__ = ("unit", "end", "doubtful")

    def __init__(self, unit, end, doubtful):
        self.unit = unit
        self.end = end
        self.doubtful = doubtful


_SCAN_LINK = Regex(r"(?: {0,2}(\/|\bper\b) {0,2}\(?|[ ·*.-]{0,2})", "y")


def units_at(plain, start):
    """All readings of a unit at a place of a plain text, shortest first: "au in" gives au, then au·inch."""
    readings, parts = [], []
    at, group = start, 1
    while len(parts) < _SCAN_MAX_PARTS:
        joined = _SCAN_LINK.at(plain, at)
        if parts and joined[0] == "":
            break
        under = joined[1] is not None
        if under and joined[0].endswith("("):
            group = -1
        part = _scan_part(plain, joined.end(), -1 if under else group)
        if part is None:
            break
        symbol, exponent, begun, at = part
        parts.append(symbol if exponent == 1 else f"{symbol}^{exponent}")
        unit = unit_or_none(" ".join(parts))
        if unit is not None:
            close = at + 1 if group == -1 and plain[at : at + 1] == ")" else at
            readings.append(UnitReading(unit, close, len(parts) == 1 and plain[begun:at] in _SCAN_DOUBTFUL))
    return readings


_SCAN_AREA = Regex(r"(?:(square|cubic|sq\.?|cu\.?) )?", "iy")
_SCAN_POWER = Regex(r" (squared|cubed)\b", "y")
_SCAN_TOKEN = Regex(r"[\p{L}°%‰′″☉⊕][\p{L}°☉⊕_]{0,8}", "uy")
_SCAN_GOES_ON = Regex(r"[\p{L}\p{N}_]", "u")


def _scan_part(plain, at, sign):
    """Symbol, exponent, start and end of one symbol or name, or None."""
    area = _SCAN_AREA.at(plain, at)
    start = area.end()
    before = 1 if area[1] is None else 2 if area[1].lower().startswith("sq") else 3
    named = _scan_name(plain, start)
    if named is not None:
        symbol, end = named
        power = _SCAN_POWER.at(plain, end)
        if power is not None:
            return symbol, sign * before * (2 if power[1] == "squared" else 3), start, end + len(power[1]) + 1
        raised = _scan_exponent(plain, end)
        return symbol, sign * before * (1 if raised is None else raised[0]), start, end if raised is None else raised[1]
    token = _SCAN_TOKEN.at(plain, start)
    if token is None or token[0] not in unit_symbols():
        return None
    raised = _scan_exponent(plain, token.end())
    if raised is None:
        if _SCAN_GOES_ON.test(plain[token.end() : token.end() + 1]):
            return None
        return token[0], sign * before, start, token.end()
    return token[0], sign * before * raised[0], start, raised[1]


_SCAN_EXPONENT = Regex(r"(?:\^|\*\*)\(?([+-]?\d)\)?(?!\d|\.\d)|(-?\d)(?!\d|\.\d|\p{L})", "uy")


def _scan_exponent(plain, at):
    """ "^-3", "^(-3)", "**2", "3" or "-3" directly behind a symbol: exponent and end, or None."""
    match = _SCAN_EXPONENT.at(plain, at)
    if match is None:
        return None
    exponent = int(match[2] if match[1] is None else match[1])
    return None if exponent == 0 else (exponent, match.end())


_SCAN_WORDS = Regex(r"\p{L}+(?:[ -]\p{L}+){0,3}", "uy")
_SCAN_LETTER = Regex(r"\p{L}", "u")


def _scan_name(plain, at):
    """The longest name of one to four words: symbol and end, or None."""
    words = _SCAN_WORDS.at(plain, at)
    text = "" if words is None else words[0][:60]
    while text != "":
        symbol = unit_names().get(fold(text).replace("-", " "))
        end = at + len(text)
        if symbol is not None and len(text) > 1 and text != "in" and not _SCAN_LETTER.test(plain[end : end + 1]):
            return symbol, end
        text = text[: max(text.rfind(" "), text.rfind("-"), 0)]
    return None
