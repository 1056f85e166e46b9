"""A number as an answer writes it: digits of the question's language, a power of ten, a fraction, a mixed number, powers, roots and
multiples of π. Sums and products that were not worked out are no numbers. Exact; bounded by the text's length and a depth.
"""

from .exact import (
    BEYOND,
    EXACT_PI,
    exact_power,
    exact_root,
    from_decimal,
    negate,
    over,
    plus,
    scaled_by_ten,
    small_integer,
    times,
)
from .jstext import as_integer, lowered
from .literal import literal_at
from .regex import Regex
from .word_numbers import number_in_words_at

_NUMBERS_MAX_DEPTH = 30
_NUMBERS_SIGN = Regex(r" ?(?:([-–—])|(minus|negative) |\+|plus (?=\d)) ?", "iy")
_NUMBERS_SLASH = Regex(r" ?[/⁄] ?(?=[\d(√π.]|pi(?!\p{L})|sqrt ?\()", "iuy")
_NUMBERS_TEN = Regex(
    r" ?[×xX*·] ?(?=10 ?(?:\^|\*\*|(?![\d.,]))|\(10\^)| times (?=(?:10|ten)\b)| ?[×*·]? ?(?=[π√]|pi(?!\p{L})|sqrt ?\()", "iuy"
)
_NUMBERS_POWER = Regex(r" ?(?:\^|\*\*) ?| to the (?:power (?:of )?)?(?=[-(\d])", "y")
_NUMBERS_PI = Regex(r"π|pi(?!\p{L})", "iuy")
_NUMBERS_RADICAL = Regex(r"√|sqrt ?(?=\()", "iy")
_NUMBERS_CLOSE = Regex(r" ?\)", "y")
_NUMBERS_E = Regex(r"[eE]([+-]?\d{1,7})(?![\d.,])", "uy")
_NUMBERS_MIXED = Regex(r" (\d{1,9}) ?[/⁄] ?(\d{1,9})(?!\d)", "y")
_NUMBERS_SCALE = Regex(r"[ -]?(\p{L}{3,12})(?!\p{L})", "uy")


class Number:
    """`value` is an Exact or BEYOND; `rounded`: π or an irrational root went in, right to some 40 digits."""

    __slots__ = ("value", "rounded", "end")

    def __init__(self, value, rounded, end):
        self.value = value
        self.rounded = rounded
        self.end = end


class _NumbersStop(Exception):
    """Ends a reading from any depth."""


def number_at(plain, at, notation):
    """The number that starts at a place of a plain answer; else "unreadable", or "foreign" for digits that the language has no
    reading for. What follows it is the caller's to judge."""
    try:
        return _NumbersReader(plain, notation).signed(at, 0)
    except _NumbersStop as stop:
        return stop.args[0]


class _NumbersReader:
    def __init__(self, plain, notation):
        self.plain = plain
        self.notation = notation

    def signed(self, at, depth):
        mark = _NUMBERS_SIGN.at(self.plain, at)
        if mark is not None:
            at = mark.end()
        else:
            while self.plain[at : at + 1] == " ":
                at += 1
        minus = mark is not None and (mark[1] is not None or mark[2] is not None)
        return _numbers_signed(self.product(at, depth), minus)

    def product(self, at, depth):
        """Factors: a number, then `/ n`, `× 10^n`, `π`, `√n`, and a word such as million."""
        left = self.factor(at, depth)
        for _ in range(8):
            following = self.another(left, depth)
            if following is None:
                break
            left = following
        return self.scaled(left)

    def another(self, left, depth):
        slash = _NUMBERS_SLASH.at(self.plain, left.end)
        if slash is not None:
            under = self.factor(slash.end(), depth)
            return _numbers_combined(left, under, _numbers_over)
        ten = _NUMBERS_TEN.at(self.plain, left.end)
        if ten is None:
            return None
        return _numbers_combined(left, self.factor(ten.end(), depth), times)

    def factor(self, at, depth):
        """An atom, perhaps to a power: 10^-3, 10**3, 3^(80), "10 to the power of 3"."""
        base = self.atom(at, depth)
        mark = _NUMBERS_POWER.at(self.plain, base.end)
        if mark is None:
            return base
        exponent = self.exponent(mark.end(), depth + 1)
        return _numbers_raised(base, exponent)

    def exponent(self, at, depth):
        sign = self.plain[at : at + 1]
        signed = sign in ("-", "–", "+")
        part = self.factor(at + 1 if signed else at, depth)
        return _numbers_signed(part, signed and sign != "+")

    def atom(self, at, depth):
        if depth > _NUMBERS_MAX_DEPTH:
            raise _NumbersStop("unreadable")
        c = self.plain[at : at + 1]
        if c == "(":
            return self.bracketed(at, depth)
        pi = _NUMBERS_PI.at(self.plain, at)
        if pi is not None:
            return Number(EXACT_PI, True, pi.end())
        radical = _NUMBERS_RADICAL.at(self.plain, at)
        if radical is not None:
            return self.rooted(radical.end(), depth)
        if c != "" and c in "0123456789.,":
            return self.digits(at)
        return self.words(at)

    def bracketed(self, at, depth):
        inside = self.signed(at + 1, depth + 1)
        close = _NUMBERS_CLOSE.at(self.plain, inside.end)
        if close is None:
            raise _NumbersStop("unreadable")
        return Number(inside.value, inside.rounded, close.end())

    def rooted(self, at, depth):
        under = self.atom(at, depth + 1)
        if under.value is BEYOND:
            return under
        if under.value.n < 0:
            raise _NumbersStop("unreadable")
        value, exact = exact_root(under.value)
        return Number(value, under.rounded or not exact, under.end)

    def digits(self, at):
        """Digits with an e-exponent, or a mixed number: 1.27e3, 1 1/2."""
        literal = literal_at(self.plain, at, self.notation)
        if literal is None:
            raise _NumbersStop("unreadable")
        if literal.value is None:
            raise _NumbersStop("foreign")
        tail = _NUMBERS_E.at(self.plain, literal.end)
        if tail is not None:
            return Number(scaled_by_ten(literal.value, int(tail[1])), False, tail.end())
        mixed = _NUMBERS_MIXED.at(self.plain, literal.end) if literal.bare else None
        if mixed is None:
            return Number(literal.value, False, literal.end)
        fraction = over(from_decimal(mixed[1]), from_decimal(mixed[2]))
        if fraction is None or as_integer(mixed[1]) >= as_integer(mixed[2]):
            raise _NumbersStop("unreadable")
        return Number(plus(literal.value, fraction), False, mixed.end())

    def words(self, at):
        """English words: "twenty-five", "one point two seven"."""
        c = self.plain[at : at + 1]
        if not (c.isascii() and c.isalpha()) or len(self.plain) > 400:
            raise _NumbersStop("unreadable")
        found = number_in_words_at(self.plain, at)
        value = None if found is None else from_decimal(found[0])
        if value is None:
            raise _NumbersStop("unreadable")
        return Number(value, False, found[1])

    def scaled(self, part):
        value, end = part.value, part.end
        scales = self.notation.scales
        for _ in range(2):
            name = _NUMBERS_SCALE.at(self.plain, end)
            word = "" if name is None else lowered(name[1])
            ten = scales.get(word, scales.get(word[:-1] if word.endswith("s") else word))
            if ten is None or value is BEYOND:
                break
            value = scaled_by_ten(value, ten)
            end = name.end()
        return Number(value, part.rounded, end)


def _numbers_signed(part, minus):
    return Number(negate(part.value), part.rounded, part.end) if minus and part.value is not BEYOND else part


def _numbers_over(a, b):
    value = over(a, b)
    if value is None:
        raise _NumbersStop("unreadable")
    return value


def _numbers_raised(base, exponent):
    if base.value is BEYOND or exponent.value is BEYOND:
        if base.value is not BEYOND and small_integer(base.value) in (0, 1, -1):
            raise _NumbersStop("unreadable")
        return Number(BEYOND, False, exponent.end)
    count = small_integer(exponent.value)
    if count is None or exponent.rounded:
        raise _NumbersStop("unreadable")
    value = exact_power(base.value, count)
    if value is None:
        raise _NumbersStop("unreadable")
    return Number(value, base.rounded, exponent.end)


def _numbers_combined(a, b, by):
    rounded = a.rounded or b.rounded
    if a.value is BEYOND or b.value is BEYOND:
        # Zero times anything is zero, and beyond over beyond may be anything.
        if a.value is b.value or any(p.value is not BEYOND and p.value.n == 0 for p in (a, b)):
            raise _NumbersStop("unreadable")
        return Number(BEYOND, rounded, b.end)
    return Number(by(a.value, b.value), rounded, b.end)
