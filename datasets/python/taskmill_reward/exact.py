"""Exact numbers: n/d · 10^e in whole numbers of any size, so that 1/3^80 is not 1/3^79 and no digit is lost on the way."""

from .jstext import as_integer, number_text
from .regex import Regex

# Bits that a power may grow to; what is larger is beyond any answer.
_EXACT_MAX_BITS = 200_000
_EXACT_MAX_EXPONENT = 10_000_000
# What a number is that is larger (or closer to zero) than anything that can be written down.
BEYOND = "beyond"


class Exact:
    """n / d · 10^e with d > 0."""

    __slots__ = ("n", "d", "e")

    def __init__(self, n, d=1, e=0):
        self.n = n
        self.d = d
        self.e = e


EXACT_ZERO = Exact(0)
EXACT_ONE = Exact(1)
_EXACT_DECIMAL = Regex(r"^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,8}))?$")


def from_decimal(text):
    """The value of a plain decimal text or of a finite number (in its shortest form). None where it is none."""
    match = _EXACT_DECIMAL.search(text if isinstance(text, str) else number_text(text))
    if match is None:
        return None
    fraction = match[3] or ""
    digits = match[2] + fraction
    if digits == "":
        return None
    n = as_integer(digits)
    return Exact(-n if match[1] == "-" else n, 1, int(match[4] or 0) - len(fraction))


def negate(a):
    return Exact(-a.n, a.d, a.e)


def absolute(a):
    return negate(a) if a.n < 0 else a


def scaled_by_ten(a, ten):
    return Exact(a.n, a.d, a.e + ten)


def times(a, b):
    return Exact(a.n * b.n, a.d * b.d, a.e + b.e)


def over(a, b):
    """None for a division by zero."""
    if b.n == 0:
        return None
    sign = -1 if b.n < 0 else 1
    return Exact(a.n * b.d * sign, a.d * b.n * sign, a.e - b.e)


def _exact_bits(n):
    """In steps of four, as hexadecimal digits count."""
    return max((n.bit_length() + 3) // 4, 1) * 4


def _exact_magnitude(a):
    """Decimal magnitude to within two; zero has none."""
    return (_exact_bits(a.n) - _exact_bits(a.d)) * 0.4342944819032518 * 0.6931471805599453 + a.e


def _exact_apart(a, b):
    """Whether the sizes of two numbers are too far apart to be added exactly, or for one to be near the other."""
    return a.n != 0 and b.n != 0 and abs(_exact_magnitude(a) - _exact_magnitude(b)) > 5


def plus(a, b):
    """The sum. Where the smaller is some 10^40 times smaller it is left out: callers compare to 1e-12."""
    if a.n == 0:
        return b
    if b.n == 0:
        return a
    gap = _exact_magnitude(a) - _exact_magnitude(b)
    if gap > 40 + _exact_bits(a.n):
        return a
    if gap < -40 - _exact_bits(b.n):
        return b
    e = min(a.e, b.e)
    return Exact(a.n * 10 ** (a.e - e) * b.d + b.n * 10 ** (b.e - e) * a.d, a.d * b.d, e)


def compare_exact(a, b):
    """-1, 0, 1 as a is less than, equal to or greater than b."""
    x, y = _exact_sign(a), _exact_sign(b)
    if x != y:
        return -1 if x < y else 1
    if x == 0:
        return 0
    if _exact_apart(a, b):
        return -x if _exact_magnitude(a) < _exact_magnitude(b) else x
    return _exact_sign(plus(a, negate(b)))


def _exact_sign(a):
    return (a.n > 0) - (a.n < 0)


def within(a, b, relative, slack=EXACT_ZERO):
    """Whether |a - b| ≤ relative·|b| + slack, decided exactly. `relative` is below 1."""
    if slack.n == 0 and _exact_apart(a, b):
        return False
    gap = absolute(plus(a, negate(b)))
    return compare_exact(gap, plus(times(relative, absolute(b)), slack)) <= 0


def exact_power(a, exponent):
    """`a` to a whole power; BEYOND where it would be too large (or too close to zero) to write down; None for 0^-1."""
    if exponent < 0:
        inverse = over(EXACT_ONE, a)
        return None if inverse is None else exact_power(inverse, -exponent)
    n, d, e = _exact_tens_apart(a)
    unit = (n == 1 or n == -1) and d == 1
    if not unit and n != 0 and exponent > _EXACT_MAX_BITS // (_exact_bits(n) + _exact_bits(d)):
        return BEYOND
    if e != 0 and exponent > _EXACT_MAX_EXPONENT // abs(e):
        return BEYOND
    if unit:
        return Exact(-1 if n == -1 and exponent % 2 == 1 else 1, 1, e * exponent)
    if n == 0:
        return EXACT_ONE if exponent == 0 else EXACT_ZERO
    return Exact(n**exponent, d**exponent, e * exponent)


def _exact_tens_apart(a):
    """10, 100, 1000 and so on as 1 with an exponent, so that 10^1000000 stays small."""
    n, d, e = a.n, a.d, a.e
    if n == 0 or d != 1 or _exact_bits(n) > 400:
        return n, d, e
    while n % 10 == 0:
        n //= 10
        e += 1
    return n, 1, e


def small_integer(a):
    """The value if it is a whole number below 10^18, else None."""
    if a.n == 0:
        return 0
    size = _exact_magnitude(a)
    if size > 18 or size < -5:
        return None
    top = a.n * 10**a.e if a.e > 0 else a.n
    under = a.d * 10**-a.e if a.e < 0 else a.d
    return top // under if top % under == 0 else None


def exact_root(a):
    """The square root of a number that is not negative, and whether it is exact."""
    odd = a.e % 2 != 0
    n = a.n * 10 if odd else a.n
    e = (a.e - 1 if odd else a.e) // 2
    top = _exact_integer_root(n * a.d)
    if top * top == n * a.d:
        return Exact(top, a.d, e), True
    # √(n/d) = √(n·d)/d, here to 40 more digits.
    return Exact(_exact_integer_root(n * a.d * 10**80), a.d, e - 40), False


def _exact_integer_root(n):
    if n < 2:
        return n
    guess = 1 << (n.bit_length() // 2 + 2)
    while True:
        step = (guess + n // guess) >> 1
        if step >= guess:
            return guess
        guess = step


# π to 50 digits.
EXACT_PI = from_decimal("3.1415926535897932384626433832795028841971693993751")
