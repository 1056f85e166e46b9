"""Strings and numbers as the TypeScript verifier has them.

All modules here work on "units": a str in which each character is one UTF-16 code unit, as in JavaScript, so that lengths, places
and limits are the same. Only texts with characters beyond U+FFFF differ from ordinary ones. `units` is to be called on every text
that comes in (from a reply or the ground truth), `points` on every text that goes out.
"""

import re
import sys
import unicodedata

from .unicode_table import UNICODE_NEWER

SPACES = "\t\n\x0b\x0c\r \xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
_JSTEXT_ASTRAL = re.compile("[\U00010000-\U0010ffff]")
_JSTEXT_SURROGATE = re.compile("[\ud800-\udfff]")
_JSTEXT_NEWER = re.compile("[" + "".join(map(chr, UNICODE_NEWER)) + "]")
_JSTEXT_UTF16 = "utf-16-le" if sys.byteorder == "little" else "utf-16-be"

# The text last asked about, and whether it has surrogates: readers ask of the same one again and again.
_jstext_last = [("", False)]


def units(text):
    """A text with each character beyond U+FFFF as its two surrogates; as it is where it has none."""
    if text.isascii() or _JSTEXT_ASTRAL.search(text) is None:
        return text
    halves = memoryview(text.encode(_JSTEXT_UTF16, "surrogatepass")).cast("H")
    return "".join(map(chr, halves))


def points(text):
    """The inverse of `units`; a surrogate without its partner stays."""
    if not has_surrogates(text):
        return text
    return text.encode(_JSTEXT_UTF16, "surrogatepass").decode(_JSTEXT_UTF16, "surrogatepass")


def has_surrogates(text):
    if text.isascii():
        return False
    last = _jstext_last[0]
    if last[0] is text:
        return last[1]
    found = _JSTEXT_SURROGATE.search(text) is not None
    _jstext_last[0] = (text, found)
    return found


def trim(text):
    return text.strip(SPACES)


def normalized(form, text):
    """Unicode's normal form, whatever version of Unicode the interpreter knows."""
    if text.isascii():
        return text
    whole = points(text)
    if form.startswith("NFK") and _JSTEXT_NEWER.search(whole) is not None:
        whole = whole.translate(UNICODE_NEWER)
    return units(unicodedata.normalize(form, whole))


def lowered(text):
    return units(points(text).lower())


def number_text(value):
    """A finite double as ECMAScript's String(value) writes it: the shortest digits, 1e21 and 1e-7 with an exponent."""
    value = as_double(value)
    if value != value:
        return "NaN"
    if value in (float("inf"), float("-inf")):
        return "Infinity" if value > 0 else "-Infinity"
    if value == 0:
        return "0"
    sign, digits, exponent = shortest(value)
    point = exponent + 1
    if 0 < point <= 21:
        whole = digits[:point].ljust(point, "0")
        text = whole + ("." + digits[point:] if len(digits) > point else "")
    elif -6 < point <= 0:
        text = "0." + "0" * -point + digits
    else:
        text = digits[0] + ("." + digits[1:] if len(digits) > 1 else "") + "e" + ("+" if exponent >= 0 else "-") + str(abs(exponent))
    return sign + text


def shortest(value):
    """Sign, shortest digits and decimal exponent of a finite double other than zero: 1.27e3 is ("", "127", 3)."""
    mantissa, _, exponent = repr(value).partition("e")
    sign = "-" if mantissa[0] == "-" else ""
    whole, _, fraction = mantissa.lstrip("-").partition(".")
    fraction = "" if fraction == "0" else fraction
    digits = (whole + fraction).lstrip("0")
    ten = int(exponent or 0) + len(whole) - 1 - (len(whole + fraction) - len(digits))
    return sign, digits.rstrip("0"), ten


def as_double(value):
    """A JSON number as JavaScript holds it: integers too are doubles."""
    try:
        return float(value)
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def as_integer(digits):
    """A whole number of any length: Python refuses to convert more than 4300 digits at once."""
    if len(digits) <= 4000:
        return int(digits)
    half = len(digits) // 2
    return as_integer(digits[:half]) * 10 ** (len(digits) - half) + as_integer(digits[half:])
