"""Exact integers of any size: "7", "1e3", "7.0", "7 moons". 7.0001 is not 7, and √50 never is an integer."""

from .exact import BEYOND, compare_exact, from_decimal, negate
from .jstext import trim
from .numbers import number_at
from .phrases import without_lead
from .quantity import unread
from .regex import Regex
from .statements import Statement, grade_statements
from .unit_scan import units_at
from .verdicts import verdict_right, verdict_undecided, verdict_wrong


def grade_integer(plain, expected, notation):
    def grade(text):
        return _integer_graded(text, expected, notation)

    def value(text):
        number, _ = _integer_read(text, notation)
        return None if isinstance(number, str) or number.value is BEYOND else number.value

    return grade_statements(plain, Statement(grade=grade, within=lambda text, tolerance: grade(text), value=value))


_INTEGER_END = Regex(r"[\s.;]{1,20}$")
_INTEGER_INNER = Regex(r"^\(([^()]*)\)$")


def _integer_read(text, notation):
    """The number in front, and the noun behind it; what is neither is "unreadable"."""
    plain = _INTEGER_END.sub("", without_lead(text), 1)
    match = _INTEGER_INNER.search(plain)
    inner = plain if match is None else match[1]
    number = number_at(inner, 0, notation)
    if isinstance(number, str):
        return number, ""
    rest = trim(inner[number.end :])
    return (number if _integer_is_noun(rest) else "unreadable"), rest


def _integer_graded(text, expected, notation):
    number, rest = _integer_read(text, notation)
    value = from_decimal(expected["value"])
    if isinstance(number, str) or value is None:
        return unread(number if isinstance(number, str) else "unreadable", text)
    if number.value is BEYOND:
        return verdict_wrong("wrong_value", "the number is beyond any size that could be meant", text)
    if number.rounded or compare_exact(number.value, value) != 0:
        if compare_exact(number.value, negate(value)) == 0:
            return verdict_wrong("wrong_sign", "the sign is wrong", text)
        return verdict_wrong("wrong_value", "it is another number", text)
    if rest != "" and any(u.end == len(rest) and not u.doubtful for u in units_at(rest, 0)):
        why = "a unit stands behind a number that is asked for without one"
        return verdict_undecided("unexpected_unit", why, text)
    return verdict_right("equal", "it is the same integer", text)


_INTEGER_OF_THEM = Regex(r"^of (?:them|these|those)$", "i")
_INTEGER_NOUN = Regex(r"^\p{L}[\p{L}-]{0,30}(?: \p{L}[\p{L}-]{0,30}){0,3}$", "u")
_INTEGER_NO_NOUN = Regex(
    r"\b(?:and|or|plus|minus|times|x|e|i|to|the|of|by|over|hal(?:f|ves)|thirds?|fourths?|quarters?|\p{L}+ths?|squared|cubed|factorial|dozens?|scores?|or so|is|was|are|were|not|never|wrong|incorrect|false|invalid|fails?|failed|excluded|eliminated|too|less|fewer|more|if|unless|except|per|short|off|away|guess|mod|modulo)\b",
    "iu",
)


def _integer_is_noun(rest):
    """What is counted: "moons", "known planets"; a percent sign or a second number is none."""
    if rest == "" or _INTEGER_OF_THEM.test(rest):
        return True
    return _INTEGER_NOUN.test(rest) and not _INTEGER_NO_NOUN.test(rest)
