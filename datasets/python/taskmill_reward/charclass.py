"""Which characters a class of Unicode has, and which a letter stands for when case does not count."""

from bisect import bisect_right

from .unicode_table import UNICODE_CLASSES

_regex_classes = {}


def regex_class(name):
    """The ranges of a class of characters."""
    if name not in _regex_classes:
        marks = [int(mark, 36) for mark in UNICODE_CLASSES[name].split(" ") if mark]
        ranges, at = [], 0
        for gap, length in zip(marks[::2], marks[1::2]):
            ranges.append((at + gap, at + gap + length - 1))
            at += gap + length
        _regex_classes[name] = ranges
    return _regex_classes[name]


def in_class(name, code):
    """Whether a character (by its code point) is of a class."""
    ranges = regex_class(name)
    at = bisect_right(ranges, (code, 0x110000)) - 1
    return at >= 0 and code <= ranges[at][1]


def _regex_fold(c, unicode):
    """What stands for a letter in either case: ECMAScript's Canonicalize."""
    if unicode:
        folded = c.casefold()
        if len(folded) != 1:
            folded = c.lower()
        return folded if len(folded) == 1 else c
    upper = c.upper()
    return c if len(upper) != 1 or (c > "\x7f" and upper <= "\x7f") else upper


_regex_cases = {}


def regex_variants(c, unicode):
    """All characters that a pattern's letter matches when case does not count."""
    if c <= "\x7f":
        # With the flag u the long s and the sign of the kelvin are letters of these.
        more = {"s": "\u017f", "k": "\u212a"}.get(c.lower()) if unicode else None
        return {c.lower(), c.upper()} | ({more} if more else set())
    if unicode not in _regex_cases:
        table = {}
        for code in range(0x80, 0x10000):
            folded = _regex_fold(chr(code), unicode)
            if folded != chr(code):
                table.setdefault(folded, set()).add(chr(code))
        _regex_cases[unicode] = table
    folded = _regex_fold(c, unicode)
    return {c, folded} | _regex_cases[unicode].get(folded, set())


def regex_merged(ranges):
    merged = []
    for lo, hi in sorted(ranges):
        if merged and lo <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(hi, merged[-1][1]))
        else:
            merged.append((lo, hi))
    return merged


def regex_complement(ranges):
    out, at = [], 0
    for lo, hi in regex_merged(ranges):
        if lo > at:
            out.append((at, lo - 1))
        at = hi + 1
    return out + [(at, 0x10FFFF)] if at <= 0x10FFFF else out
