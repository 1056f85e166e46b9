"""
Grades an expression, LaTeX or plain text, that should equal another up to algebra, with the sampling evaluator of the TypeScript verifier:
same points, same bounds, same limits.
"""

import math

from .expr_base import EXPR_CHOICES, ExprReading, ExprRefusal, expr_combinations
from .expr_compare import expr_compare
from .expr_constant import expr_aligned, expr_without_constant, expr_without_own_constant
from .expr_equation import expr_cleaned, expr_equation
from .expr_name import expr_canonical_name
from .expr_parse import expr_parse
from .expr_points import ExprPoints
from .expr_tree import expr_bare, expr_variables
from .jstext import points, trim
from .verdicts import Verdict, verdict_undecided

# The longest answer that is looked at, in UTF-16 units, and the longest excerpt in a verdict.
_EXPR_LONGEST = 10_000
# Sides of `y = a = b` that are looked at: each costs as much as an answer of its own.
_EXPR_SIDES = 4
_EXPR_SHOWN = 400


def grade_expression(answer, expected):
    """
    Pure and total: never throws, in bounded time. What cannot be read, or be told at the points that can be compared, is
    `undecided`. `expected` is {"type": "expression", "text", "domain": {name: [low, high]}}.
    """
    if trim(answer) == "":
        return verdict_undecided("no_answer", "it is empty")
    if len(answer) > _EXPR_LONGEST:
        return verdict_undecided("too_long", f"it has more than {_EXPR_LONGEST} characters")
    domain = _expr_domain(expected.get("domain") or {})
    if domain is None:
        return _expr_unreadable_reference("the domain of the expected expression is no range")
    try:
        label, references = expr_equation(expr_cleaned(points(expected["text"])), domain.keys())
    except ExprRefusal as refusal:
        return _expr_unreadable_reference(f"the expected expression cannot be read: {refusal}")
    if len(references) != 1:
        return _expr_unreadable_reference("the expected expression has several values")
    try:
        own_label, values = expr_equation(expr_cleaned(points(answer)), domain.keys())
    except ExprRefusal as refusal:
        return verdict_undecided("unreadable", f"it cannot be read: {refusal}")
    if label is not None and own_label is not None and label != own_label:
        why = f"it names {own_label}, the expected expression {label}"
        return verdict_undecided("different_label", why)
    if len(values) > _EXPR_SIDES:
        return verdict_undecided("too_long", f"it has more than {_EXPR_SIDES} sides")
    return _expr_together(values, references[0], domain)


def _expr_domain(domain):
    """Ranges by the names that the parser gives to variables; None if one is no range."""
    ranges = {}
    for name, (low, high) in domain.items():
        low, high = float(low), float(high)
        if not (math.isfinite(low) and math.isfinite(high) and low <= high):
            return None
        ranges[expr_canonical_name(points(name))] = (low, high)
    return ranges


def _expr_grade(answer, reference, domain):
    """Reads both texts in every way in which they can be read; the verdicts must be the same."""
    reading = ExprReading()
    first = _expr_grade_once(answer, reference, domain, reading)
    if not reading.asked:
        return first
    found = None
    for choices in expr_combinations(reading.asked):
        plain = all(EXPR_CHOICES[choice][0] == value for choice, value in choices.items())
        verdict = first if plain else _expr_grade_once(answer, reference, domain, ExprReading(choices))
        if verdict.reason.startswith("unreadable"):
            continue
        if found is None:
            found = verdict
        elif verdict.verdict != found.verdict:
            break
    else:
        return first if found is None else found
    why = f"it can be read in several ways ({', '.join(sorted(reading.asked))}), not all of them equal"
    return _expr_shown(verdict_undecided("ambiguous", why), found.read)


def _expr_grade_once(answer, reference, domain, reading):
    named = frozenset(domain)
    expected, refused = _expr_attempt(reference, reading, named)
    given, unread = _expr_attempt(answer, reading, named)
    if refused is not None:
        return _expr_unreadable_reference(f"the expected expression cannot be read: {refused}")
    if unread is not None:
        return verdict_undecided("unreadable", f"it cannot be read: {unread}")
    verdict = Verdict(*_expr_decide(expected, given, domain, f"{reference}\n{answer}"), None)
    return _expr_shown(verdict, expr_bare(given)[:_EXPR_SHOWN])


def _expr_shown(verdict, read):
    """With what was read, which is longer here than elsewhere."""
    verdict.read = read
    return verdict


def _expr_attempt(text, reading, named):
    """The tree, and why there is none."""
    try:
        return expr_parse(text, reading, named), None
    except ExprRefusal as refusal:
        return None, refusal


def _expr_decide(expected, answer, domain, seed):
    core = expr_without_constant(expected, domain)
    if core is None:
        return _expr_compared(expected, answer, domain, seed)
    own = expr_without_own_constant(answer, expr_variables(core))
    if own is None:
        return "wrong", "missing_constant", "it lacks the constant of integration"
    moved = expr_aligned(core, own, ExprPoints([core, own], domain, seed))
    if moved is None:
        return "undecided", "out_of_reach", "no point is left at which both are real"
    return _expr_compared(core, moved, domain, seed)


def _expr_compared(expected, answer, domain, seed):
    declared = all(name in domain for name in expr_variables(expected) | expr_variables(answer))
    return expr_compare(expected, answer, ExprPoints([expected, answer], domain, seed), declared)


def _expr_together(values, reference, domain):
    """One verdict for the sides of `y = a = b`."""
    last = _expr_grade(values[-1], reference, domain)
    if all(_expr_grade(value, reference, domain).verdict == last.verdict for value in values[:-1]):
        return last
    return _expr_shown(verdict_undecided("several_answers", "its sides are not equal to one another"), last.read)


def _expr_unreadable_reference(why):
    return verdict_undecided("unreadable_reference", why)
