"""Units of measurement: an optional power of ten, then symbols with integer exponents multiplied by a space, `*` or `·`, then at most
one `/` followed by a single symbol.
"""

from .jstext import normalized, number_text, units
from .regex import Regex
from .units_table import UNIT_ATOMS, UNIT_PREFIXES

_UNITS_MAX_LENGTH = 100
_UNITS_MAX_EXPONENT = 12
_UNITS_RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹"


class UnitError(ValueError):
    """A unit that cannot be read."""


class UnitAtom:
    """A symbol of the table: one of it is mantissa · 10^ten coherent SI units."""

    __slots__ = ("symbols", "mantissa", "ten", "dimension", "prefixes", "offset", "singular", "plural")

    def __init__(self, symbols, mantissa, ten, dimension, prefixes, offset, singular, plural):
        self.symbols = symbols
        self.mantissa = mantissa
        self.ten = ten
        self.dimension = dimension
        self.prefixes = prefixes.split(" ")
        self.offset = offset
        self.singular = singular
        self.plural = plural

    def takes(self, prefix_symbols):
        return self.prefixes == ["all"] or prefix_symbols[0] in self.prefixes


ATOMS = tuple(UnitAtom(*row) for row in UNIT_ATOMS)
_UNITS_BY_SYMBOL = {symbol: atom for atom in ATOMS for symbol in atom.symbols}


class Unit:
    """A parsed unit: SI value = value · factor + offset."""

    __slots__ = ("text", "dimension", "factor", "offset")

    def __init__(self, text, dimension, factor, offset):
        self.text = text
        self.dimension = dimension
        self.factor = factor
        self.offset = offset


_units_parsed = {}


def parse_unit(text):
    """Reads a unit; raises UnitError where it cannot."""
    unit = unit_or_none(text)
    if unit is None:
        raise UnitError(f"`{text}` is not a known unit")
    return unit


def unit_or_none(text):
    if text in _units_parsed:
        return _units_parsed[text]
    try:
        unit = _units_assemble(units(text))
    except UnitError:
        unit = None
    if len(_units_parsed) < 10_000:
        _units_parsed[text] = unit
    return unit


def same_dimension(a, b):
    return a.dimension == b.dimension


def _units_assemble(text):
    scale, parts = _units_take_apart(text)
    affine = next((atom for atom, _, _ in parts if atom.offset != 0), None)
    if affine is not None and (len(parts) > 1 or parts[0][2] != 1 or scale != "1"):
        raise UnitError(text)
    dimension = [0] * 7
    mantissa, ten = _units_scale(scale)
    for atom, prefix_ten, exponent in parts:
        for i in range(7):
            dimension[i] += atom.dimension[i] * exponent
        # Powers of ten are counted, not multiplied, so that g/cm^3 is exactly 1000 kg/m^3.
        mantissa *= _units_power(atom.mantissa, exponent)
        ten += (atom.ten + prefix_ten) * exponent
    digits, _, tenth = number_text(mantissa).partition("e")
    factor = float(f"{digits}e{int(tenth or 0) + ten}")
    if not 0 < factor < float("inf"):
        raise UnitError(text)
    return Unit(text, tuple(dimension), factor, 0.0 if affine is None else affine.offset)


def _units_power(base, exponent):
    """An integer power by multiplication: the same on every machine."""
    product = 1.0
    for _ in range(abs(exponent)):
        product *= base
    return 1 / product if exponent < 0 else product


_UNITS_TEN = Regex(r"^10(?:\^([+\-−]?\d{1,3})|([⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}))$", "u")
_UNITS_NUMBER = Regex(r"^(\d+(?:\.\d+)?)(?:[eE]([+-]?\d{1,3}))?$")


def _units_scale(scale):
    ten = _UNITS_TEN.search(scale)
    if ten is not None:
        return 1.0, int(_units_plain_digits(ten[2]) if ten[1] is None else ten[1].replace("−", "-"))
    number = _UNITS_NUMBER.search(scale)
    if number is None or float(number[1]) == 0:
        raise UnitError(scale)
    return float(number[1]), int(number[2] or 0)


def _units_plain_digits(raised):
    """ "⁻³" as "-3"."""
    return "".join("-" if c == "⁻" else "" if c == "⁺" else str(_UNITS_RAISED.index(c)) for c in raised)


_UNITS_TOKEN = Regex(r"[ *·⋅]+|\/|[^ *·⋅/]+", "gu")
_UNITS_PRODUCT = Regex(r"^[ *·⋅]+$", "u")
_UNITS_SCALED = Regex(r"^[0-9.]")


def _units_take_apart(text):
    """The scale's text, and (atom, power of ten of the prefix, exponent) of each symbol."""
    if len(text) > _UNITS_MAX_LENGTH:
        raise UnitError(text)
    tokens = _units_tokens(text)
    slashes = tokens.count("/")
    if not tokens or slashes > 1 or (slashes == 1 and (len(tokens) < 2 or tokens[-2] != "/")):
        raise UnitError(text)
    scaled = _UNITS_SCALED.test(tokens[0])
    parts = []
    for i, token in enumerate(tokens):
        if token == "/" or (scaled and i == 0):
            continue
        if _UNITS_SCALED.test(token):
            raise UnitError(text)
        parts.append(_units_part(token, -1 if slashes == 1 and i == len(tokens) - 1 else 1))
    return (tokens[0] if scaled else "1"), parts


def _units_tokens(text):
    tokens = []
    # NFC: the ohm and ångström signs (U+2126, U+212B) are the letters Ω and Å.
    for match in _UNITS_TOKEN.all(normalized("NFC", text)):
        piece = match[0]
        if not _UNITS_PRODUCT.test(piece):
            tokens.append(piece)
        elif len(piece.replace(" ", "")) > 1:
            raise UnitError(text)
    return tokens


_UNITS_CARET = Regex(r"^([^^⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻]+)\^([+\-−]?\d+)$", "u")
_UNITS_SUPER = Regex(r"^([^^⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻]+)([⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)$", "u")
_UNITS_ANY_POWER = Regex(r"[\^⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻]", "u")


def _units_part(token, sign):
    symbol, exponent = _units_exponent(token)
    if exponent == 0 or abs(exponent) > _UNITS_MAX_EXPONENT:
        raise UnitError(token)
    found = _units_look_up(symbol)
    if found is None:
        raise UnitError(token)
    return found[0], found[1], sign * exponent


def _units_exponent(symbol):
    """Name and exponent of `cm^-3`, `cm⁻³`, `cm`; the exponent is 0 if it is not a whole number."""
    caret = _UNITS_CARET.search(symbol)
    if caret is not None:
        return caret[1], int(caret[2].replace("−", "-"))
    raised = _UNITS_SUPER.search(symbol)
    if raised is not None:
        return raised[1], int(_units_plain_digits(raised[2]))
    return symbol, 0 if _UNITS_ANY_POWER.test(symbol) else 1


def _units_look_up(symbol):
    """A symbol as such, else a prefix and a symbol that takes it: `min` is a minute, never a milli-inch."""
    whole = _UNITS_BY_SYMBOL.get(symbol)
    if whole is not None:
        return whole, 0
    for spellings, ten, _ in UNIT_PREFIXES:
        for start in spellings:
            if not symbol.startswith(start):
                continue
            atom = _UNITS_BY_SYMBOL.get(symbol[len(start) :])
            if atom is not None and atom.takes(spellings):
                return atom, ten
    return None
