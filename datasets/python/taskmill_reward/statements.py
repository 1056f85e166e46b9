"""One value said in several ways, or with something beside it: "m/V = 5.4/4.25 = 1.27", "1270 kg/m³ (1.27 g/cm³)", "3 or 4",
"density: 1.27 g/cm³", "1.27 g/cm³, assuming a sphere". What is stated as the value must agree in all of them.
"""

from .brackets import cut_at, top_level
from .exact import compare_exact
from .phrases import without_lead
from .regex import Regex
from .verdicts import Verdict, verdict_right, verdict_undecided, verdict_wrong

_STATEMENTS_MAX_TEXT = 600
_STATEMENTS_MAX_DEPTH = 3
_STATEMENTS_MAX_PARTS = 20


class Statement:
    """How a type reads and judges one statement.

    grade(text) gives a Verdict; value(text) the number in front, whatever its unit, or None where the text is not one value;
    within(text, tolerance) judges as grade would with another relative tolerance.
    """

    __slots__ = ("grade", "value", "within")

    def __init__(self, grade, value, within):
        self.grade = grade
        self.value = value
        self.within = within


def grade_statements(plain, by):
    """Judges a text that states one value once or more often."""
    verdict = _statements_judged(plain, by, 0)
    return Verdict(verdict.verdict, verdict.reason, verdict.why, plain)


def _statements_judged(text, by, depth):
    first = by.grade(text)
    if first.reason != "unreadable" or len(text) > _STATEMENTS_MAX_TEXT or depth > _STATEMENTS_MAX_DEPTH:
        return first
    if _statements_is_range(text, by.value):
        return verdict_wrong("range", "a range is not one value", text)
    for form in _STATEMENTS_FORMS:
        verdict = form(text, by, depth + 1)
        if verdict is not None:
            return verdict
    return first


_STATEMENTS_CONCLUDED = Regex(
    r"^.{1,500}(?: ?(?:⟹|⇒|→|->|=>) ?|[,;.] (?:so|thus|hence|therefore|giving|which gives|and so) )(.+)$", "isu"
)


def _statements_concluded(text, by, depth):
    """ "a = 1, b = 2, so a + b = 3": what follows from the rest."""
    end = _STATEMENTS_CONCLUDED.search(text)
    return None if end is None else _statements_judged(end[1], by, depth)


# Notes that say how the value was found or what it compares to.
_STATEMENTS_ASIDE = Regex(
    r"^(?:using|assuming|with|based on|converted|taking|where|since|because|given|calculated|computed|derived|obtained|rounded|for)\b|\btimes\b|% (?:of|more|less|higher|lower)\b|\bcompared\b",
    "i",
)
_STATEMENTS_AGAIN = Regex(
    r"^(?:(?:or|i\.e\.|that is|equivalently|equal to|approximately|approx\.?|about|roughly|more precisely|to [\p{L}\d]{1,10} (?:significant (?:figures|digits)|s\.?f\.?|decimals?(?: places)?):?|[=≈~:])[, ]*){1,4}",
    "iu",
)
_STATEMENTS_NOTED = Regex(r"^(.{1,300}?) [([]((?:[^()[\]]|\([^()]{0,60}\)){1,200})[)\]][.\s]*$", "s")
_STATEMENTS_VALUED = Regex(r"[\d∞π]")


def _statements_noted(text, by, depth):
    """ "1270 kg/m³ (1.27 g/cm³)": a note in brackets that holds a value must agree."""
    match = _STATEMENTS_NOTED.search(text)
    if match is None:
        return None
    main, note = match[1], match[2]
    if not _STATEMENTS_VALUED.test(note) or _STATEMENTS_ASIDE.test(note):
        return _statements_judged(main, by, depth)
    return _statements_together([main, _STATEMENTS_AGAIN.sub("", note, 1)], text, by, depth)


_STATEMENTS_CLAUSE = Regex(
    r"^(.{1,300}?)(?:,? (?:assuming|using|based on|rounded (?:to|from)|calculated|computed|derived|obtained|where|given|taking) .{1,200}|, (?:dimensionless|unitless)| for (?:[^,;=.]|\.(?! )){1,80})$",
    "isu",
)
_STATEMENTS_WHICH = Regex(
    r"^(.{1,300}?),? which (?:is|equals|corresponds to|is equivalent to|converts to) (.{1,200})$", "is"
)
_STATEMENTS_DIGIT = Regex(r"\d")
_STATEMENTS_LINKED = Regex(r"\b(?:and|or|but|not|if)\b", "i")


def _statements_qualified(text, by, depth):
    """ "1.27 g/cm³, assuming a sphere", "1.27 g/cm³ for Uranus", "1.27 g/cm³, which equals 1270 kg/m³"."""
    same = _STATEMENTS_WHICH.search(text)
    if same is not None:
        if _STATEMENTS_DIGIT.test(same[2]):
            return _statements_together([same[1], _STATEMENTS_AGAIN.sub("", same[2], 1)], text, by, depth)
        return _statements_judged(same[1], by, depth)
    clause = _STATEMENTS_CLAUSE.search(text)
    if clause is None or _STATEMENTS_LINKED.test(text[len(clause[1]) :]):
        return None
    return _statements_judged(clause[1], by, depth)


_STATEMENTS_OTHER_LABEL = Regex(
    r"\b(?:not|never|no|wrong|incorrect|error|bound|limit|least|most|minimum|maximum|min|max|lower|upper|than|if|before|initial|first|naive|guess)\b",
    "i",
)
_STATEMENTS_LABEL = Regex(r"^([^,;:=≈]{1,80}?) ?: (?=\S)")
_STATEMENTS_LETTER = Regex(r"\p{L}", "u")


def _statements_labelled(text, by, depth):
    """ "Uranus: 1.27 g/cm³": what the value is of, then the value."""
    label = _STATEMENTS_LABEL.search(text)
    if label is None or not _STATEMENTS_LETTER.test(label[1]) or _STATEMENTS_OTHER_LABEL.test(label[1]):
        return None
    return _statements_judged(text[label.end() :], by, depth) if by.value(label[1]) is None else None


_STATEMENTS_OR = Regex(r" (?:or|and|oder|ou|i\.e\.|und|et) ", "i")
_STATEMENTS_OR_FIRST = Regex(r"^(?:or|and|i\.e\.,?|that is,?) ", "i")


def _statements_listed(text, by, depth):
    """ "1270 kg/m³ or 1.27 g/cm³", "3 or 4", "M = 5 kg, ρ = 2 kg/m³"."""
    marks = [i for i in top_level(text, ";,") if text[i + 1 : i + 2] == " "]
    pieces = [part for piece in cut_at(text, marks) for part in _STATEMENTS_OR.split(piece)]
    parts = [_STATEMENTS_OR_FIRST.sub("", part, 1) for part in pieces]
    return _statements_together(parts, text, by, depth) if 1 < len(parts) <= _STATEMENTS_MAX_PARTS else None


_STATEMENTS_NAME = Regex(r"^([^=≈:]{1,60}?) ?[=≈:]")


def _statements_together(parts, text, by, depth):
    verdicts = [_statements_judged(part, by, depth) for part in parts]
    if any(v.verdict == "undecided" for v in verdicts):
        return None
    if all(v.verdict == "right" for v in verdicts):
        return verdict_right("equal", "all statements of the value agree", text)
    named = [_STATEMENTS_NAME.search(part) for part in parts]
    apart = all(named) and len({m[1] for m in named}) == len(parts)
    if apart and any(v.verdict == "right" for v in verdicts):
        return verdict_undecided("several_values", "values of several things are stated", text)
    return verdict_wrong("several_answers", "several values are given, and not all are right", text)


_STATEMENTS_SIDES = Regex(r" ?[=≈≃≅∼] ?| ~ ")
_STATEMENTS_OTHERWISE = Regex(r"[!<>≠]$")


def _statements_chained(text, by, depth):
    """Left sides may be formulas; the last side must be the value, and any other value must not contradict it."""
    sides = _STATEMENTS_SIDES.split(text)
    if not 2 <= len(sides) <= 12:
        return None
    # ρ != 1.27 and ρ <= 1.27 say something else.
    if any(_STATEMENTS_OTHERWISE.test(side) for side in sides[:-1]):
        return None
    last = _statements_judged(sides[-1], by, depth)
    if last.verdict == "undecided":
        return None
    read = [v for v in map(by.grade, sides[:-1]) if v.verdict != "undecided"]
    found = bool(read) and all(v.verdict == "right" for v in read)
    if found and last.reason == "wrong_value" and _statements_is_rounding(sides[-1], by):
        return read[0]
    if any(v.verdict != last.verdict and v.reason != "missing_unit" for v in read):
        return verdict_wrong("several_answers", "values that differ are stated side by side", text)
    return last


_STATEMENTS_FORMS = (
    _statements_concluded,
    _statements_noted,
    _statements_qualified,
    _statements_labelled,
    _statements_listed,
    _statements_chained,
)
_STATEMENTS_DIGITS = Regex(r"^\D{0,20}?0*([1-9]\d*)?(?:[.,]0*(\d*))?")


def _statements_is_rounding(side, by):
    """ "√2 ≈ 1.41": whether a side is the right value to the digits that it has."""
    digits = _STATEMENTS_DIGITS.search(side.replace(" ", ""))
    every = (digits[1] or "") + (digits[2] or "")
    if every == "":
        return False
    half = float(f"5e-{len(every)}") / float(f"{every[0]}.{every[1:15]}")
    return by.within(side, min(half, 0.5)).verdict == "right"


_STATEMENTS_RANGE_START = Regex(r"^(?:between|from|in the range(?: of)?|zwischen|von|entre|de) ", "i")
_STATEMENTS_RANGE_LINK = Regex(r" (?:to|and|bis|und|à|et|a|y) | ?[–—-] ?| ?\.{2,3} ?|(?<=\d) ?~ ?", "g")
_STATEMENTS_RANGE_AND = Regex(r" (?:and|und|et|y) ")
_STATEMENTS_RANGE_BOUND = Regex(
    r"^(?:<|>|≤|≥|at least|at most|more than|less than|over|under|up to|mindestens|höchstens)", "i"
)


def _statements_is_range(plain, value):
    """ "5 to 7", "5–7 kg", "between 5 and 7": both ends read as values."""
    if len(plain) > 400:
        return False
    bare = without_lead(plain)
    text = _STATEMENTS_RANGE_START.sub("", bare, 1)
    for link in _STATEMENTS_RANGE_LINK.all(text):
        between = _STATEMENTS_RANGE_AND.test(link[0])
        if link.start() == 0 or (between and text == bare):
            continue
        low = value(text[: link.start()])
        high = None if low is None else value(text[link.end() :])
        if low is None or high is None:
            continue
        # "1 - 1/4" is a difference that was not worked out.
        if link[0] != " - " or compare_exact(low, high) < 0:
            return True
    return _STATEMENTS_RANGE_BOUND.test(text)
