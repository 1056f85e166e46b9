"""
Values at many digits, over the reals, for what doubles cannot settle: cancellation, huge and tiny numbers, and a last look at what they
hold to be equal. Evaluated twice, at two precisions: the digits in which both agree are right.
"""

from decimal import Decimal

from .expr_base import expr_run
from .expr_digits import (
    expr_digits_arccos,
    expr_digits_arccosh,
    expr_digits_arcsin,
    expr_digits_arcsinh,
    expr_digits_arctan,
    expr_digits_arctanh,
    expr_digits_context,
    expr_digits_cosh,
    expr_digits_sinh,
    expr_digits_tanh,
    expr_digits_turn,
    expr_pi,
)
from .expr_evaluate import expr_rational

_EXPR_SHORT = 28
EXPR_LONG = 40
_EXPR_MOST_DIGITS_READ = 20_000
# Beyond these, TypeScript's library holds a number for infinite, or for zero.
_EXPR_LARGEST_EXPONENT_OF_TEN = 900_000
_EXPR_LARGEST_ANGLE = 1e6
_EXPR_LARGEST_EXPONENT = 1e6
_EXPR_LARGEST_HYPERBOLIC = 1000
_EXPR_LARGEST_POWER = 200
# What a function costs beside an addition.
_EXPR_FUNCTION_COST = 150
_EXPR_GUARD_DIGITS = 12


class ExprUnsettled(Exception):
    """No value: not real there, too large or small, or a function that is not looked at here."""


def expr_precise(program, point, effort):
    """The value and how far it may be off, at 40 digits, or None."""
    try:
        short = program.value(_EXPR_SHORT, point, effort)
        exact = program.value(EXPR_LONG, point, effort)
    except ExprUnsettled:
        return None
    context = expr_digits_context(EXPR_LONG)
    moved = context.multiply(context.subtract(exact, short).copy_abs(), 16)
    return exact, context.add(moved, context.multiply(exact.copy_abs(), Decimal("1e-26")))


def _expr_settled(value):
    """As the other library has it: what is too large is no value, what is too small is zero."""
    if value is None or not value.is_finite():
        raise ExprUnsettled()
    if value and not -_EXPR_LARGEST_EXPONENT_OF_TEN <= value.adjusted() <= _EXPR_LARGEST_EXPONENT_OF_TEN:
        if value.adjusted() > 0:
            raise ExprUnsettled()
        return Decimal("-0") if value.is_signed() else Decimal(0)
    return value


def _expr_not_lost(value, *origin):
    """A zero that underflow made is no zero."""
    value = _expr_settled(value)
    if not value and all(origin):
        raise ExprUnsettled()
    return value


def _expr_within(x, bound):
    if x.copy_abs() > bound:
        raise ExprUnsettled()
    return x


def _expr_positive(x):
    if not x > 0:
        raise ExprUnsettled()
    return x


class ExprPreciseProgram:
    """An expression as steps on a stack, (cost, operation, operand), as in expr_evaluate."""

    def __init__(self, node):
        self._steps = []
        self._entered = 0
        expr_run(self._compile(node))

    def value(self, digits, point, effort):
        """The value at so many digits. Raises ExprUnsettled."""
        at = _ExprDigits(digits)
        stack = []
        for cost, operation, operand in self._steps:
            effort.left -= cost
            if effort.left < 0:
                raise ExprUnsettled()
            if operation == "number":
                stack.append(_expr_settled(operand))
            elif operation == "variable":
                if operand not in point:
                    raise ExprUnsettled()
                stack.append(Decimal(repr(point[operand])))
            elif operation == "constant":
                stack.append(at.constant(operand))
            elif operation == "several":
                function, count = operand
                args = stack[len(stack) - count :]
                del stack[len(stack) - count :]
                stack.append(_expr_settled(getattr(at, function)(*args)))
            elif operation == "rational":
                stack[-1] = _expr_settled(at.rational(stack[-1], *operand))
            elif operation == "call":
                stack[-1] = _expr_settled(at.call(operand, stack[-1]))
            else:
                raise ExprUnsettled()
        return stack[0]

    def _emit(self, operation, operand=None):
        self._steps.append((self._entered, operation, operand))
        self._entered = 0

    def _compile(self, node):
        self._entered += 1
        kind = node[0]
        if kind == "number":
            self._emit("number", expr_digits_context(_EXPR_MOST_DIGITS_READ).create_decimal(node[1]))
        elif kind == "constant" and node[1] != "i":
            self._emit("constant", node[1])
        elif kind == "variable":
            self._emit("variable", node[1])
        elif kind == "negative":
            yield self._compile(node[1])
            self._emit("several", ("negative", 1))
        elif kind in ("sum", "product"):
            yield self._several(kind, node[1])
        elif kind == "quotient":
            yield self._several(kind, node[1:])
        elif kind == "power":
            yield self._power(node[1], node[2])
        elif kind == "call":
            yield self._call(node[1], node[2])
        else:
            self._emit("none")

    def _several(self, function, args):
        for arg in args:
            yield self._compile(arg)
        self._emit("several", (function, len(args)))

    def _power(self, base, exponent):
        yield self._compile(base)
        self._entered += _EXPR_FUNCTION_COST
        rational = expr_rational(exponent)
        if rational is None:
            yield self._compile(exponent)
            self._emit("several", ("power", 2))
        else:
            self._emit("rational", rational)

    def _call(self, name, args):
        for arg in args:
            yield self._compile(arg)
        self._entered += _EXPR_FUNCTION_COST
        if name == "logb":
            self._emit("several", ("logarithm", 2))
        else:
            self._emit("call" if len(args) == 1 else "none", name)


class _ExprDigits:
    """The operations at one precision."""

    def __init__(self, digits):
        self.digits = digits
        self.context = expr_digits_context(digits)
        self.more = digits + _EXPR_GUARD_DIGITS

    def constant(self, name):
        return expr_pi(self.digits) if name == "pi" else self.context.exp(Decimal(1))

    def negative(self, x):
        return x.copy_negate()

    def sum(self, *parts):
        total = parts[0]
        for part in parts[1:]:
            total = _expr_settled(self.context.add(total, part))
        return total

    def product(self, *parts):
        total = parts[0]
        for part in parts[1:]:
            total = _expr_not_lost(self.context.multiply(total, part), total, part)
        return total

    def quotient(self, x, y):
        if not y:
            raise ExprUnsettled()
        return _expr_not_lost(self.context.divide(x, y), x) if x else x

    def rational(self, base, over, under):
        exponent = _expr_settled(self.context.divide(Decimal(repr(over)), Decimal(repr(under))))
        if base.is_signed() and under % 2 == 1 and under > 1:
            root = self.raised(base.copy_negate(), exponent)
            return root if over % 2 == 0 else root.copy_negate()
        return self.power(base, exponent)

    def power(self, base, exponent):
        if not base and exponent.is_signed():
            raise ExprUnsettled()
        return _expr_not_lost(self.raised(base, exponent), base)

    def raised(self, base, exponent):
        if not exponent:
            return Decimal(1)
        whole = exponent == exponent.to_integral_value()
        if not base:
            if exponent.is_signed():
                raise ExprUnsettled()
            odd = whole and exponent.adjusted() < 20 and int(exponent) % 2 == 1
            return base if odd else base.copy_abs()
        if base.is_signed() and not whole:
            raise ExprUnsettled()
        return _expr_settled(self.context.plus(expr_digits_context(self.more).power(base, exponent)))

    def logarithm(self, base, x):
        under, over = _expr_positive(base), _expr_positive(x)
        return self.quotient(self.context.ln(over), self.context.ln(under))

    def call(self, name, x):
        if name == "abs":
            return x.copy_abs()
        if name == "exp":
            return _expr_not_lost(self.context.exp(_expr_within(x, _EXPR_LARGEST_EXPONENT)))
        if name in ("ln", "log"):
            return self.context.ln(_expr_positive(x))
        if name in ("sin", "cos", "tan", "cot", "sec", "csc"):
            return self.turned(name, _expr_within(x, _EXPR_LARGEST_ANGLE))
        if name in ("sinh", "cosh", "tanh"):
            _expr_within(x, _EXPR_LARGEST_HYPERBOLIC)
        if name in ("arcsinh", "arccosh") and x and x.adjusted() > _EXPR_LARGEST_POWER:
            raise ExprUnsettled()
        function = _EXPR_DIGITS_FUNCTIONS.get(name)
        if function is None:
            raise ExprUnsettled()
        if not x and name not in ("arccos", "cosh", "arccosh"):
            return x
        value = function(x, self.more)
        return value if value is None else self.context.plus(value)

    def turned(self, name, x):
        one = Decimal(1)
        if name == "sin":
            return self.turn(x, 0)
        if name == "cos":
            return self.turn(x, 1)
        if name == "tan":
            return self.quotient(self.turn(x, 0), self.turn(x, 1))
        if name == "cot":
            return self.quotient(self.turn(x, 1), self.turn(x, 0))
        return self.quotient(one, self.turn(x, 1 if name == "sec" else 0))

    def turn(self, x, quarters):
        if not x:
            return Decimal(1) if quarters else x
        value = expr_digits_turn(x, quarters, self.digits)
        if value is None:
            raise ExprUnsettled()
        return self.context.plus(value)


_EXPR_DIGITS_FUNCTIONS = {
    "arcsin": expr_digits_arcsin,
    "arccos": expr_digits_arccos,
    "arctan": expr_digits_arctan,
    "sinh": expr_digits_sinh,
    "cosh": expr_digits_cosh,
    "tanh": expr_digits_tanh,
    "arcsinh": expr_digits_arcsinh,
    "arccosh": expr_digits_arccosh,
    "arctanh": expr_digits_arctanh,
}
