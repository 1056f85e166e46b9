"""Free text: equal but for case, spaces and punctuation. A sign or a point inside a number is no punctuation."""

from .jstext import lowered, normalized, units
from .regex import Regex
from .verdicts import verdict_right, verdict_wrong

_TEXT_MINUS = Regex(r"(?<![\p{L}\p{N}])[-−](?=\d)", "gu")
_TEXT_POINT = Regex(r"(?<=\d)\.(?=\d)", "g")
_TEXT_COMMA = Regex(r"(?<=\d),(?=\d)", "g")
_TEXT_SLASH = Regex(r"(?<=\d)\/(?=\d)", "g")
_TEXT_KEPT = Regex(r"[\p{L}\p{M}\p{N}\p{S}\ue001-\ue004]+", "gu")
_TEXT_APART = Regex(r"(?<=\d) (?=\d)", "g")


def grade_text(plain, expected):
    if text_key(plain) == text_key(expected):
        return verdict_right("equal", "the texts are the same", plain)
    return verdict_wrong("wrong_value", "it is another text", plain)


def text_key(plain):
    """What is left of a text when case, spaces and punctuation are not looked at."""
    marked = _TEXT_MINUS.sub("\ue001", lowered(normalized("NFKC", units(plain))))
    marked = _TEXT_SLASH.sub("\ue004", _TEXT_COMMA.sub("\ue003", _TEXT_POINT.sub("\ue002", marked)))
    kept = " ".join(m[0] for m in _TEXT_KEPT.all(marked))
    return _TEXT_APART.sub("_", kept).replace(" ", "")
