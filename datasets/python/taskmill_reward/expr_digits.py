"""Functions at many digits, which Python's decimal has not: each is right to the digits of its result, or next to it."""

import decimal
from decimal import Decimal

# Digits that are carried beyond those asked for.
_EXPR_GUARD = 12
# π is known to so many digits here, as to TypeScript's library: longer angles are not reduced.
_EXPR_PI_DIGITS = 1025
_EXPR_DECIMAL_ONE = Decimal(1)
_expr_contexts = {}
_expr_pis = {}


def expr_digits_context(digits):
    """Arithmetic with so many digits, halves away from zero, no exceptions, and exponents without practical bounds."""
    if digits not in _expr_contexts:
        _expr_contexts[digits] = decimal.Context(
            prec=digits, rounding=decimal.ROUND_HALF_UP, Emin=decimal.MIN_EMIN, Emax=decimal.MAX_EMAX, clamp=0, traps=[]
        )
    return _expr_contexts[digits]


def expr_pi(digits):
    """π, rounded to so many digits."""
    if digits not in _expr_pis:
        _expr_pis[digits] = expr_digits_context(digits).plus(_expr_pis.get("all") or _expr_all_of_pi())
    return _expr_pis[digits]


def _expr_all_of_pi():
    """By Machin's formula, 16 arctan 1/5 - 4 arctan 1/239, in whole numbers."""
    places = _EXPR_PI_DIGITS + 30
    unit = 10**places
    scaled = Decimal(16 * _expr_inverse_arctan(5, unit) - 4 * _expr_inverse_arctan(239, unit))
    _expr_pis["all"] = scaled.scaleb(-places, expr_digits_context(places + 2))
    return _expr_pis["all"]


def _expr_inverse_arctan(n, unit):
    power = unit // n
    total, k = power, 1
    while power:
        power //= n * n
        k += 2
        total += (-power if k % 4 == 3 else power) // k
    return total


def _expr_taylor(x, start, alternates, context):
    """sin, cos, sinh or cosh by their series: x - x^3/3! + ... (start 1), 1 - x^2/2! + ... (start 0)."""
    square = context.multiply(x, x)
    if alternates:
        square = square.copy_negate()
    term = total = x if start else _EXPR_DECIMAL_ONE
    n = start
    while True:
        term = context.divide(context.multiply(term, square), (n + 1) * (n + 2))
        grown = context.add(total, term)
        if grown == total:
            return total
        total = grown
        n += 2


def _expr_significant(x):
    """Digits of a number without zeros behind them."""
    digits = x.as_tuple().digits
    count = len(digits)
    while count > 1 and digits[count - 1] == 0:
        count -= 1
    return count


def expr_digits_turn(x, quarters, digits):
    """sin(x + quarters·π/2); None where x has more digits than are known of π."""
    needed = digits + max(x.adjusted(), _expr_significant(x)) + 7
    if needed > _EXPR_PI_DIGITS:
        return None
    context = expr_digits_context(needed + _EXPR_GUARD)
    half = context.divide(expr_pi(needed + _EXPR_GUARD), 2)
    turns = context.divide(x, half).to_integral_value(decimal.ROUND_HALF_EVEN)
    rest = context.subtract(x, context.multiply(turns, half))
    quadrant = (int(turns) + quarters) % 4
    value = _expr_taylor(rest, 1 - quadrant % 2, True, expr_digits_context(digits + _EXPR_GUARD))
    return value.copy_negate() if quadrant > 1 else value


def expr_digits_arctan(x, digits):
    context = expr_digits_context(digits)
    if x.copy_abs() > 1:
        half = context.divide(expr_pi(digits), 2).copy_sign(x)
        return context.subtract(half, expr_digits_arctan(context.divide(1, x), digits))
    # arctan x = 2 arctan(x/(1 + sqrt(1 + x²))), until the series is short.
    halved = 0
    while x.adjusted() > -2 and halved < 8:
        root = context.sqrt(context.add(context.multiply(x, x), 1))
        x = context.divide(x, context.add(root, 1))
        halved += 1
    square = context.multiply(x, x).copy_negate()
    power = total = x
    n = 1
    while True:
        power = context.multiply(power, square)
        n += 2
        grown = context.add(total, context.divide(power, n))
        if grown == total:
            return context.multiply(total, 2**halved)
        total = grown


def expr_digits_arcsin(x, digits):
    context = expr_digits_context(digits)
    rest = context.multiply(context.subtract(1, x), context.add(1, x))
    if rest <= 0:
        return context.divide(expr_pi(digits), 2).copy_sign(x) if rest == 0 else None
    return expr_digits_arctan(context.divide(x, context.sqrt(rest)), digits)


def expr_digits_arccos(x, digits):
    context = expr_digits_context(digits)
    over, under = context.subtract(1, x), context.add(1, x)
    if over < 0 or under < 0:
        return None
    if under == 0:
        return expr_pi(digits)
    return context.multiply(expr_digits_arctan(context.sqrt(context.divide(over, under)), digits), 2)


def expr_digits_sinh(x, digits):
    context = expr_digits_context(digits)
    if x.adjusted() < 0:
        return _expr_taylor(x, 1, False, context)
    grown = context.exp(x)
    return context.divide(context.subtract(grown, context.divide(1, grown)), 2)


def expr_digits_cosh(x, digits):
    context = expr_digits_context(digits)
    grown = context.exp(x)
    return context.divide(context.add(grown, context.divide(1, grown)), 2)


def expr_digits_tanh(x, digits):
    return expr_digits_context(digits).divide(expr_digits_sinh(x, digits), expr_digits_cosh(x, digits))


def _expr_log_plus_one(t, digits):
    """ln(1 + t) for t > -1, also where t is small."""
    if t.adjusted() < -digits:
        return t
    context = expr_digits_context(digits + max(0, -t.adjusted()))
    return context.ln(context.add(1, t))


def expr_digits_arcsinh(x, digits):
    context = expr_digits_context(digits)
    size = x.copy_abs()
    square = context.multiply(size, size)
    root = context.add(context.sqrt(context.add(square, 1)), 1)
    # x + sqrt(1 + x²) - 1, without the difference of two numbers near 1.
    moved = context.add(size, context.divide(square, root))
    return _expr_log_plus_one(moved, digits).copy_sign(x)


def expr_digits_arccosh(x, digits):
    context = expr_digits_context(digits)
    beyond = context.subtract(x, 1)
    if beyond < 0:
        return None
    root = context.sqrt(context.multiply(beyond, context.add(x, 1)))
    return _expr_log_plus_one(context.add(beyond, root), digits)


def expr_digits_arctanh(x, digits):
    if x.copy_abs() >= 1:
        return None
    context = expr_digits_context(digits)
    moved = context.divide(context.multiply(2, x), context.subtract(1, x))
    return context.divide(_expr_log_plus_one(moved, digits), 2)
