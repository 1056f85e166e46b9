"""
Expressions up to an added constant. Asked for where the expected one ends in `+ C` (and `C` has no declared range): the answer must
then have a constant of its own, and may differ by any number.
"""

import re

from .expr_ball import ExprNoBall
from .expr_base import expr_run
from .expr_evaluate import ExprEffort, ExprProgram
from .expr_tree import expr_variables
from .jstext import number_text

_EXPR_OWN_CONSTANT = re.compile("[CcKk](_[0-9])?")
_EXPR_ALIGNING_POINTS = 24
_EXPR_ALIGNING_EFFORT = 20_000


def expr_without_constant(node, domain):
    """The expected expression without its constant, if it ends in one; else None."""
    if node[0] != "sum" or "C" in domain or node[1][-1] != ("variable", "C"):
        return None
    rest = _expr_sum(node[1][:-1])
    return None if "C" in expr_variables(rest) else rest


def expr_without_own_constant(node, taken):
    """The answer without its constant: one term that is a letter by itself, found nowhere else; else None."""
    if node[0] != "sum":
        return None
    for at, part in enumerate(node[1]):
        if part[0] == "variable" and _EXPR_OWN_CONSTANT.fullmatch(part[1]) and part[1] not in taken:
            rest = _expr_sum(node[1][:at] + node[1][at + 1 :])
            return None if part[1] in expr_variables(rest) else rest
    return None


def expr_aligned(expected, answer, points):
    """The answer, moved by a number so that both agree at one point. None if there is no point at which both are real."""
    programs = [ExprProgram(expected), ExprProgram(answer)]
    for index in range(_EXPR_ALIGNING_POINTS):
        point = points.at(index)
        try:
            values = [program.value(point, ExprEffort(_EXPR_ALIGNING_EFFORT)) for program in programs]
        except ExprNoBall:
            continue
        if all(value[3] for value in values):
            moved = (_expr_fixed(expected, point), ("negative", _expr_fixed(answer, point)))
            return _expr_sum((answer, _expr_sum(moved)))
    return None


def _expr_sum(parts):
    return parts[0] if len(parts) == 1 else ("sum", tuple(parts))


def _expr_fixed(node, point):
    """An expression with numbers in the place of its variables."""
    return expr_run(_expr_fix(node, point))


def _expr_fix(node, point):
    kind = node[0]
    if kind == "variable":
        value = point.get(node[1])
        if value is None:
            return node
        size = ("number", number_text(abs(value)))
        return ("negative", size) if value < 0 else size
    if kind in ("number", "constant"):
        return node
    if kind == "series":
        first = yield _expr_fix(node[3], point)
        last = yield _expr_fix(node[4], point)
        outer = {name: value for name, value in point.items() if name != node[2]}
        return node[:3] + (first, last, (yield _expr_fix(node[5], outer)))
    inner = node[1] if kind in ("sum", "product") else node[2] if kind == "call" else node[1:]
    fixed = []
    for child in inner:
        fixed.append((yield _expr_fix(child, point)))
    if kind in ("sum", "product"):
        return kind, tuple(fixed)
    return ("call", node[1], tuple(fixed)) if kind == "call" else (kind, *fixed)
