"""Judges a date to the precision of the reference. A more precise answer that fits is right, a less precise one is not."""

from .jstext import SPACES, trim, units
from .months import month_of
from .regex import Regex
from .verdicts import verdict_right, verdict_undecided, verdict_wrong

_DATE_LONGEST = 100
_DATE_PARTS = ("year", "month", "day")
_DATE_LEADS = (
    Regex(r"^(?:on|in|at|am|im|le|el|em|op) (?:the )?", "i"),
    Regex(r"^the (?=\d)", "i"),
    Regex(r"^(?:the )?year ", "i"),
    Regex(r"^(?:mon|tues?|wed(?:nes)?|thurs?|fri|sat(?:ur)?|sun)(?:day)?,? ", "i"),
)
_DATE_ISO = Regex(r"^(-?\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2}))?)?(?:T[\d:.]{0,15}Z?)?$")
_DATE_ERA = Regex(r"^(.*?) ?(\bB\.? ?C\.?(?: ?E\.?)?|\bA\.? ?D\.?|\bC\.? ?E\.?)$", "i")
_DATE_ERA_FIRST = Regex(r"^A\.? ?D\.? (?=\d)", "i")
_DATE_BARE_YEAR = Regex(r"^\d{1,4}$")
_DATE_NUMERIC = Regex(r"^(\d{1,2})([./-]) ?(\d{1,2})\2 ?(\d{4})$")
_DATE_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def _date_forms(year):
    """
    "23 September 1846", "September 23rd, 1846", "23. September 1846", "23 de septiembre de 1846", "Sept 1846", "1846 Sep 23", each
    with the groups of year, month and day.
    """
    gap = "(?:[ ,.-]|de |of |del )*"
    forms = (
        (rf"^(\d{{1,2}})(?:st|nd|rd|th|er|º|\.)?{gap}(\p{{L}}{{3,12}})\.?{gap}{year}$", (3, 2, 1)),
        (rf"^(\p{{L}}{{3,12}})\.?{gap}(\d{{1,2}})(?:st|nd|rd|th)?{gap} {year}$", (3, 1, 2)),
        (rf"^(\p{{L}}{{3,12}})\.?{gap}(\d{{1,2}})(?:st|nd|rd|th)?, ?{year}$", (3, 1, 2)),
        (rf"^{year}{gap}(\p{{L}}{{3,12}})\.?{gap}(\d{{1,2}})(?:st|nd|rd|th)?$", (1, 2, 3)),
        (rf"^(\p{{L}}{{3,12}})\.?{gap}{year}$", (2, 1)),
        (rf"^{year}{gap}(\p{{L}}{{3,12}})$", (1, 2)),
    )
    return tuple((Regex(form, "u"), order) for form, order in forms)


_DATE_FORMS = _date_forms(r"(-?\d{4})")
# With an era behind it a year may have fewer digits.
_DATE_ERA_FORMS = _date_forms(r"(\d{1,4})")


def grade_date(plain, expected, notation):
    wanted = _date_iso(units(expected))
    read = _date_read(plain, notation)
    if wanted is None or read is None:
        return verdict_undecided("unreadable", "the answer cannot be read as a date", plain)
    if read == "ambiguous":
        return verdict_undecided("ambiguous_date", "day and month could be either way round", plain)
    if not _date_exists(*read):
        return verdict_wrong("no_such_date", "there is no such day", plain)
    for part, said, asked in zip(_DATE_PARTS, read, wanted):
        if asked is None:
            break
        if said is None:
            return verdict_wrong("less_precise", f"the {part} is missing", plain)
        if said != asked:
            return verdict_wrong("wrong_value", f"it is another {part}", plain)
    return verdict_right("equal", "it is the same date", plain)


def _date_iso(text):
    match = _DATE_ISO.search(text)
    return None if match is None else _date_of(match[1], match[2], match[3])


def _date_of(*parts):
    return tuple(None if part is None else int(part) for part in parts)


def _date_read(plain, notation):
    """(year, month, day), "ambiguous" or None."""
    if len(plain) > _DATE_LONGEST:
        return None
    text = plain.rstrip(".!,;" + SPACES)
    for lead in _DATE_LEADS:
        text = lead.sub("", text, 1)
    era = _DATE_ERA.search(text)
    body = trim(_DATE_ERA_FIRST.sub("", text if era is None else era[1], 1))
    read = _date_iso(body)
    if read is None and era is not None and _DATE_BARE_YEAR.test(body):
        read = int(body), None, None
    if read is None:
        read = _date_numeric(body, notation)
    if read is None:
        read = _date_named(body, era is not None)
    if read is None or read == "ambiguous":
        return read
    # 1 BC is the year 0 of ISO 8601.
    before = era is not None and era[2][0] in "bB"
    return (1 - read[0], *read[1:]) if before else read


def _date_numeric(text, notation):
    """23.09.1846 is day first everywhere; 03/04/1846 depends on who writes."""
    match = _DATE_NUMERIC.search(text)
    if match is None:
        return None
    a, mark, b, year = match[1], match[2], match[3], match[4]
    if mark == "." or notation.day_first is True or int(a) > 12:
        return _date_of(year, b, a)
    if notation.day_first is False or int(b) > 12 or int(a) == int(b):
        return _date_of(year, a, b)
    return "ambiguous"


def _date_named(text, era):
    for form, order in _DATE_ERA_FORMS if era else _DATE_FORMS:
        match = form.search(text)
        month = None if match is None else month_of(match[order[1]])
        if month is not None:
            day = match[order[2]] if len(order) > 2 else None
            return int(match[order[0]]), month, None if day is None else int(day)
    return None


def _date_exists(year, month, day):
    if month is None:
        return True
    if not 1 <= month <= 12:
        return False
    if day is None:
        return True
    # Years divisible by four are leap years in the Julian calendar, which old dates are given in.
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0 or year < 1924)
    return 1 <= day <= _DATE_DAYS[month - 1] + (1 if leap and month == 2 else 0)
