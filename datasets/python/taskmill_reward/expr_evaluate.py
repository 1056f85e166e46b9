"""
Values of expressions at points, in doubles with bounds.

A tree becomes a list of steps on a stack, (cost, operation, operand): quicker than walking the tree, and as deep as it likes. The
cost of a step is the number of nodes that a walk enters between it and the step before.
"""

import math

from .expr_ball import (
    EXPR_IMAGINARY,
    ExprNoBall,
    expr_add,
    expr_apply,
    expr_divide,
    expr_literal,
    expr_multiply,
    expr_negative,
    expr_power,
    expr_rational_power,
    expr_round,
)
from .expr_base import expr_run

# The most terms that a series is written out to, and the largest number whose factorial is taken.
_EXPR_MOST_TERMS = 1000
_EXPR_LARGEST_FACTORIAL = 170


class ExprEffort:
    """What evaluations may still do; shared by all of one verdict, so that no expression can take long."""

    __slots__ = ("left",)

    def __init__(self, left):
        self.left = left


def expr_number_value(text):
    """A number's text as a double; NaN where it is none."""
    try:
        return float(text)
    except ValueError:
        return math.nan


def _expr_literal_of(text):
    value = expr_number_value(text)
    exact = value <= 2**53 - 1 and len(text) <= 16 and text.isdigit()
    return expr_literal(value, exact)


def expr_rational(node):
    """
    A whole number or a fraction of two, as written: `2`, `-1/3`, `2/6` (which is 1/3), as (over, under); else None. Doubles, so
    that zero keeps its sign.
    """
    return expr_run(_expr_rational_of(node))


def _expr_rational_of(node):
    kind = node[0]
    if kind == "negative":
        of = yield _expr_rational_of(node[1])
        return None if of is None else (-of[0], of[1])
    if kind == "number" and len(node[1]) <= 6 and node[1].isdigit():
        return float(node[1]), 1.0
    if kind != "quotient":
        return None
    x = yield _expr_rational_of(node[1])
    y = yield _expr_rational_of(node[2])
    if x is None or y is None or y[0] == 0:
        return None
    p, q = x[0] * y[1], x[1] * y[0]
    if max(abs(p), abs(q)) > 1e6:
        return None
    d = float(math.gcd(int(p), int(q)) or 1) * (1.0 if q > 0 else -1.0)
    return p / d, q / d


class ExprProgram:
    """An expression, ready to be evaluated at many points."""

    def __init__(self, node):
        self._steps = []
        self._entered = 0
        expr_run(self._compile(node))

    def value(self, point, effort):
        """The value at a point, a dict of doubles. Raises ExprNoBall."""
        stack = []
        push, pop = stack.append, stack.pop
        for cost, operation, operand in self._steps:
            effort.left -= cost
            if effort.left < 0:
                raise ExprNoBall("unclear")
            if operation == "value":
                if operand.__class__ is ExprNoBall:
                    raise operand
                push(operand)
            elif operation == "variable":
                if operand not in point:
                    raise ExprNoBall("undefined")
                value = point[operand]
                if not math.isfinite(value):
                    raise ExprNoBall("unclear")
                push((value, 0.0, 0.0, True))
            elif operation == "two":
                right = pop()
                stack[-1] = operand(stack[-1], right)
            elif operation == "one":
                stack[-1] = operand(stack[-1])
            elif operation == "rational":
                stack[-1] = expr_rational_power(stack[-1], *operand)
            elif operation == "apply":
                stack[-1] = expr_apply(operand, stack[-1])
            else:
                last = pop()
                stack[-1] = _expr_series(operand, stack[-1], last, point, effort)
        return stack[0]

    def _emit(self, operation, operand=None):
        self._steps.append((self._entered, operation, operand))
        self._entered = 0

    def _compile(self, node):
        self._entered += 1
        kind = node[0]
        if kind == "number":
            self._emit("value", _expr_kept(lambda: _expr_literal_of(node[1])))
        elif kind == "constant":
            self._emit("value", _expr_constant(node[1]))
        elif kind == "variable":
            self._emit("variable", node[1])
        elif kind == "negative":
            yield self._compile(node[1])
            self._emit("one", expr_negative)
        elif kind in ("sum", "product"):
            yield self._folded(node[1], expr_add if kind == "sum" else expr_multiply)
        elif kind == "quotient":
            yield self._folded(node[1:], expr_divide)
        elif kind == "power":
            yield self._power(node[1], node[2])
        elif kind == "factorial":
            yield self._compile(node[1])
            self._emit("one", _expr_factorial)
        elif kind == "call":
            yield self._call(node[1], node[2])
        else:
            yield self._series(node)

    def _folded(self, parts, operation):
        yield self._compile(parts[0])
        for part in parts[1:]:
            yield self._compile(part)
            self._emit("two", operation)

    def _power(self, base, exponent):
        if base == ("constant", "e"):
            yield self._compile(exponent)
            self._emit("apply", "exp")
            return
        rational = expr_rational(exponent)
        if rational is None:
            yield self._folded((base, exponent), expr_power)
        else:
            yield self._compile(base)
            self._emit("rational", rational)

    def _call(self, name, args):
        if name == "binom":
            for arg in args:
                yield self._compile(arg)
                self._emit("one", _expr_whole)
            self._emit("two", _expr_binomial)
        elif name in ("min", "max"):
            yield self._folded(args, _expr_minimum if name == "min" else _expr_maximum)
        elif name == "logb":
            yield self._folded((args[1], args[0]), _expr_logarithm)
        else:
            yield self._compile(args[0])
            self._emit("apply", name)

    def _series(self, node):
        _, op, index, first, last, body = node
        for end in (first, last):
            yield self._compile(end)
            self._emit("one", _expr_whole)
        self._emit("series", (op, index, ExprProgram(body)))


def _expr_kept(literal):
    """A value, or the reason why there is none, to be raised when it is asked for."""
    try:
        return literal()
    except ExprNoBall as none:
        return none


def _expr_constant(name):
    return EXPR_IMAGINARY if name == "i" else expr_literal(math.pi if name == "pi" else math.e, False)


def _expr_whole(ball):
    """A whole number, as a double."""
    n = expr_round(ball[0])
    if ball[3] and abs(ball[0] - n) <= ball[2]:
        return n if n != 0 else 0.0
    raise ExprNoBall("undefined")


def _expr_factorial(ball):
    n = _expr_whole(ball)
    if n < 0:
        raise ExprNoBall("undefined")
    if n > _EXPR_LARGEST_FACTORIAL:
        raise ExprNoBall("unclear")
    product = 1.0
    for k in range(2, int(n) + 1):
        product *= k
    return expr_literal(product, n <= 18)


def _expr_logarithm(x, base):
    return expr_divide(expr_apply("ln", x), expr_apply("ln", base))


def _expr_minimum(x, y):
    return _expr_extreme(x, y, x[0] <= y[0])


def _expr_maximum(x, y):
    return _expr_extreme(x, y, x[0] >= y[0])


def _expr_extreme(x, y, takes_left):
    if not (x[3] and y[3]):
        raise ExprNoBall("undefined")
    taken = x if takes_left else y
    return taken[0], taken[1], max(x[2], y[2]), taken[3]


def _expr_binomial(n, k):
    if n < 0:
        raise ExprNoBall("undefined")
    if k < 0 or k > n:
        return expr_literal(0.0, True)
    least = min(k, n - k)
    if least > _EXPR_MOST_TERMS:
        raise ExprNoBall("unclear")
    result, j = 1.0, 1.0
    while j <= least:
        result = (result * (n - j + 1)) / j
        j += 1
    # Each step is exact while it is a whole number below 2^53.
    return expr_literal(result, result < 2**46)


def _expr_series(operand, first, last, point, effort):
    op, index, body = operand
    if last - first >= _EXPR_MOST_TERMS:
        raise ExprNoBall("unclear")
    combine = expr_add if op == "sum" else expr_multiply
    result = expr_literal(0.0 if op == "sum" else 1.0, True)
    inner = dict(point)
    k = first
    while k <= last:
        inner[index] = k
        result = combine(result, body.value(inner, effort))
        k += 1
    return result
