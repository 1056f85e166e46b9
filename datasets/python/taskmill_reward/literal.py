"""A run of digits and marks as a number of the question's language. One reading or none: 1,270 is 1270 in English and 1.27 in French."""

from .exact import from_decimal
from .regex import Regex

# Digits with single marks inside. A space only parts groups of exactly three digits: "1 270/1000" is no 1270.
_LITERAL_RUN = Regex(r"(?:\d+|[.,]\d+)(?:[.,'_]\d+| \d{3}(?!\d| ?[/⁄]))*", "y")
_LITERAL_DIGITS = Regex(r"^\d+$")
_LITERAL_MAYBE_DIGITS = Regex(r"^\d*$")
_LITERAL_POINT = Regex(r"^(\d*)\.(\d+)$")
_LITERAL_FIRST_GROUP = Regex(r"^[1-9]\d{0,2}$")
_LITERAL_FIRST_LAKH = Regex(r"^[1-9]\d?$")
_LITERAL_DIGIT = Regex(r"\d", "g")
_LITERAL_FRACTION_GROUPS = Regex(r"^\d{3}(?: \d{3})*$")


class Literal:
    """`value` is None for a run that the language has no reading for; `bare`: digits alone, may be the whole of a mixed number."""

    __slots__ = ("value", "end", "bare")

    def __init__(self, value, end, bare):
        self.value = value
        self.end = end
        self.bare = bare


def literal_at(plain, at, notation):
    """The number at a place of a plain text, sign aside. None where no digit stands."""
    match = _LITERAL_RUN.at(plain, at)
    if match is None:
        return None
    run = match[0]
    decimal = _literal_decimal(run, notation)
    value = None if decimal is None else from_decimal(decimal)
    return Literal(value, at + len(run), _LITERAL_DIGITS.test(run))


def _literal_decimal(run, notation):
    """The run in plain decimal form, or None."""
    if _LITERAL_DIGITS.test(run):
        return run
    parts = run.split(notation.decimal)
    if len(parts) > 2:
        return None
    whole = "0" if parts[0] == "" else _literal_ungrouped(parts[0], notation)
    fraction = "" if len(parts) == 1 else _literal_fraction(parts[1])
    if whole is not None and fraction is not None:
        return whole if fraction == "" else f"{whole}.{fraction}"
    return _literal_point_only(run, notation)


def _literal_point_only(run, notation):
    """Science and programs write a decimal point in any language. Where that is the only reading (not three digits behind the point,
    or a zero before it) it is taken: 1.27 in German is 1.27, and 1.270 is 1270."""
    match = _LITERAL_POINT.search(run) if notation.decimal == "," else None
    if match is None:
        return None
    before, after = match[1], match[2]
    if len(after) == 3 and _LITERAL_FIRST_GROUP.test(before):
        return None
    return f"{before or '0'}.{after}"


def _literal_ungrouped(text, notation):
    """Whole digits without the marks between groups, if all groups are as they should be."""
    if _LITERAL_DIGITS.test(text):
        return text
    marks = set(_LITERAL_DIGIT.sub("", text))
    if len(marks) != 1:
        return None
    mark = marks.pop()
    if mark != " " and mark not in notation.groups:
        return None
    first, *rest = text.split(mark)
    thousands = _LITERAL_FIRST_GROUP.test(first) and all(len(p) == 3 for p in rest)
    lakhs = (
        notation.lakh and _LITERAL_FIRST_LAKH.test(first) and len(rest[-1]) == 3 and all(len(p) == 2 for p in rest[:-1])
    )
    return first + "".join(rest) if thousands or lakhs else None


def _literal_fraction(text):
    """Decimals, perhaps in groups of three parted by spaces: 667 430 15 does not come through, 667 430 does."""
    if _LITERAL_MAYBE_DIGITS.test(text):
        return text
    return text.replace(" ", "") if _LITERAL_FRACTION_GROUPS.test(text) else None
