"""
Complex numbers with a bound on how far rounding may have moved them: what tells a difference from noise, also after
cancellation. A ball is (re, im, radius, real); `real`: neither it nor anything on the way to it left the reals.

The platform's functions differ from those of other platforms in the last digit; the bounds are several times that, so that
what is decided by them does not depend on it.
"""

import math


class ExprNoBall(Exception):
    """
    No value. `undefined`: the function has none there; `unclear`: doubles cannot tell (overflow, too near to a pole or cut,
    cancelled).
    """

    def __init__(self, kind):
        super().__init__(kind)
        self.kind = kind


# Unit roundoff of doubles, and the least that underflow loses.
EXPR_U = 2.0**-53
_EXPR_TWO_U = 2 * EXPR_U
_EXPR_SIX_U = 6 * EXPR_U
_EXPR_TINY = 5e-324
_EXPR_INFINITY = math.inf
_expr_finite = math.isfinite


def _expr_unclear():
    return ExprNoBall("unclear")


def _expr_total(function):
    """A function of math that says infinity where C does, instead of an exception."""

    def total(x):
        try:
            return function(x)
        except OverflowError:
            return _EXPR_INFINITY

    return total


_expr_exp_real = _expr_total(math.exp)
_expr_cosh_real = _expr_total(math.cosh)


def _expr_sinh_real(x):
    try:
        return math.sinh(x)
    except OverflowError:
        return math.copysign(_EXPR_INFINITY, x)


def _expr_log_real(x):
    return math.log(x) if x > 0 else -_EXPR_INFINITY


def expr_float_power(base, exponent):
    """base ** exponent for base >= 0."""
    try:
        return math.pow(base, exponent)
    except OverflowError:
        return _EXPR_INFINITY
    except ValueError:
        return _EXPR_INFINITY


def _expr_over(x, y):
    """x / y as IEEE 754 has it, for y >= 0."""
    if y:
        return x / y
    return _EXPR_INFINITY if x > 0 else -_EXPR_INFINITY if x < 0 else math.nan


# Complex numbers as pairs. Real arguments give real results where there are such.


def _expr_size(re, im):
    return abs(re) if im == 0 else math.hypot(re, im)


def _expr_plus(a, b):
    return a[0] + b[0], a[1] + b[1]


def _expr_minus(a, b):
    return a[0] - b[0], a[1] - b[1]


def _expr_times(a, b):
    if a[1] == 0 and b[1] == 0:
        return a[0] * b[0], 0.0
    return a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]


def _expr_quotient(a, b):
    """Scaled by the larger part of the divisor (Smith 1962), so that nothing overflows on the way. b is not zero."""
    if b[1] == 0:
        return a[0] / b[0], 0.0 if a[1] == 0 else a[1] / b[0]
    if abs(b[0]) >= abs(b[1]):
        r = b[1] / b[0]
        d = b[0] + b[1] * r
        return (a[0] + a[1] * r) / d, (a[1] - a[0] * r) / d
    r = b[0] / b[1]
    d = b[0] * r + b[1]
    return (a[0] * r + a[1]) / d, (a[1] * r - a[0]) / d


def _expr_exp(a):
    e = _expr_exp_real(a[0])
    return (e, 0.0) if a[1] == 0 else (e * math.cos(a[1]), e * math.sin(a[1]))


def _expr_ln(a):
    if a[1] == 0 and a[0] > 0:
        return math.log(a[0]), 0.0
    return _expr_log_real(_expr_size(a[0], a[1])), math.atan2(a[1], a[0])


def _expr_sqrt(a):
    re, im = a
    if im == 0:
        return (math.sqrt(re), 0.0) if re >= 0 else (0.0, math.sqrt(-re))
    t = math.sqrt((abs(re) + _expr_size(re, im)) / 2)
    other = _expr_over(abs(im), 2 * t)
    sign = -1.0 if im < 0 else 1.0
    return (t, sign * other) if re >= 0 else (other, sign * t)


def _expr_sin(a):
    if a[1] == 0:
        return math.sin(a[0]), 0.0
    return math.sin(a[0]) * _expr_cosh_real(a[1]), math.cos(a[0]) * _expr_sinh_real(a[1])


def _expr_cos(a):
    if a[1] == 0:
        return math.cos(a[0]), 0.0
    return math.cos(a[0]) * _expr_cosh_real(a[1]), -math.sin(a[0]) * _expr_sinh_real(a[1])


def _expr_sinh(a):
    if a[1] == 0:
        return _expr_sinh_real(a[0]), 0.0
    return _expr_sinh_real(a[0]) * math.cos(a[1]), _expr_cosh_real(a[0]) * math.sin(a[1])


def _expr_cosh(a):
    if a[1] == 0:
        return _expr_cosh_real(a[0]), 0.0
    return _expr_cosh_real(a[0]) * math.cos(a[1]), _expr_sinh_real(a[0]) * math.sin(a[1])


_EXPR_ONE_Z = (1.0, 0.0)
_EXPR_I_Z = (0.0, 1.0)
# -i as the negative of (0, 1) is computed: a zero that is negative would change sides of a cut.
_EXPR_MINUS_I_Z = (-0.0, -1.0)


def _expr_arcsin(a):
    """arcsin z = -i ln(iz + sqrt(1 - z)·sqrt(1 + z)) (DLMF 4.23.19, with the root split so that the cuts lie right)."""
    if a[1] == 0 and abs(a[0]) <= 1:
        return math.asin(a[0]), 0.0
    root = _expr_times(_expr_sqrt(_expr_minus(_EXPR_ONE_Z, a)), _expr_sqrt(_expr_plus(_EXPR_ONE_Z, a)))
    return _expr_times(_EXPR_MINUS_I_Z, _expr_ln(_expr_plus(_expr_times(_EXPR_I_Z, a), root)))


def _expr_arccos(a):
    if a[1] == 0 and abs(a[0]) <= 1:
        return math.acos(a[0]), 0.0
    return _expr_minus((math.pi / 2, 0.0), _expr_arcsin(a))


def _expr_arctan(a):
    """arctan z = (i/2)(ln(1 - iz) - ln(1 + iz)) (DLMF 4.23.26)."""
    if a[1] == 0:
        return math.atan(a[0]), 0.0
    ia = _expr_times(_EXPR_I_Z, a)
    logs = _expr_minus(_expr_ln(_expr_minus(_EXPR_ONE_Z, ia)), _expr_ln(_expr_plus(_EXPR_ONE_Z, ia)))
    return _expr_times((0.0, 0.5), logs)


def _expr_arcsinh(a):
    """arsinh z = -i arcsin(iz)."""
    if a[1] == 0:
        return math.asinh(a[0]), 0.0
    return _expr_times(_EXPR_MINUS_I_Z, _expr_arcsin(_expr_times(_EXPR_I_Z, a)))


def _expr_arccosh(a):
    """arcosh z = ln(z + sqrt(z - 1)·sqrt(z + 1)) (DLMF 4.37.19)."""
    if a[1] == 0 and a[0] >= 1:
        return math.acosh(a[0]), 0.0
    root = _expr_times(_expr_sqrt(_expr_minus(a, _EXPR_ONE_Z)), _expr_sqrt(_expr_plus(a, _EXPR_ONE_Z)))
    return _expr_ln(_expr_plus(a, root))


def _expr_arctanh(a):
    """artanh z = (ln(1 + z) - ln(1 - z))/2 (DLMF 4.37.24)."""
    if a[1] == 0 and abs(a[0]) < 1:
        return math.atanh(a[0]), 0.0
    logs = _expr_minus(_expr_ln(_expr_plus(_EXPR_ONE_Z, a)), _expr_ln(_expr_minus(_EXPR_ONE_Z, a)))
    return _expr_times((0.5, 0.0), logs)


def _expr_ratio(over, under):
    """Pole functions are quotients of two rounded values; no double is a pole."""

    def value(a):
        divisor = under(a)
        if divisor[0] == 0 and divisor[1] == 0:
            return _EXPR_INFINITY, 0.0
        return _expr_quotient(over(a), divisor)

    return value


def _expr_tanh(a):
    return (math.tanh(a[0]), 0.0) if a[1] == 0 else _expr_ratio(_expr_sinh, _expr_cosh)(a)


def _expr_slope_size(function):
    return lambda a, v: _expr_size(*function(a))


def _expr_slope_pole(a, v):
    return _expr_size(*_expr_plus(_EXPR_ONE_Z, _expr_times(v, v)))


def _expr_slope_over(distance):
    return lambda a, v: _expr_over(1.0, _expr_size(*distance(a)))


def _expr_slope_root(distance):
    return lambda a, v: _expr_over(1.0, math.sqrt(_expr_size(*distance(a))))


def _expr_one_minus_square(a):
    return _expr_minus(_EXPR_ONE_Z, _expr_times(a, a))


def _expr_one_plus_square(a):
    return _expr_plus(_EXPR_ONE_Z, _expr_times(a, a))


def _expr_constant_one(a):
    return _EXPR_ONE_Z


_EXPR_ENDS = ((1.0, 0.0), (-1.0, 0.0))
_EXPR_IMAGINARY_ENDS = ((0.0, 1.0), (0.0, -1.0))


class _ExprFunction:
    """
    slope: |f'|, given the argument and the value. defined: where the real function has a value. singular: points at which it
    has no derivative. cut: real arguments that lie on a cut, reached from one side only; on the imaginary axis instead if
    imaginary.
    """

    def __init__(self, value, slope, defined=None, singular=(), cut=None, imaginary=False, spread=1.0):
        self.value = value
        self.slope = slope
        self.defined = defined
        self.singular = singular
        self.cut = cut
        self.imaginary = imaginary
        # Exact arguments need no allowance for the argument's own rounding, save where a quotient is formed.
        self.spread = spread
        self.pole = spread > 1


def _expr_inside(x):
    return abs(x) <= 1


def _expr_outside(x):
    return abs(x) > 1


_EXPR_FUNCTIONS_OF_BALLS = {
    "sin": _ExprFunction(_expr_sin, _expr_slope_size(_expr_cos)),
    "cos": _ExprFunction(_expr_cos, _expr_slope_size(_expr_sin)),
    "tan": _ExprFunction(_expr_ratio(_expr_sin, _expr_cos), _expr_slope_pole, spread=2.0),
    "cot": _ExprFunction(_expr_ratio(_expr_cos, _expr_sin), _expr_slope_pole, spread=2.0),
    "sec": _ExprFunction(
        _expr_ratio(_expr_constant_one, _expr_cos),
        lambda a, v: _expr_size(*_expr_times(_expr_times(v, v), _expr_sin(a))),
        spread=2.0,
    ),
    "csc": _ExprFunction(
        _expr_ratio(_expr_constant_one, _expr_sin),
        lambda a, v: _expr_size(*_expr_times(_expr_times(v, v), _expr_cos(a))),
        spread=2.0,
    ),
    "arcsin": _ExprFunction(
        _expr_arcsin, _expr_slope_root(_expr_one_minus_square), _expr_inside, _EXPR_ENDS, _expr_outside
    ),
    "arccos": _ExprFunction(
        _expr_arccos, _expr_slope_root(_expr_one_minus_square), _expr_inside, _EXPR_ENDS, _expr_outside
    ),
    "arctan": _ExprFunction(
        _expr_arctan, _expr_slope_over(_expr_one_plus_square), None, _EXPR_IMAGINARY_ENDS, _expr_outside, True
    ),
    "sinh": _ExprFunction(_expr_sinh, _expr_slope_size(_expr_cosh)),
    "cosh": _ExprFunction(_expr_cosh, _expr_slope_size(_expr_sinh)),
    "tanh": _ExprFunction(_expr_tanh, lambda a, v: _expr_size(*_expr_one_minus_square(v))),
    "arcsinh": _ExprFunction(
        _expr_arcsinh, _expr_slope_root(_expr_one_plus_square), None, _EXPR_IMAGINARY_ENDS, _expr_outside, True
    ),
    "arccosh": _ExprFunction(
        _expr_arccosh,
        _expr_slope_root(lambda a: _expr_minus(_expr_times(a, a), _EXPR_ONE_Z)),
        lambda x: x >= 1,
        _EXPR_ENDS,
        lambda x: x < 1,
    ),
    "arctanh": _ExprFunction(
        _expr_arctanh, _expr_slope_over(_expr_one_minus_square), lambda x: abs(x) < 1, _EXPR_ENDS, _expr_outside
    ),
    "exp": _ExprFunction(_expr_exp, lambda a, v: _expr_size(*v)),
    "ln": _ExprFunction(
        _expr_ln, _expr_slope_over(lambda a: a), lambda x: x > 0, ((0.0, 0.0),), lambda x: x < 0
    ),
}

# Formulas over the complex numbers cancel a little; those over the reals are the platform's, good to an ulp.
_EXPR_COMPLEX_LOSS = 2.0**-44


def _expr_ball(re, im, radius, real):
    if not (_expr_finite(re) and _expr_finite(im) and _expr_finite(radius)):
        raise _expr_unclear()
    return re, im, radius, real


def expr_literal(value, exact):
    """A number as written; `exact` if the double is what is written."""
    return _expr_ball(value, 0.0, 0.0 if exact else EXPR_U * abs(value) + _EXPR_TINY, True)


EXPR_IMAGINARY = (0.0, 1.0, 0.0, False)


def expr_ball_size(a):
    return _expr_size(a[0], a[1])


def expr_ball_distance(a, b):
    return _expr_size(a[0] - b[0], a[1] - b[1])


def expr_add(a, b):
    re, im = a[0] + b[0], a[1] + b[1]
    size = abs(re) if im == 0 else math.hypot(re, im)
    radius = a[2] + b[2] + _EXPR_TWO_U * size
    if _expr_finite(re) and _expr_finite(im) and _expr_finite(radius):
        return re, im, radius, a[3] and b[3]
    raise _expr_unclear()


def expr_negative(a):
    return -a[0], 0.0 if a[1] == 0 else -a[1], a[2], a[3]


def expr_multiply(a, b):
    if a[1] == 0 and b[1] == 0:
        re, im, x, y = a[0] * b[0], 0.0, abs(a[0]), abs(b[0])
    else:
        re, im = _expr_times(a, b)
        x, y = _expr_size(a[0], a[1]), _expr_size(b[0], b[1])
    radius = x * b[2] + y * a[2] + a[2] * b[2] + (0.0 if x == 0 or y == 0 else _EXPR_SIX_U * x * y + _EXPR_TINY)
    if _expr_finite(re) and _expr_finite(im) and _expr_finite(radius):
        return re, im, radius, a[3] and b[3]
    raise _expr_unclear()


def expr_divide(a, b):
    x, y = _expr_size(a[0], a[1]), _expr_size(b[0], b[1])
    if y <= b[2]:
        raise ExprNoBall("undefined" if y == 0 and b[2] == 0 else "unclear")
    re, im = _expr_quotient(a, b)
    lost = 0.0 if x == 0 else 8 * EXPR_U * _expr_size(re, im) + _EXPR_TINY
    return _expr_ball(re, im, (a[2] + (x / y) * b[2]) / (y - b[2]) + lost, a[3] and b[3])


def expr_apply(name, a):
    """
    A function of a ball; first-order bounds, doubled, as far as the ball is small against the distance to the nearest
    singularity.
    """
    re, im, radius, real = a
    size = _expr_size(re, im)
    if name == "abs":
        return _expr_ball(size, 0.0, radius + 2 * EXPR_U * size, real)
    if name in ("sign", "floor", "ceil"):
        return _expr_step(name, a)
    function, z = _EXPR_FUNCTIONS_OF_BALLS[name], (re, im)
    for point in function.singular:
        distance = _expr_size(re - point[0], im - point[1])
        if distance == 0 and radius == 0:
            return _expr_at_singularity(function, z, real)
        if distance <= 1e4 * radius:
            raise _expr_unclear()
    if _expr_crosses(function, a) or radius > 1e-5 * (1 + size):
        raise _expr_unclear()
    at = function.value(z)
    value_size = _expr_size(at[0], at[1])
    if function.pole and value_size > 1e12 * (1 + size):
        raise _expr_unclear()
    real = real and (function.defined is None or function.defined(re))
    own = 4 * EXPR_U * value_size if real and im == 0 else _EXPR_COMPLEX_LOSS * (1 + value_size + size)
    moved = 2 * function.slope(z, at) * (radius + 2 * EXPR_U * size) * function.spread
    return _expr_ball(at[0], at[1], moved + own + _EXPR_TINY, real)


def _expr_at_singularity(function, z, real):
    at = function.value(z)
    if not (_expr_finite(at[0]) and _expr_finite(at[1])):
        raise ExprNoBall("undefined")
    return _expr_ball(at[0], at[1], 4 * EXPR_U * _expr_size(at[0], at[1]), real)


def _expr_crosses(function, a):
    """Whether rounding alone may have put the argument on the other side of the function's cut."""
    if function.cut is None:
        return False
    along, across = (a[1], a[0]) if function.imaginary else (a[0], a[1])
    exactly_on = across == 0 and (a[3] or a[2] == 0)
    return function.cut(along) and abs(across) <= a[2] and not exactly_on


def expr_round(x):
    """To the nearest whole number, halves up."""
    below = float(math.floor(x))
    return below if x - below < 0.5 else below + 1.0


def _expr_step(name, a):
    if not a[3] or a[1] != 0:
        raise ExprNoBall("undefined")
    x = a[0]
    nearest = 0.0 if name == "sign" else expr_round(x)
    if a[2] > 0 and abs(x - nearest) <= a[2]:
        raise _expr_unclear()
    if name == "sign":
        value = 0.0 if x == 0 else math.copysign(1.0, x)
    else:
        value = float(math.floor(x) if name == "floor" else math.ceil(x))
    return _expr_ball(value, 0.0, 0.0, True)


def expr_rational_power(a, p, q):
    """Whole powers and real roots, p/q in lowest terms: the odd root of a negative number is negative."""
    re, im, radius, real = a
    r = _expr_size(re, im)
    if r <= radius and (q != 1 or p < 0):
        if r > 0 or radius > 0:
            raise _expr_unclear()
        if p > 0:
            return 0.0, 0.0, 0.0, real
        raise ExprNoBall("undefined")
    if real and im == 0 and (re >= 0 or q % 2 == 1):
        magnitude = _expr_real_root(r, abs(p), q)
        size = _expr_over(1.0, magnitude) if p < 0 else magnitude
        value = -size if re < 0 and abs(p) % 2 == 1 else size
        return _expr_ball(value, 0.0, _expr_power_radius(a, p / q, size), True)
    if q == 1:
        return _expr_whole_power(a, p)
    if q != 2:
        return expr_power(a, (p / q, 0.0, EXPR_U, True))
    if abs(im) <= radius and re < 0 and not (im == 0 and real):
        raise _expr_unclear()
    root = _expr_sqrt((re, im))
    moved = _expr_over(radius, math.sqrt(r)) + 8 * EXPR_U * _expr_size(root[0], root[1])
    return _expr_whole_power((root[0], root[1], moved, False), p)


def _expr_real_root(r, p, q):
    if q == 1:
        return expr_float_power(r, p)
    if q == 2:
        return expr_float_power(math.sqrt(r), p)
    if q == 3:
        return expr_float_power(_expr_cbrt(r), p)
    return expr_float_power(r, p / q)


def _expr_cbrt(x):
    """The cube root of x >= 0; one step of Newton's makes up for the rounding of 1/3."""
    root = x ** (1.0 / 3.0)
    return root - (root - x / (root * root)) / 3.0 if x > 1e-300 and root < 1e100 else root


def _expr_power_radius(a, n, size):
    """|a^n| times n·(relative radius), doubled where that is small, and the rounding of the power itself."""
    r = _expr_size(a[0], a[1])
    relative = 0.0 if r == 0 else (abs(n) * a[2]) / r
    if relative > 1e-3:
        return _EXPR_INFINITY
    log = abs(math.log(size)) if 0 < size < _EXPR_INFINITY else size
    lost = (_EXPR_TINY if size == 0 and r > 0 else 0.0) + (_EXPR_TINY if r > 0 else 0.0)
    return size * (2 * relative + (8 + log) * EXPR_U) + lost


def _expr_whole_power(a, n):
    """By squaring."""
    result = (1.0, 0.0, 0.0, a[3])
    square = a
    rest = abs(n)
    while rest > 0:
        if rest % 2 == 1:
            result = expr_multiply(result, square)
        if rest > 1:
            square = expr_multiply(square, square)
        rest = float(rest // 2)
    return expr_divide((1.0, 0.0, 0.0, True), result) if n < 0 else result


def expr_power(a, b):
    """Principal value of a^b = exp(b ln a)."""
    r = _expr_size(a[0], a[1])
    if r <= a[2]:
        if r > 0 or a[2] > 0:
            raise _expr_unclear()
        if b[3] and b[0] > b[2]:
            return 0.0, 0.0, 0.0, a[3]
        raise ExprNoBall("undefined" if b[3] and b[0] < -b[2] else "unclear")
    if a[3] and a[1] == 0 and a[0] > 0 and b[3] and b[1] == 0:
        value = expr_float_power(a[0], b[0])
        relative = (abs(b[0]) * a[2]) / r + abs(math.log(r)) * b[2]
        if relative > 1e-3:
            raise _expr_unclear()
        return _expr_ball(value, 0.0, value * (2 * relative + 8 * EXPR_U) + _EXPR_TINY, True)
    return expr_apply("exp", expr_multiply(expr_apply("ln", a), b))
