"""
Whether two expressions are equal: same values, to rounding, at seeded points of the domain, and a value at the same points. Over the
reals where both have real values, over the complex numbers (principal values) elsewhere.
"""

from decimal import Decimal

from .expr_ball import EXPR_U, ExprNoBall, expr_ball_distance, expr_ball_size
from .expr_digits import expr_digits_context
from .expr_evaluate import ExprEffort, ExprProgram
from .expr_precise import EXPR_LONG, ExprPreciseProgram, expr_precise
from .expr_tree import expr_bare, expr_has_i

# Points that must agree, points that are tried at most, and those that many digits confirm.
_EXPR_ENOUGH = 12
_EXPR_TRIES = 96
_EXPR_CONFIRMED = 2
# Two constants are equal within this (relative).
_EXPR_CONSTANT_TOLERANCE = 1e-12
# Equality counts only where rounding cannot hide a larger relative difference.
_EXPR_SHARP = 1e-9
# The slack of the rounding bounds.
_EXPR_SLACK = 64 * EXPR_U
# Nodes visited in doubles, and steps at many digits, for one verdict.
_EXPR_EFFORT = 300_000
_EXPR_PRECISE_EFFORT = 40_000


def expr_compare(expected, answer, points, declared):
    """
    The verdict, its reason and why. `declared`: the domain gives a range for each variable; then a value outside the reals is a
    difference, else it may only be that the range is not known.
    """
    comparer = _ExprComparer(expected, answer)
    found = comparer.constants() if points.constant else comparer.functions(points, declared)
    # What is the same term for term is equal even where its value is out of reach, if nothing says that it has none.
    if found[1] == "out_of_reach" and expr_bare(expected) == expr_bare(answer):
        return _expr_right("it is the same term for term")
    return found


def _expr_right(why):
    return "right", "equal", why


def _expr_wrong(why, reason="wrong_value"):
    return "wrong", reason, why


class _ExprSide:
    """One of the two expressions, made ready for evaluation when it is first asked for."""

    def __init__(self, node):
        self.node = node
        self._program = self._precise = None

    def value(self, point, effort):
        """A ball, or why there is none."""
        if self._program is None:
            self._program = ExprProgram(self.node)
        try:
            return self._program.value(point, effort)
        except ExprNoBall as none:
            return none.kind

    def precise(self, point, effort):
        if self._precise is None:
            self._precise = ExprPreciseProgram(self.node)
        return expr_precise(self._precise, point, effort)


def _expr_is_ball(value):
    return value.__class__ is tuple


class _ExprComparer:
    def __init__(self, expected, answer):
        self.expected = _ExprSide(expected)
        self.answer = _ExprSide(answer)
        self.effort = ExprEffort(_EXPR_EFFORT)
        self.precise_effort = ExprEffort(_EXPR_PRECISE_EFFORT)
        self.agreed = self.confirmed = 0
        # Points at which only one has a value, and at which they differ but not both are real.
        self.lone = self.beyond = 0
        self.ever_real = False
        self.complex_known = None

    def constants(self):
        x, y = self.expected.value({}, self.effort), self.answer.value({}, self.effort)
        if x == "undefined":
            return "undecided", "unreadable_reference", "the expected expression has no value"
        if y == "undefined":
            return _expr_wrong("it has no value", "undefined")
        agreement = "unclear"
        if _expr_is_ball(x) and _expr_is_ball(y):
            agreement = _expr_agree(x, y, _EXPR_CONSTANT_TOLERANCE, _EXPR_CONSTANT_TOLERANCE)
        if agreement == "unclear":
            agreement = self.precisely({}, _EXPR_CONSTANT_TOLERANCE)
        if agreement == "equal":
            return _expr_right("both have the same value")
        if agreement == "different":
            return _expr_wrong("its value is another one")
        why = "its value is too large, too small or too finely balanced to be compared"
        return "undecided", "out_of_reach", why

    def functions(self, points, declared):
        for index in range(_EXPR_TRIES):
            if self.agreed >= _EXPR_ENOUGH or self.effort.left <= 0:
                break
            if self.look(points.at(index)) == "different":
                return _expr_wrong("it has another value at a point of the domain")
        if self.lone > 2 and self.lone * 4 > self.agreed:
            return _expr_wrong("one of the two has no value where the other has one", "different_domain")
        if self.beyond > 0:
            return self.outside_reals(declared)
        if self.agreed < _EXPR_ENOUGH:
            why = "too few points of the domain are left at which both can be compared"
            return "undecided", "out_of_reach", why
        return _expr_right(f"both have the same values at {self.agreed} points of the domain")

    def outside_reals(self, declared):
        if not self.ever_real:
            return _expr_wrong("its values are others")
        why = "it is equal where both are real, but elsewhere they are not both real"
        if declared:
            return _expr_wrong(why, "different_domain")
        return "undecided", "different_domain", f"{why}, and the range of the variables is not declared"

    def look(self, point):
        x, y = self.expected.value(point, self.effort), self.answer.value(point, self.effort)
        both = _expr_is_ball(x) and _expr_is_ball(y)
        if x == "undefined" or y == "undefined":
            if _expr_is_ball(x) != _expr_is_ball(y):
                self.lone += 1
            return "unclear"
        agreement = "unclear"
        if both:
            real = x[3] and y[3]
            agreement = _expr_agree(x, y, 0.0, _EXPR_SHARP)
            if agreement == "different" and not real and not self.is_complex():
                self.beyond += 1
                return "unclear"
            if real and agreement == "equal":
                self.ever_real = True
                agreement = self.confirm(point)
        if agreement == "unclear" and not (_expr_is_ball(x) and not x[3]):
            agreement = self.precisely(point, 0.0)
            if agreement == "equal":
                self.ever_real = True
        if agreement == "equal":
            self.agreed += 1
        return agreement

    def confirm(self, point):
        """A difference that doubles cannot see shows at many digits: sin x against x, x being small."""
        if self.confirmed >= _EXPR_CONFIRMED:
            return "equal"
        self.confirmed += 1
        return "different" if self.precisely(point, 0.0) == "different" else "equal"

    def precisely(self, point, tolerance):
        x = self.expected.precise(point, self.precise_effort)
        y = x and self.answer.precise(point, self.precise_effort)
        if x is None or y is None:
            return "unclear"
        context = expr_digits_context(EXPR_LONG)
        larger = max(x[0].copy_abs(), y[0].copy_abs())
        allowed = context.add(context.add(x[1], y[1]), context.multiply(larger, Decimal(repr(tolerance))))
        return "equal" if context.subtract(x[0], y[0]).copy_abs() <= allowed else "different"

    def is_complex(self):
        if self.complex_known is None:
            self.complex_known = expr_has_i(self.expected.node) or expr_has_i(self.answer.node)
        return self.complex_known


def _expr_agree(x, y, tolerance, sharp):
    """`tolerance`: relative, beside rounding; `sharp`: the largest rounding that lets two values count as equal (relative)."""
    larger = max(expr_ball_size(x), expr_ball_size(y))
    noise = x[2] + y[2]
    if expr_ball_distance(x, y) > 2 * noise + (tolerance + _EXPR_SLACK) * larger:
        return "different"
    return "equal" if noise <= sharp * larger else "unclear"
