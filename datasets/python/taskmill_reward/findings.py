"""What an agent committed itself to on the way: lines `Finding: <what> = <name, or value with unit>`, and what the question says itself.

How a finding is read depends on its own text alone, never on what would be right: else guesses could be listed for free.
"""

from .commitment import uncommitted
from .exact import BEYOND
from .grade import answer_verdict
from .jstext import units
from .language import notation_of
from .latex import plain_answer
from .numbers import number_at
from .phrases import without_lead
from .plain import fold, plain_text
from .quantity import read_quantity
from .regex import Regex
from .unit_scan import units_at
from .units import parse_unit, same_dimension

# Characters of a finding's two sides; a longer line is prose. An agent that writes more findings commits itself to none.
_FINDINGS_MAX_SIDE = 200
_FINDINGS_MAX = 200
# Relative difference up to which two values are the same: decimals that went through binary arithmetic.
_FINDINGS_SAME = 1e-9
_FINDINGS_LARGEST = 10**400
_FINDINGS_MAX_QUESTION = 20_000
# Letters from which on a name in the question is no accident: "He", "In" and "As" are words as well as elements.
_FINDINGS_MIN_NAME = 3

_FINDINGS_LINE = Regex(
    r"^[ \t]{0,8}(?:(?:[-*+•]|[0-9]{1,3}[.)])[ \t]{1,4})?[*_`]{0,3}[Ff][Ii][Nn][Dd][Ii][Nn][Gg](?:[ \t]{0,2}#?[0-9]{1,3})?[*_`]{0,3}[ \t]{0,3}(?:[:：]|[-–—](?=[ \t]))[*_`]{0,3}[ \t]{0,8}(.{1,1200})$"
)
_FINDINGS_BREAK = Regex(r"\r\n|\r|\n")
_FINDINGS_EQUALS = Regex(r"[=＝≈≃≅]")
_FINDINGS_UNEQUAL = Regex(r"[!<>≠]$")
_FINDINGS_WORD = Regex(r"[\p{L}\p{N}]+", "gu")
_FINDINGS_LETTER = Regex(r"\p{L}", "gu")
_FINDINGS_BEFORE = Regex(r"^[\s*_`]+")
_FINDINGS_BEHIND = Regex(r"[\s*_`]+$")
# Words in brackets behind a value: "25362 km (mean)".
_FINDINGS_NOTE = Regex(r" ?[([][^()[\]\d]{1,80}[)\]]$")
# What is counted: "27 known moons"; words that make it something else than that many.
_FINDINGS_COUNTED = Regex(r"^(-?[\d.,]{1,30})(?: \p{Ll}[\p{L}-]{1,30}){1,4}$", "u")
_FINDINGS_OTHERWISE = Regex(
    r"\b(?:or|and|to|not|than|less|more|fewer|minus|plus|times|by|over|per|of|from|percent|dozens?|hundreds?|thousands?|millions?|billions?)\b"
)
_FINDINGS_DIGIT = Regex(r"\d")
_FINDINGS_SUM = Regex(r"[\^√∛×]|\d ?[*/+·] ?[\d(]|^[-\d.,]{1,30} \p{Ll}", "u")
_FINDINGS_MANTISSA = Regex(r"^[^\d]{0,60}([\d.,' ]{0,60})")
_FINDINGS_NO_DIGIT = Regex(r"\D", "g")
_FINDINGS_NUMBER = Regex(r"(?<![\p{L}\p{N}^_.,])(?:-(?=[\d.]))?(?:\d|\.\d)", "gu")
_FINDINGS_ANY = {"type": "quantity", "value": 1, "unit": "1", "tolerance": 0}


class Value:
    """A number with its unit, as doubles have it; of a finding also the digits that it is written with, zeros in front aside."""

    __slots__ = ("value", "unit", "digits")

    def __init__(self, value, unit, digits=0):
        self.value = value
        self.unit = unit
        self.digits = digits


def findings_in(turns, language):
    """The findings of an agent's turns (in units), each a Value or a name as a str; None if they are too many to commit it to anything.

    A `what` that is said again takes back what was said of it before.
    """
    last = {}
    for turn in turns:
        for line in _FINDINGS_BREAK.split(turn):
            sides = _findings_sides(line)
            if sides is None:
                continue
            last[sides[0]] = sides[1]
            if len(last) > _FINDINGS_MAX:
                return None
    return [found for found in (read_finding(said, language) for said in last.values()) if found is not None]


def _findings_sides(line):
    """What the line speaks of, folded, and what it says of it: behind the last sign of equality."""
    match = _FINDINGS_LINE.search(line)
    if match is None:
        return None
    sides = _FINDINGS_EQUALS.split(match[1])
    if len(sides) < 2 or any(_FINDINGS_UNEQUAL.test(side) for side in sides[:-1]):
        return None
    said = _FINDINGS_BEHIND.sub("", _FINDINGS_BEFORE.sub("", sides[-1]))
    what = words_in(sides[0])
    if what == "" or said == "" or len(what) > _FINDINGS_MAX_SIDE or len(said) > _FINDINGS_MAX_SIDE:
        return None
    return what, said


def words_in(text):
    """The folded words of a text."""
    return " ".join(m[0] for m in _FINDINGS_WORD.all(fold(plain_text(text))))


def read_finding(said, language):
    """A finding as it is read; None for what commits to neither a value nor a name: a hedge, a range, a sum that was not worked out."""
    plain = plain_answer(said)
    if uncommitted(plain) is not None:
        return None
    value = quantity_in(plain, language)
    if value is None:
        value = quantity_in(_findings_without_words(plain), language)
    if value is not None:
        if value == "unclear":
            return None
        value.digits = _findings_digits(plain)
        return value
    return None if _FINDINGS_DIGIT.test(plain) and _findings_is_figure(plain, language) else said


def _findings_without_words(plain):
    """A value without words that only say more of it."""
    counted = None if _FINDINGS_OTHERWISE.test(plain) else _FINDINGS_COUNTED.search(plain)
    return _FINDINGS_NOTE.sub("", plain) if counted is None else counted[1]


def quantity_in(plain, language):
    """The Value that a plain text is; "unclear" if it has more than one reading, None if it is none."""
    reading = read_quantity(without_lead(plain), notation_of(language))
    if isinstance(reading, str):
        return None
    value = None if reading.number.value is BEYOND else double_of(reading.number.value)
    if len(reading.units) != 1 or value is None:
        return "unclear"
    return Value(value, reading.units[0] or parse_unit("1"))


def _findings_is_figure(plain, language):
    """Whether a text with digits in it is about numbers (a range, a value with a remark), and so no name: 433 Eros is one."""
    if _FINDINGS_SUM.test(plain):
        return True
    number = number_at(plain, 0, notation_of(language))
    if not isinstance(number, str) and any(not reading.doubtful for reading in units_at(plain, number.end)):
        return True
    return answer_verdict(plain, _FINDINGS_ANY, language).reason != "unreadable"


def double_of(exact):
    """The nearest double; None beyond what doubles hold. A fraction is cut off after 40 digits, then rounded."""
    size = abs(exact.n)
    if size >= _FINDINGS_LARGEST or exact.d >= _FINDINGS_LARGEST or abs(exact.e) > 1000:
        return None
    if exact.d == 1:
        value = float(f"{size}e{exact.e}")
    else:
        value = float(f"{size * 10**40 // exact.d}e{exact.e - 40}")
    if value == float("inf"):
        return None
    return -value if exact.n < 0 else value


def _findings_digits(plain):
    """Digits that a value is written with, zeros in front and powers of ten aside."""
    return len(_FINDINGS_NO_DIGIT.sub("", _FINDINGS_MANTISSA.search(plain)[1]).lstrip("0"))


class Given:
    """What the question says by itself: its numbers and names earn nothing."""

    __slots__ = ("values", "words")

    def __init__(self, question, language):
        plain = plain_text(units(question)[:_FINDINGS_MAX_QUESTION])
        self.values = _findings_values(plain, language)
        self.words = f" {words_in(plain)} "

    def says(self, name):
        """Whether a name stands in the question as whole words."""
        words = words_in(name)
        return len(_FINDINGS_LETTER.all(words)) >= _FINDINGS_MIN_NAME and f" {words} " in self.words


def _findings_values(plain, language):
    """Numbers with every unit that may be meant: one without a unit is a pure number, and has the next one's unit as well."""
    notation = notation_of(language)
    pure = parse_unit("1")
    values, waiting, start = [], [], 0
    for match in _FINDINGS_NUMBER.all(plain):
        if match.start() < start:
            continue
        number = number_at(plain, match.start(), notation)
        if isinstance(number, str) or number.value is BEYOND:
            continue
        start = number.end
        value = double_of(number.value)
        if value is None:
            continue
        found = [reading.unit for reading in units_at(plain, number.end)]
        if not found:
            values.append(Value(value, pure))
            waiting.append(value)
            continue
        values.extend(Value(v, unit) for unit in found for v in [value, *waiting])
        waiting = []
    return values


def alike(a, b):
    """Whether two units are of one dimension."""
    return same_dimension(a, b)


def value_in(value, unit):
    """A Value's number in another unit of its dimension."""
    own = value.unit
    if own.factor == unit.factor and own.offset == unit.offset:
        return value.value
    return (value.value * own.factor + own.offset - unit.offset) / unit.factor


def matches(value, of, tolerance=0.0):
    """Whether a Value is the one in `of`, within a relative tolerance."""
    if not alike(value.unit, of.unit):
        return False
    return abs(value_in(value, of.unit) - of.value) <= (tolerance + _FINDINGS_SAME) * abs(of.value)
