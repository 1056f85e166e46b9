"""Numbers with units: reading `1.27 × 10^3 kg m^-3`, `(1.27 ± 0.02) g/cm³`, `25 °C`, and judging them."""

from .compound import compound_of
from .exact import (
    BEYOND,
    EXACT_ZERO,
    absolute,
    compare_exact,
    from_decimal,
    negate,
    over,
    plus,
    scaled_by_ten,
    times,
    within,
)
from .jstext import as_double, trim
from .numbers import Number, number_at
from .phrases import without_lead
from .regex import Regex
from .statements import Statement, grade_statements
from .unit_behind import unit_behind
from .units import parse_unit, same_dimension
from .verdicts import verdict_right, verdict_undecided, verdict_wrong


class Quantity:
    """A number, its units (None where none is written; several where the text has more than one reading) and the half width of a
    stated uncertainty in the same unit, or None."""

    __slots__ = ("number", "units", "plus_minus")

    def __init__(self, number, units, plus_minus=None):
        self.number = number
        self.units = units
        self.plus_minus = plus_minus


# Slack for factors that are rounded (π/180, IAU masses) and for roots, relative.
_QUANTITY_SLACK = from_decimal("1e-12")


def grade_quantity(plain, expected, notation):
    """Judges one or several statements of one value: `1270 kg/m³ (1.27 g/cm³)` is right if both are."""

    def value(text):
        reading = read_quantity(text, notation)
        return None if isinstance(reading, str) or reading.number.value is BEYOND else reading.number.value

    return grade_statements(
        plain,
        Statement(
            grade=lambda text: _quantity_graded(text, expected, expected["tolerance"], notation),
            within=lambda text, tolerance: _quantity_graded(text, expected, tolerance, notation),
            value=value,
        ),
    )


def _quantity_graded(plain, expected, tolerance, notation):
    reading = read_quantity(without_lead(plain), notation)
    if isinstance(reading, str):
        return unread(reading, plain)
    verdicts = [_quantity_judged(reading, unit, expected, tolerance, plain) for unit in reading.units]
    if all(v.verdict == verdicts[0].verdict for v in verdicts):
        return verdicts[0]
    return verdict_undecided("ambiguous_unit", "the unit has more than one reading", plain)


def unread(why, plain):
    if why == "foreign":
        sentence = "the marks in the number have no single meaning in the question's language"
        return verdict_undecided("ambiguous_number", sentence, plain)
    return verdict_undecided("unreadable", "the answer cannot be read as one number", plain)


_QUANTITY_CONCISE = Regex(r"^([+-]?\d+\.\d[\d ]{0,40}\d|[+-]?\d+\.\d)\((\d{1,6})\)(.*)$", "s")
_QUANTITY_BRACKETED = Regex(r"^\(([^()±]{1,80})±([^()±]{1,80})\)(.{0,200})$", "su")


def read_quantity(text, notation):
    """A number, then perhaps a unit, and nothing else: a Quantity, or why there is none ("unreadable", "foreign")."""
    plain = _quantity_trimmed(text)
    concise = _QUANTITY_CONCISE.search(plain)
    if concise is not None:
        digits = concise[1].replace(" ", "")
        # 6.674 30(15): the digits in brackets are in units of the last digit.
        half = f"{concise[2]}e-{len(digits.split('.')[1])}"
        return _quantity_uncertain(digits, half, concise[3], notation)
    bracketed = _QUANTITY_BRACKETED.search(plain)
    if bracketed is not None:
        return _quantity_uncertain(bracketed[1], bracketed[2], bracketed[3], notation)
    compound = compound_of(plain, notation)
    if compound is not None:
        return Quantity(Number(compound[0], True, len(plain)), [compound[1]])
    sides = plain.split("±")
    if len(sides) == 2 and trim(sides[0]) != "":
        return _quantity_plus_minus(sides[0], sides[1], notation)
    return _quantity_plain(plain, notation) if len(sides) == 1 else "unreadable"


_QUANTITY_LAST_DIGITS = Regex(r"e-\d+$")


def _quantity_uncertain(value, half, tail, notation):
    concise = _QUANTITY_LAST_DIGITS.test(half)
    mark = notation.with_decimal(".") if concise else notation
    read = _quantity_plain(_quantity_trimmed(trim(value) + tail), mark)
    width = _quantity_plain(_quantity_trimmed(trim(half) + ("" if concise else tail)), mark)
    if isinstance(read, str) or isinstance(width, str):
        return read if isinstance(read, str) else "unreadable"
    if read.number.value is BEYOND or width.number.value is BEYOND:
        return "unreadable"
    shift = _quantity_power(tail, mark) if concise else 0
    return Quantity(read.number, read.units, absolute(scaled_by_ten(width.number.value, shift)))


def _quantity_power(tail, notation):
    """The power of ten with which a tail such as " × 10^-11 m" begins."""
    one = number_at("1" + tail, 0, notation)
    return 0 if isinstance(one, str) or one.value is BEYOND else one.value.e


def _quantity_plus_minus(left, right, notation):
    """ "1.27 g/cm³ ± 0.02 g/cm³", "1.27 ± 0.02 g/cm³", "1.27 g/cm³ ± 2 %"."""
    value = _quantity_plain(_quantity_trimmed(left), notation)
    width = _quantity_plain(_quantity_trimmed(right), notation)
    if isinstance(value, str) or isinstance(width, str):
        return value if isinstance(value, str) else "unreadable"
    if value.number.value is BEYOND or width.number.value is BEYOND:
        return "unreadable"
    unit, half = width.units[0], width.number.value
    if unit is not None and unit.text in ("%", "percent"):
        return Quantity(value.number, value.units, absolute(times(value.number.value, scaled_by_ten(half, -2))))
    if value.units[0] is None:
        return Quantity(value.number, width.units, absolute(half))
    same = unit is None or unit.text == value.units[0].text
    return Quantity(value.number, value.units, absolute(half)) if same else "unreadable"


_QUANTITY_INNER = Regex(r"^\(([^()]*)\)$")


def _quantity_plain(plain, notation):
    inner = _QUANTITY_INNER.search(plain)
    text = plain if inner is None else inner[1]
    number = number_at(text, 0, notation)
    if isinstance(number, str):
        return number
    units = unit_behind(text, number.end)
    return "unreadable" if units is None else Quantity(number, units)


def _quantity_judged(reading, unit, expected, tolerance, plain):
    asked = parse_unit(expected["unit"])
    value = from_decimal(expected["value"])
    if value is None:
        return verdict_undecided("unreadable", "the reference value is no decimal number", plain)
    given = parse_unit("1") if unit is None else unit
    missing = f"the answer has no unit; `{expected['unit']}` is asked for"
    if not same_dimension(given, asked):
        if unit is None:
            return verdict_wrong("missing_unit", missing, plain)
        why = f"`{unit.text}` does not measure what `{expected['unit']}` does"
        return verdict_wrong("wrong_dimension", why, plain)
    number = reading.number
    if number.value is BEYOND:
        return verdict_wrong("wrong_value", "the number is beyond any size that could be meant", plain)
    near = _QuantityNear(value, as_double(tolerance), asked)
    changed = given.factor != asked.factor or given.offset != asked.offset
    converted = _quantity_converted(number.value, given, asked)
    if near.to(converted, changed or number.rounded):
        return _quantity_precise(reading, given, asked, value, tolerance, plain)
    if changed and near.to(number.value, number.rounded):
        if unit is None:
            return verdict_wrong("missing_unit", missing, plain)
        why = f"the number is right for `{expected['unit']}`, not for the unit given"
        return verdict_wrong("wrong_unit", why, plain)
    if near.to(negate(converted), changed or number.rounded):
        return verdict_wrong("wrong_sign", "the sign is wrong", plain)
    return verdict_wrong("wrong_value", "the value is not within the tolerance", plain)


def _quantity_precise(reading, given, asked, value, tolerance, plain):
    """A right value whose own uncertainty is wider than the tolerance says less than was asked."""
    if reading.plus_minus is not None:
        width = times(reading.plus_minus, over(from_decimal(given.factor), from_decimal(asked.factor)))
        allowed = times(absolute(value), plus(from_decimal(tolerance), _QUANTITY_SLACK))
        if compare_exact(width, allowed) > 0:
            return verdict_wrong("too_wide", "the stated uncertainty is wider than the tolerance", plain)
    return verdict_right("equal", "the value is within the tolerance", plain)


class _QuantityNear:
    """Whether a number is within the tolerance of a value."""

    def __init__(self, value, tolerance, asked):
        self.value = value
        self.tolerance = tolerance
        self.asked = asked

    def to(self, a, inexact):
        if self.tolerance == 0 and not inexact:
            return compare_exact(a, self.value) == 0
        # A zero of its own: rounding of the factors is relative to the SI value.
        zero = over(from_decimal(abs(self.asked.offset)), from_decimal(self.asked.factor))
        si = plus(absolute(self.value), EXACT_ZERO if zero is None else zero)
        return within(a, self.value, from_decimal(self.tolerance), times(si, _QUANTITY_SLACK))


def _quantity_converted(value, given, asked):
    """SI value = value · factor + offset, on the shortest decimals of the factors."""
    if given.factor == asked.factor and given.offset == asked.offset:
        return value
    si = plus(times(value, from_decimal(given.factor)), from_decimal(given.offset))
    return over(plus(si, negate(from_decimal(asked.offset))), from_decimal(asked.factor))


_QUANTITY_END = Regex(r"[\s.;,]{1,20}$")
_QUANTITY_DIGITS = Regex(
    r",? ?\(?(?:rounded )?\(?(?:to|at|with) \w{1,10} (?:significant (?:figures|digits)|sig\.? ?figs?\.?|s\.?f\.?|decimal places|decimals)\)?$",
    "i",
)
_QUANTITY_FIGURES = Regex(
    r" ?\((?:\d|\p{L}{2,6}) (?:significant figures|significant digits|sig\.? ?figs?\.?|s\.?f\.?)\)$", "iu"
)


def _quantity_trimmed(text):
    """Without what may stand around a value and says nothing: end marks, "to three significant figures"."""
    text = _QUANTITY_END.sub("", trim(text[:20_000]), 1)
    return trim(_QUANTITY_FIGURES.sub("", _QUANTITY_DIGITS.sub("", text, 1), 1))
