"""What stands around an expression: marks of mathematics mode, and the sides of an equation."""

import re
import unicodedata

from .expr_base import ExprReading, ExprRefusal
from .expr_name import expr_read_name
from .expr_tokens import expr_tokenize
from .jstext import SPACES

_EXPR_OTHER_FACES = re.compile("[\U0001d400-\U0001d7ff\uff01-\uff5e]")
_EXPR_INVISIBLE = re.compile("[\u200b-\u200f\u2060-\u2064\ufeff]")
_EXPR_WRAPPERS = (("$$", "$$"), ("$", "$"), ("\\(", "\\)"), ("\\[", "\\]"))
_EXPR_BOX = re.compile(r"\\(?:boxed|fbox)[" + SPACES + r"]*\{")
_EXPR_LAYERS = 4


def expr_cleaned(text):
    """Without the marks of mathematics mode, a box, an ending point, other faces of letters, invisible signs."""
    plain = _EXPR_OTHER_FACES.sub(lambda m: unicodedata.normalize("NFKC", m[0]), text)
    inner = _EXPR_INVISIBLE.sub("", plain).replace("{,}", ",").strip(SPACES)
    # Each layer is taken off once, at most as many as people put on.
    for _ in range(_EXPR_LAYERS):
        before = inner
        if inner.endswith((".", ",", ";")) and not inner[:-1].endswith((".", ",", ";", "\\")):
            inner = inner[:-1]
        inner = inner.strip(SPACES)
        for opening, closing in _EXPR_WRAPPERS:
            long_enough = len(inner) >= len(opening) + len(closing)
            if long_enough and inner.startswith(opening) and inner.endswith(closing):
                inner = inner[len(opening) : -len(closing)].strip(SPACES)
        inner = _expr_unboxed(inner)
        if inner == before:
            break
    return inner


def _expr_unboxed(text):
    """`\\boxed{...}` around the whole."""
    box = _EXPR_BOX.match(text)
    if box is None or not text.endswith("}"):
        return text
    depth = 1
    for at in range(box.end(), len(text)):
        if text[at] == "{":
            depth += 1
        elif text[at] == "}":
            depth -= 1
            if depth == 0:
                return text[box.end() : at].strip(SPACES) if at == len(text) - 1 else text
    return text


# The largest number of equals signs in a row, and the longest side that is only a name.
_EXPR_MOST_SIDES = 12
_EXPR_LONGEST_LABEL = 100
_EXPR_BLANK = "[" + SPACES + "]*"
_EXPR_DERIVATIVE = re.compile(
    _EXPR_BLANK
    + r"(?:\\[dt]?frac@\{@(?:d|\\partial)[^{}]{0,20}\}@\{@(?:d|\\partial)[^{}]{0,20}\}|d[a-zA-Z]@/@d[a-zA-Z])@".replace(
        "@", _EXPR_BLANK
    )
)
_EXPR_INVERSE = re.compile(r"\^\{?\(?-1\)?\}?")
_EXPR_ARGUMENTS = re.compile(r"\([^()]*\)")


def expr_equation(text, named):
    """
    `y = ...`, `f(x) = ...`, `dy/dx = ...`, `... = x`: the name of the unknown (None for `f(x)`, a derivative, or where there is
    no equals sign), and the sides that give its value, in order. Raises ExprRefusal if no side is a name.
    """
    sides = _expr_sides(text)
    if len(sides) == 1:
        return None, sides
    if len(sides) > _EXPR_MOST_SIDES:
        raise ExprRefusal("there are too many equals signs")
    for side, values in ((sides[0], sides[1:]), (sides[-1], sides[:-1])):
        label = _expr_label(side, named)
        if label is not None:
            return label or None, values
    raise ExprRefusal("neither side of the equation is a name")


def _expr_sides(text):
    """Splits at equals signs outside braces; `\\sum_{k=1}` keeps its own."""
    sides, depth, start = [], 0, 0
    for at, char in enumerate(text):
        if char == "{":
            depth += 1
        elif char == "}":
            depth -= 1
        elif char == "=" and depth <= 0:
            sides.append(text[start:at])
            start = at + 1
    return sides + [text[start:]]


def _expr_label(side, named):
    """What a side names, "" where that is a function or a derivative; None if it does more than name something."""
    if len(side) > _EXPR_LONGEST_LABEL:
        return None
    if _EXPR_DERIVATIVE.fullmatch(side):
        return ""
    try:
        tokens = expr_tokenize(side, named, ExprReading())
        name, behind = expr_read_name(tokens, 0)
    except ExprRefusal:
        return None
    rest = "".join(token.text for token in tokens[behind:-1])
    if behind >= len(tokens) - 1:
        return name
    inverse = _EXPR_INVERSE.match(rest)
    return "" if _EXPR_ARGUMENTS.fullmatch(rest[inverse.end() if inverse else 0 :]) else None
