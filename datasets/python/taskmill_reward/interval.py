"""Judges an interval: [1, 2), ]1; 2[, 1 < x ≤ 2, x ≥ 3, (-∞, 3]. Whether an end belongs to it counts as much as where it is."""

from .brackets import cut_at, top_level
from .jstext import SPACES
from .regex import Regex
from .split import items_of
from .verdicts import verdict_right, verdict_undecided, verdict_wrong

_INTERVAL_LONGEST = 2000
_INTERVAL_INFINITE = Regex(r"^([+-]?) ?(?:∞|infinity|inf|infty|oo)$", "i")
_INTERVAL_AT_MOST = Regex(r"<=|=<")
_INTERVAL_AT_LEAST = Regex(r">=|=>")
_INTERVAL_NAME_FIRST = Regex(r"^[A-Za-z] ?(?:∈|=|in) ?")
_INTERVAL_BRACKETED = Regex(r"^([([\]])(.*)([)\][])\s?([^()[\]]{0,40})$", "su")
_INTERVAL_DOTS = Regex(r"\.{2,3}")
_INTERVAL_SIGN = Regex(r"\s?([<>≤≥])\s?")
_INTERVAL_NAME = Regex(r"^[A-Za-zα-ω](?:_?\w{1,4})?$")
_INTERVAL_MIRRORED = {"<": ">", ">": "<", "≤": "≥", "≥": "≤"}


class _IntervalReading:
    """low and high are None for no bound on that side."""

    __slots__ = ("low", "high", "closed", "ambiguous")

    def __init__(self, low, high, closed, ambiguous):
        self.low = low
        self.high = high
        self.closed = closed
        self.ambiguous = ambiguous


def grade_interval(plain, expected, notation, grade):
    """`grade(text, expected)` judges an end."""
    read = _interval_read(plain.rstrip(".;," + SPACES), notation)
    if read is None:
        return verdict_undecided("unreadable", "the answer cannot be read as an interval", plain)
    ends = (
        _interval_end(read.low, expected["low"], read.closed[0], expected["closed"][0], grade),
        _interval_end(read.high, expected["high"], read.closed[1], expected["closed"][1], grade),
    )
    for kind, make in (("wrong", verdict_wrong), ("undecided", verdict_undecided)):
        for verdict, reason, why in ends:
            if verdict == kind:
                return make(reason, why, plain)
    if read.ambiguous:
        return verdict_undecided("ambiguous_number", "a comma may part the ends or be part of a number", plain)
    return verdict_right("equal", "it is the same interval", plain)


def _interval_end(text, expected, closed, asked, grade):
    """The verdict, its reason and why."""
    if expected is None:
        if text is not None:
            return "wrong", "wrong_end", "there is an end where the right interval has none"
        if closed:
            return "wrong", "wrong_closure", "infinity does not belong to an interval"
        return "right", "equal", "no end"
    if text is None:
        return "wrong", "wrong_end", "an end is missing"
    found = grade(text, expected)
    if found.verdict != "right":
        return found.verdict, "wrong_end" if found.verdict == "wrong" else found.reason, found.why
    if closed != asked:
        return "wrong", "wrong_closure", "whether an end belongs to the interval is wrong"
    return found.verdict, found.reason, found.why


def _interval_read(plain, notation):
    if len(plain) > _INTERVAL_LONGEST:
        return None
    text = _INTERVAL_AT_LEAST.sub("≥", _INTERVAL_AT_MOST.sub("≤", plain))
    text = _INTERVAL_NAME_FIRST.sub("", text, 1)
    return _interval_bracketed(text, notation) or _interval_inequality(text)


def _interval_bracketed(text, notation):
    match = _INTERVAL_BRACKETED.search(text)
    if match is None:
        return None
    opened, inside, closed, unit = match[1], match[2], match[3], match[4]
    ends, ambiguous = items_of(inside, notation, 2, True, False)
    if len(ends) != 2:
        marked = _INTERVAL_DOTS.sub(";", inside, 1)
        ends = cut_at(marked, top_level(marked, ";"))
        if len(ends) != 2:
            return None
    low, high = (end if unit == "" or _INTERVAL_INFINITE.test(end) else f"{end} {unit}" for end in ends)
    return _interval_ended(low, high, (opened == "[", closed == "]"), ambiguous)


def _interval_ended(low, high, closed, ambiguous):
    below, above = _INTERVAL_INFINITE.search(low), _INTERVAL_INFINITE.search(high)
    # An interval from +∞, or to -∞, is none.
    if (below is not None and below[1] != "-") or (above is not None and above[1] == "-"):
        return None
    return _IntervalReading(low if below is None else None, high if above is None else None, closed, ambiguous)


def _interval_inequality(text):
    parts = _INTERVAL_SIGN.split(text)
    if len(parts) == 5 and _INTERVAL_NAME.test(parts[2]):
        first, second = parts[1], parts[3]
        up = first in "<≤"
        if up != (second in "<≤"):
            return None
        closed = (first in "≤≥", second in "≤≥")
        if up:
            return _interval_ended(parts[0], parts[4], closed, False)
        return _interval_ended(parts[4], parts[0], closed[::-1], False)
    if len(parts) != 3:
        return None
    left, sign, value = parts
    if not _INTERVAL_NAME.test(left):
        left, sign, value = value, _INTERVAL_MIRRORED[sign], left
    if not _INTERVAL_NAME.test(left):
        return None
    closed = sign in "≤≥"
    if sign in "<≤":
        return _interval_ended("-∞", value, (False, closed), False)
    return _interval_ended(value, "∞", (closed, False), False)
