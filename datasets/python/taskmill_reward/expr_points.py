"""
Seeded points for the variables of two expressions. Same texts, same points, on any machine and in TypeScript. Of variables without
a declared range every other point is positive, since logarithms and roots of several variables would else hardly ever be real.
"""

import math

from .expr_ball import expr_float_power
from .expr_tree import expr_counters, expr_variables

_EXPR_DEFAULT = 3.0
# For what is counted: n under a factorial, the end of a sum.
_EXPR_DEFAULT_COUNT = (0.0, 12.0)
# A positive range over more decades than this is drawn on a logarithmic scale half of the time.
_EXPR_WIDE = 1000


class ExprPoints:
    def __init__(self, nodes, domain, seed):
        self._domain = domain
        self._seed = [ord(c) for c in seed]
        self._variables = sorted(set().union(*map(expr_variables, nodes)))
        self._counters = set().union(*map(expr_counters, nodes))

    @property
    def constant(self):
        return not self._variables

    def at(self, index):
        return {name: self._value(name, index) for name in self._variables}

    def _value(self, name, index):
        uniform = self._unit(f"{index}:{name}:")
        declared = self._domain.get(name)
        if name in self._counters:
            low, high = declared or _EXPR_DEFAULT_COUNT
            first, last = float(math.ceil(low)), float(math.floor(high))
            return min(first + math.floor(uniform * (last - first + 1)), last)
        if declared is None:
            return _EXPR_DEFAULT * uniform if index % 2 == 0 else -_EXPR_DEFAULT * (2 * uniform - 1)
        low, high = declared
        if low > 0 and high / low > _EXPR_WIDE and index % 2 == 0:
            return min(high, low * expr_float_power(high / low, uniform))
        return min(high, low + (high - low) * uniform)

    def _unit(self, head):
        """In (0, 1), with 32 random bits: FNV-1a over head and seed, then the finisher of MurmurHash3."""
        state = 0x811C9DC5
        for c in head:
            state = ((state ^ ord(c)) * 0x01000193) & 0xFFFFFFFF
        for code in self._seed:
            state = ((state ^ code) * 0x01000193) & 0xFFFFFFFF
        state = ((state ^ (state >> 16)) * 0x85EBCA6B) & 0xFFFFFFFF
        state = ((state ^ (state >> 13)) * 0xC2B2AE35) & 0xFFFFFFFF
        return ((state ^ (state >> 16)) + 0.5) / 2**32
