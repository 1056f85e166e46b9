"""Names of variables, and numbers of several tokens."""

import re

from .expr_base import ExprReading, ExprRefusal
from .expr_tokens import EXPR_MARKS, expr_tokenize

_EXPR_ALL_DIGITS = re.compile("[0-9]+")
_EXPR_WORD_NAME = re.compile("[a-zA-Z]{2,40}")


def expr_read_name(tokens, start):
    """
    The variable that begins at a token: a letter, a mark on it, a subscript, primes. `x_1`, `x_{1}` and `x1` are one name, as
    are `v_{\\text{max}}` and `v_max`. Its name and the index of the token behind it; raises ExprRefusal.
    """
    at, first = start, tokens[start]
    if first.kind == "command" and first.text in EXPR_MARKS:
        braced = _expr_text_at(tokens, at + 1) == "{"
        place = at + (2 if braced else 1)
        letter = tokens[place] if place < len(tokens) else None
        if letter is None or letter.kind != "name" or (braced and _expr_text_at(tokens, at + 3) != "}"):
            raise ExprRefusal("a mark stands on a single letter")
        name = EXPR_MARKS[first.text] + letter.text
        at += 4 if braced else 2
    elif first.kind == "name":
        name = first.text
        at += 1
    else:
        raise ExprRefusal("a name should stand here")
    glued = tokens[at]
    if glued.kind == "number" and not glued.spaced and not first.latex and _EXPR_ALL_DIGITS.fullmatch(glued.text):
        name += "_" + glued.text
        at += 1
    elif glued.text == "_":
        script, at = _expr_subscript(tokens, at + 1)
        name += "_" + script
    while tokens[at].text == "'":
        name += "'"
        at += 1
    return name, at


def _expr_text_at(tokens, at):
    return tokens[at].text if at < len(tokens) else None


def _expr_subscript(tokens, start):
    """The plain text of a subscript."""
    first = tokens[start]
    if first.text != "{":
        if first.kind not in ("name", "number", "function"):
            raise ExprRefusal("a subscript should follow")
        # In plain text a whole word is the subscript: v_max; in LaTeX too, as people write it.
        at, text = start + 1, first.text
        while first.kind == "name" and not first.latex and _expr_glues(tokens[at]):
            text += tokens[at].text
            at += 1
        return text, at
    at, text, depth = start + 1, "", 1
    while depth > 0:
        token = tokens[at]
        if token.kind == "end":
            raise ExprRefusal("a brace is not closed")
        if token.text == "{":
            depth += 1
        elif token.text == "}":
            depth -= 1
        elif token.kind != "command":
            text += token.text
        at += 1
    return text, at


def _expr_glues(token):
    return not token.spaced and not token.latex and token.kind in ("name", "number", "function")


def expr_canonical_name(written):
    """The name that the parser gives a variable, however it is written: `\\theta_{1}`, `theta_1` and `θ1` are one."""
    whole = frozenset([written]) if _EXPR_WORD_NAME.fullmatch(written) else frozenset()
    try:
        tokens = expr_tokenize(written, whole, ExprReading())
        name, behind = expr_read_name(tokens, 0)
    except ExprRefusal:
        return written
    return name if behind == len(tokens) - 1 else written


# Languages that write 1,5 for one and a half, by primary subtag, and regions where they do not.
_EXPR_DECIMAL_COMMA = frozenset(
    "bg ca cs da de el es et eu fi fr gl hr hu id is it lt lv mk nb nl nn no pl pt ro ru sk sl sq sr sv tr uk vi".split()
)
_EXPR_DECIMAL_POINT = frozenset(
    "de-ch de-li es-mx es-us es-pr es-gt es-hn es-ni es-pa es-pe es-do es-sv".split()
)
_EXPR_GROUPED = re.compile(r"[0-9]{1,3}(,[0-9]{3})+(\.[0-9]+)?")
_EXPR_SPACED = re.compile(r"[0-9]{1,3}( [0-9]{3})+(\.[0-9]+)?")
_EXPR_SWAP = str.maketrans(".,", ",.")


def expr_decimal_comma(language=None):
    tag = (language or "en").lower()
    return tag.split("-")[0] in _EXPR_DECIMAL_COMMA and tag not in _EXPR_DECIMAL_POINT


def expr_read_number(tokens, decimal_comma):
    """The number that digits and separators make up, as plain decimal text. Refuses what the language does not write."""
    written = ""
    for at, token in enumerate(tokens):
        parted = at > 0 and token.kind == "number" and tokens[at - 1].kind == "number"
        written += " " + token.text if parted else token.text
    text = _expr_swapped(written) if decimal_comma else written
    if _EXPR_GROUPED.fullmatch(text):
        return text.replace(",", "")
    if _EXPR_SPACED.fullmatch(text):
        return text.replace(" ", "")
    if "," in text or " " in text:
        raise ExprRefusal("no single number in the question's language")
    return text[:-1] if text.endswith(".") else text


def _expr_swapped(text):
    """With comma and point changed; a point that groups nothing is a point, whatever the language."""
    swap = text.translate(_EXPR_SWAP)
    return swap if "," in text or _EXPR_GROUPED.fullmatch(swap) else text
